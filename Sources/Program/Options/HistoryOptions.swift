import ArgumentParser
import Foundation
import Judging

/// Where a history lies, and where its pages go; shared by `nightly` and `history`.
struct HistoryOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Folder of the histories of all machines (default: results/history).", valueName: "dir"))
  var history: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Folder of the pages (default: results/site).", valueName: "dir"))
  var site: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Budgets that the pages show as lines (default: springbench.yml, if there is one).",
      valueName: "file"))
  var budgets: String?

  /// - Parameter output: Folder of all results.
  func historyFolder(output: String) throws(UsageError) -> String {
    try Self.folder(history, "--history") ?? "\(output)/history"
  }

  func siteFolder(output: String) throws(UsageError) -> String {
    try Self.folder(site, "--site") ?? "\(output)/site"
  }

  private static func folder(_ path: String?, _ flag: String) throws(UsageError) -> String? {
    guard let path else { return nil }
    var trimmed = path
    while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
    guard !trimmed.isEmpty, !trimmed.contains("\0"), trimmed != "/", trimmed != ".", trimmed != ".." else {
      throw UsageError(
        flag, "\"\(path)\" is not a separate folder",
        remedy: "give one as in \(flag) results/\(flag.dropFirst(2))")
    }
    return trimmed
  }

  /// Nil where there is none and none was asked for.
  func budgetFile() throws -> BudgetFile? {
    try BudgetFile.find(budgets)
  }
}
