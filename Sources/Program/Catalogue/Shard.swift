import FrameBench

/// One of several machines' part of the benchmarks: `2/3` is the second of three.
///
/// What belongs to one scenario and size stays together, because strategies are compared with each other, and
/// times of two machines are not. The groups are dealt out in the order of a hash of their names, so that
/// every machine deals alike, whatever the suite's order, and no part is empty while there are groups enough.
struct Shard: Equatable, Sendable, CustomStringConvertible {
  /// From 1.
  var index: Int
  var count: Int

  static let largestCount = 10_000

  /// Nil for an invalid part, such as `4/3`.
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }),
      let index = Int(parts[0]), let count = Int(parts[1]), (1...Self.largestCount).contains(count),
      (1...count).contains(index)
    else { return nil }
    (self.index, self.count) = (index, count)
  }

  var description: String { "\(index)/\(count)" }

  /// Those of the benchmarks that are this shard's, in their order.
  func part(of ids: [BenchmarkID]) -> Set<BenchmarkID> {
    let groups = Dictionary(grouping: ids) {
      "\($0.scenario)/\($0.size)" + $0.parameters.map { "/\($0)" }.joined()
    }
    let order = groups.keys.sorted { (Self.hash($0), $0) < (Self.hash($1), $1) }
    let own = order.indices.filter { $0 % count == index - 1 }.map { order[$0] }
    return Set(own.flatMap { groups[$0] ?? [] })
  }

  /// The same on every machine, so that all agree on which machine runs what.
  static func hash(_ text: String) -> UInt64 { Checksum(text.utf8).value }
}
