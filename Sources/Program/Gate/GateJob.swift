import Foundation
import FrameBench
import Judging
import Measurements
import Pages
import TextFormat

/// A gate whose command line has been checked.
struct GateJob {
  private let settings: GateSettings
  private let file: BudgetFile?
  private let catalogue: LazyCatalogue
  /// The run that is judged, where it was measured before; whole, whatever is selected.
  private let stored: RunDocument?
  private let start = Timestamp(date: Date())
  private let clockStart = ContinuousClock.now

  private var today: String { start.day }

  /// - Parameter needsBudgets: Whether there is something to do without a budget file and a baseline.
  init(_ settings: GateSettings, _ context: CommandContext, needsBudgets: Bool = true) throws {
    self.settings = settings
    catalogue = LazyCatalogue(settings.run.building, context.console)
    file = needsBudgets ? try BudgetFile.find(settings.budgets) : nil
    try BudgetFile.checkDevice(settings.device, of: file)
    guard file != nil || settings.baseline != nil || !needsBudgets else {
      let path = BudgetFile.defaultPath
      throw UsageError(
        "there is nothing to check a run against: no \(path) here, and no --baseline",
        remedy: "write one with springbench gate --suggest > \(path), or name a baseline")
    }
    stored = try settings.storedRun.map { try StoredRun(argument: $0, results: settings.run.results).read() }
  }

  // MARK: The run

  /// The run that is judged: measured now, and written as `run` does, or read.
  @MainActor
  func document(_ context: CommandContext) async throws -> RunDocument {
    if var document = stored {
      let selects = try await selector()
      document.benchmarks = document.benchmarks.filter { selects($0.id) }
      document.failures = document.failures.filter { selects($0.id) }
      return document
    }
    let plan = try await RunPlan(settings.run, try await catalogue.get(), context)
    return try await Interruption.cancelling {
      let document = try await plan.measure(context)
      _ = try plan.write(document)
      return document
    }
  }

  /// What the run should have measured.
  private func expected(_ document: RunDocument) async throws -> [BenchmarkID] {
    settings.storedRun == nil
      ? try settings.run.benchmarks(of: try await catalogue.get()).map(\.id)
      : document.allIDs
  }

  private func findings(
    _ file: BudgetFile, _ document: RunDocument
  ) async throws -> [BudgetFinding] {
    try BudgetCheck.findings(
      file, document, known: try await known(document), expected: try await expected(document), today: today)
  }

  private func known(_ document: RunDocument) async throws -> [BenchmarkID] {
    var known = Set(try await expected(document)).union(stored?.allIDs ?? [])
    // A finished run can be judged where there is no package; only what it does not have is asked for there.
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
    if settings.storedRun == nil {
      let expected = try settings.run.benchmarks(of: try await catalogue.get()).map(\.id)
      guard expected.contains(id) else { throw UsageError.unknown(id, among: expected) }
    }
    let document = try await document(context)
    let known = try await known(document)
    guard known.contains(id) else { throw UsageError.unknown(id, among: known) }
    let findings = try await findings(file.targeting(settings.device, document), document)
    try context.console.write(findings.explanation(of: id, path: file.path))
    return .success
  }

  // MARK: The verdict

  /// Refuses early what would be refused after building and measuring, as far as that can be known.
  @MainActor
  private func checkBeforeMeasuring(_ context: CommandContext) async throws {
    try ReportDelivery.check(context)
    guard settings.storedRun == nil else { return }
    guard let file else {
      // With a revision for a baseline, nothing but its builds is measured.
      try settings.run.selection.check()
      return
    }
    let catalogue = try await catalogue.get()
    let expected = try settings.run.benchmarks(of: catalogue)
    try expected.checkTrace(settings.run.options)
    try file.checkPatterns(catalogue.benchmarks().map(\.id) + expected.map(\.id))
    try await FigureProbe(catalogue.programs).check(file, of: expected.map(\.id))
  }

  @MainActor
  func judge(_ context: CommandContext) async throws -> ExitStatus {
    try await checkBeforeMeasuring(context)
    var baseline: GateBaseline?
    if let name = settings.baseline {
      let store = try BaselineStore.resolve(
        results: settings.run.results, machine: settings.run.machine, context)
      let found = try await GateBaseline(name, store: store)
      found.note.map(context.console.note)
      baseline = found
    }
    try settings.check(baseline, hasBudgets: file != nil)
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
      if let file = try file?.targeting(settings.device, measured) {
        outcome.add(try await findings(file, measured), of: file, failingOn: settings.kinds)
        outcome.against = settings.device.map(file.targetText)
      }
      document = measured
    }
    if let baseline {
      let compared =
        if let comparison { comparison } else {
          try await compare(baseline, document, context)
        }
      outcome.add(
        compared, needsAll: baseline.isStored, failingOn: settings.kinds, acknowledging: file, today: today)
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
      tolerance: settings.tolerance, isForced: settings.isForced,
      arguments: context.arguments)
    let name = baseline.name
    switch baseline.kind {
    case .saved(let saved):
      let selects = try await selector()
      return try stored.compare(
        baseline: saved.documents.filter { selects($0.key) }, named: name,
        with: try required(document), named: "this run")
    case .document(let old):
      let selects = try await selector()
      let documents = Baseline(name: name, documents: [old]).documents
      return try stored.compare(
        baseline: documents.filter { selects($0.key) }, named: name,
        with: try required(document), named: "this run")
    case .revision(let revision):
      return try await compare(revision, context)
    }
  }

  private func compare(_ revision: String, _ context: CommandContext) async throws -> ComparisonDocument {
    var comparison = ComparisonSettings()
    comparison.namedTolerance = settings.tolerance
    if let seed = settings.seed { comparison.seed = seed }
    comparison.options = settings.run.options
    comparison.countsInstructions = settings.run.countsInstructions
    let prepared = RevisionComparison(
      settings: comparison, selection: try await selection(), arguments: context.arguments,
      profileFolder: settings.profiles ? try profileFolder(context) : nil)
    let console = context.console
    var building = settings.run.building
    building.written = settings.run.written
    return try await Interruption.cancelling { [building] in
      try await prepared.compare(revision, with: .workingTree, building: building, console: console)
    }
  }

  private func profileFolder(_ context: CommandContext) throws(UsageError) -> String {
    try ProfileFolders.place(
      settings.requests,
      otherwise: "\(settings.run.results)/"
        + ProfileFolders.name(machine: settings.run.machine, context, start: start, command: "gate"))
  }

  /// Whether the selection is of this benchmark, which the suite may not have any more. What it leaves out is
  /// not missing.
  private func selector() async throws -> (BenchmarkID) -> Bool {
    let run = settings.run
    guard run.selection.shard == nil else {
      // The shard of a benchmark that the suite no longer has is unknown.
      let selected = Set(try run.benchmarks(of: try await catalogue.get()).map(\.id))
      return selected.contains
    }
    return try await selection().selector()
  }

  private func selection() async throws -> BenchmarkSelection {
    var selection = settings.run.selection
    guard settings.run.isQuick else { return selection }
    selection.leftOut = Set(try settings.run.leftOut(of: try await catalogue.get()).map(\.id))
    return selection
  }

  private func required(_ document: RunDocument?) throws(RunError) -> RunDocument {
    guard let document else { throw RunError("no run was measured") }
    return document
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
      let report = ComparisonReport(comparison) { link?($0) }
      return checks.blocks + report.details
    }
    let delivery = ReportDelivery(
      requests: settings.requests, blocks: blocks, json: checks.json(), checks: checks)
    try delivery.deliver(context, otherwise: GateText(checks).render())
    for path in settings.metricPaths {
      guard let document else { continue }
      try OutputFile(path: path).write(Data(try ReportFormat.openmetrics.render(document).utf8))
    }
  }
}
