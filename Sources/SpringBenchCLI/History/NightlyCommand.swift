import ArgumentParser
import Foundation
import FrameBench
import History

struct NightlyCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "nightly",
    abstract: "Runs the suite, appends it to the history, and tells what changed.",
    discussion: """
      Measures and writes what `springbench run` does, with nightly.md beside it: what moved beyond its noise
      since the night before and since a week ago, new change points, what failed and what is missing. Appends
      one document to DIR/<machine>/ and writes the pages anew. See docs/history.md.

      EXAMPLES
        springbench nightly
        springbench nightly --history history --site public
        springbench nightly --filter '^springs/' --instructions

      EXIT STATUS
        0 nothing is wrong    1 a benchmark failed, nothing was measured, or a file could not be written
        2 a new regression    5 a benchmark is missing, or behaves otherwise than before
      """)

  @OptionGroup var run: RunCommand
  @OptionGroup(title: "History") var options: HistoryOptions

  func run(in context: CommandContext) async throws -> ExitStatus {
    let writer = try NightlyWriter(self, context)
    let night = try await Interruption.cancelling { try await writer.run() }
    for problem in night.problems { context.console.warn(problem) }
    for failure in night.failures {
      context.console.report("\(failure.id): \(failure.reason)\(RunCommand.lastWords(failure.standardError))")
    }
    if run.json {
      try context.console.write(try NightEvents(night.analysis).json())
    } else {
      let lines =
        night.verdict.sentences + ["\(night.runFolder)/nightly.md", "\(night.siteFolder)/index.html"]
      try context.console.write(lines.map { Console.oneLine($0) + "\n" }.joined())
    }
    return night.exitStatus
  }
}

/// One night, from measuring to the pages.
private struct NightlyWriter: Sendable {
  private let command: RunCommand
  private let context: CommandContext
  private let root: String
  private let site: SiteFolder
  private let machine: String

  struct Outcome: Sendable {
    var analysis: HistoryAnalysis
    var failures: [BenchmarkFailure]
    var problems: [String]
    var runFolder: String
    var siteFolder: String

    var verdict: NightVerdict { NightVerdict(analysis) }

    var exitStatus: ExitStatus {
      let verdict = verdict
      if verdict.isEmpty || verdict.failedCount > 0 { return .failure }
      if verdict.vanishedCount + verdict.behaviorChangedCount > 0 { return .behaviorChanged }
      return verdict.regressions.isEmpty ? .success : .regression
    }
  }

  @MainActor
  init(_ nightly: NightlyCommand, _ context: CommandContext) throws {
    command = nightly.run
    self.context = context
    root = try nightly.options.historyFolder(output: command.results.output)
    site = SiteFolder(
      path: try nightly.options.siteFolder(output: command.results.output),
      budgets: try nightly.options.budgetFile())
    try site.check()
    // Whatever is wrong with the command line is said before anybody waits.
    machine = try RunPlan(command, context, layouts: .nightly).machineName
  }

  @MainActor
  func run() async throws -> Outcome {
    let locks = HistoryLocks(root: root, machine: machine)
    let measuring = try await locks.measuring {
      context.console.writeError("springbench: another nightly measures on \(machine); waiting for its end\n")
    }
    defer { withExtendedLifetime(measuring) {} }
    let plan = try RunPlan(command, context, layouts: .nightly)
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
    let report = NightReport(analysis).render()
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
