/// A scenario's declaration of a counter, besides its name.
public struct CounterKind: Codable, Sendable, Hashable {
  /// Unit of the counter's values.
  public var unit: Counter.Unit
  /// Which of two values is better.
  public var direction: Counter.Direction

  public init(unit: Counter.Unit = .count, direction: Counter.Direction = .lowerIsBetter) {
    self.unit = unit
    self.direction = direction
  }
}
