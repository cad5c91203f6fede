import FrameBench
import FrameWorker
import Measurements

/// Measures benchmarks by worker processes, one after the other.
struct Runner {
  var benchmarks: [PlannedBenchmark]
  var options: RunOptions
  /// The core that workers run on; nil lets the system choose.
  var core: Int?
  /// How long a worker may take; nil: by the amount of its work.
  var timeout: Duration?
  /// The same program in one link order after another; the runs of a pass have them in turns.
  var programs = ["/proc/self/exe"]
  var parentProcess: Int32

  struct Outcome {
    var records: [BenchmarkRecord] = []
    var failures: [BenchmarkFailure] = []
    var warnings: [Warning] = []
    /// Of the runs: the median of what their clocks cost.
    var clock: ClockRecord?
  }

  /// Throws `CancellationError`. A benchmark that fails does not stop the others, and keeps its earlier
  /// results.
  func run(progress: (RunProgress) -> Void) async throws -> Outcome {
    var runs = benchmarks.map { BenchmarkRuns(id: $0.id, options: options) }
    var failures = [BenchmarkFailure?](repeating: nil, count: benchmarks.count)
    var brokenReferences: [BenchmarkID: String] = [:]
    let schedule = RunSchedule(
      benchmarkCount: benchmarks.count, runCount: options.runCount, seed: options.seed,
      compared: Set(benchmarks.indices.filter { reference(of: benchmarks[$0]) != nil }))
    var state = RunProgress(schedule: schedule, benchmarkCount: benchmarks.count)
    var isPinned = true
    for job in schedule.jobs {
      try Task.checkCancellation()
      guard failures[job.benchmark] == nil else { continue }
      let reference = job.pass == .output ? referenceID(of: benchmarks[job.benchmark]) : nil
      if let reference, isBroken(reference, failures, brokenReferences) {
        state.skip(job)
        continue
      }
      if let limit = options.passSecondsLimit, [.frames, .phases].contains(job.pass),
        job.run > max(RunOptions.leastRunCount, programs.count),
        state.seconds(job) > limit
      {
        state.skip(job)
        continue
      }
      let id = benchmarks[job.benchmark].id
      state.begin(job, id)
      progress(state)
      do {
        let measurement = try await worker(for: id, run: job.run).measure(
          request(benchmarks[job.benchmark], job.pass))
        runs[job.benchmark].add(measurement, pass: job.pass)
        isPinned = isPinned && measurement.isPinned
        state.end(job)
      } catch let failure as WorkerProcess.Failure {
        // Both strategies ran in that process: only one of them is to blame.
        if let reference, let reason = try await failureAlone(of: reference, like: benchmarks[job.benchmark])
        {
          brokenReferences[reference] = reason
          state.skip(job)
          continue
        }
        failures[job.benchmark] = BenchmarkFailure(
          id: id, reason: "\(failure.reason) (\(job.pass.rawValue) run \(job.run))",
          standardError: failure.standardError)
        state.abandon(job.benchmark)
      }
    }
    var outcome = outcome(runs, failures, isPinned: isPinned)
    outcome.warnings += undeviated(outcome.records, failures, brokenReferences)
    return outcome
  }

  func worker(for id: BenchmarkID, run: Int) -> WorkerProcess {
    WorkerProcess(
      executablePath: programs[(run - 1) % programs.count],
      timeout: timeout ?? WorkerProcess.defaultTimeout(options, size: id.size))
  }

  private func request(_ benchmark: PlannedBenchmark, _ pass: MeasurementPass) -> WorkerRequest {
    WorkerRequest(
      benchmark: benchmark.id, work: work(benchmark, pass), options: options, core: core,
      parentProcess: parentProcess)
  }

  private func work(_ benchmark: PlannedBenchmark, _ pass: MeasurementPass) -> WorkerRequest.Work {
    switch pass {
    case .frames: .frames
    case .phases: .phases
    case .allocations: .allocations
    case .output: .output(reference: reference(of: benchmark))
    case .instructions, .hardwareInstructions, .profile:
      preconditionFailure("\(pass.rawValue) is not a pass of a schedule")
    }
  }

  /// The strategy whose output a benchmark's is compared with: the scenario's first, where it runs too.
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
      clocks += runs.runs[.phases, default: []].map(\.measurement.clock)
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
