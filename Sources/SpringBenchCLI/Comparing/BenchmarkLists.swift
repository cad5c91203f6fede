import Foundation
import FrameBench

/// Asks executables which benchmarks they have.
enum BenchmarkLists {
  /// By executable, in the order of its suite. Where a selection matches nothing in one of them, its list
  /// is empty; where it matches nothing in any, that is the user's error.
  static func read(from executables: [String], arguments: [String]) async throws -> [[BenchmarkID]] {
    var lists: [[BenchmarkID]] = []
    var complaint: String?
    for executable in executables {
      let process = ChildProcess(
        executable: .path(.init(executable)), arguments: ["list", "--json"] + arguments,
        timeout: .seconds(60))
      let end = try await process.run(input: Data())
      if end.status == .exited(ExitStatus.usage.rawValue) {
        complaint = end.errorTail
        lists.append([])
        continue
      }
      guard end.isSuccess, let listed = try? JSONDecoder().decode([Listed].self, from: end.output) else {
        throw RunError(
          "\(executable) does not list its benchmarks\(RunCommand.lastWords(end.errorTail))")
      }
      lists.append(listed.map(\.id))
    }
    if let complaint, lists.allSatisfy(\.isEmpty) { throw UsageError(said(complaint)) }
    return lists
  }

  private struct Listed: Decodable {
    var id: BenchmarkID
  }

  private static func said(_ complaint: String) -> String {
    let line = complaint.split(whereSeparator: \.isNewline).last ?? ""
    return line.hasPrefix("springbench: error: ")
      ? String(line.dropFirst("springbench: error: ".count)) : "\(line)"
  }
}
