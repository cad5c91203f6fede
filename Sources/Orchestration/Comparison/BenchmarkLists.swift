import Foundation
import FrameBench

/// Asks executables for their benchmarks.
enum BenchmarkLists {
  /// By executable, in the order of its suite. Where a selection matches nothing in one of them, its list
  /// is empty; where it matches nothing in any, that is the user's error.
  static func read(
    from executables: [String], _ selection: BenchmarkSelection
  ) async throws -> [[ListedBenchmark]] {
    try selection.check()
    var lists: [[ListedBenchmark]] = []
    for executable in executables {
      let listed = try await list(executable, selection.arguments)
      lists.append(listed.filter { !selection.leftOut.contains($0.id) })
    }
    guard !lists.allSatisfy(\.isEmpty) else {
      throw UsageError(
        "nothing matched \(selection.arguments.joined(separator: " ")) in either build",
        remedy: "springbench list shows every id")
    }
    guard let shard = selection.shard else { return lists }
    // Of both together: a scenario that one of them lacks must not shift the shards of the other.
    let ids = lists.map { $0.map(\.id) }
    let part = shard.part(of: ids[0] + ids[1].filter { !ids[0].contains($0) })
    guard !part.isEmpty else { throw BenchmarkSelection.emptyShard(shard) }
    return lists.map { $0.filter { part.contains($0.id) } }
  }

  private static func list(_ executable: String, _ arguments: [String]) async throws -> [ListedBenchmark] {
    let process = ChildProcess(
      executable: .path(.init(executable)), arguments: ["list", "--json"] + arguments,
      timeout: .seconds(60))
    let end = try await process.run(input: Data())
    if end.status == .exited(ExitStatus.usage.rawValue) { return [] }
    guard end.isSuccess, let listed = try? JSONDecoder().decode([ListedBenchmark].self, from: end.output)
    else {
      throw RunError("\(executable) does not list its benchmarks\(lastLine(ofStandardError: end.errorTail))")
    }
    return listed
  }
}
