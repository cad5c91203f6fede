/// What a call works through, so that reports can say how much a second: `.items(500)`, `.bytes(json.count)`.
public struct Throughput: Hashable, Sendable, Codable {
  /// What is counted.
  public enum Unit: String, Codable, Sendable, CaseIterable {
    case items
    case bytes
  }

  /// What is counted.
  public let unit: Unit
  /// Of one call. Absent: as many as the size of the benchmark.
  public let amount: Int?

  /// - Parameter amount: Of one call, positive.
  public static func items(_ amount: Int) -> Throughput { Throughput(unit: .items, amount: amount) }
  /// - Parameter amount: Of one call, positive.
  public static func bytes(_ amount: Int) -> Throughput { Throughput(unit: .bytes, amount: amount) }
  /// The amount of a benchmark of this size.
  package func of(size: Int) -> Throughput { Throughput(unit: unit, amount: amount ?? size) }

  /// As many items as the size of the benchmark says.
  public static var itemsOfSize: Throughput { Throughput(unit: .items, amount: nil) }
}
