import FrameBench
import Measurements
import TextFormat

/// Measures benchmarks by worker processes, one after the other.
struct Runner {
  var benchmarks: [PlannedBenchmark]
  var options: RunOptions
  /// The core that workers run on; nil lets the system choose.
  var core: Int?
  /// Time limit of a worker; nil: depends on the amount of its work.
  var timeout: Duration?
  /// The same program in several link orders; the runs of a pass use them in turn.
  var programs: ProgramPaths
  var parentProcess: Int32

  struct Outcome {
    var records: [BenchmarkRecord] = []
    var failures: [BenchmarkFailure] = []
    var warnings: [Warning] = []
    /// Clock of the run with the median cost.
    var clock: ClockRecord?
  }

  /// Results so far.
  private struct State {
    var runs: [BenchmarkRuns]
    var failures: [BenchmarkFailure?]
    /// Reference strategies that fail in comparisons, and why.
    var brokenReferences: [BenchmarkID: String] = [:]
    var progress: RunProgress
    var isPinned = true
  }

  /// Additional runs in each timing pass of a benchmark whose phases do not explain its frames.
  private static let repeatedRunCount = 5

  /// Throws `CancellationError`. A benchmark that fails does not stop the others, and keeps its earlier
  /// results.
  func run(progress: (RunProgress) -> Void) async throws -> Outcome {
    var schedule = RunSchedule(
      benchmarkCount: benchmarks.count, runCount: options.runCount, seed: options.seed,
      compared: Set(benchmarks.indices.filter { reference(of: benchmarks[$0]) != nil }))
    // Two in each link order, so that a disturbed run does not decide the order's figure.
    let leastRunCount = max(RunOptions.leastRunCount, programs.orderCount > 1 ? 2 * programs.orderCount : 1)
    var state = State(
      runs: benchmarks.map { BenchmarkRuns(id: $0.id, options: options) },
      failures: Array(repeating: nil, count: benchmarks.count),
      progress: RunProgress(
        schedule: schedule, benchmarkCount: benchmarks.count, secondsLimit: options.passSecondsLimit,
        leastRunCount: leastRunCount))
    let start = ContinuousClock.now
    for round in 1...schedule.roundCount {
      try await Task.sleep(until: start + schedule.shortestRound * (round - 1), clock: .continuous)
      for job in schedule.round(round, state.progress) { try await run(job, &state, progress) }
    }
    try await repeatUnexplained(&state, progress)
    var outcome = outcome(state.runs, state.failures, isPinned: state.isPinned)
    outcome.warnings += undeviated(outcome.records, state.failures, state.brokenReferences)
    return outcome
  }

  private func run(_ job: RunJob, _ state: inout State, _ progress: (RunProgress) -> Void) async throws {
    try Task.checkCancellation()
    guard state.failures[job.benchmark] == nil else { return }
    let benchmark = benchmarks[job.benchmark]
    let reference = job.pass == .output ? referenceID(of: benchmark) : nil
    if let reference, isBroken(reference, state.failures, state.brokenReferences) {
      state.progress.skip(job)
      return
    }
    state.progress.begin(job, benchmark.id)
    progress(state.progress)
    do {
      let measurement = try await worker(for: benchmark.id, run: job.run).measure(
        request(benchmark, job.pass))
      state.runs[job.benchmark].add(measurement, pass: job.pass)
      state.isPinned = state.isPinned && measurement.isPinned
      state.progress.end(job)
    } catch let failure as WorkerProcess.Failure {
      // Both strategies ran in that process: only one of them caused the failure.
      if let reference, let reason = try await failureAlone(of: reference, like: benchmark) {
        state.brokenReferences[reference] = reason
        state.progress.skip(job)
        return
      }
      state.failures[job.benchmark] = BenchmarkFailure(
        id: benchmark.id, reason: "\(failure.reason) (\(job.pass.rawValue) run \(job.run))",
        standardError: failure.standardError)
      state.progress.abandon(job.benchmark)
    }
  }

  /// Repeats benchmarks of which a slow spell may have hit only one of the two passes.
  private func repeatUnexplained(_ state: inout State, _ progress: (RunProgress) -> Void) async throws {
    guard options.runCount >= RunOptions.leastRunCount else { return }
    let unexplained = state.runs.indices.filter { state.failures[$0] == nil && state.runs[$0].isUnexplained }
    for _ in 0..<Self.repeatedRunCount {
      for benchmark in unexplained {
        for pass in [MeasurementPass.frames, .phases] {
          let run = state.progress.runCount(benchmark, pass) + 1
          try await self.run(RunJob(benchmark: benchmark, pass: pass, run: run), &state, progress)
        }
      }
    }
  }

  func worker(for id: BenchmarkID, run: Int) -> WorkerProcess {
    WorkerProcess(
      executablePath: programs.path(of: id, run: run),
      timeout: timeout ?? WorkerProcess.defaultTimeout(options, size: id.size))
  }

  private func request(_ benchmark: PlannedBenchmark, _ pass: MeasurementPass) -> WorkerRequest {
    WorkerRequest(
      benchmark: benchmark.id, pass: pass, options: options,
      reference: pass == .output ? reference(of: benchmark) : nil, core: core, parentProcess: parentProcess)
  }

  /// The strategy to compare a benchmark's output with: the scenario's first, if it runs, too.
  private func reference(of benchmark: PlannedBenchmark) -> String? {
    guard let id = benchmark.referenceID else { return nil }
    return benchmarks.contains { $0.id == id } ? id.strategy : nil
  }

  private func outcome(
    _ runs: [BenchmarkRuns], _ failures: [BenchmarkFailure?], isPinned: Bool
  ) -> Outcome {
    var outcome = Outcome()
    var clocks: [ClockRecord] = []
    let throughputs = Dictionary(
      benchmarks.map { ($0.id, $0.scenario.throughput?.of(size: $0.id.size)) }
    ) { first, _ in first }
    for (runs, failure) in zip(runs, failures) {
      clocks += runs.runs[.phases, default: []].map(\.clock)
      if let failure { outcome.failures.append(failure) }
      do {
        let aggregated = try runs.record()
        var record = aggregated.record
        record.throughput = record.throughput ?? throughputs[record.id] ?? nil
        outcome.records.append(record)
        outcome.warnings += aggregated.warnings
        if failure != nil { outcome.warnings.append(partial(runs)) }
      } catch  where failure == nil {
        outcome.failures.append(
          BenchmarkFailure(id: runs.id, reason: error.description, standardError: ""))
      } catch {
        // It failed before each pass had a run.
      }
    }
    outcome.clock = clocks.sorted { $0.pairCostNanoseconds < $1.pairCostNanoseconds }.middle
    outcome.warnings = runWarnings(isPinned: isPinned) + outcome.warnings
    return outcome
  }

  private func runWarnings(isPinned: Bool) -> [Warning] {
    var warnings: [Warning] = []
    if core == nil {
      warnings.append(
        Warning("Runs were not pinned, because there is only one core; expect more noise."))
    } else if !isPinned {
      warnings.append(
        Warning("Runs could not be pinned to a core: the system refused. Expect more noise."))
    }
    return warnings
  }
}

extension Array {
  fileprivate var middle: Element? { isEmpty ? nil : self[count / 2] }
}

/// If a reference strategy crashes, the others are still measured, without a deviation.
extension Runner {
  func referenceID(of benchmark: PlannedBenchmark) -> BenchmarkID? {
    benchmark.referenceID.flatMap { id in benchmarks.contains { $0.id == id } ? id : nil }
  }

  func isBroken(
    _ reference: BenchmarkID, _ failures: [BenchmarkFailure?], _ broken: [BenchmarkID: String]
  ) -> Bool {
    broken[reference] != nil || failures.contains { $0?.id == reference }
  }

  /// Why the reference strategy cannot show its frames even when compared with itself; nil if it can.
  /// - Throws: `CancellationError`.
  func failureAlone(of reference: BenchmarkID, like benchmark: PlannedBenchmark) async throws -> String? {
    let request = WorkerRequest(
      benchmark: reference, pass: .output, options: options, reference: reference.strategy, core: core,
      parentProcess: parentProcess)
    do {
      _ = try await worker(for: reference, run: 1).measure(request)
      return nil
    } catch let failure as WorkerProcess.Failure {
      return failure.reason
    }
  }

  /// A warning for each record that has no deviation because its reference failed.
  func undeviated(
    _ records: [BenchmarkRecord], _ failures: [BenchmarkFailure?], _ broken: [BenchmarkID: String]
  ) -> [Warning] {
    benchmarks.compactMap { benchmark in
      guard let reference = referenceID(of: benchmark),
        let reason = broken[reference] ?? failures.first(where: { $0?.id == reference })??.reason,
        let record = records.first(where: { $0.id == benchmark.id }), record.deviation == nil
      else { return nil }
      return Warning.undeviated(benchmark.id, reference: reference, reason: reason)
    }
  }

  /// A warning about the figures of a benchmark that failed in a later run.
  func partial(_ runs: BenchmarkRuns) -> Warning {
    let counts = [MeasurementPass.frames, .phases, .allocations].map { pass in
      "\(Format.integer(runs.runs[pass, default: []].count)) of \(pass.rawValue)"
    }
    return Warning(
      "A later run failed; the figures come from the runs before it: \(Format.list(counts)).",
      benchmark: runs.id
    )
  }
}

/// Warnings about strategies that could not be compared with the reference strategy.
extension Warning {
  fileprivate static func undeviated(_ id: BenchmarkID, reference: BenchmarkID, reason: String) -> Warning {
    Warning("\(opening)\(reference.strategy), which failed: \(reason).", benchmark: id)
  }

  func saysUndeviated(_ id: BenchmarkID) -> Bool {
    benchmark == id && message.hasPrefix(Self.opening)
  }

  private static let opening = "Not compared with "
}
