import Budgets
import CProcessControl
import Foundation
import FrameReport
import History

/// The folder that the pages are published from. It is swapped whole: a reader gets the old pages or the new.
package struct SiteFolder: Sendable {
  package var path: String
  var budgets: BudgetFile?

  package init(path: String, budgets: BudgetFile? = nil) {
    self.path = path
    self.budgets = budgets
  }

  /// Makes sure, before anything is measured, that the folder is not somebody's else.
  package func check() throws(UsageError) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return }
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: path)
    } catch {
      throw UsageError(
        "--site", "\"\(path)\" is not a folder that can be read (\(SystemReason.text(error)))",
        remedy: "name one that is not there yet")
    }
    guard let strange = names.first(where: { !Site.topNames.contains($0) }) ?? foreignOverview(names) else {
      return
    }
    throw UsageError(
      "--site", "\"\(path)\" holds \"\(strange)\", which is not of the pages and would be lost",
      remedy: "name a folder of its own, and publish a copy of it")
  }

  private func foreignOverview(_ names: [String]) -> String? {
    guard !names.isEmpty else { return nil }
    let data = FileManager.default.contents(atPath: "\(path)/\(Site.overviewName)") ?? Data()
    let isOurs = String(decoding: data.prefix(2_000), as: UTF8.self).contains(SitePage.generator)
    return isOurs ? nil : names.first
  }

  /// Writes the pages of all machines of a history. Only for who holds the lock of the history.
  ///
  /// - Parameter alreadyRead: Histories by machine that need not be read again.
  /// - Returns: What was wrong with files of machines that had to be read.
  package func write(
    root: String, alreadyRead: [String: HistoryFolder.Content] = [:]
  ) throws(RunError) -> [String] {
    var parts: [Site.Part] = []
    var problems: [String] = []
    for machine in HistoryFolder.machines(in: root) {
      let content: HistoryFolder.Content
      if let known = alreadyRead[machine] {
        content = known
      } else {
        content = try HistoryFolder(root: root, machine: machine).load()
        problems += content.problems
      }
      parts += content.suites.sorted().map { suite in
        Site.Part(machine: machine, suite: suite, analysis: HistoryAnalysis(content.nights(of: suite)))
      }
    }
    let site = Site(parts) { [budgets] id, column in
      budgets?.limit(of: column, id).map { Site.Budget(value: $0.value, text: $0.text) }
    }
    try replace(with: site.files())
    return problems
  }

  private func replace(with files: [Site.File]) throws(RunError) {
    let parent = parentFolder(of: path)
    let name = (path as NSString).lastPathComponent
    let folder = parent.isEmpty ? "." : parent
    let hidden = "\(folder)/.\(name)-writing-\(getpid())"
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      sweep(folder, name)
      defer { try? FileManager.default.removeItem(atPath: hidden) }
      for subfolder in Set(files.map { (($0.path as NSString).deletingLastPathComponent) }) {
        try FileManager.default.createDirectory(
          atPath: "\(hidden)/\(subfolder)", withIntermediateDirectories: true)
      }
      for file in files { try Data(file.text.utf8).write(to: URL(fileURLWithPath: "\(hidden)/\(file.path)")) }
      try swap(hidden)
    } catch {
      throw RunError(
        "the pages \"\(path)\" could not be written: \(SystemReason.text(error)); the history has the night, and"
          + " springbench history --site \(path) writes them")
    }
  }

  /// The old folder ends where the new one was, and is removed with it.
  private func swap(_ hidden: String) throws {
    let problem = process_control_exchange(hidden, path)
    if problem == 0 || problem == ENOENT && rename(hidden, path) == 0 { return }
    // Not every file system exchanges folders: for a moment there is none.
    let old = "\(hidden)-old"
    defer { try? FileManager.default.removeItem(atPath: old) }
    if rename(path, old) != 0, errno != ENOENT { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    guard rename(hidden, path) == 0 else {
      let problem = errno
      rename(old, path)
      throw POSIXError(POSIXErrorCode(rawValue: problem) ?? .EIO)
    }
  }

  /// What writers that were killed left beside the folder.
  private func sweep(_ folder: String, _ name: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for leftover in names where leftover.hasPrefix(".\(name)-writing-") {
      try? FileManager.default.removeItem(atPath: "\(folder)/\(leftover)")
    }
  }
}
