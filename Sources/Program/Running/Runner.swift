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
  /// When there is a first look, if that much is left to do.
  var firstLookDelay = Duration.seconds(30)
  /// Runs of passes that have fewer than usual.
  var otherCounts: [MeasurementPass: Int] = [:]

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
    /// Wall time by benchmark, seconds.
    var seconds: [Double]
    /// By benchmark, the one to compare its output with: the scenario's first strategy, if it runs, too.
    let references: [Int: Int]
    /// Why benchmarks failed, and reference strategies that fail only in comparisons.
    var reasons: [BenchmarkID: String] = [:]
    var schedule: RunSchedule
    var isPinned = true
  }

  /// Additional runs in each timing pass of a benchmark whose phases do not explain its frames.
  private static let repeatedRunCount = 5

  /// A benchmark that fails does not stop the others, and keeps its earlier results.
  ///
  /// - Parameter firstLook: Called once in a run that takes long, with what there is by then, and the seconds left, if
  ///   they are known.
  func run(firstLook: ((Outcome, Double?) -> Void)? = nil, progress: (RunSchedule) -> Void) async throws -> Outcome {
    let places = Dictionary(benchmarks.enumerated().map { ($1.id, $0) }) { first, _ in first }
    let references = Dictionary(
      uniqueKeysWithValues: benchmarks.enumerated().compactMap { index, benchmark in
        benchmark.referenceID.flatMap { places[$0] }.map { (index, $0) }
      })
    var state = State(
      runs: benchmarks.map {
        BenchmarkRuns(id: $0.id, options: options, countsAllocations: otherCounts[.allocations] != 0)
      }, failures: Array(repeating: nil, count: benchmarks.count),
      seconds: Array(repeating: 0, count: benchmarks.count), references: references,
      schedule: RunSchedule(
        benchmarkCount: benchmarks.count, runCount: options.runCount, seed: options.seed, references: references,
        secondsLimit: options.passSecondsLimit, orderCount: programs.orderCount, otherCounts: otherCounts))
    let start = ContinuousClock.now
    var firstLook = firstLook
    for round in 1...state.schedule.roundCount {
      try await Task.sleep(until: start + state.schedule.shortestRound * (round - 1), clock: .continuous)
      for job in state.schedule.round(round) {
        try await run(job, &state, progress)
        guard let look = firstLook, ContinuousClock.now > start + firstLookDelay,
          case let found = outcome(state, isOver: false), !found.records.isEmpty
        else { continue }
        firstLook = nil
        let left = state.schedule.secondsLeft
        if left.map({ .seconds($0) > firstLookDelay }) ?? true { look(found, left) }
      }
    }
    try await repeatUnexplained(&state, progress)
    return outcome(state)
  }

  private func run(_ job: RunJob, _ state: inout State, _ progress: (RunSchedule) -> Void) async throws {
    try Task.checkCancellation()
    guard state.failures[job.benchmark] == nil else { return }
    let benchmark = benchmarks[job.benchmark]
    if job.pass == .phases, !state.runs[job.benchmark].mayHavePhases {
      return state.schedule.skip(.phases, of: job.benchmark)
    }
    let reference = job.pass == .output ? state.references[job.benchmark].map { benchmarks[$0].id } : nil
    // If a reference strategy crashes, the others are still measured, without a deviation.
    if let reference, state.reasons[reference] != nil { return state.schedule.skip(job.pass, of: job.benchmark) }
    state.schedule.begin(job, benchmark.id)
    progress(state.schedule)
    let start = ContinuousClock.now
    defer { state.seconds[job.benchmark] += (ContinuousClock.now - start) / .seconds(1) }
    do {
      let measurement = try await measure(benchmark.id, job.pass, reference, run: job.run)
      state.runs[job.benchmark].add(measurement, pass: job.pass)
      state.isPinned = state.isPinned && measurement.isPinned
      state.schedule.end(job)
    } catch let failure as WorkerProcess.Failure {
      // Both strategies ran in that process: only one of them caused the failure.
      if let reference, let reason = try await failureAlone(of: reference) {
        state.reasons[reference] = reason
        return state.schedule.skip(job.pass, of: job.benchmark)
      }
      let reason = "\(failure.reason) (\(job.pass.rawValue) run \(job.run))"
      state.failures[job.benchmark] = BenchmarkFailure(
        id: benchmark.id, reason: reason, standardError: failure.standardError)
      state.reasons[benchmark.id] = state.reasons[benchmark.id] ?? reason
      state.schedule.abandon(job.benchmark)
    }
  }

  /// Why the reference strategy cannot show its frames even when compared with itself; nil if it can.
  private func failureAlone(of reference: BenchmarkID) async throws -> String? {
    do {
      _ = try await measure(reference, .output, reference, run: 1)
      return nil
    } catch let failure as WorkerProcess.Failure { return failure.reason }
  }

  /// Repeats benchmarks of which a slow spell may have hit only one of the two passes.
  private func repeatUnexplained(_ state: inout State, _ progress: (RunSchedule) -> Void) async throws {
    guard options.runCount >= RunOptions.leastRunCount else { return }
    let unexplained = state.runs.indices.filter { state.failures[$0] == nil && state.runs[$0].isUnexplained }
    for _ in 0..<Self.repeatedRunCount {
      for benchmark in unexplained {
        for pass in [MeasurementPass.frames, .phases] {
          try await run(state.schedule.nextJob(benchmark, pass), &state, progress)
        }
      }
    }
  }

  private func measure(_ id: BenchmarkID, _ pass: MeasurementPass, _ reference: BenchmarkID? = nil, run: Int)
    async throws -> RunMeasurement
  {
    let worker = WorkerProcess(
      executablePath: programs.path(of: id, run: run),
      timeout: timeout ?? WorkerProcess.defaultTimeout(options, size: id.size))
    return try await worker.measure(
      WorkerRequest(
        benchmark: id, pass: pass, options: options, reference: reference?.strategy, core: core,
        parentProcess: parentProcess))
  }

  /// - Parameter isOver: Whether a benchmark without a run of each pass has failed. Otherwise it is left out, and so are
  ///   those that are compared with it.
  private func outcome(_ state: State, isOver: Bool = true) -> Outcome {
    var outcome = Outcome(warnings: pinningWarnings(isPinned: state.isPinned))
    let known = Set(state.runs.indices.filter { isOver || state.runs[$0].hasEachPass })
    for (index, (runs, failure)) in zip(state.runs, state.failures).enumerated() {
      guard known.contains(index), known.contains(state.references[index] ?? index) else { continue }
      if let failure { outcome.failures.append(failure) }
      do {
        let aggregated = try runs.record()
        var record = aggregated.record
        record.throughput = record.throughput ?? benchmarks[index].scenario.throughput?.of(size: runs.id.size)
        record.durationSeconds = (state.seconds[index] * 1_000).rounded() / 1_000
        outcome.records.append(record)
        outcome.warnings += aggregated.warnings
        if failure != nil { outcome.warnings.append(Self.partial(runs)) }
      } catch  where failure == nil {
        outcome.failures.append(BenchmarkFailure(id: runs.id, reason: error.description, standardError: ""))
      } catch {
        // It failed before each pass had a run.
      }
    }
    let clocks = state.runs.flatMap { $0.runs[.frames, default: []].map(\.clock) }.sorted {
      $0.pairCostNanoseconds < $1.pairCostNanoseconds
    }
    outcome.clock = clocks.isEmpty ? nil : clocks[clocks.count / 2]
    for (index, benchmark) in benchmarks.enumerated() {
      guard let reference = state.references[index].map({ benchmarks[$0].id }), let reason = state.reasons[reference],
        let record = outcome.records.first(where: { $0.id == benchmark.id }), record.deviation == nil
      else { continue }
      outcome.warnings.append(.undeviated(benchmark.id, reference: reference, reason: reason))
    }
    return outcome
  }

  private func pinningWarnings(isPinned: Bool) -> [Warning] {
    if core == nil { return [Warning("Runs were not pinned, because there is only one core; expect more noise.")] }
    return isPinned ? [] : [Warning("Runs could not be pinned to a core: the system refused. Expect more noise.")]
  }

  /// A warning about the figures of a benchmark that failed in a later run.
  private static func partial(_ runs: BenchmarkRuns) -> Warning {
    let counts = runs.neededPasses.map { pass in
      "\(Format.integer(runs.runs[pass, default: []].count)) of \(pass.rawValue)"
    }
    return Warning(
      "A later run failed; the figures come from the runs before it: \(Format.list(counts)).", benchmark: runs.id)
  }
}

/// Warnings about strategies that could not be compared with the reference strategy.
extension Warning {
  fileprivate static func undeviated(_ id: BenchmarkID, reference: BenchmarkID, reason: String) -> Warning {
    Warning("\(opening)\(reference.strategy), which failed: \(reason).", benchmark: id)
  }

  func saysUndeviated(_ id: BenchmarkID) -> Bool { benchmark == id && message.hasPrefix(Self.opening) }

  private static let opening = "Not compared with "
}
