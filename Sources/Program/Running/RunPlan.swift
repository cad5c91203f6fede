import Builds
import Execution
import Foundation
import FrameBench
import Judging
import Linking
import Measurements
import Platform
import TextFormat

/// A run that has passed all checks that are made before measuring.
struct RunPlan: Sendable {
  private let arguments: any RunArguments
  private let building: BuildOptions
  private let catalogue: Catalogue
  private let options: RunOptions
  /// The number of link orders over which the runs of a benchmark are distributed. 1 means that the program is run as
  /// built.
  private let layoutCount: Int
  /// Whether the number of link orders was requested with `--layouts`. If not, there are at most as many orders as
  /// runs, and a program that cannot be relinked is run as built.
  private let requiresLayouts: Bool
  private let revision: Revision
  private let countsInstructions: Bool
  private var benchmarks: [PlannedBenchmark]
  private let shard: ShardRecord?
  private var configurationWarnings: [Warning]
  private var stretches: [StretchRecord]
  private let machine = Machine.current()
  let machineName: String
  let member: String?
  private let output: OutputFolder
  private let start: Date

  /// - Parameters:
  ///   - standard: The number of link orders if `--layouts` is not given.
  ///   - revision: The revision that the catalogue's programs were built from. A commit is given by its full hash.
  ///   - compared: The comparison whose frames the run has (see `RunOptions.framed`).
  ///   - unfinished: A stored run. Only its failed benchmarks are measured, with the options of the stored run.
  init(
    _ arguments: any RunArguments, _ building: BuildOptions, _ catalogue: Catalogue, _ context: CommandContext,
    layouts standard: Int = 1, of revision: Revision = .workingTree, framedAs compared: ComparisonDocument? = nil,
    completing unfinished: UnfinishedRun? = nil
  ) async throws {
    (self.arguments, self.building, self.catalogue, self.revision) = (arguments, building, catalogue, revision)
    let earlier = unfinished?.document
    var options = earlier?.options ?? arguments.runOptions
    let orderCount = earlier.map { $0.options.layoutCount ?? 1 } ?? arguments.measuring.layouts
    (layoutCount, requiresLayouts) = (orderCount ?? standard, orderCount != nil)
    options.layoutCount = nil
    countsInstructions = earlier?.benchmarks.contains { $0.instructions != nil } ?? arguments.measuring.instructions
    benchmarks = try unfinished?.failed(in: catalogue) ?? arguments.benchmarks(of: catalogue)
    let selection = arguments.selection
    let all = unfinished == nil ? try selection.selected(in: catalogue, isQuick: arguments.measuring.quick) : []
    let part = unfinished == nil ? try selection.part(of: all.map(\.id))?.record : nil
    shard = selection.only == nil ? part : compared?.shard
    let name = arguments.results.machine ?? earlier?.environment.machine
    machineName = try MachineName.resolve(flag: name, context, of: machine)
    member = try MachineName.member(flag: arguments.results.machine, context)
    output = OutputFolder(path: arguments.results.output)
    try output.checkWritable(machine: machineName)
    try benchmarks.checkTrace(options)
    if earlier == nil { try await catalogue.takeFrames(of: benchmarks, &options) }
    if let compared { options = options.framed(as: compared) }
    let found = try await catalogue.preflight(benchmarks, withoutChanging: options)
    self.options = options
    let checks = PreflightChecks(benchmarks: benchmarks, options: options, found: found)
    configurationWarnings =
      try checks.warnings(availableBytes: machine.availableMemoryBytes)
      + benchmarks.coreWarnings(coreCount: machine.coreCount)
    stretches = try checks.stretches()
    if let note = try arguments.leftOut(of: catalogue).leftOutNote { configurationWarnings.append(note) }
    start = Date()
  }

  /// - Parameters:
  ///   - showsFirstLook: Whether a long run writes a table of its first results to stderr.
  ///   - keepsPart: Whether a canceled run returns what it has measured so far, if there is anything.
  func measure(_ context: CommandContext, showsFirstLook: Bool = false, keepsPart: Bool = false) async throws
    -> RunDocument
  {
    let git =
      switch revision {
      case .workingTree: try await building.head(in: catalogue.folder)
      case .revision(let hash): Git.Head(commit: hash, isDirty: false)
      }
    let line = ProgressLine(console: context.console)
    defer { line.clear() }
    let programs = try await programs(line, context.console)
    defer { withExtendedLifetime(programs) {} }
    var options = options
    let orderCount = programs.catalogue.programs.orderCount
    if orderCount > 1 { options.layoutCount = orderCount }
    let runner = Runner(
      benchmarks: benchmarks, options: options, core: machine.measuringCore,
      timeout: arguments.measuring.workerTimeout.map { .seconds($0) }, programs: programs.catalogue.programs,
      keepsPart: keepsPart, otherCounts: arguments.measuring.quick ? [.phases: 1, .allocations: 1] : [:])
    let clockStart = ContinuousClock.now
    let others = OtherWork(files: SystemFiles())
    let speedAtStart = await kernelTimes()
    let firstLook = { (outcome: Runner.Outcome, secondsLeft: Double?) in
      line.clear()
      var document = self.document(outcome, Date().timeIntervalSince(start), git, programs.catalogue.build, context)
      document.warnings = [others.warning(on: machine)].compactMap(\.self)
      let left = secondsLeft.map { "; \(ProgressLine.duration($0)) left" } ?? ""
      context.console.tell(
        "a first look at \(document.benchmarks.count) of \(Format.plural(benchmarks.count, "benchmark"))\(left)")
      context.console.writeError(document.terminalText(width: context.console.outputWidth, usesColor: false) + "\n")
    }
    var outcome = try await runner.run(firstLook: showsFirstLook ? firstLook : nil) { line.show($0.progressText) }
    func unlessInterrupted(_ what: String, _ body: () async throws -> Void) async throws {
      guard !outcome.isInterrupted else { return }
      do { try await body() } catch let error as CancellationError {
        guard keepsPart else { throw error }
        outcome.isInterrupted = true
        outcome.warnings.append(Warning("The run was interrupted while it \(what), so some of these are missing."))
      }
    }
    var capacities: [CapacityRecord]?
    if let limit = arguments.measuring.capacityLimit.map(Duration.seconds) {
      let excluded = outcome.failures.map(\.id) + outcome.records.filter(\.isFunction).map(\.id)
      let measured = benchmarks.map(\.id).filter { !excluded.contains($0) }
      let finder = CapacityFinder(runner: runner, limit: limit, availableMemoryBytes: machine.availableMemoryBytes)
      try await unlessInterrupted("searched for capacities") {
        capacities = []
        for start in measured.oneOfEachSeries(by: >) {
          capacities?.append(try await finder.search(from: start, progress: line.show))
        }
      }
    }
    let speedAtEnd = await kernelTimes()
    if countsInstructions {
      try await unlessInterrupted("counted instructions") {
        try await runner.countInstructions(&outcome, workerCount: machine.coreCount) {
          line.show("counting instructions: \($0)")
        }
      }
    }
    var document = self.document(
      outcome, (ContinuousClock.now - clockStart) / .seconds(1), git, programs.catalogue.build, context)
    document.options = options
    document.calibration = speedAtStart.map {
      CalibrationRecord(roundCount: CalibrationKernel.roundCount, start: $0, end: speedAtEnd)
    }
    document.capacities = capacities
    let ofMachine = [
      document.environment.warning, others.warning(on: machine), programs.warning, document.calibration?.warning,
    ]
    document.warnings = ofMachine.compactMap(\.self) + outcome.warnings + configurationWarnings
    return document
  }

  /// Returns the document of a run, without warnings.
  private func document(
    _ outcome: Runner.Outcome, _ seconds: Double, _ git: Git.Head?, _ build: WorkerBuild, _ context: CommandContext
  ) -> RunDocument {
    let environment = machine.environment(
      name: machineName, member: member, git: git, build: build, clock: outcome.clock ?? FrameClock.calibrated().record)
    var document = RunDocument(
      suite: catalogue.name, startedAt: start.iso8601, durationSeconds: inThousandths(seconds),
      arguments: context.arguments, options: options, environment: environment, benchmarks: outcome.records,
      failures: outcome.failures)
    let measured = Set(benchmarks.map(\.id.scenario))
    let scenarios = catalogue.scenarios.filter { measured.contains($0.name) }
    func byName<Value>(_ value: (ScenarioDescription) -> Value?) -> [String: Value]? {
      let known = scenarios.compactMap { scenario in value(scenario).map { (scenario.name, $0) } }
      return Dictionary(uniqueKeysWithValues: known).unlessEmpty
    }
    document.summaries = byName(\.summary)
    document.tolerancesPercent = byName(\.tolerancePercent)
    document.allocationTolerances = byName(\.allocationTolerance)
    document.cores = byName { scenario in scenario.cores.map { min($0, machine.coreCount) } }
    document.claims =
      scenarios.flatMap { scenario in
        scenario.claims.map {
          ClaimRecord(scenario: scenario.name, strategy: $0.strategy, wording: $0.wording, itemCount: $0.itemCount)
        }
      }.unlessEmpty
    document.stretches =
      stretches.filter { stretch in
        outcome.records.contains { $0.id.variant == stretch.scenario && $0.id.size == stretch.size }
      }.unlessEmpty
    document.shard = shard
    return document
  }

  /// Times the calibration kernel, a fixed piece of work, on the core that measures benchmarks.
  private func kernelTimes() async -> KernelTimes? {
    let core = machine.measuringCore
    return await DedicatedThread.run { _ in
      _ = Machine.pin(to: core)
      return CalibrationKernel.measure(seconds: 0.05)
    }
  }

  /// - Returns: The folder of the run.
  func write(_ document: RunDocument, others: [(name: String, data: Data)] = []) throws -> String {
    let commit = document.environment.commit.map { String($0.prefix(7)) } ?? "nogit"
    return try output.write(
      files: try document.files() + others, machine: machineName, name: "\(start.compact)-\(commit)")
  }

  /// The catalogue with its programs in all link orders, and the pools that keep the linked programs. The warning says
  /// why there is only one link order.
  private typealias Programs = (catalogue: Catalogue, pools: [LinkOrderPool], warning: Warning?)

  private func programs(_ line: ProgressLine, _ console: Console) async throws -> Programs {
    let count = requiresLayouts ? layoutCount : min(layoutCount, options.runCount)
    guard count > 1 else { return (catalogue, [], nil) }
    do { return try await linked(count, line, console) } catch let problem as LinkProblem where requiresLayouts {
      throw RunError("--layouts: the working tree cannot be linked in several orders: \(problem)")
    } catch let error where !requiresLayouts && (error is LinkProblem || error is RevisionError) {
      let reason = oneLine("\(error)")
      let warning = "Measured in one link order: \(reason). A figure that moves may have been moved by the linker."
      return (catalogue, [], Warning(warning))
    }
  }

  private func linked(_ count: Int, _ line: ProgressLine, _ console: Console) async throws -> Programs {
    guard building.program.isEmpty else { throw LinkProblem("programs given by path cannot be relinked") }
    let builder = try await building.builder(console: console)
    var programs: Programs = (catalogue, [], nil)
    programs.catalogue.build.configuration = "release"
    let builds = try await builder.executables(catalogue.programs.products, for: revision)
    for (index, build) in builds.enumerated() {
      for note in build.notes { console.note(note) }
      let pool = try LinkOrderPool([build.entry], store: builder.store)
      line.show("linking \(Format.plural(count, "order")) of the code")
      try await pool.link(0..<count)
      programs.catalogue.programs.paths[index] = (0..<count).flatMap(pool.executables)
      programs.catalogue.builds.append(build)
      programs.pools.append(pool)
    }
    builder.store.evict()
    return programs
  }
}

extension [PlannedBenchmark] {
  /// A warning that names the benchmarks that `--quick` left out, and says how to measure them. Nil if there are none.
  fileprivate var leftOutNote: Warning? {
    guard !isEmpty else { return nil }
    let names = grouped(by: \.id.variant).map { variant, benchmarks in
      "\(variant) at \(Format.list(benchmarks.map(\.id.size).unique.map(Format.integer)))"
    }
    return Warning(
      "--quick left out \(names.joined(separator: "; ")). Run without it, or select them with --filter or --sizes.")
  }
}
