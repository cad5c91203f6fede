import Execution
import Foundation
import HistoryPages
import Judging
import Markup
import Pages
import Platform
import TextFormat

/// The folder of the pages to publish. It is replaced as a whole, so that a reader never sees a mixture of old and new
/// pages.
struct SiteFolder: Sendable {
  var path: String
  var budgets: BudgetFile?

  /// Checks, before anything is measured, that the folder can be written and contains only pages, because other files
  /// would be lost.
  /// - Parameter others: Other folders that the same command writes to. They must not be inside the site folder, and
  ///   need not exist yet.
  func check(apartFrom others: [String] = []) throws {
    func absolute(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path + "/" }
    if let inside = others.first(where: { absolute($0).hasPrefix(absolute(path)) }) {
      throw UsageError(
        "--site", "\"\(inside)\" lies in \"\(path)\" and would be lost", remedy: "name a separate folder for the pages")
    }
    try Paths.checkWritable(Paths.parent(Paths.target(path)), "--site", "\"\(path)\" cannot be written")
    guard access(path, F_OK) == 0 else { return }
    let names = try attempt(try FileManager.default.contentsOfDirectory(atPath: path)) {
      UsageError(
        "--site", "\"\(path)\" is not a folder that can be read (\(systemReason($0)))",
        remedy: "name one that is not there yet")
    }
    let overview = (try? InputFile("\(path)/\(Site.overviewName)").read()) ?? Data()
    let isOurs = String(decoding: overview.prefix(2_000), as: UTF8.self).contains(HTMLPage.siteMark)
    let strange = names.first { !Site.topNames.contains($0) } ?? (isOurs ? nil : names.first)
    guard let strange else { return }
    throw UsageError(
      "--site", "\"\(path)\" holds \"\(strange)\", which is not one of the pages and would be lost",
      remedy: "name a separate folder, and publish a copy of it")
  }

  /// Writes the pages of all machines of a history. The caller must hold the history's lock.
  /// - Parameter alreadyRead: The histories that were read already, by machine. They are not read again.
  /// - Returns: One line for each problem with a file that had to be read.
  func write(root: String, alreadyRead: [String: HistoryFolder.Content] = [:]) throws(RunError) -> [String] {
    var parts: [Site.Part] = []
    var problems: [String] = []
    for machine in try HistoryFolder.machines(in: root) {
      let folder = HistoryFolder(root: root, machine: machine)
      let content = if let known = alreadyRead[machine] { known } else { try folder.load { HistoryFolder.recent($0) } }
      if alreadyRead[machine] == nil { problems += content.problems }
      parts += content.suites.sorted().map { suite in
        Site.Part(
          machine: machine, suite: suite, analysis: HistoryAnalysis(content.nights(of: suite)),
          flameGraph: content.entries.last { $0.night.suite == suite }.flatMap(folder.flameGraph))
      }
    }
    let site = Site(parts) { [budgets] id, column in budgets?.limit(of: column, id).map { ($0.value, $0.text) } }
    let files = site.files().map { (name: $0.path, data: Data($0.text.utf8)) }
    try attempt(try replace(files)) {
      RunError(
        "the pages \"\(path)\" could not be written: \($0); the history has the night, and"
          + " springbench history --site \(ShellWord.quoted([path])) writes them")
    }
    return problems
  }

  private func replace(_ files: [(name: String, data: Data)]) throws {
    // Other files may have appeared in the folder since the first check.
    try check()
    try WholeFolder(path: path).replace(files)
  }
}
