import ArgumentParser
import Foundation
import Judging
import Measurements
import Pages
import TextFormat

struct NightlyCommand: BuildingCommand, RunArguments {
  static let configuration = CommandConfiguration(
    commandName: "nightly", abstract: "Runs the suite, appends it to the history, and reports what changed.",
    discussion: """
      Measures and writes what `springbench run` does, with nightly.md beside it: what moved beyond its noise \
      since the night before and since a week ago, new change points, what failed and what is missing. Appends \
      one document to DIR/<machine>/ and rewrites the pages. With --revisions it measures past commits into the \
      history instead, and prints the change points among them; what does not build is skipped, and a commit that \
      the history has is not measured again. See docs/history.md.

      EXAMPLES
        springbench nightly
        springbench nightly --history history --site public
        springbench nightly --filter '^springs/' --instructions
        springbench nightly --revisions v1..main --steps 20
        springbench nightly --around a1b2c3d

      EXIT STATUS
        0  nothing is wrong
        1  a benchmark failed, nothing was measured, or a file was not written
        2  a new regression
        5  a benchmark is missing, or its behavior changed
      """)

  @OptionGroup(title: "Selection") var selection: BenchmarkSelection
  @OptionGroup(title: "Measuring") var measuring: MeasuringOptions
  @OptionGroup(title: "Measuring") var display: DisplayOptions
  @OptionGroup(title: "Building") var building: BuildOptions
  @OptionGroup var results: ResultOptions
  @OptionGroup(title: "History") var options: HistoryOptions
  @OptionGroup(title: "Past commits") var past: PastCommitOptions
  @Flag(help: "Print one JSON array of flat rows to stdout, and nothing else.") var json = false

  func run(in context: CommandContext) async throws -> ExitStatus {
    let output = results.output
    let site = try options.siteFolder(output: output)
    let root = try options.historyFolder(output: output)
    let building = try checkedBuilding(context).writing([root, site.path])
    try site.check(apartFrom: [root, output])
    try Paths.checkWritable(root, "--history", "\"\(root)\" cannot be written to")
    if try past.check(building) { return try await runPast(building, root: root, site, context) }
    // Errors in the command line are reported before waiting.
    let catalogue = try await building.catalogue(context.console)
    func plan() async throws -> RunPlan {
      try await RunPlan(self, building, catalogue, context, layouts: MeasuringOptions.nightlyLayoutCount)
    }
    let folder = HistoryFolder(root: root, machine: try await plan().machineName)
    let measuring = try await folder.lockForMeasuring(context.console)
    defer { withExtendedLifetime(measuring) {} }
    let plan = try await plan()
    let document = try await Interruption.cancelling { try await plan.measure(context) }
    let writing = try await HistoryFolder.lock(root)
    defer { withExtendedLifetime(writing) {} }
    return try write(document, plan, folder, site, context)
  }

  /// The run first, then the history, then the verdict, then the pages: after an interruption nothing is lost that
  /// cannot be recreated, and the next night makes up for this one's report. A failing page does not lose the verdict.
  private func write(
    _ document: RunDocument, _ plan: RunPlan, _ folder: HistoryFolder, _ site: SiteFolder, _ context: CommandContext
  ) throws -> ExitStatus {
    try folder.prepare()
    let content = try folder.load(HistoryFolder.recent)
    let nights = content.nights(of: document.suite)
    let earlier = nights.filter { $0.startedAt <= document.startedAt }
    var analysis = HistoryAnalysis(earlier + [Night(document)])
    analysis.announce()
    let report = analysis.report.markdown()
    let runFolder = try plan.write(document, others: [("nightly.md", Data(report.utf8))])
    // Not the analysis's night: other machines of the class may be part of that.
    var night = Night(document)
    (night.announced, night.withdrawn) = (analysis.nights.last?.announced ?? [], analysis.nights.last?.withdrawn)
    var undelivered = Undelivered(in: folder, content)
    let overdue = Self.overdue(undelivered, earlier)
    undelivered.nights.append(Undelivered.Key(night))
    try undelivered.write(in: folder)
    let entry = try folder.append(night)
    let delivery = Swift.Result {
      for problem in content.problems { context.console.warn(problem) }
      if case let later = nights.count - earlier.count, later > 0 {
        let are = later == 1 ? "is" : "are"
        context.console.warn(
          "\(later) night\(later == 1 ? "" : "s") in the history \(are) later than this one and \(are) not compared;"
            + " check the clock of this machine")
      }
      for sentence in analysis.machineSentences { context.console.warn(sentence) }
      context.console.report(document.failures)
      let late = overdue.flatMap { analysis in
        let time = analysis.nights.last?.startedAt ?? ""
        return analysis.sentences.map { "Not delivered in the night of \(time): \($0)" }
      }
      let lines = late + analysis.sentences + ["\(runFolder)/nightly.md"]
      try context.console.write(
        json ? NightEvent.json(overdue + [analysis]) : lines.map { oneLine($0) + "\n" }.joined())
    }
    try folder.refreshIndex(content.adding(entry))
    let siteProblems = try site.write(root: folder.root, alreadyRead: [folder.machine: content.adding(entry)])
    try delivery.get()
    for problem in siteProblems { context.console.warn(problem) }
    if !json { try context.console.write(oneLine("\(site.path)/index.html") + "\n") }
    // Only once everything is written.
    Undelivered.clear(folder)
    // The worst of all reported verdicts.
    let statuses = (overdue + [analysis]).map(Self.status)
    return [.failure, .behaviorChanged, .regression].first(where: statuses.contains) ?? .success
  }

  private static func status(_ analysis: HistoryAnalysis) -> ExitStatus {
    if analysis.measuredNothing || !analysis.newestFailures.isEmpty { return .failure }
    if !analysis.missing.isEmpty || !analysis.behaviorChanged.isEmpty { return .behaviorChanged }
    return analysis.newRegressions.isEmpty ? .success : .regression
  }

  /// The analyses of nights whose verdict may not have been seen, each as of its own time; oldest first.
  private static func overdue(_ undelivered: Undelivered, _ nights: [Night]) -> [HistoryAnalysis] {
    nights.indices.filter { undelivered.nights.contains(Undelivered.Key(nights[$0])) }.map {
      HistoryAnalysis(Array(nights[...$0]))
    }.filter { $0.isRed || !$0.announced.isEmpty }
  }
}
