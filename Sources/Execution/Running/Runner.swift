import Foundation
import FrameBench
import Measurements
import Platform
import TextFormat

/// Measures benchmarks in worker processes, one after the other.
package struct Runner {
  package var benchmarks: [PlannedBenchmark] = []
  package var options: RunOptions
  /// The core that workers run on. Nil lets the system choose.
  package var core: Int?
  /// The time limit of a worker. Nil means that the limit depends on the amount of work.
  package var timeout: Duration?
  /// The programs, each in one or more link orders. The runs of a pass use the orders in turn.
  package var programs: ProgramPaths
  /// The time after which first results are shown, if at least as much time is left.
  package var firstLookDelay = Duration.seconds(30)
  /// Whether a run that is canceled returns its results so far, if there are any, instead of throwing.
  package var keepsPart = false
  /// The numbers of runs in passes that have fewer runs than usual.
  package var otherCounts: [MeasurementPass: Int] = [:]

  package init(
    benchmarks: [PlannedBenchmark] = [], options: RunOptions, core: Int? = nil, timeout: Duration? = nil,
    programs: ProgramPaths, keepsPart: Bool = false, otherCounts: [MeasurementPass: Int] = [:]
  ) {
    (self.benchmarks, self.options, self.core, self.timeout) = (benchmarks, options, core, timeout)
    (self.programs, self.keepsPart, self.otherCounts) = (programs, keepsPart, otherCounts)
  }

  package struct Outcome {
    package var records: [BenchmarkRecord] = []
    package var failures: [BenchmarkFailure] = []
    package var warnings: [Warning] = []
    /// The clock, as it was in the run with the median cost of a clock read.
    package var clock: ClockRecord?
    package var isInterrupted = false
  }

  /// The results so far. A benchmark is identified by its index in `benchmarks`.
  private struct State {
    var runs: [BenchmarkRuns]
    var failures: [Int: BenchmarkFailure] = [:]
    /// The wall time of all runs of a benchmark.
    var seconds: [Int: Double] = [:]
    /// For each benchmark, the benchmark with which its output is compared: that of the scenario's first strategy, if
    /// it is also measured.
    let references: [Int: Int]
    /// The reasons why benchmarks failed, including reference strategies that fail only in comparisons.
    var reasons: [BenchmarkID: String] = [:]
    var schedule: RunSchedule
    var isPinned = true
  }

  /// The number of additional runs in each timing pass of a benchmark whose frames take much longer than their phases.
  private static let repeatedRunCount = 5

  /// Measures all benchmarks. A benchmark that fails does not stop the others, and keeps its earlier results.
  /// - Parameter firstLook: Called once in a long run, with the results so far and an estimate of the seconds left.
  package func run(firstLook: ((Outcome, Double?) -> Void)? = nil, progress: (RunSchedule) -> Void) async throws
    -> Outcome
  {
    let places = Dictionary(benchmarks.enumerated().map { ($1.id, $0) }) { first, _ in first }
    let references = Dictionary(
      uniqueKeysWithValues: benchmarks.enumerated().compactMap { index, benchmark in
        benchmark.referenceID.flatMap { places[$0] }.map { (index, $0) }
      })
    var state = State(
      runs: benchmarks.map {
        BenchmarkRuns(id: $0.id, options: options, countsAllocations: otherCounts[.allocations] != 0)
      }, references: references,
      schedule: RunSchedule(
        benchmarkCount: benchmarks.count, runCount: options.runCount, seed: options.seed, references: references,
        secondsLimit: options.passSecondsLimit, orderCount: programs.orderCount, otherCounts: otherCounts))
    do { try await measure(&state, firstLook, progress) } catch let error as CancellationError {
      guard keepsPart, let part = interrupted(state) else { throw error }
      return part
    }
    return outcome(state)
  }

  private func measure(
    _ state: inout State, _ firstLook: ((Outcome, Double?) -> Void)?, _ progress: (RunSchedule) -> Void
  ) async throws {
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
  }

  /// Returns the results of an interrupted run. Benchmarks that lack a run of a pass become failures, which
  /// `run --failed` measures. Nil if no benchmark has results.
  private func interrupted(_ state: State) -> Outcome? {
    var part = outcome(state, isOver: false)
    guard !part.records.isEmpty else { return nil }
    part.isInterrupted = true
    let known = Set(part.records.map(\.id) + part.failures.map(\.id))
    part.failures += benchmarks.map(\.id).filter { !known.contains($0) }.map {
      BenchmarkFailure(
        id: $0, reason: "the run was interrupted before it was measured; springbench run --failed measures it",
        standardError: "")
    }
    part.warnings.append(
      Warning(
        "\(Warning.interrupted)\(part.records.count) of \(Format.plural(benchmarks.count, "benchmark")) were"
          + " measured, in fewer runs than usual."))
    return part
  }

  private func run(_ job: RunJob, _ state: inout State, _ progress: (RunSchedule) -> Void) async throws {
    try Task.checkCancellation()
    guard state.failures[job.benchmark] == nil else { return }
    let benchmark = benchmarks[job.benchmark]
    if job.pass == .phases, !state.runs[job.benchmark].mayHavePhases {
      return state.schedule.skip([.phases], of: job.benchmark)
    }
    let reference = job.pass == .output ? state.references[job.benchmark].map { benchmarks[$0].id } : nil
    // If a reference strategy has crashed, the other strategies are still measured, but not compared with it.
    if let reference, state.reasons[reference] != nil { return state.schedule.skip([job.pass], of: job.benchmark) }
    state.schedule.current = (benchmark.id, job)
    progress(state.schedule)
    let start = ContinuousClock.now
    defer { state.seconds[job.benchmark, default: 0] += (ContinuousClock.now - start) / .seconds(1) }
    do {
      let measurement = try await measure(benchmark.id, job.pass, reference, run: job.run)
      state.runs[job.benchmark].add(measurement, pass: job.pass)
      state.isPinned = state.isPinned && measurement.isPinned
      state.schedule.end(job, after: (ContinuousClock.now - start) / .seconds(1))
    } catch let failure as WorkerProcess.Failure {
      // Both strategies ran in that process, so the reference strategy is tried alone to find out which of them failed.
      if let reference, let reason = try await failureAlone(of: reference) {
        state.reasons[reference] = reason
        return state.schedule.skip([job.pass], of: job.benchmark)
      }
      let reason = "\(failure.reason) (\(job.pass.rawValue) run \(job.run))"
      state.failures[job.benchmark] = BenchmarkFailure(
        id: benchmark.id, reason: reason, standardError: failure.standardError)
      state.reasons[benchmark.id] = state.reasons[benchmark.id] ?? reason
      state.schedule.skip(of: job.benchmark)
    }
  }

  /// Compares the reference strategy with itself. Returns the reason if that fails, otherwise nil.
  private func failureAlone(of reference: BenchmarkID) async throws -> String? {
    do {
      _ = try await measure(reference, .output, reference)
      return nil
    } catch let failure as WorkerProcess.Failure { return failure.reason }
  }

  /// Repeats benchmarks if the machine may have been slow only while their frames, or only while their phases were
  /// timed.
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

  /// - Parameter run: The number of the run, from 1. It selects the link order.
  package func measure(_ id: BenchmarkID, _ pass: MeasurementPass, _ reference: BenchmarkID? = nil, run: Int = 1)
    async throws -> RunMeasurement
  {
    let worker = WorkerProcess(
      executablePath: programs.path(of: id, run: run),
      timeout: timeout ?? WorkerProcess.defaultTimeout(options.of(id), size: id.size))
    return try await worker.measure(
      WorkerRequest(benchmark: id, pass: pass, options: options, reference: reference?.strategy, core: core))
  }

  /// - Parameter isOver: Whether the last run has ended. Then a benchmark that lacks a run of some pass has failed.
  ///   Before that, such a benchmark is left out, as well as all benchmarks that are compared with it.
  private func outcome(_ state: State, isOver: Bool = true) -> Outcome {
    var outcome = Outcome()
    if core == nil {
      outcome.warnings.append(Warning("Runs were not pinned, because there is only one core; expect more noise."))
    } else if !state.isPinned {
      outcome.warnings.append(Warning("Runs could not be pinned to a core: the system refused. Expect more noise."))
    }
    let known = Set(state.runs.indices.filter { isOver || state.failures[$0] != nil || state.runs[$0].hasEachPass })
    for (index, runs) in state.runs.enumerated() {
      guard known.contains(index), known.contains(state.references[index] ?? index) else { continue }
      let failure = state.failures[index]
      if let failure { outcome.failures.append(failure) }
      do {
        let aggregated = try runs.record()
        var record = aggregated.record
        record.durationSeconds = inThousandths(state.seconds[index, default: 0])
        outcome.records.append(record)
        outcome.warnings += aggregated.warnings
        guard failure != nil else { continue }
        let counts = runs.neededPasses.map { "\(Format.integer(runs.runs[$0, default: []].count)) of \($0.rawValue)" }
        let text = "A later run failed; the figures come from the runs before it: \(Format.list(counts))."
        outcome.warnings.append(Warning(text, benchmark: runs.id))
      } catch  where failure == nil {
        outcome.failures.append(BenchmarkFailure(id: runs.id, reason: error.description, standardError: ""))
      } catch {
        // There is no record, because the benchmark failed before each pass had a run. Its failure was added above.
      }
    }
    let clocks = state.runs.flatMap { $0.runs[.frames, default: []].map(\.clock) }.sorted {
      $0.pairCostNanoseconds < $1.pairCostNanoseconds
    }
    outcome.clock = clocks.isEmpty ? nil : clocks[clocks.count / 2]
    for record in outcome.records where record.deviation == nil {
      guard let reference = benchmarks.first(where: { $0.id == record.id })?.referenceID,
        let reason = state.reasons[reference]
      else { continue }
      outcome.warnings.append(
        Warning("\(Warning.notCompared)\(reference.strategy), which failed: \(reason).", benchmark: record.id))
    }
    return outcome
  }
}

extension Warning {
  fileprivate static let notCompared = "Not compared with "
  fileprivate static let interrupted = "The run was interrupted: "
  /// Whether the warning says that a run has only some of its benchmarks.
  var saysInterrupted: Bool { message.hasPrefix(Self.interrupted) }

  /// Whether the warning says that a strategy could not be compared with the reference strategy.
  package func saysUndeviated(_ id: BenchmarkID) -> Bool { benchmark == id && message.hasPrefix(Self.notCompared) }
}
