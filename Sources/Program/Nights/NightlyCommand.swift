import ArgumentParser
import Execution
import Foundation
import HistoryPages
import Judging
import Measurements
import Pages
import Platform
import TextFormat

struct NightlyCommand: BuildingCommand, RunArguments {
  static let configuration = CommandConfiguration(
    commandName: "nightly", abstract: "Runs the suite, appends it to the history, and reports what changed.",
    discussion: """
      Measures and writes what `springbench run` does. Then compares the commit with that of the last night in \
      lock step, as `springbench compare` does, and searches for the commits behind what became worse. Benchmarks \
      whose code is the same take no time. nightly.md begins with that verdict; then it lists new change points, \
      what moved beyond its noise, what failed and what is missing. Appends one document to DIR/<machine>/ and \
      rewrites the pages. With --revisions it measures past commits into the \
      history instead, and prints the change points among them; what does not build is skipped, and a commit that \
      the history has is not measured again. See docs/history.md.

      EXAMPLES
        springbench nightly
        springbench nightly --history history --site public
        springbench nightly --filter '^springs/' --instructions
        springbench nightly --branch release --since v1.2
        springbench nightly --revisions v1..main --steps 20
        springbench nightly --around a1b2c3d

      EXIT STATUS
        0  nothing is known to be worse
        1  a benchmark failed, nothing was measured, or a file was not written
        2  a new regression, or a drift
        5  a benchmark is missing, or its behavior changed
      """)

  @OptionGroup(title: "Selection") var selection: BenchmarkSelection
  @OptionGroup(title: "Measuring") var measuring: MeasuringOptions
  @OptionGroup(title: "Measuring") var display: DisplayOptions
  @OptionGroup(title: "Building") var building: BuildOptions
  @OptionGroup var results: ResultOptions
  @OptionGroup(title: "History") var options: HistoryOptions
  @OptionGroup(title: "Comparing") var comparing: NightComparisonOptions
  @OptionGroup(title: "Past commits") var past: PastCommitOptions
  @Flag(help: "Print one JSON array of flat rows to stdout, and nothing else.") var json = false

  func run(in context: CommandContext) async throws -> ExitStatus {
    let output = results.output
    let site = try options.siteFolder(output: output, package: building.packagePath)
    let root = try options.historyFolder(output: output)
    let building = try checkedBuilding(context).writing([root, site.path])
    try site.check(apartFrom: [root, output])
    try Paths.checkWritable(root, "--history", "\"\(root)\" cannot be written to")
    if try past.check(building) {
      try refuse(
        comparing.given.filter { $0 != "--branch" }, because: "past commits are measured and not compared",
        remedy: "leave it out")
      return try await runPast(building, root: root, site, context)
    }
    try await comparing.check(building, context)
    // A first plan reports errors in the command line before the command waits for another nightly run to finish.
    let catalogue = try await building.catalogue(context.console)
    func plan() async throws -> RunPlan {
      try await RunPlan(self, building, catalogue, context, layouts: MeasuringOptions.nightlyLayoutCount)
    }
    let first = try await plan()
    let folder = HistoryFolder(root: root, machine: first.machineName)
    let measuring = try await folder.lockForMeasuring(first.member, context.console)
    defer { withExtendedLifetime(measuring) {} }
    let plan = try await plan()
    let document = try await Interruption.cancelling { try await plan.measure(context) }
    let compared = try await compare(document, building, folder, context)
    let writing = try await HistoryFolder.lock(root)
    defer { withExtendedLifetime(writing) {} }
    return try write(document, compared, plan, folder, site, context)
  }

  /// Compares the night's commit with earlier ones. If this is interrupted, the results of the finished steps are kept.
  private func compare(
    _ document: RunDocument, _ building: BuildOptions, _ folder: HistoryFolder, _ context: CommandContext
  ) async throws -> NightComparison {
    var night = Night(document)
    night.suite = comparing.suite(document.suite)
    if building.product == nil, building.program.isEmpty { night.suite = try folder.name(of: night.suite) }
    let content = try folder.load(newest: NightComparison.consideredNights, of: night.suite)
    var earlier = content.nights(of: night.suite).filter { $0.startedAt <= night.startedAt }
    if building.program.isEmpty, earlier.bases(for: night.comparedIDs).isEmpty {
      // The suite may have been renamed. A commit that slows it down then is compared with the last one before.
      let others = try nights(besides: night, folder)
      let names = others.map(\.suite).unique
      if !names.isEmpty {
        earlier = (others + earlier).sorted { $0.startedAt < $1.startedAt }
        night.remarks = [
          "The history has no judged night of \(night.suite), so nights of \(Format.list(names)) are searched."
        ]
      }
    }
    var comparison = NightComparison(of: night, self, building, context)
    for step in night.comparedIDs.isEmpty ? [] : NightComparison.Step.allCases {
      do {
        repeat {
          comparison = try await Interruption.cancelling(saying: "it was interrupted") { [comparison] in
            var next = comparison
            try await next.run(step, after: earlier)
            return next
          }
        } while step == .searching && comparison.isSearching
      } catch let error as RunError {
        comparison.stop(step, error.description)
        break
      }
    }
    return comparison
  }

  /// Returns the newest nights of other suites on this branch that measured benchmarks of the same names.
  private func nights(besides night: Night, _ folder: HistoryFolder) throws -> [Night] {
    let content = try folder.load { rows in rows.suffix(NightComparison.consideredNights).map(\.self) }
    let ids = night.comparedIDs
    return content.entries.map(\.night).filter { other in
      comparing.isOwn(other) && other.startedAt <= night.startedAt && ![other].bases(for: ids).isEmpty
    }
  }

  /// Writes the run first, then the history, the verdict, and the pages. After an interruption, only what can be
  /// recreated is missing, and the next night delivers this night's verdict. If a page cannot be written, the verdict
  /// is not lost.
  private func write(
    _ document: RunDocument, _ compared: NightComparison, _ plan: RunPlan, _ folder: HistoryFolder, _ site: SiteFolder,
    _ context: CommandContext
  ) throws -> ExitStatus {
    try folder.prepare()
    let content = try folder.load { HistoryFolder.recent($0, with: compared.night.suite) }
    // This night is appended, not the last one of `analysis`, which may combine nights of several machines.
    var night = compared.night
    let nights = content.nights(of: night.suite)
    let earlier = nights.filter { $0.startedAt <= night.startedAt }
    // For a benchmark that the suite no longer has, it is unknown whether `--shard` or `--quick` would select it. So
    // with these options, every missing benchmark counts as left out.
    let selects = selection.shard == nil && !measuring.quick ? try selection.selector() : { _ in false }
    night.leftOut = earlier[...].missing(in: night).filter { !selects($0) }.unlessEmpty
    var analysis = HistoryAnalysis(endingWith: night, after: earlier)
    analysis.announce()
    var files = [(name: "nightly.md", data: Data(analysis.report.markdown().utf8))]
    if let comparison = compared.document { files.append(("comparison.json", try comparison.encoded())) }
    let runFolder = try plan.write(document, others: files)
    (night.announced, night.withdrawn) = (analysis.nights.last?.announced ?? [], analysis.nights.last?.withdrawn)
    var undelivered = Undelivered(in: folder, content)
    // A night of another machine of the class may have begun after this one, and been stopped.
    let overdue = Self.overdue(undelivered.nights, nights)
    undelivered.nights.append(Undelivered.Key(night))
    try undelivered.write(in: folder)
    let entry = try folder.append(night)
    if let problem = folder.keepFlameGraph(of: entry) { context.console.warn(problem) }
    let delivery = Swift.Result {
      for problem in content.problems { context.console.warn(problem) }
      // Another machine of the class may have begun with the same commit after this one, and finished earlier.
      let ordered = nights.filter { $0.commit != night.commit || $0.environment.member == night.environment.member }
      if case let later = ordered.count(where: { $0.startedAt > night.startedAt }), later > 0 {
        let are = later == 1 ? "is" : "are"
        context.console.warn(
          "\(Format.plural(later, "night")) in the history \(are) later than this one and \(are) not compared;"
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
    // A night's verdict counts as delivered only once everything is written.
    try undelivered.remove(night.suite, in: folder)
    // The exit status is that of the worst reported verdict.
    return CheckReport.status(of: (overdue + [analysis]).map(\.failedKinds).reduce([]) { $0.union($1) })
  }

  /// Returns an analysis for each night whose verdict may not have been seen, oldest first. Each analysis ends with its
  /// night.
  static func overdue(_ undelivered: [Undelivered.Key], _ nights: [Night]) -> [HistoryAnalysis] {
    nights.indices.filter { undelivered.contains(Undelivered.Key(nights[$0])) }.map {
      HistoryAnalysis(endingWith: nights[$0], after: Array(nights[..<$0]))
    }.filter { $0.isRed || !$0.announced.isEmpty }
  }
}
