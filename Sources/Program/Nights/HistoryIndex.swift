import Foundation
import TextFormat

/// `index.json`: what nights a machine's history has, to look at and to notice that one has gone. It holds
/// nothing that the nights do not hold, and is rewritten whenever it disagrees with them.
struct HistoryIndex: Codable, Equatable {
  static let fileName = "index.json"

  var schemaVersion = 1
  /// Oldest first.
  var nights: [Row]

  struct Row: Codable, Equatable {
    var file: String
    var byteCount: Int
    var suite: String
    var startedAt: String
    var commit: String?
    var benchmarkCount: Int
    var failureCount: Int
  }

  init(_ entries: [HistoryFolder.Entry]) {
    nights = entries.map { entry in
      Row(
        file: entry.file, byteCount: entry.byteCount, suite: entry.night.suite,
        startedAt: entry.night.startedAt, commit: entry.night.environment.commit,
        benchmarkCount: entry.night.benchmarks.count, failureCount: entry.night.failures.count)
    }
  }

  /// Nil if it is missing or unreadable.
  static func read(_ path: String) -> HistoryIndex? {
    guard let data = try? InputFile(path).read() else { return nil }
    return try? JSONDecoder().decode(HistoryIndex.self, from: data)
  }

  /// Names of files that are not there any more.
  func missing(among names: [String]) -> [String] {
    let present = Set(names)
    return nights.map(\.file).filter { !present.contains($0) }
  }

  /// One night per line, so that versions of it can be compared.
  func data() throws -> Data {
    let rows = JSONText.lines(of: try nights.map(JSONText.line))
    return Data("{\"nights\":[\n\(rows)\n],\"schemaVersion\":\(schemaVersion)}\n".utf8)
  }
}
