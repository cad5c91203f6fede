import Foundation
import FrameBench
import Measurements
import TextFormat

/// A run that has passed every check that can be made before measuring.
struct RunPlan: Sendable {
  private let arguments: any RunArguments
  private let building: BuildOptions
  private let catalogue: Catalogue
  private let options: RunOptions
  private let layouts: RunLayouts
  private let revision: Revision
  private let countsInstructions: Bool
  private var benchmarks: [PlannedBenchmark]
  private let shard: ShardRecord?
  private var configurationWarnings: [Warning]
  private var stretches: [StretchRecord]
  private let machine = Machine.current()
  let machineName: String
  private let member: String?
  private let start: Date

  private var output: OutputFolder { OutputFolder(path: arguments.results.output) }

  /// - Parameters:
  ///   - building: From the arguments, with the paths that the command writes.
  ///   - standard: Used without `--layouts`.
  ///   - revision: What the catalogue's programs were built from; a commit by its full hash.
  ///   - unfinished: A run of which only the failed benchmarks are measured, like the others.
  init(
    _ arguments: any RunArguments, _ building: BuildOptions, _ catalogue: Catalogue, _ context: CommandContext,
    layouts standard: RunLayouts = RunLayouts(), of revision: Revision = .workingTree,
    completing unfinished: UnfinishedRun? = nil
  ) async throws {
    self.arguments = arguments
    self.building = building
    self.catalogue = catalogue
    self.revision = revision
    var options = unfinished?.options ?? arguments.runOptions
    layouts = unfinished?.layouts ?? arguments.measuring.layouts.map { RunLayouts(count: $0) } ?? standard
    countsInstructions = unfinished?.countsInstructions ?? arguments.measuring.instructions
    benchmarks = try unfinished?.failed(in: catalogue) ?? arguments.benchmarks(of: catalogue)
    shard =
      unfinished == nil ? try arguments.selection.part(of: arguments.ofAllParts(catalogue).map(\.id))?.record : nil
    machineName = try MachineName.resolve(flag: arguments.results.machine ?? unfinished?.machine, context, of: machine)
    member = try MachineName.member(flag: arguments.results.machine, context)
    try OutputFolder(path: arguments.results.output).checkWritable(machine: machineName)
    try benchmarks.checkTrace(options)
    let found = try await catalogue.preflight(benchmarks, &options)
    self.options = options
    let checks = PreflightChecks(benchmarks: benchmarks, options: options, found: found)
    try checks.checkMemory(availableBytes: machine.availableMemoryBytes)
    configurationWarnings = try checks.warnings()
    stretches = try checks.stretches()
    if let note = try arguments.leftOut(of: catalogue).leftOutNote { configurationWarnings.append(note) }
    start = Date()
  }

  /// - Parameter showsFirstLook: Whether a run that takes long writes a table to stderr before it has ended.
  func measure(_ context: CommandContext, showsFirstLook: Bool = false) async throws -> RunDocument {
    let git =
      switch revision {
      case .workingTree: await Git(folder: catalogue.folder).head(except: building.written)
      case .revision(let hash): Git.Head(commit: hash, isDirty: false)
      }
    let line = ProgressLine(console: context.console)
    defer { line.clear() }
    let programs = try await programs(line, context.console)
    defer { withExtendedLifetime(programs) {} }
    var options = options
    if programs.paths.orderCount > 1 { options.layoutCount = programs.paths.orderCount }
    let runner = Runner(
      benchmarks: benchmarks, options: options, core: machine.measuringCore,
      timeout: arguments.timeouts.workerTimeout.map { .seconds($0) }, programs: programs.paths, parentProcess: getpid(),
      otherCounts: arguments.measuring.quick ? [.phases: 1, .allocations: 1] : [:])
    let clockStart = ContinuousClock.now
    let others = OtherWork(files: SystemFiles())
    let speedAtStart = await Self.kernelTimes(core: machine.measuringCore)
    let firstLook = { (outcome: Runner.Outcome, secondsLeft: Double?) in
      line.clear()
      let document = self.document(outcome, Date().timeIntervalSince(start), git, programs.build, context)
      let left = secondsLeft.map { "; \(ProgressLine.duration($0)) left" } ?? ""
      context.console.tell(
        "a first look at \(document.benchmarks.count) of \(Format.plural(benchmarks.count, "benchmark"))\(left)")
      context.console.writeError(document.terminalText(width: context.console.outputWidth, usesColor: false) + "\n")
    }
    var outcome = try await runner.run(firstLook: showsFirstLook ? firstLook : nil) { line.show($0.progressText) }
    let capacities = try await self.capacities(runner, failed: outcome.failures.map(\.id), line)
    let speedAtEnd = await Self.kernelTimes(core: machine.measuringCore)
    if countsInstructions {
      try await runner.countInstructions(
        &outcome, timeout: arguments.timeouts.instructionTimeout.map { .seconds($0) }, workerCount: machine.coreCount
      ) { line.show("counting instructions: \($0)") }
    }
    var document = self.document(
      outcome, (ContinuousClock.now - clockStart) / .seconds(1), git, programs.build, context)
    document.options = options
    document.calibration = speedAtStart.map {
      CalibrationRecord(roundCount: CalibrationKernel.roundCount, start: $0, end: speedAtEnd)
    }
    document.capacities = capacities
    let ofMachine = document.environment.warnings + others.warnings(coreCount: machine.coreCount)
    let ofRun = programs.warnings + (document.calibration?.warnings ?? []) + outcome.warnings
    document.warnings = ofMachine + ofRun + configurationWarnings
    return document
  }

  /// Without warnings.
  private func document(
    _ outcome: Runner.Outcome, _ seconds: Double, _ git: Git.Head?, _ build: WorkerBuild, _ context: CommandContext
  ) -> RunDocument {
    let environment = Environment.collect(
      machine: machine, name: machineName, member: member, git: git, build: build,
      clock: outcome.clock ?? FrameClock.calibrated().record)
    var document = RunDocument(
      suite: catalogue.name, startedAt: start.iso8601, durationSeconds: (seconds * 1_000).rounded() / 1_000,
      arguments: context.arguments, options: options, environment: environment, benchmarks: outcome.records,
      failures: outcome.failures)
    let measured = Set(benchmarks.map(\.id.scenario))
    let scenarios = catalogue.scenarios.filter { measured.contains($0.name) }
    document.summaries = byName(scenarios, \.summary)
    document.tolerancesPercent = byName(scenarios, \.tolerancePercent)
    document.allocationTolerances = byName(scenarios, \.allocationTolerance)
    let claims = scenarios.flatMap { scenario in
      scenario.claims.map { claim in
        ClaimRecord(
          scenario: scenario.name, strategy: claim.strategy, wording: claim.wording, itemCount: claim.itemCount)
      }
    }
    document.claims = claims.isEmpty ? nil : claims
    let stretches = stretches.filter { stretch in
      outcome.records.contains { $0.id.variant == stretch.scenario && $0.id.size == stretch.size }
    }
    document.stretches = stretches.isEmpty ? nil : stretches
    document.shard = shard
    return document
  }

  /// Declarations of scenarios by name; nil if none has any.
  private func byName<Value>(_ scenarios: [ScenarioDescription], _ value: (ScenarioDescription) -> Value?) -> [String:
    Value]?
  {
    let known = scenarios.compactMap { scenario in value(scenario).map { (scenario.name, $0) } }
    return known.isEmpty ? nil : Dictionary(uniqueKeysWithValues: known)
  }

  /// Runs the fixed kernel for a tenth of a second, on the core of the workers.
  private static func kernelTimes(core: Int?) async -> KernelTimes? {
    await DedicatedThread.run { _ in
      _ = Machine.pin(to: core)
      return CalibrationKernel.measure(seconds: 0.1)
    }
  }

  private func capacities(_ runner: Runner, failed: [BenchmarkID], _ line: ProgressLine) async throws
    -> [CapacityRecord]?
  {
    guard let limit = arguments.capacity.limit else { return nil }
    let finder = CapacityFinder(runner: runner, limit: limit, availableMemoryBytes: machine.availableMemoryBytes)
    return try await finder.find(benchmarks.map(\.id).filter { !failed.contains($0) }, progress: line.show)
  }

  /// - Parameter others: Files in addition to those of every run.
  /// - Returns: The folder of the run.
  func write(_ document: RunDocument, others: [(name: String, data: Data)] = []) throws -> String {
    let commit = document.environment.commit.map { String($0.prefix(7)) } ?? "nogit"
    return try output.write(
      files: try document.files() + others, machine: machineName, name: "\(start.compact)-\(commit)")
  }
}

/// The link orders of a build of the working tree that the runs of a benchmark are spread over.
struct RunLayouts: Sendable {
  /// 1: the program as it is.
  var count = 1
  /// Otherwise there are no more than runs, and the program as it is serves, with a warning, if the working tree
  /// cannot be built.
  var isRequired = true

  /// A multiple of four, so that each function begins in every quarter of a cache line equally often; two runs in each.
  static let nightlyCount = 8
  static let largestCount = 200
}

extension RunPlan {
  /// The programs of a run.
  private struct Programs {
    /// By link order.
    var paths: ProgramPaths
    var build: WorkerBuild
    var warnings: [Warning] = []
    /// Builds without a lease may be evicted.
    var leases: [(BuiltRevision, LinkOrderPool)] = []
  }

  /// - Throws: `RunError` if link orders are required and not possible.
  private func programs(_ line: ProgressLine, _ console: Console) async throws -> Programs {
    var asBuilt = Programs(paths: catalogue.programs, build: catalogue.build)
    let count = layouts.isRequired ? layouts.count : min(layouts.count, options.runCount)
    guard count > 1 else { return asBuilt }
    do { return try await linked(count, line, console) } catch let problem as LinkProblem where layouts.isRequired {
      throw RunError("--layouts: the working tree cannot be linked in several orders: \(problem)")
    } catch let error where !layouts.isRequired && (error is LinkProblem || error is RevisionError) {
      asBuilt.warnings = [
        Warning(
          "Measured in one link order: \(oneLine("\(error)")). A figure that moves may have been"
            + " moved by the linker.")
      ]
      return asBuilt
    }
  }

  private func linked(_ count: Int, _ line: ProgressLine, _ console: Console) async throws -> Programs {
    guard building.program.isEmpty else { throw LinkProblem("programs given by path cannot be relinked") }
    let builder = try await building.builder(console: console)
    var programs = Programs(paths: catalogue.programs, build: .release(catalogue.build))
    let builds = try await builder.executables(catalogue.programs.products, for: revision)
    for (index, build) in builds.enumerated() {
      for note in build.notes { console.note(note) }
      let pool = try LinkOrderPool([build.entry], store: builder.store)
      line.show("linking \(count) orders of the code")
      try await pool.link(0..<count)
      programs.paths.paths[index] = (0..<count).flatMap(pool.executables)
      programs.leases.append((build, pool))
    }
    builder.store.evict()
    return programs
  }
}

extension [PlannedBenchmark] {
  /// A warning about benchmarks that `--quick` left out, and how to measure them. Nil if there are none.
  fileprivate var leftOutNote: Warning? {
    guard !isEmpty else { return nil }
    var sizes: [(scenario: String, sizes: [Int])] = []
    for id in map(\.id) {
      if sizes.last?.scenario != id.variant { sizes.append((id.variant, [])) }
      if sizes[sizes.count - 1].sizes.last != id.size { sizes[sizes.count - 1].sizes.append(id.size) }
    }
    let names = sizes.map { "\($0.scenario) at \(Format.list($0.sizes.map { Format.integer($0) }))" }
    return Warning(
      "--quick left out \(names.joined(separator: "; ")). Run without it, or select them with --filter or --sizes.")
  }
}
