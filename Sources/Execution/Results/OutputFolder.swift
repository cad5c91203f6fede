import Foundation
import Platform

/// The folder of results. It contains the runs in `<machine>/<run>/`, and an index with links to the reports of each
/// machine.
package struct OutputFolder {
  package static let indexName = "README.md"
  private static let mark = "Written by `springbench run`"

  package var path: String

  package init(path: String) { self.path = path }

  /// Checks, before anything is measured, that a run of this machine can be written. Leaves no file or folder behind.
  package func checkWritable(machine: String) throws {
    guard !path.isEmpty, !path.contains("\0") else {
      throw UsageError("--output", "\"\(path)\" is not the name of a folder", remedy: "give one as in --output results")
    }
    let complaint = "\"\(path)\" cannot be written to"
    try Paths.checkWritable(Paths.joined(path, machine), "--output", complaint)
    if Paths.isFolder(path) { try Paths.checkWritable(path, "--output", complaint) }
    guard !hasForeignIndex else {
      throw UsageError(
        "--output", "\"\(path)\" has a \(Self.indexName) that springbench did not write and would be lost",
        remedy: "name a separate folder, as in --output results")
    }
  }

  /// Writes the files of a run as `<machine>/<name>/`, completely or not at all, and refreshes the index.
  /// - Returns: The folder of the run. Its name ends in a number if `name` was taken.
  package func write(files: [(name: String, data: Data)], machine: String, name: String) throws(RunError) -> String {
    let parent = "\(path)/\(machine)"
    var (folder, number) = (WholeFolder(path: "\(parent)/\(name)"), 1)
    while true {
      do throws(WholeFile.Problem) {
        try folder.create(files)
        break
      } catch .taken where number < 1_000 {
        number += 1
        folder = WholeFolder(path: "\(parent)/\(name)-\(number)")
      } catch { throw RunError("the run could not be written to \"\(parent)\": \(error)") }
    }
    try attempt(try refreshIndex()) {
      RunError("the run is whole in \"\(folder.path)\", but the index of \"\(path)\" could not be written: \($0)")
    }
    return folder.path
  }

  private var indexPath: String { Paths.joined(path, Self.indexName) }

  /// Whether there is a file at the index's path that springbench did not write.
  private var hasForeignIndex: Bool {
    var status = stat()
    guard lstat(indexPath, &status) == 0 else { return false }
    let text = (try? InputFile(indexPath).read()).map { String(decoding: $0.prefix(1_000), as: UTF8.self) }
    return text?.contains(Self.mark) != true
  }

  /// Rewrites the index from the content of the folder, but never replaces a file that springbench did not write.
  package func refreshIndex() throws(WholeFile.Problem) {
    guard !hasForeignIndex else { throw .taken }
    try WholeFile(indexPath).replace(Data(indexText().utf8))
  }

  package func indexText() -> String {
    var lines = ["# Results", "", "\(Self.mark); the newest report of each machine first."]
    for machine in machines {
      let links = runs(of: machine, having: "report.md").map { "[\($0)](\(machine)/\($0)/report.md)" }
      guard let newest = links.first else { continue }
      lines += ["", "## \(machine)", "", "Newest: \(newest)"]
      if links.count > 1 { lines += ["", "Earlier:", ""] + links.dropFirst().map { "- \($0)" } }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  package var machines: [String] { subfolders(of: path) }

  /// Returns the names of a machine's run folders that contain `file`, the newest first.
  package func runs(of machine: String, having file: String = "") -> [String] {
    subfolders(of: "\(path)/\(machine)").filter(Self.isRunName).sorted { Self.order($0) > Self.order($1) }.filter {
      access("\(path)/\(machine)/\($0)/\(file)", F_OK) == 0
    }
  }

  /// Returns the path of the newest run of any machine with a `run.json`. Nil if there is none.
  package func newestRun() -> String? {
    let runs = machines.flatMap { machine in
      self.runs(of: machine, having: "run.json").map { (name: $0, machine: machine) }
    }
    let newest = runs.max { Self.order($0.name) < Self.order($1.name) }
    return newest.map { "\(path)/\($0.machine)/\($0.name)" }
  }

  private func subfolders(of path: String) -> [String] { Paths.names(in: path).filter { !$0.hasPrefix(".") }.sorted() }

  /// Whether a name looks like `20261121T064712Z-6a73046`, possibly with a number at its end.
  package static func isRunName(_ name: String) -> Bool {
    name.wholeMatch(of: /[0-9]{8}T[0-9]{6}Z-[0-9a-z]+(-[0-9]+)?/) != nil
  }

  /// Returns a key that sorts names by time, then by the number at the end: 10 comes after 2.
  package static func order(_ name: String) -> (Substring, Int, String) { (name.prefix(16), name.utf8.count, name) }
}

/// The formats of times in documents and in names of folders: UTC, in whole seconds.
extension Date {
  /// The time in the form `2026-11-21T06:47:12Z`.
  package var iso8601: String { formatted(.iso8601) }

  /// The day in the form `2026-11-21`.
  package var day: String { String(iso8601.prefix(10)) }

  /// The time in the form `20261121T064712Z`.
  package var compact: String { iso8601.filter { $0.isLetter || $0.isNumber } }
}
