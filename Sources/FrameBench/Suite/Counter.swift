/// A named count that a scenario reports once a frame, exact and free of noise: `timer.record(.activeItems, 14)`.
public struct Counter: Sendable {
  /// Counters of equal names are one counter, wherever they are made.
  public let name: StaticString
  /// Unit of the counter's values.
  public let unit: Unit
  /// The direction that is worse, for comparisons, budgets and histories.
  public let direction: Direction

  /// Units of values; documents contain the raw values.
  public enum Unit: String, Codable, Sendable, CaseIterable {
    case count
    case bytes
    case nanoseconds = "ns"
  }

  /// The better direction; documents contain the raw values.
  public enum Direction: String, Codable, Sendable, CaseIterable {
    case lowerIsBetter
    case higherIsBetter
    /// No direction is better.
    case neither
  }

  /// - Parameter name: A benchmark that records more than 16 different ones is ended.
  @inlinable public init(_ name: StaticString, unit: Unit = .count, direction: Direction = .lowerIsBetter) {
    self.name = name
    self.unit = unit
    self.direction = direction
  }

  /// Items that hang on a spring in this frame.
  @inlinable public static var activeItems: Counter { Counter("activeItems") }
  /// Springs whose state the solver advanced in this frame.
  @inlinable public static var springEvaluations: Counter { Counter("springEvaluations") }
  /// Items that gained or lost a spring in this frame.
  @inlinable public static var tileChurn: Counter { Counter("tileChurn") }
  /// Items that the query returned in this frame.
  @inlinable public static var visibleItems: Counter { Counter("visibleItems", direction: .neither) }
}
