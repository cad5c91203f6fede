import Foundation
import FrameBench

/// A run that has passed every check that can be made before measuring.
struct RunPlan: Sendable {
  private var benchmarks: [PlannedBenchmark]
  private var options: RunOptions
  private var configurationWarnings: [Warning]
  private var timeout: Duration?
  private var machine: Machine
  private(set) var machineName: String
  private var output: OutputFolder
  private var start: Timestamp
  private var countsInstructions: Bool
  private var instructionTimeout: Duration?
  /// Nil: capacities are not searched for.
  private var capacityLimit: Duration?
  private var layouts: RunLayouts

  /// - Parameter layouts: Where the command line does not say how many link orders to measure.
  init(
    _ command: RunCommand, _ context: CommandContext, layouts standard: RunLayouts = .asBuilt
  ) throws(UsageError) {
    options = try command.measuring.runOptions()
    layouts = try command.parsedLayouts(runCount: options.runCount) ?? standard
    timeout = try command.parsedTimeout()
    countsInstructions = command.instructions
    instructionTimeout = try command.parsedInstructionTimeout()
    capacityLimit = try command.capacity.limit()
    benchmarks = try command.benchmarks(of: context.suite)
    machine = Machine.current()
    machineName = try MachineName.resolve(flag: command.results.machine, context, of: machine)
    output = OutputFolder(path: command.results.output)
    try output.checkWritable(machine: machineName)
    try MemoryCheck(availableBytes: machine.availableMemoryBytes).check(benchmarks, options)
    configurationWarnings = try Self.warnings(benchmarks, options)
    if let note = LeftOut(try command.leftOut(of: context.suite)).note { configurationWarnings.append(note) }
    start = Timestamp(date: Date())
  }

  /// What the scenarios doubt; what they say of several benchmarks is said once.
  private static func warnings(
    _ benchmarks: [PlannedBenchmark], _ options: RunOptions
  ) throws(UsageError) -> [Warning] {
    var warnings: [Warning] = []
    for benchmark in benchmarks {
      for warning in try benchmark.warnings(options) {
        if let known = warnings.firstIndex(where: { $0.message == warning.message }) {
          warnings[known].benchmark = nil
        } else {
          warnings.append(warning)
        }
      }
    }
    return warnings
  }

  /// Throws `CancellationError`.
  func measure(_ context: CommandContext) async throws -> RunDocument {
    let git = await GitState.current()
    let line = ProgressLine(console: context.console)
    defer { line.clear() }
    let programs = try await layouts.programs(
      runCount: options.runCount, line: line, console: context.console)
    defer { withExtendedLifetime(programs) {} }
    var options = options
    if programs.paths.count > 1 { options.layoutCount = programs.paths.count }
    var runner = Runner(
      benchmarks: benchmarks, options: options, core: machine.measuringCore, timeout: timeout,
      parentProcess: getpid())
    runner.programs = programs.paths
    let clockStart = ContinuousClock.now
    let speedAtStart = await Self.kernelTimes(core: machine.measuringCore)
    var outcome = try await runner.run(progress: line.show)
    let capacities = try await self.capacities(runner, failed: outcome.failures.map(\.id), line)
    let speedAtEnd = await Self.kernelTimes(core: machine.measuringCore)
    if countsInstructions {
      let stage = InstructionStage(
        options: options, timeout: instructionTimeout, core: machine.measuringCore,
        workerCount: machine.coreCount)
      try await stage.run(on: &outcome) { line.show("counting instructions: \($0)") }
    }
    let seconds = (ContinuousClock.now - clockStart) / .seconds(1)
    let calibration = speedAtStart.map { CalibrationRecord(start: $0, end: speedAtEnd) }
    let environment = Environment.collect(
      machine: machine, name: machineName, git: git,
      clock: outcome.clock ?? FrameClock.calibrated().record)
    return RunDocument(
      suite: context.suite.name, startedAt: start.iso8601,
      durationSeconds: (seconds * 1_000).rounded() / 1_000, arguments: context.arguments,
      options: options, environment: environment, benchmarks: outcome.records,
      failures: outcome.failures,
      warnings: environment.warnings + programs.warnings + (calibration?.warnings ?? []) + outcome.warnings
        + configurationWarnings, calibration: calibration, capacities: capacities)
  }

  /// A tenth of a second of the fixed kernel, on the core that workers run on.
  private static func kernelTimes(core: Int?) async -> KernelTimes? {
    await PinnedThread.run(core: core) { _ in CalibrationKernel.measure(seconds: 0.1) }
  }

  private func capacities(
    _ runner: Runner, failed: [BenchmarkID], _ line: ProgressLine
  ) async throws -> [CapacityRecord]? {
    guard let capacityLimit else { return nil }
    let finder = CapacityFinder(
      runner: runner, limit: capacityLimit, availableMemoryBytes: machine.availableMemoryBytes)
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
