/// A named number that a scenario reports for each frame, such as `timer.record(.activeItems, 14)`. Comparisons treat
/// every difference as real, because such numbers have no noise.
public struct Counter: Sendable {
  /// The name. Counters with equal names are the same counter, wherever they are created.
  public let name: StaticString
  /// Unit of the counter's values.
  public let unit: Unit
  /// Whether comparisons, budgets and histories regard lower or higher values as better.
  public let direction: Direction

  /// A unit of values. Documents contain the raw value of the case.
  public enum Unit: String, Codable, Sendable, CaseIterable {
    case count
    case bytes
    case nanoseconds = "ns"
  }

  /// Which values are better. Documents contain the raw value of the case.
  public enum Direction: String, Codable, Sendable, CaseIterable {
    case lowerIsBetter
    case higherIsBetter
    /// Neither lower nor higher values are better.
    case neither
  }

  /// - Parameter name: The name. A benchmark fails if it records more than 16 different counters.
  @inlinable public init(_ name: StaticString, unit: Unit = .count, direction: Direction = .lowerIsBetter) {
    self.name = name
    self.unit = unit
    self.direction = direction
  }

  /// The number of items that are attached to a spring in this frame.
  @inlinable public static var activeItems: Counter { Counter("activeItems") }
  /// The number of springs whose state the solver advanced in this frame.
  @inlinable public static var springEvaluations: Counter { Counter("springEvaluations") }
  /// The number of items that gained or lost a spring in this frame.
  @inlinable public static var tileChurn: Counter { Counter("tileChurn") }
  /// The number of items that the layout returned as visible in the phase `query` of this frame.
  @inlinable public static var visibleItems: Counter { Counter("visibleItems", direction: .neither) }
}
