import Builds
import Execution
import Formats
import Foundation
import FrameBench
import Judging
import Markup
import Measurements
import Pages
import Platform
import TextFormat

@MainActor struct GateJob {
  private(set) var command: GateCommand
  private let context: CommandContext
  let building: BuildOptions
  private let requests: [ReportRequest]
  /// The files for GitLab's metrics report.
  private let metricPaths: [String]
  let file: BudgetFile?
  let catalogue: LazyCatalogue
  /// The earlier run that `--run` names. It contains all benchmarks, not only the selected ones.
  let stored: RunDocument?
  /// The earlier comparison that `--comparison` names.
  let finished: ComparisonDocument?
  /// A failed check for each part (shard) that is missing in the stored run or comparison.
  private let missing: [Check]
  private let start = Date()
  private let clockStart = ContinuousClock.now

  private var judging: JudgingOptions { command.judging }

  init(_ command: GateCommand, _ context: CommandContext) throws {
    (self.command, self.context) = (command, context)
    let building = try command.checkedBuilding(context)
    if !command.run.isEmpty {
      try refuse(command.measured, because: "--run names a finished run", remedy: "leave out one of them")
    }
    let gitLab = command.judging.report.filter { $0 == "gitlab" || $0.hasPrefix("gitlab=") }
    if gitLab.contains("gitlab") {
      throw UsageError("--report", "gitlab needs a file", remedy: "name one, as in --report gitlab=metrics.txt")
    }
    metricPaths = gitLab.map { String($0.dropFirst("gitlab=".count)) }
    for path in metricPaths { try OutputFile(path: path, option: "--report").checkWritable() }
    requests = try ReportRequest.parse(
      command.judging.report.filter { !gitLab.contains($0) } + (command.judging.json ? ["json"] : []))
    try ReportRequest.checkApart(requests.compactMap(\.path) + metricPaths)
    self.building = building.writing(requests.written + metricPaths + command.run + command.comparison)
    catalogue = LazyCatalogue(building, context.console)
    file = command.suggest ? nil : try BudgetFile.find(command.budgets, package: building.packagePath)
    try BudgetFile.checkDevice(command.device, of: file)
    guard file != nil || command.judging.baseline != nil || !command.comparison.isEmpty || command.suggest else {
      let path = BudgetFile.defaultPath(package: building.packagePath)
      throw UsageError(
        "there is nothing to check a run against: no \(path) here, and no --baseline",
        remedy: "write one with springbench gate --suggest > \(path), or name a baseline")
    }
    let runs = try command.run.map { argument in
      let run = try StoredRun(argument: argument, results: command.results.output)
      return (run.path, try run.read())
    }
    let comparisons = try command.comparison.map { path in
      guard case .comparison(let document) = try MeasuredDocument(path) else {
        throw UsageError("--comparison", "\(path) is a run", remedy: "name it with --run")
      }
      return (path, document)
    }
    let (run, comparison) = (try Self.whole(runs, "run"), try Self.whole(comparisons, "comparison"))
    (stored, finished) = (run?.document, comparison?.document)
    // With `--shard`, the gate judges one part (shard), so the other parts do not count as missing.
    missing = command.selection.shard == nil ? (run?.missing ?? []) + (comparison?.missing ?? []) : []
    if let first = missing.first, command.suggest || command.explain != nil { throw RunError(first.sentence) }
  }

  private static func whole<Document: MergeableDocument>(
    _ documents: [(name: String, document: Document)], _ name: String
  ) throws(NotComparable) -> (document: Document, missing: [Check])? {
    guard !documents.isEmpty else { return nil }
    let merged = try attempt(try DocumentMerge.merged(documents)) { NotComparable("--\(name): \($0)") }
    return (
      merged.document,
      merged.missing.map { part in
        Check(
          subject: "part \(part)", figure: name, kind: .failure, outcome: .failed,
          sentence: [part].missingParts(of: name))
      }
    )
  }

  /// Says that the environment names the programs that a new run measures. Nil if it names none.
  var otherPrograms: String? {
    stored != nil || building.program == command.building.program
      ? nil : "programs of SPRINGBENCH_PROGRAM are measured, and the package was not built"
  }

  /// Returns the run to judge. Without a stored run, measures one and writes its results as `springbench run` does.
  func document(
    leavingOut others: Set<BenchmarkID> = [], framedAs compared: ComparisonDocument? = nil, writes: Bool = true
  ) async throws -> RunDocument {
    if var document = stored {
      let selects = try await selector()
      document.benchmarks = document.benchmarks.filter { selects($0.id) }
      document.failures = document.failures.filter { selects($0.id) }
      return document
    }
    if let otherPrograms { context.console.note("the \(otherPrograms)") }
    var command = command
    command.selection.leftOut = others
    let plan = try await RunPlan(command, building, try await catalogue.get(), context, framedAs: compared)
    let message = writes ? "interrupted; nothing was written" : "interrupted; the first run was written, and not judged"
    return try await Interruption.cancelling(saying: message) { [context] in
      let document = try await plan.measure(context)
      if writes { _ = try plan.write(document) }
      return document
    }
  }

  /// Returns the benchmarks that a run need not measure after builds were compared: those of scenarios without limits
  /// in the budget file. Nil if no scenario has limits, so no run is needed.
  private func unlimited() async throws -> Set<BenchmarkID>? {
    guard let file, stored == nil, metricPaths.isEmpty else { return [] }
    let ids = try await selected()
    let limited = Set(ids.filter(file.hasRule).map(\.scenario))
    return limited.isEmpty ? nil : Set(ids.filter { !limited.contains($0.scenario) })
  }

  private func selected() async throws -> [BenchmarkID] {
    try command.benchmarks(of: try await catalogue.get()).map(\.id)
  }

  /// Judges a run by the limits. If a new run exceeds limits of figures with noise, their benchmarks are measured again,
  /// because something else on the machine may have slowed down the run. Only a limit that both runs exceed fails.
  /// - Parameter id: The only benchmark whose findings matter; nil if all do.
  /// - Returns: The findings, those of the first run that the second run did not confirm, and the benchmarks that
  ///   failed in the second run.
  private func findings(
    _ file: BudgetFile, _ document: RunDocument, heldBy compared: ComparisonDocument? = nil, of id: BenchmarkID? = nil
  ) async throws -> (current: [BudgetFinding], withdrawn: [BudgetFinding], failures: [BenchmarkFailure]) {
    // A stored run is judged by the benchmarks that it contains, and a new run by those that were selected.
    let expected = stored == nil ? try await selected() : document.allIDs
    let known = try await known()
    func judge(_ run: RunDocument) throws -> [BudgetFinding] {
      let run = compared.map(run.tolerant(as:)) ?? run
      return try BudgetCheck.findings(file, run, known: known, expected: expected, today: start.day)
    }
    var (current, withdrawn) = (try judge(document), [BudgetFinding]())
    let doubtful = current.indices.filter { place in
      let finding = current[place]
      return finding.outcome == .exceeded && finding.hasNoise && id.map(finding.benchmarks.contains) != false
    }
    guard stored == nil, !doubtful.isEmpty else { return (current, [], []) }
    let ids = Set(doubtful.flatMap { current[$0].benchmarks })
    context.console.note("measuring \(Format.plural(ids.count, "benchmark")) again, because limits were exceeded")
    let again = try await self.document(leavingOut: Set(expected).subtracting(ids), framedAs: compared, writes: false)
    // The other benchmarks stay, because only they may have a phase or counter that a limit names.
    var second = document
    second.benchmarks = document.benchmarks.filter { !ids.contains($0.id) } + again.benchmarks
    second.failures = document.failures.filter { !ids.contains($0.id) } + again.failures
    let searched = again.capacities ?? []
    second.capacities =
      (document.capacities ?? []).filter { first in !searched.contains { $0.isSameSeries(as: first) } } + searched
    let confirmed = try judge(second)
    for place in doubtful {
      let first = current[place]
      let isSame = { (other: BudgetFinding) in other.subject == first.subject && other.limit.key == first.limit.key }
      guard let finding = confirmed.first(where: isSame), finding.outcome == .passed else { continue }
      withdrawn.append(first)
      current[place] = finding
    }
    return (current, withdrawn, again.failures)
  }

  private func known() async throws -> [BenchmarkID] {
    var known = Set(stored?.allIDs ?? [])
    // A finished run can be judged without a package. The package is needed only if a pattern of the budget file
    // matches none of the run's benchmarks.
    if stored == nil {
      known = Set(try await selected() + catalogue.get().benchmarks().map(\.id))
    } else if let file, (try? file.checkPatterns(Array(known))) == nil {
      do { known.formUnion(try await catalogue.get().benchmarks().map(\.id)) } catch let error as RevisionError
        where error.kind == .usage
      {
        // Without a package, only the benchmarks of the run are known.
      }
    }
    return known.sorted { "\($0)" < "\($1)" }
  }

  func explain(_ id: BenchmarkID) async throws -> ExitStatus {
    guard let file else { throw UsageError("--explain", "there is no budget file", remedy: "name one with --budgets") }
    if stored == nil {
      let expected = try await selected()
      guard expected.contains(id) else { throw UsageError.unknown(id, among: expected) }
    }
    let document = try await document()
    let known = try await known()
    guard known.contains(id) else { throw UsageError.unknown(id, among: known) }
    let findings = try await findings(file.targeting(command.device, document), document, of: id).current
    try context.console.write(findings.explanation(of: id, path: file.path))
    return .success
  }

  /// Makes all checks that need no measurement, so that errors are found before anything is measured.
  private func checkBeforeMeasuring() async throws {
    try ReportDelivery.check(context)
    guard stored == nil else { return }
    guard let file else {
      // Without limits, only the selection is checked here. If a run is needed, `RunPlan` makes the other checks.
      return try command.selection.check()
    }
    let catalogue = try await catalogue.get()
    let expected = try command.benchmarks(of: catalogue)
    try expected.checkTrace(command.runOptions)
    try file.checkPatterns(catalogue.benchmarks().map(\.id) + expected.map(\.id))
    try await FigureProbe(catalogue).check(file, of: expected.map(\.id), others: catalogue.benchmarks().map(\.id))
  }

  private func reference() async throws -> GateReference {
    if let finished { return .comparison(finished) }
    guard let name = judging.baseline else { return .nothing }
    let folder = try building.packagePath.map { try PackageFolder.find($0) } ?? FileManager.default.currentDirectoryPath
    return try await GateReference(name, in: folder, store: command.results.baselines(context), context.console)
  }

  /// Refuses an option that cannot be applied, instead of ignoring it silently.
  private func refuseUnusable(_ reference: GateReference) throws(UsageError) {
    func given(_ names: String...) -> [String] { judging.given.filter(names.contains) }
    let hasRun = file != nil || stored != nil
    let gitLab = metricPaths.isEmpty ? [] : ["--report gitlab"]
    switch reference {
    case .comparison:
      try refuse(
        given("--baseline", "--tolerance", "--seconds", "--profile", "--force")
          + (hasRun ? [] : command.measured + gitLab), because: "--comparison names a finished comparison",
        remedy: "leave out one of them")
    case .nothing:
      let document = requests.contains { $0.format == .document } ? ["--report document"] : []
      try refuse(
        given("--tolerance", "--seconds", "--profile", "--force") + document,
        because: "without a baseline nothing is compared", remedy: "name one with --baseline")
    case .runs:
      try refuse(
        given("--seconds", "--profile"), because: "only a baseline that is a git revision is built and measured",
        remedy: "name one, as in --baseline origin/main")
    case .revision:
      try refuse(
        given("--force"), because: "builds are measured side by side, in one environment", remedy: "leave it out")
      try refuse(
        hasRun ? [] : command.onlyOfRuns + gitLab,
        because: "a revision is compared side by side, and without budgets there is no other run",
        remedy: "leave it out, or name budgets")
    }
  }

  /// Refuses limits of one commit beside regressions of another.
  private func refuseOtherCommit(_ reference: GateReference) async throws {
    let compared: (place: String, commit: String?)
    switch reference {
    case .comparison(let document) where stored != nil || file != nil:
      compared = ("--comparison is of", document.candidate.commit)
    case .revision where stored != nil:
      compared = ("--baseline compares the checkout, which is at", try await head()?.commit)
    default: return
    }
    let run = stored == nil ? try await building.head(in: folder)?.commit : stored?.environment.commit
    guard let run, let other = compared.commit, run != other else { return }
    throw NotComparable(
      "\(stored == nil ? "limits would be checked in" : "--run is of") commit \(run.prefix(12)), and \(compared.place)"
        + " \(other.prefix(12)); measure and compare the same commit")
  }

  mutating func judge() async throws -> ExitStatus {
    let reference = try await reference()
    try refuseUnusable(reference)
    try await refuseOtherCommit(reference)
    if case .revision = reference { await catalogue.setCompared() }
    try await checkBeforeMeasuring()
    var report = CheckReport(
      title: "springbench gate", headline: "", checks: missing, startedAt: start.iso8601, durationSeconds: 0,
      repeating: context.repeating())
    let (compared, document) = try await evidence(reference, &report)
    if let document, let file = try file?.targeting(command.device, document) {
      let (findings, withdrawn, failures) = try await findings(file, document, heldBy: compared)
      let known = Set(report.checks.map(\.sentence))
      report.checks += failures.map(Check.init(failure:)).filter { !known.contains($0.sentence) }
      report.add(findings, of: file, failingOn: judging.kinds)
      report.against = file.targetText(command.device)
      let unread = command.budgets == nil ? BudgetFile.passedOver(package: building.packagePath) : []
      if !unread.isEmpty {
        report.addRemark("Limits are those of \(file.path), so \(Format.list(unread)) was not read.")
      }
      for finding in withdrawn {
        report.addRemark("A first run exceeded a limit that a second run met: \(finding.sentence).")
      }
    }
    if let compared { add(compared, with: reference, to: &report) }
    try await addRemarks(on: compared, document, reference, to: &report)
    if let file, let document {
      try file.checkAcknowledgements(
        document, known: try await known(), compared: report.comparison?.rows.map(\.limitKey) ?? [])
    }
    let isCompared = report.comparison?.rows.contains { $0.verdict != .notJudged } ?? false
    guard isCompared || report.checks.contains(where: { $0.outcome != .noted || $0.kind == .budget && $0.isMeasured })
    else { throw RunError("nothing was checked: no limit or baseline applies to what was run") }
    report.headline = report.gateHeadline
    report.durationSeconds = (ContinuousClock.now - clockStart) / .seconds(1)
    try deliver(report, document)
    return report.status
  }

  /// Compares and measures what the gate has to judge. Adds checks for failed benchmarks and contradictory results, or
  /// a note that nothing had to be measured.
  private mutating func evidence(_ reference: GateReference, _ report: inout CheckReport) async throws -> (
    compared: ComparisonDocument?, run: RunDocument?
  ) {
    switch reference {
    case .nothing: return (nil, try await run(&report))
    case .comparison(var compared):
      if !command.selection.given.isEmpty {
        let selects = try await selector()
        compared.rows.removeAll { !selects($0.id) }
        compared.failures.removeAll { !selects($0.id) }
        if let remark = try await remarkOnTag(of: "comparison", with: Set(finished?.allIDs ?? [])) {
          compared.warnings.append(Warning(remark))
        }
      }
      if let remark = try await remarkOnUnselected(in: compared) { compared.warnings.append(Warning(remark)) }
      return (compared, file == nil && stored == nil ? nil : try await run(&report, framedAs: compared))
    case .runs(let runs, let name, _):
      let document = try await run(&report)
      return (try await compare(runs, named: name, with: document), document)
    case .revision(let name):
      // Builds are compared before the run, because the comparison may show that no run is needed.
      var compared = try await compare(with: name)
      let remark = try await remarkOnLimits(since: name)
      if let remark { compared.warnings.append(Warning(remark)) }
      if let file, stored == nil, metricPaths.isEmpty, compared.isUnmeasured, remark == nil {
        report.checks.append(
          Check(
            subject: file.path, figure: "limits", kind: .budget, outcome: .noted,
            sentence: "not measured: the code that runs and the limits are those of \(name)"))
        return (compared, nil)
      }
      // The candidate's tags and sizes of `--quick` must not choose the limits that are checked. Nor must its scenarios,
      // over which shards are dealt.
      command.selection.only = Set(compared.allIDs)
      guard file != nil || stored != nil, let others = try await unlimited() else { return (compared, nil) }
      return (compared, try await run(&report, leavingOut: others, framedAs: compared))
    }
  }

  /// Returns the run to judge. Adds a check for each benchmark that failed, and for each function whose result differs
  /// from that of the reference strategy.
  private func run(
    _ report: inout CheckReport, leavingOut others: Set<BenchmarkID> = [], framedAs compared: ComparisonDocument? = nil
  ) async throws -> RunDocument {
    let document = try await document(leavingOut: others, framedAs: compared)
    guard !document.allIDs.isEmpty else { throw RunError("the run measured nothing, so the gate fails") }
    report.checks += document.failures.map(Check.init(failure:))
    report.checks += document.contradictionChecks(fail: judging.kinds.contains(.behaviorChanged))
    return document
  }

  private func add(_ compared: ComparisonDocument, with reference: GateReference, to report: inout CheckReport) {
    report.add(
      compared, needsAll: compared.method.source == .documents, failingOn: judging.kinds, acknowledging: file,
      today: start.day)
    let commit = compared.baseline.commit.map { ", commit \($0.prefix(12))" } ?? ""
    let parts = compared.partCount.map { ", in \(Format.plural($0, "part"))" } ?? ""
    report.addRemark("Compared with \(reference.place ?? compared.baseline.name)\(commit)\(parts).")
    if finished != nil, report.failedGroups.first?.checks[0].row != nil {
      report.repeating = context.repeating(of: compared.arguments)
    }
  }

  private func compare(_ runs: Baseline, named name: String, with document: RunDocument) async throws
    -> ComparisonDocument
  {
    let selects = try await selector()
    let stored = StoredComparison(tolerance: judging.tolerance, isForced: judging.force, arguments: context.arguments)
    var compared = try stored.compare(
      baseline: runs.filter { selects($0.key) }, named: name, with: document, named: "this run")
    let leftOut = try await selection().leftOut.filter { runs[$0] != nil }
    if !leftOut.isEmpty {
      let count = Format.plural(leftOut.count, "benchmark")
      compared.warnings.append(Warning("--quick left out \(count) of the baseline. Run without it to compare them."))
    }
    if let remark = try await remarkOnTag(of: "baseline", with: Set(runs.keys)) {
      compared.warnings.append(Warning(remark))
    }
    return compared
  }

  private func compare(with revision: String) async throws -> ComparisonDocument {
    var comparison = command.comparison(context)
    comparison.tolerance = judging.tolerance
    if let seconds = judging.seconds { comparison.seconds = seconds }
    if judging.profile {
      comparison.profileFolder = try ProfileFolders.place(requests, below: command.results, command: "gate", context)
    }
    return try await Interruption.cancelling { [comparison, building] in
      try await comparison.compare(revision, with: .workingTree, building: building)
    }
  }

  /// Returns a function that tells whether a benchmark is selected, even if the suite no longer has it. Only selected
  /// benchmarks can count as missing.
  private func selector() async throws -> (BenchmarkID) -> Bool {
    let selection = try await selection()
    let selects = try selection.selector()
    guard selection.shard != nil || selection.tag != nil else { return selects }
    let selected = Set(try await selected())
    let known = Set(try await catalogue.get().benchmarks(sizes: selection.sizes).map(\.id))
    // A benchmark that the suite no longer has belongs to no shard, so it counts as one of the first shard. With
    // `--tag`, it is not selected, because its tags are unknown.
    let isFirst = (selection.shard?.index ?? 1) == 1
    return { selected.contains($0) || isFirst && !known.contains($0) && selects($0) }
  }

  func selection() async throws -> BenchmarkSelection {
    var selection = command.selection
    guard command.measuring.quick else { return selection }
    selection.leftOut = Set(try command.leftOut(of: try await catalogue.get()).map(\.id))
    return selection
  }

  private func deliver(_ report: CheckReport, _ document: RunDocument?) throws {
    let blocks = { (link: @escaping FileLink) in
      report.blocks(link: link) + (report.comparison?.details(link: link) ?? [])
    }
    let delivery = ReportDelivery(requests: requests, blocks: blocks, json: report.json(), checks: report)
    try delivery.deliver(context, otherwise: report.gateText(width: context.console.terminalWidth))
    for path in metricPaths {
      guard let document else { continue }
      try OutputFile(path: path).write(Data(try ReportFormat.openmetrics.render(document).utf8))
    }
  }
}

extension UsageError {
  /// Returns the error for an unknown id after `--explain`. It suggests the most similar known id.
  static func unknown(_ id: BenchmarkID, among known: [BenchmarkID]) -> UsageError {
    let near = Suggestion.nearest(to: "\(id)", among: known.map(\.description))
    return UsageError(
      "--explain", "\(id) is not one of the benchmarks that are run",
      remedy: near.map { "did you mean \"\($0)\"?" } ?? "springbench list shows every id")
  }
}
