import Budgets
import Foundation
import History
import Measurements

/// One night, from measuring to the pages.
package struct NightlyWriter: Sendable {
  private let settings: RunSettings
  private let context: CommandContext
  private let root: String
  private let site: SiteFolder
  private let machine: String

  package struct Outcome: Sendable {
    package var analysis: HistoryAnalysis
    package var failures: [BenchmarkFailure]
    package var problems: [String]
    package var runFolder: String
    package var siteFolder: String

    package var verdict: NightVerdict { NightVerdict(analysis) }

    package var exitStatus: ExitStatus {
      let verdict = verdict
      if verdict.isEmpty || verdict.failedCount > 0 { return .failure }
      if verdict.missingCount + verdict.behaviorChangedCount > 0 { return .behaviorChanged }
      return verdict.regressions.isEmpty ? .success : .regression
    }
  }

  @MainActor
  package init(
    _ settings: RunSettings, history: String, site: String, budgets: BudgetFile?, _ context: CommandContext
  ) throws {
    self.settings = settings
    self.context = context
    root = history
    self.site = SiteFolder(path: site, budgets: budgets)
    try self.site.check()
    // Whatever is wrong with the command line is said before anybody waits.
    machine = try RunPlan(settings, context).machineName
  }

  @MainActor
  package func run() async throws -> Outcome {
    let locks = HistoryLocks(root: root, machine: machine)
    let measuring = try await locks.measuring {
      context.console.writeError("springbench: another nightly measures on \(machine); waiting for its end\n")
    }
    defer { withExtendedLifetime(measuring) {} }
    let plan = try RunPlan(settings, context)
    let document = try await plan.measure(context)
    let writing = try await locks.writing()
    defer { withExtendedLifetime(writing) {} }
    return try write(document, plan)
  }

  /// The run first, then the history, then the pages: whoever is stopped in between has lost nothing that
  /// cannot be made again from what is there.
  private func write(_ document: RunDocument, _ plan: RunPlan) throws -> Outcome {
    let folder = HistoryFolder(root: root, machine: machine)
    try folder.prepare()
    let content = try folder.load()
    let (earlier, problem) = Self.before(document, content)
    var analysis = HistoryAnalysis(earlier + [Night(document)])
    analysis.announce()
    let report = NightReport(analysis).blocks.markdown()
    let runFolder = try plan.write(document, others: [("nightly.md", Data(report.utf8))])
    guard let night = analysis.nights.last else { preconditionFailure("an analysis of no night") }
    let entry = try folder.append(night)
    try folder.refreshIndex(content.entries + [entry])
    let siteProblems = try site.write(root: root, alreadyRead: [machine: content.adding(entry)])
    return Outcome(
      analysis: analysis, failures: document.failures,
      problems: content.problems + (problem.map { [$0] } ?? []) + siteProblems, runFolder: runFolder,
      siteFolder: site.path)
  }

  private static func before(
    _ document: RunDocument, _ content: HistoryFolder.Content
  ) -> (nights: [Night], problem: String?) {
    let nights = content.nights(of: document.suite)
    let earlier = nights.filter { $0.startedAt <= document.startedAt }
    let count = nights.count - earlier.count
    guard count > 0 else { return (earlier, nil) }
    return (
      earlier,
      "\(count) night\(count == 1 ? "" : "s") of the history lie\(count == 1 ? "s" : "") later than this one and"
        + " \(count == 1 ? "is" : "are") not compared; is the clock of this machine right?"
    )
  }
}
