import Foundation
import FrameBench

/// Folders of profiles beside a report, one a benchmark.
struct ProfileFolders {
  private let parent: String
  private var taken: Set<String> = []

  init(parent: String) { self.parent = parent }

  /// Beside the report that a person reads first: the first page that is a file, or else the first file.
  /// - Parameter otherwise: Where there is no such report.
  static func place(
    _ requests: [ReportRequest], otherwise: @autoclosure () throws(UsageError) -> String
  ) throws(UsageError) -> String {
    let files = requests.compactMap { request in
      request.path.flatMap { path in OutputFile(path: path).isReplaceable ? (request.format, path) : nil }
    }
    let page = files.first { [.markdown, .html].contains($0.0) } ?? files.first
    guard let path = page?.1 else { return try otherwise() }
    return (path as NSString).deletingPathExtension + "-profiles"
  }

  /// Where a command without a report puts them, below the folder of results.
  static func name(
    machine: String?, _ context: CommandContext, start: Timestamp, command: String
  ) throws(UsageError) -> String {
    let name = try MachineName.resolve(flag: machine, context, of: .current())
    return "\(name)/\(start.compact)-\(command)"
  }

  /// Whole or not at all, in the place of an earlier profile of the benchmark.
  ///
  /// - Returns: The folder.
  mutating func write(
    _ files: [(name: String, data: Data)], for id: BenchmarkID
  ) throws(RunError) -> String {
    let slug = MachineName.slug("\(id)") ?? "benchmark"
    let names = [slug] + (2...1_000).map { "\(slug)-\($0)" }
    let name = names.first { !taken.contains($0) } ?? slug
    taken.insert(name)
    let folder = "\(parent)/\(name)"
    do throws(WholeFile.Problem) {
      try WholeFolder(path: folder).replace(files)
    } catch {
      throw RunError("\"\(folder)\" could not be written: \(error)")
    }
    return folder
  }
}
