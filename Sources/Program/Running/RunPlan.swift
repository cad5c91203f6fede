import Foundation
import FrameBench
import Measurements
import TextFormat

/// A run that has passed every check that can be made before measuring.
struct RunPlan: Sendable {
  private let settings: RunSettings
  private let catalogue: Catalogue
  private var benchmarks: [PlannedBenchmark]
  private var configurationWarnings: [Warning]
  private var stretches: [StretchRecord]
  private var machine: Machine
  private(set) var machineName: String
  private var output: OutputFolder
  private var start: Date

  init(
    _ settings: RunSettings, _ catalogue: Catalogue, _ context: CommandContext
  ) async throws {
    var settings = settings
    settings.options.takeFrames(of: catalogue.benchmarks())
    self.settings = settings
    self.catalogue = catalogue
    benchmarks = try settings.benchmarks(of: catalogue)
    machine = Machine.current()
    machineName = try MachineName.resolve(flag: settings.machine, context, of: machine)
    output = OutputFolder(path: settings.results)
    try output.checkWritable(machine: machineName)
    try benchmarks.checkTrace(settings.options)
    let checks = try await PreflightChecks(benchmarks, settings.options, catalogue)
    try checks.checkMemory(availableBytes: machine.availableMemoryBytes)
    configurationWarnings = try checks.warnings()
    stretches = try checks.stretches()
    if let note = try settings.leftOut(of: catalogue).leftOutNote { configurationWarnings.append(note) }
    start = Date()
  }

  /// Throws `CancellationError`.
  func measure(_ context: CommandContext) async throws -> RunDocument {
    let git = await Git(folder: catalogue.folder).head(except: settings.written)
    let line = ProgressLine(console: context.console)
    defer { line.clear() }
    let programs = try await settings.layouts.programs(of: catalogue, settings, line, context.console)
    defer { withExtendedLifetime(programs) {} }
    var options = settings.options
    if programs.paths.orderCount > 1 { options.layoutCount = programs.paths.orderCount }
    let runner = Runner(
      benchmarks: benchmarks, options: options, core: machine.measuringCore, timeout: settings.workerTimeout,
      programs: programs.paths, parentProcess: getpid())
    let clockStart = ContinuousClock.now
    let speedAtStart = await Self.kernelTimes(core: machine.measuringCore)
    var outcome = try await runner.run { line.show($0.text) }
    let capacities = try await self.capacities(runner, failed: outcome.failures.map(\.id), line)
    let speedAtEnd = await Self.kernelTimes(core: machine.measuringCore)
    if settings.countsInstructions {
      try await runner.countInstructions(
        &outcome, timeout: settings.instructionTimeout, workerCount: machine.coreCount
      ) { line.show("counting instructions: \($0)") }
    }
    let seconds = (ContinuousClock.now - clockStart) / .seconds(1)
    let calibration = speedAtStart.map {
      CalibrationRecord(roundCount: CalibrationKernel.roundCount, start: $0, end: speedAtEnd)
    }
    let environment = Environment.collect(
      machine: machine, name: machineName, git: git, build: programs.build,
      clock: outcome.clock ?? FrameClock.calibrated().record)
    var document = RunDocument(
      suite: catalogue.name, startedAt: start.iso8601,
      durationSeconds: (seconds * 1_000).rounded() / 1_000, arguments: context.arguments,
      options: options, environment: environment, benchmarks: outcome.records,
      failures: outcome.failures,
      warnings: environment.warnings + programs.warnings + (calibration?.warnings ?? []) + outcome.warnings
        + configurationWarnings, calibration: calibration, capacities: capacities)
    let measured = Set(benchmarks.map(\.id.scenario))
    let scenarios = catalogue.scenarios.filter { measured.contains($0.name) }
    document.summaries = byName(scenarios) { $0.summary }
    document.tolerancesPercent = byName(scenarios) { $0.tolerancePercent }
    document.claims = claims(of: scenarios)
    document.stretches = stretches(of: outcome.records)
    return document
  }

  /// Declarations of scenarios by name; nil if none has any.
  private func byName<Value>(
    _ scenarios: [ScenarioDescription], _ value: (ScenarioDescription) -> Value?
  ) -> [String: Value]? {
    let known = scenarios.compactMap { scenario in value(scenario).map { (scenario.name, $0) } }
    return known.isEmpty ? nil : Dictionary(uniqueKeysWithValues: known)
  }

  private func claims(of scenarios: [ScenarioDescription]) -> [ClaimRecord]? {
    let claims = scenarios.flatMap { scenario in
      scenario.claims.map { claim in
        ClaimRecord(
          scenario: scenario.name, strategy: claim.strategy, wording: claim.wording,
          itemCount: claim.itemCount)
      }
    }
    return claims.isEmpty ? nil : claims
  }

  /// Stretches of the measured benchmarks.
  private func stretches(of records: [BenchmarkRecord]) -> [StretchRecord]? {
    let measured = stretches.filter { stretch in
      records.contains { $0.id.variant == stretch.scenario && $0.id.size == stretch.size }
    }
    return measured.isEmpty ? nil : measured
  }

  /// Runs the fixed kernel for a tenth of a second, on the core of the workers.
  private static func kernelTimes(core: Int?) async -> KernelTimes? {
    await DedicatedThread.run(core: core) { _ in CalibrationKernel.measure(seconds: 0.1) }
  }

  private func capacities(
    _ runner: Runner, failed: [BenchmarkID], _ line: ProgressLine
  ) async throws -> [CapacityRecord]? {
    guard let limit = settings.capacityLimit else { return nil }
    let finder = CapacityFinder(
      runner: runner, limit: limit, availableMemoryBytes: machine.availableMemoryBytes)
    return try await finder.find(benchmarks.filter { !failed.contains($0.id) }, progress: line.show)
  }

  /// - Parameter others: Files in addition to those of every run.
  /// - Returns: The folder of the run.
  func write(_ document: RunDocument, others: [(name: String, data: Data)] = []) throws -> String {
    let commit = document.environment.commit.map { String($0.prefix(7)) } ?? "nogit"
    return try output.write(
      files: try document.files() + others, machine: machineName, name: "\(start.compact)-\(commit)")
  }
}

/// The benchmarks and the output of a run.
struct RunSettings: Sendable {
  var selection: BenchmarkSelection
  /// Whether to leave out benchmarks that the suite leaves out of `--quick`.
  var isQuick = false
  var options: RunOptions
  var layouts = RunLayouts.asBuilt
  var building = BuildSettings()
  /// Time limit of the search for capacities; nil: none.
  var capacityLimit: Duration?
  var countsInstructions = false
  /// Folder of results.
  var results = ResultOptions.defaultFolder
  /// Other output of the command.
  var otherOutputs: [String] = []
  /// From the command line.
  var machine: String?
  /// Time limit of a worker; nil: depends on the size of the benchmark.
  var workerTimeout: Duration?
  /// Time limit of a worker under valgrind; nil: the usual.
  var instructionTimeout: Duration?

  /// Paths that it writes.
  var written: [String] { [results] + otherOutputs }

  func benchmarks(of catalogue: Catalogue) throws(UsageError) -> [PlannedBenchmark] {
    try selection.benchmarks(of: catalogue, isQuick: isQuick)
  }

  func leftOut(of catalogue: Catalogue) throws(UsageError) -> [PlannedBenchmark] {
    isQuick ? try selection.leftOutByQuick(of: catalogue) : []
  }
}

/// The link orders of the program that the runs of a benchmark are spread over.
enum RunLayouts: Sendable {
  /// This program, as it is.
  case asBuilt
  /// This many, of a build of the working tree.
  case required(Int)
  /// This many, or fewer if there are fewer runs; this program, with a warning, if the working tree cannot
  /// be built.
  case preferred(Int)

  /// A multiple of four, so that each function begins in every quarter of a cache line equally often; two runs in each.
  static let nightlyCount = 8
  static let nightly = RunLayouts.preferred(nightlyCount)
  static let largestCount = 200

  /// The programs of a run.
  struct Programs: Sendable {
    /// By link order.
    var paths: ProgramPaths
    var build: WorkerBuild
    var warnings: [Warning] = []
    /// Builds without a lease may be evicted.
    fileprivate var leases: [(BuiltRevision, LinkOrderPool)] = []
  }

  /// - Parameters:
  ///   - catalogue: The programs as built.
  /// - Throws: `RunError` if link orders are required and not possible.
  func programs(
    of catalogue: Catalogue, _ settings: RunSettings, _ line: ProgressLine, _ console: Console
  ) async throws -> Programs {
    let asBuilt = Programs(paths: catalogue.programs, build: catalogue.build)
    switch self {
    case .asBuilt: return asBuilt
    case .required(let count):
      do {
        return try await linked(count, catalogue, settings, line, console)
      } catch let problem as LinkProblem {
        throw RunError("--layouts: the working tree cannot be linked in several orders: \(problem)")
      }
    case .preferred(let wanted):
      let count = min(wanted, settings.options.runCount)
      guard count > 1 else { return asBuilt }
      do {
        return try await linked(count, catalogue, settings, line, console)
      } catch let error where error is LinkProblem || error is RevisionError {
        var programs = asBuilt
        programs.warnings = [
          Warning(
            "Measured in one link order: \(oneLine("\(error)")). A figure that moves may have been"
              + " moved by the linker.")
        ]
        return programs
      }
    }
  }

  private func linked(
    _ count: Int, _ catalogue: Catalogue, _ settings: RunSettings, _ line: ProgressLine, _ console: Console
  ) async throws -> Programs {
    guard settings.building.programs.isEmpty else {
      throw LinkProblem("programs given by path cannot be relinked")
    }
    var building = settings.building
    building.written = settings.written
    let builder = try await building.builder(console: console)
    var programs = Programs(paths: catalogue.programs, build: catalogue.build)
    let builds = try await builder.executables(catalogue.programs.products, for: .workingTree)
    for (index, build) in builds.enumerated() {
      for note in build.notes { console.note(note) }
      let pool = try LinkOrderPool([build], store: builder.store)
      line.show("linking \(count) orders of the code")
      try await pool.link(0..<count)
      programs.paths.paths[index] = (0..<count).flatMap(pool.executables)
      programs.leases.append((build, pool))
    }
    builder.store.evict()
    programs.build = .release(catalogue.build)
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
      "--quick left out \(names.joined(separator: "; ")). Run without it, or select them with --filter or --sizes."
    )
  }
}
