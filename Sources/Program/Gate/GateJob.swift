import Foundation
import FrameBench
import Judging
import Measurements
import Pages
import TextFormat

/// A gate, from its options to its verdict.
struct GateJob {
  private let command: GateCommand
  private var settings: RunSettings
  private let requests: [ReportRequest]
  /// Files for GitLab's metrics report.
  private let metricPaths: [String]
  private let file: BudgetFile?
  private let catalogue: LazyCatalogue
  /// The judged run, if it was measured before; complete, regardless of the selection.
  private let stored: RunDocument?
  private let start = Date()
  private let clockStart = ContinuousClock.now

  private var judging: JudgingOptions { command.judging }

  init(_ command: GateCommand, _ context: CommandContext) throws {
    self.command = command
    settings = try command.arguments.settings(context)
    if command.run != nil {
      try refuse(
        command.arguments.measured, because: "--run names a finished run", remedy: "leave out one of them")
    }
    let gitLab = command.judging.report.filter { $0.hasPrefix("gitlab=") }
    metricPaths = gitLab.map { String($0.dropFirst("gitlab=".count)) }
    for path in metricPaths { try OutputFile(path: path, option: "--report").checkWritable() }
    requests = try ReportRequest.parse(
      command.judging.report.filter { !gitLab.contains($0) } + (command.judging.json ? ["json"] : []))
    settings.otherOutputs = requests.compactMap(\.path) + metricPaths
    catalogue = LazyCatalogue(settings.building, context.console)
    file = command.suggest ? nil : try BudgetFile.find(command.budgets)
    try BudgetFile.checkDevice(command.device, of: file)
    guard file != nil || command.judging.baseline != nil || command.suggest else {
      let path = BudgetFile.defaultPath
      throw UsageError(
        "there is nothing to check a run against: no \(path) here, and no --baseline",
        remedy: "write one with springbench gate --suggest > \(path), or name a baseline")
    }
    stored = try command.run.map {
      try StoredRun(argument: $0, results: command.arguments.results.output).read()
    }
  }

  // MARK: The run

  /// The judged run: measured now, and written as by `run`, or read.
  @MainActor
  func document(_ context: CommandContext) async throws -> RunDocument {
    if var document = stored {
      let selects = try await selector()
      document.benchmarks = document.benchmarks.filter { selects($0.id) }
      document.failures = document.failures.filter { selects($0.id) }
      return document
    }
    let plan = try await RunPlan(settings, try await catalogue.get(), context)
    return try await Interruption.cancelling {
      let document = try await plan.measure(context)
      _ = try plan.write(document)
      return document
    }
  }

  /// The benchmarks that the run should have measured.
  private func expected(_ document: RunDocument) async throws -> [BenchmarkID] {
    stored == nil
      ? try settings.benchmarks(of: try await catalogue.get()).map(\.id)
      : document.allIDs
  }

  private func findings(
    _ file: BudgetFile, _ document: RunDocument
  ) async throws -> [BudgetFinding] {
    try BudgetCheck.findings(
      file, document, known: try await known(document), expected: try await expected(document),
      today: start.day)
  }

  private func known(_ document: RunDocument) async throws -> [BenchmarkID] {
    var known = Set(try await expected(document)).union(stored?.allIDs ?? [])
    // A finished run can be judged without a package; the package is asked only about missing benchmarks.
    if stored == nil {
      known.formUnion(try await catalogue.get().benchmarks().map(\.id))
    } else if let file, (try? file.checkPatterns(Array(known))) == nil {
      known.formUnion((try? await catalogue.get())?.benchmarks().map(\.id) ?? [])
    }
    return known.sorted { "\($0)" < "\($1)" }
  }

  @MainActor
  func explain(_ id: BenchmarkID, _ context: CommandContext) async throws -> ExitStatus {
    guard let file else {
      throw UsageError("--explain", "there is no budget file", remedy: "name one with --budgets")
    }
    if stored == nil {
      let expected = try settings.benchmarks(of: try await catalogue.get()).map(\.id)
      guard expected.contains(id) else { throw UsageError.unknown(id, among: expected) }
    }
    let document = try await document(context)
    let known = try await known(document)
    guard known.contains(id) else { throw UsageError.unknown(id, among: known) }
    let findings = try await findings(file.targeting(command.device, document), document)
    try context.console.write(findings.explanation(of: id, path: file.path))
    return .success
  }

  // MARK: The verdict

  /// Refuses early whatever would be refused after building and measuring, as far as it is known.
  @MainActor
  private func checkBeforeMeasuring(_ context: CommandContext) async throws {
    try ReportDelivery.check(context)
    guard stored == nil else { return }
    guard let file else {
      // If the baseline is a revision, only builds are measured.
      try settings.selection.check()
      return
    }
    let catalogue = try await catalogue.get()
    let expected = try settings.benchmarks(of: catalogue)
    try expected.checkTrace(settings.options)
    try file.checkPatterns(catalogue.benchmarks().map(\.id) + expected.map(\.id))
    try await FigureProbe(catalogue.programs).check(file, of: expected.map(\.id))
  }

  /// Refuses an option that cannot be applied, instead of ignoring it silently.
  private func refuseUnusable(_ baseline: GateBaseline?) throws(UsageError) {
    let ofStored = judging.force ? ["--force"] : []
    switch baseline?.kind {
    case nil:
      try refuse(
        judging.given.filter { ["--tolerance", "--profile"].contains($0) } + ofStored,
        because: "without a baseline nothing is compared", remedy: "name one with --baseline")
    case .stored:
      try refuse(
        judging.profile ? ["--profile"] : [],
        because: "only a baseline that is a git revision can be built and profiled",
        remedy: "name one, as in --baseline origin/main")
    case .revision:
      try refuse(
        ofStored, because: "builds are measured side by side, in one environment", remedy: "leave it out")
      try refuse(
        file == nil ? command.arguments.onlyOfRuns + (metricPaths.isEmpty ? [] : ["--report gitlab"]) : [],
        because: "a revision is compared side by side, and without budgets there is no other run",
        remedy: "leave it out, or name budgets")
    }
  }

  @MainActor
  func judge(_ context: CommandContext) async throws -> ExitStatus {
    try await checkBeforeMeasuring(context)
    var baseline: GateBaseline?
    if let name = judging.baseline {
      let store = try BaselineStore.resolve(
        results: settings.results, machine: settings.machine, context)
      let found = try await GateBaseline(name, store: store)
      found.note.map(context.console.note)
      baseline = found
    }
    try refuseUnusable(baseline)
    var outcome = GateOutcome()
    var comparison: ComparisonDocument?
    var document: RunDocument?
    // Builds can be compared without a run, and may turn out to need none.
    if let baseline, !baseline.isStored { comparison = try await compare(baseline, nil, context) }
    if let file, let baseline, comparison?.method.source == .identicalPrograms,
      await file.isAsIn(baseline.name)
    {
      outcome.addUnmeasured(file, as: baseline.name)
    } else if file != nil || baseline?.isStored ?? true {
      let measured = try await self.document(context)
      guard !measured.benchmarks.isEmpty || !measured.failures.isEmpty else {
        throw RunError("the run measured nothing, so the gate fails")
      }
      outcome.add(measured.failures)
      if let file = try file?.targeting(command.device, measured) {
        outcome.add(try await findings(file, measured), of: file, failingOn: judging.kinds)
        outcome.against = command.device.map(file.targetText)
      }
      document = measured
    }
    if let baseline {
      let compared =
        if let comparison { comparison } else {
          try await compare(baseline, document, context)
        }
      outcome.add(
        compared, needsAll: baseline.isStored, failingOn: judging.kinds, acknowledging: file, today: start.day
      )
      let commit = compared.baseline.commit.map { ", commit \($0.prefix(12))" } ?? ""
      let device = outcome.against.map { $0 + " " } ?? ""
      outcome.against = "\(device)Compared with \(baseline.place)\(commit)."
      comparison = compared
    }
    if let file, let document {
      try file.checkAcknowledgements(
        document, known: try await known(document), compared: comparison?.rows.map(\.key) ?? [])
    }
    guard outcome.checks.contains(where: { $0.outcome == .passed || $0.outcome == .failed }) else {
      throw RunError("nothing was checked: no limit or baseline applies to what was run")
    }
    try deliver(outcome, comparison, document, context)
    return outcome.status
  }

  @MainActor
  private func compare(
    _ baseline: GateBaseline, _ document: RunDocument?, _ context: CommandContext
  ) async throws -> ComparisonDocument {
    let stored = StoredComparison(
      tolerance: judging.tolerance, isForced: judging.force,
      arguments: context.arguments)
    switch baseline.kind {
    case .stored(let runs):
      let selects = try await selector()
      guard let document else { throw RunError("no run was measured") }
      return try stored.compare(
        baseline: runs.documents.filter { selects($0.key) }, named: baseline.name, with: document,
        named: "this run")
    case .revision(let revision):
      return try await compare(revision, context)
    }
  }

  private func compare(_ revision: String, _ context: CommandContext) async throws -> ComparisonDocument {
    var comparison = ComparisonSettings()
    comparison.namedTolerance = judging.tolerance
    if let seed = command.arguments.measuring.display.seed { comparison.seed = seed }
    comparison.options = settings.options
    comparison.countsInstructions = settings.countsInstructions
    let prepared = RevisionComparison(
      settings: comparison, selection: try await selection(), arguments: context.arguments,
      profileFolder: judging.profile ? try profileFolder(context) : nil)
    let console = context.console
    var building = settings.building
    building.written = settings.written
    return try await Interruption.cancelling { [building] in
      try await prepared.compare(revision, with: .workingTree, building: building, console: console)
    }
  }

  private func profileFolder(_ context: CommandContext) throws(UsageError) -> String {
    try ProfileFolders.place(
      requests,
      otherwise: "\(settings.results)/"
        + ProfileFolders.name(machine: settings.machine, context, start: start, command: "gate"))
  }

  /// Whether the selection includes this benchmark, which the suite may no longer have. Others are not
  /// missing.
  private func selector() async throws -> (BenchmarkID) -> Bool {
    let run = settings
    guard run.selection.shard == nil else {
      // The shard of a benchmark that the suite no longer has is unknown.
      let selected = Set(try run.benchmarks(of: try await catalogue.get()).map(\.id))
      return selected.contains
    }
    return try await selection().selector()
  }

  private func selection() async throws -> BenchmarkSelection {
    var selection = settings.selection
    guard settings.isQuick else { return selection }
    selection.leftOut = Set(try settings.leftOut(of: try await catalogue.get()).map(\.id))
    return selection
  }

  @MainActor
  private func deliver(
    _ outcome: GateOutcome, _ comparison: ComparisonDocument?, _ document: RunDocument?,
    _ context: CommandContext
  ) throws {
    let seconds = (ContinuousClock.now - clockStart) / .seconds(1)
    var checks = CheckReport(
      title: "springbench gate", headline: "", against: outcome.against, checks: outcome.checks,
      startedAt: start.iso8601, durationSeconds: seconds, comparison: comparison,
      repeating: RepeatedCommand(context.arguments).line)
    checks.headline = outcome.headline(checks)
    let blocks = { [checks] (link: PageLink?) in
      guard let comparison else { return checks.blocks }
      return checks.blocks + comparison.details { link?($0) }
    }
    let delivery = ReportDelivery(
      requests: requests, blocks: blocks, json: checks.json(), checks: checks)
    try delivery.deliver(context, otherwise: checks.gateText)
    for path in metricPaths {
      guard let document else { continue }
      try OutputFile(path: path).write(Data(try ReportFormat.openmetrics.render(document).utf8))
    }
  }
}

/// The meaning of `gate --baseline`: a saved baseline, a git revision, or a run document.
struct GateBaseline {
  enum Kind {
    /// Read at once, so that a broken one is reported before anything is measured.
    case stored(Baseline)
    case revision(String)
  }

  var kind: Kind
  /// The name in reports.
  var name: String
  /// Its kind and origin.
  var place: String
  /// Another possible meaning of the name.
  var note: String?

  /// A revision takes precedence over a file of the same name, so that a branch cannot choose its own
  /// baseline by adding a file.
  ///
  /// - Throws: `NotComparable` if it is neither.
  init(_ argument: String, store: BaselineStore) async throws {
    let isRevision = await ComparedPair.isRevision(argument)
    if store.names().contains(argument) {
      let folder = "\(store.folder)/\(argument)"
      kind = .stored(try store.load(argument))
      name = argument
      place = "the saved baseline \(folder)"
      if isRevision {
        note =
          "--baseline \(argument) is the saved baseline \(folder), not the revision; for the revision write"
          + " --baseline refs/heads/\(argument)"
      }
      return
    }
    if isRevision {
      kind = .revision(argument)
      name = argument
      place = "the git revision \(argument)"
      if ComparedPair.isDocument(argument) { note = ComparedPair.revisionWins(argument) }
      return
    }
    guard ComparedPair.isDocument(argument) else {
      var reason = "baseline \"\(argument)\" is not there; save one with springbench baseline save"
      // The error says where else the name is known, and which names exist.
      do { _ = try store.load(argument) } catch let error as NotComparable {
        reason = error.description
      } catch {}
      throw NotComparable("--baseline: \(reason); and it is not a run document or a git revision either")
    }
    let run: StoredRun
    do throws(UsageError) {
      run = try StoredRun(argument: argument, results: store.results)
    } catch {
      throw NotComparable("--baseline: \(error.description)")
    }
    kind = .stored(Baseline([try run.read()]))
    name = run.path
    place = "the run document \(run.path)"
  }

  /// Whether it was measured before and saved.
  var isStored: Bool {
    if case .revision = kind { return false }
    return true
  }
}

extension UsageError {
  /// Error of `--explain`, with the nearest known id.
  static func unknown(_ id: BenchmarkID, among known: [BenchmarkID]) -> UsageError {
    let near = Suggestion.nearest(to: "\(id)", among: known.map(\.description))
    return UsageError(
      "--explain", "\(id) is not one of the benchmarks that are run",
      remedy: near.map { "did you mean \"\($0)\"?" } ?? "springbench list shows every id")
  }
}
