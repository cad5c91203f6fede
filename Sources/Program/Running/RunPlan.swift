import Foundation
import FrameBench
import Measurements

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
  private var start: Timestamp

  init(
    _ settings: RunSettings, _ catalogue: Catalogue, _ context: CommandContext
  ) async throws {
    var settings = settings
    settings.options.takeFrames(of: catalogue)
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
    if let note = LeftOut(try settings.leftOut(of: catalogue)).note { configurationWarnings.append(note) }
    start = Timestamp(date: Date())
  }

  /// Throws `CancellationError`.
  func measure(_ context: CommandContext) async throws -> RunDocument {
    let git = await GitState.current(in: catalogue.folder, except: settings.written)
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
      let stage = InstructionStage(
        options: options, timeout: settings.instructionTimeout, core: machine.measuringCore,
        workerCount: machine.coreCount, programs: programs.paths)
      try await stage.run(on: &outcome) { line.show("counting instructions: \($0)") }
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
    document.summaries = summaries(of: scenarios)
    let tolerances = scenarios.compactMap { scenario in scenario.tolerancePercent.map { (scenario.name, $0) }
    }
    document.tolerancesPercent = tolerances.isEmpty ? nil : Dictionary(uniqueKeysWithValues: tolerances)
    document.claims = claims(of: scenarios)
    document.stretches = stretches(of: outcome.records)
    return document
  }

  private func summaries(of scenarios: [ScenarioDescription]) -> [String: String]? {
    let known = scenarios.compactMap { scenario in scenario.summary.map { (scenario.name, $0) } }
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

  /// Of what was measured.
  private func stretches(of records: [BenchmarkRecord]) -> [StretchRecord]? {
    let measured = stretches.filter { stretch in
      records.contains { $0.id.variant == stretch.scenario && $0.id.size == stretch.size }
    }
    return measured.isEmpty ? nil : measured
  }

  /// A tenth of a second of the fixed kernel, on the core that workers run on.
  private static func kernelTimes(core: Int?) async -> KernelTimes? {
    await PinnedThread.run(core: core) { _ in CalibrationKernel.measure(seconds: 0.1) }
  }

  private func capacities(
    _ runner: Runner, failed: [BenchmarkID], _ line: ProgressLine
  ) async throws -> [CapacityRecord]? {
    guard let limit = settings.capacityLimit else { return nil }
    let finder = CapacityFinder(
      runner: runner, limit: limit, availableMemoryBytes: machine.availableMemoryBytes)
    return try await finder.find(benchmarks.filter { !failed.contains($0.id) }, progress: line.show)
  }

  /// - Parameter others: Files beside those of every run.
  /// - Returns: The folder of the run.
  func write(_ document: RunDocument, others: [(name: String, data: Data)] = []) throws -> String {
    let commit = document.environment.commit.map { String($0.prefix(7)) } ?? "nogit"
    return try output.write(
      files: try document.files() + others, machine: machineName, name: "\(start.compact)-\(commit)")
  }
}
