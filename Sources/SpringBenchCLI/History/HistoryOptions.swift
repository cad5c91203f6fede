import ArgumentParser
import Budgets
import Foundation
import FrameBench
import History

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
      "Budgets that the pages show as lines (default: springbench.yml, where there is one).",
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
        flag, "\"\(path)\" is no folder of its own",
        remedy: "give one as in \(flag) results/\(flag.dropFirst(2))")
    }
    return trimmed
  }

  /// Nil where there is none and none was asked for.
  func budgetFile() throws(UsageError) -> BudgetFile? {
    let path = budgets ?? "springbench.yml"
    guard let data = FileManager.default.contents(atPath: path) else {
      guard budgets == nil else {
        throw UsageError(
          "--budgets", "\"\(path)\" cannot be read", remedy: "name a file as in springbench.yml")
      }
      return nil
    }
    do {
      return try BudgetFile(reading: String(decoding: data, as: UTF8.self), path: path)
    } catch {
      throw UsageError(error.description)
    }
  }
}

extension BudgetFile {
  /// The limit of a figure on this machine, as nights name figures; nil where there is none.
  func limit(of column: String, _ id: BenchmarkID) -> (value: Double, text: String)? {
    var found: (Double, String)?
    for rule in rules where rule.pattern.matches(id) {
      for limit in rule.limits {
        guard case .figure(let metric, let phase, let statistic) = limit.key else { continue }
        let name = ([metric] + (phase.map { [$0] } ?? []) + [statistic.rawValue]).joined(separator: ".")
        guard name == column else { continue }
        let isTime = metric.hasSuffix("Nanoseconds")
        let slowdown = isTime && cpuSlowdown != 1 ? " on a machine \(cpuSlowdown) times slower" : ""
        found = (
          limit.bound.value / (isTime ? cpuSlowdown : 1),
          "budget \(limit.bound.direction == .atLeast ? "≥ " : "")\(limit.bound.text)\(slowdown)"
        )
      }
    }
    return found
  }
}
