import FrameBench
import Measurements

/// The benchmarks of one machine when several machines share the work: `2/3` is the second of three parts.
///
/// Benchmarks of one scenario and size form a group that stays together, because strategies are compared with each
/// other, and times of two machines are not comparable. Groups are assigned from the longest to the shortest, each to
/// the part with the least work so far. Groups of equal length are ordered by a hash of their names, so every machine
/// computes the same parts.
struct Shard: Equatable, Sendable, CustomStringConvertible {
  /// The number of the part, from 1.
  var index: Int
  var count: Int

  static let largestCount = 10_000

  /// Parses a part such as `2/3`. Nil for an invalid part, such as `4/3`.
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { OptionValue.digits($0) }
    guard parts.count == 2, let index = parts[0], let count = parts[1], (1...Self.largestCount).contains(count),
      (1...count).contains(index)
    else { return nil }
    (self.index, self.count) = (index, count)
  }

  var description: String { "\(index)/\(count)" }

  /// - Parameter seconds: The durations of benchmarks, by id. If one is unknown, the average of the others is used.
  func part(of ids: [BenchmarkID], seconds: [String: Double] = [:]) -> (ids: Set<BenchmarkID>, record: ShardRecord) {
    let known = ids.compactMap { seconds["\($0)"] }
    let usual = known.isEmpty ? 1 : known.reduce(0, +) / Double(known.count)
    let groups = Dictionary(grouping: ids) { "\($0.scenario)/\($0.size)" + $0.parameters.map { "/\($0)" }.joined() }.map
    { name, ids in
      let names = ids.map(\.description).sorted()
      // The length is never 0. Otherwise the next group would go to the same part, and another part would stay empty.
      let length = names.reduce(0) { $0 + max(seconds[$1] ?? usual, 0.001) }
      return (order: (-length, Self.hash(name), name), length: length, ids: ids, names: names)
    }.sorted { $0.order < $1.order }
    var parts = Array(repeating: (length: 0.0, ids: [BenchmarkID](), names: [String]()), count: count)
    for group in groups {
      let shortest = parts.indices.min { parts[$0].length < parts[$1].length } ?? 0
      parts[shortest].length += group.length
      parts[shortest].ids += group.ids
      parts[shortest].names += group.names
    }
    let deal = Checksum(parts.map { $0.names.joined(separator: "\n") }.joined(separator: "\n\n").utf8).hexadecimal
    return (Set(parts[index - 1].ids), ShardRecord(index: index, count: count, deal: deal))
  }

  /// Returns a hash that is the same on every machine, so that all machines agree on the shards.
  static func hash(_ text: String) -> UInt64 { Checksum(text.utf8).value }

  /// The environment variables of each CI service or scheduler. `index` is the variable with a job's number, `first`
  /// the number of the first job, and `count` the variable with the number of jobs.
  private static let arrays: [(index: String, first: Int, count: String)] = [
    ("SLURM_ARRAY_TASK_ID", 0, "SLURM_ARRAY_TASK_COUNT"), ("CI_NODE_INDEX", 1, "CI_NODE_TOTAL"),
    ("JOB_COMPLETION_INDEX", 0, "JOB_COMPLETIONS"), ("STRATEGY_JOB_INDEX", 0, "STRATEGY_JOB_TOTAL"),
  ]

  /// Creates the shard of `--shard auto`: the part that this job has in an array of jobs.
  init(environment: [String: String]) throws(ValueError) {
    let found = Self.arrays.filter { environment[$0.index] != nil }
    guard let array = found.first, found.count == 1 else {
      throw ValueError(
        found.isEmpty
          ? "this is not a job of an array: none of \(Self.arrays.map(\.index).joined(separator: ", ")) is set;"
            + " give a part, as in 1/3"
          : "\(found.map(\.index).joined(separator: " and ")) are set; give a part, as in 1/3")
    }
    func number(_ name: String) throws(ValueError) -> Int {
      guard let text = environment[name] else {
        throw ValueError("\(array.index) is set and \(name) is not; set it to the number of jobs")
      }
      // With the largest number, `index + 1` below would overflow.
      guard let number = OptionValue.digits(text), number < .max else {
        throw ValueError("\(name) is \"\(text)\", which is not a number")
      }
      return number
    }
    var (index, count) = (try number(array.index) - array.first, try number(array.count))
    if array.index.hasPrefix("SLURM") {
      let (least, most) = (try number("SLURM_ARRAY_TASK_MIN"), try number("SLURM_ARRAY_TASK_MAX"))
      let step = max(1, try number("SLURM_ARRAY_TASK_STEP"))
      guard (most - least) / step + 1 == count else {
        throw ValueError("the tasks of this array have gaps; number them without, as in --array=1-\(count)")
      }
      index = (index - least) / step
    }
    guard let shard = Shard("\(index + 1)/\(count)") else {
      throw ValueError("\(array.index) \(index + array.first) and \(array.count) \(count) are not a part of a whole")
    }
    self = shard
  }
}
