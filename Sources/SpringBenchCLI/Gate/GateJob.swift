import Budgets
import Foundation
import FrameBench
import FrameReport

/// A gate whose command line has been checked.
struct GateJob {
  private let command: GateCommand
  private let file: BudgetFile?
  private let kinds: Set<Check.Kind>
  private let requests: [ReportRequest]
  /// Files for GitLab's metrics report.
  private let metricPaths: [String]
  private let tolerance: Double
  private let today = String(Timestamp(date: Date()).iso8601.prefix(10))
  private let start = Timestamp(date: Date())
  private let clockStart = ContinuousClock.now

  static let defaultBudgets = "springbench.yml"

  init(_ command: GateCommand, _ context: CommandContext) throws {
    self.command = command
    kinds = try GateOutcome.kinds(command.failOn, isStrict: command.strict)
    metricPaths = command.report.filter { $0.hasPrefix("gitlab=") }.map { String($0.dropFirst(7)) }
    for path in metricPaths { try OutputFile(path: path).checkWritable() }
    requests = try ReportRequest.parse(
      command.report.filter { !$0.hasPrefix("gitlab=") } + (command.measuring.json ? ["json"] : []))
    var options = try ComparingOptions.parse([])
    options.tolerance = command.tolerance
    tolerance = try options.parsedTolerance()
    file = command.suggest ? nil : try Self.budgetFile(command.budgets)
    guard file != nil || command.baseline != nil || command.suggest else {
      throw UsageError(
        "there is nothing to hold a run against: no \(Self.defaultBudgets) here, and no --baseline",
        remedy: "write one with springbench gate --suggest > \(Self.defaultBudgets), or name a baseline")
    }
  }

  static func budgetFile(_ path: String?) throws -> BudgetFile? {
    let name = path ?? defaultBudgets
    guard path != nil || FileManager.default.fileExists(atPath: name) else { return nil }
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: name))
    } catch {
      throw UsageError(
        "--budgets", "\(name) cannot be read: \(SystemReason.text(error))",
        remedy: "name the file, or write one with springbench gate --suggest")
    }
    guard let text = String(data: data, encoding: .utf8) else {
      throw UsageError("--budgets", "\(name) is not UTF-8", remedy: "save it as UTF-8")
    }
    return try BudgetFile(reading: text, path: name)
  }

  // MARK: The run

  /// The run that is judged: measured now, and written as `run` does, or read.
  @MainActor
  func document(_ context: CommandContext) async throws -> RunDocument {
    if let run = command.run {
      return try StoredRun(argument: run, results: command.measuring.results.output).read()
    }
    let plan = try RunPlan(command.measuring, context)
    return try await Interruption.cancelling {
      let document = try await plan.measure(context)
      _ = try plan.write(document)
      return document
    }
  }

  /// What the run should have measured.
  private func expected(_ document: RunDocument, _ context: CommandContext) throws -> [BenchmarkID] {
    command.run == nil
      ? try command.measuring.benchmarks(of: context.suite).map(\.id)
      : document.benchmarks.map(\.id) + document.failures.map(\.id)
  }

  private func findings(_ document: RunDocument, _ context: CommandContext) throws -> [BudgetFinding] {
    guard let file else { return [] }
    return try BudgetCheck.findings(
      file, document, known: try known(document, context), expected: try expected(document, context),
      today: today)
  }

  private func known(_ document: RunDocument, _ context: CommandContext) throws -> [BenchmarkID] {
    let suite = context.suite.benchmarks(sizes: nil, strategies: nil).map(\.id)
    return Set(suite).union(try expected(document, context)).sorted { "\($0)" < "\($1)" }
  }

  @MainActor
  func explain(_ text: String, _ context: CommandContext) async throws -> ExitStatus {
    guard let id = BenchmarkID(text) else {
      throw UsageError(
        "--explain", "\"\(text)\" is no id", remedy: "give one as in --explain springs/tiled/100")
    }
    guard let file else {
      throw UsageError("--explain", "there is no budget file", remedy: "name one with --budgets")
    }
    let document = try await document(context)
    let findings = try findings(document, context)
    try context.console.write(BudgetExplanation.text(id, findings, path: file.path))
    return .success
  }

  // MARK: The verdict

  @MainActor
  func judge(_ context: CommandContext) async throws -> ExitStatus {
    var baseline: GateBaseline?
    if let name = command.baseline {
      let store = try BaselineStore.resolve(
        results: command.measuring.results.output, machine: command.measuring.results.machine, context)
      baseline = try await GateBaseline(name, store: store)
    }
    if command.profile, baseline?.needsRun ?? true {
      throw UsageError(
        "--profile", "only a baseline that is a git revision can be built and profiled",
        remedy: "name one, as in --baseline origin/main")
    }
    var outcome = GateOutcome()
    var comparison: ComparisonDocument?
    var document: RunDocument?
    if file != nil || baseline?.needsRun ?? true {
      let measured = try await self.document(context)
      guard !measured.benchmarks.isEmpty || !measured.failures.isEmpty else {
        throw RunError("the run measured nothing; a gate that measured nothing is not open")
      }
      outcome.add(measured.failures)
      if let file { outcome.add(try findings(measured, context), of: file, failingOn: kinds) }
      document = measured
    }
    if let baseline {
      let compared = try await compare(baseline, document, context)
      outcome.add(compared, failingOn: kinds, acknowledging: file, today: today)
      comparison = compared
    }
    if let file, let document {
      try file.checkAcknowledgements(
        document, known: try known(document, context), compared: comparison?.rows.map(\.key) ?? [])
    }
    guard outcome.checks.contains(where: { $0.outcome == .passed || $0.outcome == .failed }) else {
      throw RunError("nothing was checked: no limit and no baseline applies to what was run")
    }
    try deliver(outcome, comparison, document, context)
    return outcome.status
  }

  @MainActor
  private func compare(
    _ baseline: GateBaseline, _ document: RunDocument?, _ context: CommandContext
  ) async throws -> ComparisonDocument {
    let stored = StoredComparison(tolerance: tolerance, isForced: command.force, arguments: context.arguments)
    let name = command.baseline ?? ""
    switch baseline {
    case .saved(let saved):
      return try stored.compare(
        baseline: try relevant(saved.documents, context), named: name, with: try required(document),
        named: "this run")
    case .document(let run):
      let documents = try Baseline(name: name, documents: [(run.path, try run.read())]).documents
      return try stored.compare(
        baseline: try relevant(documents, context), named: name, with: try required(document),
        named: "this run")
    case .revision(let revision):
      var options = try ComparingOptions.parse([])
      options.tolerance = command.tolerance
      options.seed = command.measuring.measuring.display.seed
      var comparison = RevisionComparison(
        rule: ComparisonRule(tolerance: tolerance), seed: try options.parsedSeed(), options: options,
        selection: command.measuring.selection.arguments, arguments: context.arguments)
      if command.profile { comparison.profileFolder = try profileFolder(context) }
      let (prepared, console) = (comparison, context.console)
      return try await Interruption.cancelling {
        try await prepared.compare(
          revision, with: .workingTree, building: try RevisionOptions.parse([]), console: console)
      }
    }
  }

  private func profileFolder(_ context: CommandContext) throws(UsageError) -> String {
    try ProfileFolders.place(
      requests,
      otherwise: "\(command.measuring.results.output)/"
        + ProfileFolders.name(
          machine: command.measuring.results.machine, context, start: start, command: "gate"))
  }

  /// A selection leaves benchmarks out: those have not vanished.
  private func relevant(
    _ documents: [BenchmarkID: RunDocument], _ context: CommandContext
  ) throws -> [BenchmarkID: RunDocument] {
    let selection = command.measuring.selection
    let leftOut = Set(try command.measuring.leftOut(of: context.suite).map(\.id))
    // Which shard a benchmark would be in that the suite has lost, nobody knows.
    let part = try selection.shard.map { _ in
      Set(try command.measuring.benchmarks(of: context.suite).map(\.id))
    }
    return try documents.filter {
      try !leftOut.contains($0.key) && part?.contains($0.key) ?? selection.selects($0.key)
    }
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
    let line = repeatingLine
    let checks = CheckReport(
      title: "springbench gate", headline: outcome.headline, checks: outcome.checks,
      startedAt: start.iso8601, durationSeconds: seconds
    ) { "\(line) --filter '^\($0)\($0.split(separator: "/").count < 3 ? "/" : "$")'" }
    let markdown = { (link: PageLink?) in
      let page = checks.markdown()
      guard let comparison else { return page }
      let table = ComparisonMarkdown(comparison) { link?($0) }.render()
      return page + "\n" + Markup.folded("The comparison", table)
    }
    for path in metricPaths {
      guard let document else { continue }
      try OutputFile(path: path).write(Data(try ReportFormat.openmetrics.render(document).utf8))
    }
    let delivery = ReportDelivery(
      requests: requests, markdown: markdown, json: CheckRows(outcome.checks).json(), checks: checks)
    if try delivery.deliver(context) { return }
    try context.console.write(GateText(outcome).render())
  }

  private var repeatingLine: String {
    var words = ["springbench", "gate"]
    if let budgets = command.budgets { words += ["--budgets", budgets] }
    if let baseline = command.baseline { words += ["--baseline", baseline] }
    return ShellWord.quoted(words)
  }
}
