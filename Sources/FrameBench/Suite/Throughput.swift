/// The amount of work of a call, such as `.items(500)` or `.bytes(json.count)`. Reports turn it into rates per second.
public struct Throughput: Hashable, Sendable, Codable {
  /// Unit of the amount.
  public enum Unit: String, Codable, Sendable, CaseIterable {
    case items
    case bytes
  }

  /// Unit of the amount.
  public let unit: Unit
  /// The amount of one call. Absent: the amount is the size of the benchmark.
  public let amount: Int?

  /// Returns the throughput of calls that process this many items.
  /// - Parameter amount: Items per call, positive and up to 2^53.
  public static func items(_ amount: Int) -> Throughput { Throughput(unit: .items, amount: amount) }
  /// Returns the throughput of calls that process this many bytes.
  /// - Parameter amount: Bytes per call, positive and up to 2^53.
  public static func bytes(_ amount: Int) -> Throughput { Throughput(unit: .bytes, amount: amount) }
  /// The reason why documents cannot contain the amount, as the end of a sentence "… has". Nil if they can.
  var problem: String? {
    guard let amount, !(1...1 << 53).contains(amount) else { return nil }
    return "a throughput of \(amount) \(unit.rawValue) a call; give a positive number, up to 2^53"
  }

  package func of(size: Int) -> Throughput { Throughput(unit: unit, amount: amount ?? size) }

  /// The throughput of calls that process as many items as the size of the benchmark.
  public static var itemsOfSize: Throughput { Throughput(unit: .items, amount: nil) }
}
