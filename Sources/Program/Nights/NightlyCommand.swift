import ArgumentParser
import Foundation
import Judging
import Measurements
import Pages
import TextFormat

struct NightlyCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "nightly",
    abstract: "Runs the suite, appends it to the history, and reports what changed.",
    discussion: """
      Measures and writes what `springbench run` does, with nightly.md beside it: what moved beyond its noise \
      since the night before and since a week ago, new change points, what failed and what is missing. Appends \
      one document to DIR/<machine>/ and rewrites the pages. See docs/history.md.

      EXAMPLES
        springbench nightly
        springbench nightly --history history --site public
        springbench nightly --filter '^springs/' --instructions

      EXIT STATUS
        0  nothing is wrong
        1  a benchmark failed, nothing was measured, or a file was not written
        2  a new regression
        5  a benchmark is missing, or its behavior changed
      """)

  @OptionGroup var run: RunCommand
  @OptionGroup(title: "History") var options: HistoryOptions

  func run(in context: CommandContext) async throws -> ExitStatus {
    try await run.building.enterSandbox(context)
    let site = try options.siteFolder(output: run.results.output)
    let writer = try await NightlyWriter(
      try run.settings(context, layouts: .nightly),
      history: options.historyFolder(output: run.results.output),
      site: site, budgets: options.budgetFile(), context)
    let (night, siteProblems) = try await writer.run { night in
      for problem in night.problems { context.console.warn(problem) }
      context.console.report(night.failures)
      if run.json {
        try context.console.write(try night.events.json())
      } else {
        try context.console.write(
          (night.sentences + ["\(night.runFolder)/nightly.md"]).map { oneLine($0) + "\n" }.joined())
      }
    }
    for problem in siteProblems { context.console.warn(problem) }
    if !run.json { try context.console.write(oneLine("\(site)/index.html") + "\n") }
    writer.confirmDelivery()
    return night.exitStatus
  }
}

/// One night, from measuring to the pages.
struct NightlyWriter: Sendable {
  private let settings: RunSettings
  private let catalogue: Catalogue
  private let context: CommandContext
  private let root: String
  private let site: SiteFolder
  private let machine: String

  struct Outcome: Sendable {
    var analysis: HistoryAnalysis
    var failures: [BenchmarkFailure]
    var problems: [String]
    var runFolder: String
    /// Earlier nights whose verdict may not have been seen, oldest first.
    var overdue: [HistoryAnalysis]

    /// The verdict in plain text, the worst first, preceded by overdue verdicts.
    var sentences: [String] {
      let earlier = overdue.flatMap { analysis in
        let time = analysis.nights.last?.startedAt ?? ""
        return NightVerdict(analysis).sentences.map { "Not delivered in the night of \(time): \($0)" }
      }
      return earlier + NightVerdict(analysis).sentences
    }

    var events: NightEvents { NightEvents(overdue + [analysis]) }

    /// The worst of all that is said.
    var exitStatus: ExitStatus {
      let statuses = (overdue + [analysis]).map { Self.status(NightVerdict($0)) }
      return [.failure, .behaviorChanged, .regression].first(where: statuses.contains) ?? .success
    }

    private static func status(_ verdict: NightVerdict) -> ExitStatus {
      if verdict.isEmpty || verdict.failedCount > 0 { return .failure }
      if verdict.missingCount + verdict.behaviorChangedCount > 0 { return .behaviorChanged }
      return verdict.regressions.isEmpty ? .success : .regression
    }
  }

  @MainActor
  init(
    _ settings: RunSettings, history: String, site: String, budgets: BudgetFile?, _ context: CommandContext
  ) async throws {
    var settings = settings
    settings.otherOutputs += [history, site]
    self.settings = settings
    self.context = context
    root = history
    self.site = SiteFolder(path: site, budgets: budgets)
    try self.site.check()
    try HistoryLocks(root: history, machine: "").check()
    // Errors in the command line are reported before waiting.
    catalogue = try await settings.building.catalogue(context.console)
    machine = try await RunPlan(settings, catalogue, context).machineName
  }

  /// - Parameter deliver: Says what was found. It is called once the night is in the history and before the pages,
  ///   so that no page can take the verdict with it.
  /// - Returns: What was found, and what was wrong with files that only the pages needed.
  @MainActor
  func run(deliver: (Outcome) throws -> Void) async throws -> (
    outcome: Outcome, siteProblems: [String]
  ) {
    let locks = HistoryLocks(root: root, machine: machine)
    let measuring = try await locks.measuring {
      context.console.writeError("springbench: waiting for another nightly on \(machine) to finish\n")
    }
    defer { withExtendedLifetime(measuring) {} }
    let plan = try await RunPlan(settings, catalogue, context)
    let document = try await Interruption.cancelling { try await plan.measure(context) }
    let writing = try await locks.writing()
    defer { withExtendedLifetime(writing) {} }
    return try write(document, plan, deliver)
  }

  /// The run first, then the history, then the verdict, then the pages: if it is stopped in between, nothing
  /// is lost that cannot be recreated, and the next night reports what this one could not.
  private func write(
    _ document: RunDocument, _ plan: RunPlan, _ deliver: (Outcome) throws -> Void
  ) throws -> (outcome: Outcome, siteProblems: [String]) {
    let folder = HistoryFolder(root: root, machine: machine)
    try folder.prepare()
    let content = try folder.load()
    let (earlier, problem) = Self.before(document, content)
    var analysis = HistoryAnalysis(earlier + [Night(document)])
    analysis.announce()
    let report = NightReport(analysis).blocks.markdown()
    let runFolder = try plan.write(document, others: [("nightly.md", Data(report.utf8))])
    guard let night = analysis.nights.last else { preconditionFailure("an analysis of no night") }
    var undelivered = Undelivered(in: folder, content)
    let overdue = Self.overdue(undelivered, earlier)
    undelivered.nights.append(Undelivered.Key(night))
    try undelivered.write(in: folder)
    let entry = try folder.append(night)
    let outcome = Outcome(
      analysis: analysis, failures: document.failures,
      problems: content.problems + (problem.map { [$0] } ?? []), runFolder: runFolder, overdue: overdue)
    let delivery = Swift.Result { try deliver(outcome) }
    try folder.refreshIndex(content.entries + [entry])
    let siteProblems = try site.write(root: root, alreadyRead: [machine: content.adding(entry)])
    try delivery.get()
    return (outcome, siteProblems)
  }

  /// Removes the note that the verdict may not have been seen. Only once everything is written.
  func confirmDelivery() { Undelivered.clear(HistoryFolder(root: root, machine: machine)) }

  /// What those nights had to say, each seen from its own time.
  private static func overdue(_ undelivered: Undelivered, _ nights: [Night]) -> [HistoryAnalysis] {
    nights.indices.filter { undelivered.nights.contains(Undelivered.Key(nights[$0])) }
      .map { HistoryAnalysis(Array(nights[...$0])) }
      .filter { NightVerdict($0).isRed || !$0.announced.isEmpty }
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
      "\(count) night\(count == 1 ? "" : "s") in the history \(count == 1 ? "is" : "are") later than this one and"
        + " \(count == 1 ? "is" : "are") not compared; check the clock of this machine"
    )
  }
}
