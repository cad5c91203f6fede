/// The amount of work of a call, for rates per second in reports: `.items(500)`, `.bytes(json.count)`.
public struct Throughput: Hashable, Sendable, Codable {
  /// Unit of the amount.
  public enum Unit: String, Codable, Sendable, CaseIterable {
    case items
    case bytes
  }

  /// Unit of the amount.
  public let unit: Unit
  /// Amount of one call. Absent: as many as the size of the benchmark.
  public let amount: Int?

  /// - Parameter amount: Items per call, positive and up to 2^53.
  public static func items(_ amount: Int) -> Throughput { Throughput(unit: .items, amount: amount) }
  /// - Parameter amount: Bytes per call, positive and up to 2^53.
  public static func bytes(_ amount: Int) -> Throughput { Throughput(unit: .bytes, amount: amount) }
  /// Why documents cannot hold it, to follow "has"; nil if they can.
  var problem: String? {
    guard let amount, !(1...1 << 53).contains(amount) else { return nil }
    return "a throughput of \(amount) \(unit.rawValue) a call; give a positive number, up to 2^53"
  }

  package func of(size: Int) -> Throughput { Throughput(unit: unit, amount: amount ?? size) }

  /// A call works through as many items as the size of the benchmark says.
  public static var itemsOfSize: Throughput { Throughput(unit: .items, amount: nil) }
}
