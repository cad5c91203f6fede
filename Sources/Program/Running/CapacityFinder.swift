import Foundation
import FrameBench
import Measurements
import Statistics

/// Searches for capacities by worker processes.
struct CapacityFinder {
  /// The most runs of a size that does not fit, even if its minima still fall.
  static let largestRunCount = 10

  var runner: Runner
  /// How long one search may take.
  var limit: Duration
  /// Nil where the system does not tell: then memory does not limit.
  var availableMemoryBytes: Int?

  /// One search for each scenario and strategy of the benchmarks, from the largest of their sizes. Throws
  /// `CancellationError`.
  func find(
    _ benchmarks: [PlannedBenchmark], progress: (String) -> Void
  ) async throws -> [CapacityRecord] {
    var starts: [PlannedBenchmark] = []
    for benchmark in benchmarks {
      let known = starts.firstIndex { $0.id.isSameSeries(as: benchmark.id) }
      guard let known else {
        starts.append(benchmark)
        continue
      }
      if starts[known].id.size < benchmark.id.size { starts[known] = benchmark }
    }
    var records: [CapacityRecord] = []
    for start in starts { records.append(try await search(from: start, progress)) }
    return records
  }

  private func search(
    from start: PlannedBenchmark, _ progress: (String) -> Void
  ) async throws -> CapacityRecord {
    let budget = runner.options.frameBudget.budgetNanoseconds
    let began = ContinuousClock.now
    let ceiling = try await ceiling(of: start)
    var search = CapacitySearch(budgetNanoseconds: budget, start: start.id.size, ceiling: ceiling)
    var end = CapacityRecord.End.found
    var failure: String?
    var lastProbe: (size: Int, duration: Duration)?
    while let size = search.next {
      var probed = start
      probed.id.size = size
      progress("capacity: trying \(probed.id)")
      let left = limit - (ContinuousClock.now - began)
      let expected = lastProbe.map { $0.duration * (Double(size) / Double($0.size)) } ?? .zero
      guard left > expected else {
        end = .timeLimit
        break
      }
      do {
        let probeBegan = ContinuousClock.now
        search.add(try await probe(probed, budget, timeout: left))
        lastProbe = (size, ContinuousClock.now - probeBegan)
      } catch let error as WorkerProcess.Failure {
        end = ContinuousClock.now - began >= limit ? .timeLimit : .failure
        failure = end == .failure ? "\(probed.id): \(error.reason)" : nil
        break
      }
    }
    if end == .found, search.fitting == ceiling, search.exceeding == nil {
      end = ceiling == BenchmarkSelection.largestSize ? .sizeLimit : .memoryLimit
    }
    return record(start, search, end, failure, seconds: (ContinuousClock.now - began) / .seconds(1))
  }

  /// The most items whose memory is available, by the scenario's own estimate.
  func ceiling(of benchmark: PlannedBenchmark) async throws -> Int {
    guard let availableMemoryBytes else { return BenchmarkSelection.largestSize }
    let program = BenchmarkProgram(path: runner.programs.path(of: benchmark.id))
    func fits(_ size: Int) async throws -> Bool {
      let found = try await program.preflight([benchmark.id.with(size: size)], runner.options)
      return found[0].memoryBytes <= availableMemoryBytes
    }
    var (low, high) = (benchmark.id.size, BenchmarkSelection.largestSize)
    if try await fits(high) { return high }
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if try await fits(middle) { low = middle } else { high = middle }
    }
    return low
  }

  /// Runs a size until it fits, or enough runs say that it does not.
  private func probe(
    _ benchmark: PlannedBenchmark, _ budget: Double, timeout: Duration
  ) async throws -> CapacityRecord.Probe {
    let deadline = ContinuousClock.now + timeout
    var runs: [RunMeasurement] = []
    var earlierP99: Double?
    while true {
      try Task.checkCancellation()
      let left = max(.milliseconds(1), deadline - ContinuousClock.now)
      let worker = WorkerProcess(executablePath: runner.programs.path(of: benchmark.id), timeout: left)
      runs.append(
        try await worker.measure(
          WorkerRequest(
            benchmark: benchmark.id, work: .frames, options: runner.options, core: runner.core,
            parentProcess: runner.parentProcess)))
      guard let frames = TimeRuns(framesOf: runs)?.aligned().sorted(),
        let summary = Summary(frames)
      else {
        throw WorkerProcess.Failure(reason: "the runs did not time the same frames", standardError: "")
      }
      let tenth = Quantile.type7(sorted: frames, at: 0.1)
      let verdict = Verdict(
        p10: tenth, p50: summary.p50, p99: summary.p99, earlierP99: earlierP99, runCount: runs.count,
        budget: budget)
      earlierP99 = summary.p99
      if verdict.isFinal {
        return CapacityRecord.Probe(
          itemCount: benchmark.id.size, runCount: runs.count, p50Nanoseconds: inTenths(summary.p50),
          p99Nanoseconds: inTenths(summary.p99))
      }
    }
  }

  /// Whether another run of a size can change the result. All nanoseconds, of aligned frames.
  struct Verdict {
    var p10: Double
    var p50: Double
    var p99: Double
    /// Before the last run was added; nil after the first.
    var earlierP99: Double?
    var runCount: Int
    var budget: Double

    /// More runs only lower a frame's minimum, so what fits keeps fitting. A size that does not fit may have
    /// been slowed down by the machine: that is settled once a run no longer lowers the p99, or if even
    /// frames that are rarely disturbed exceed the budget.
    var isFinal: Bool {
      if p99 <= budget || runCount >= CapacityFinder.largestRunCount { return true }
      if p10 > 1.25 * budget || (runCount >= 2 && p50 > 1.1 * budget) { return true }
      // Close to the budget it takes more runs until each heavy frame was undisturbed once.
      guard runCount >= (p99 > 1.25 * budget ? 3 : 6), let earlierP99 else { return false }
      return p99 > 0.97 * earlierP99
    }
  }

  private func record(
    _ start: PlannedBenchmark, _ search: CapacitySearch, _ end: CapacityRecord.End, _ failure: String?,
    seconds: Double
  ) -> CapacityRecord {
    let budget = runner.options.frameBudget
    return CapacityRecord(
      scenario: start.id.variant, strategy: start.id.strategy,
      refreshRateHertz: runner.options.refreshRateHertz, share: budget.share,
      budgetNanoseconds: inTenths(budget.budgetNanoseconds), itemCount: search.fitting,
      exceedingItemCount: search.exceeding, precision: CapacitySearch.precision, end: end, failure: failure,
      durationSeconds: (seconds * 1_000).rounded() / 1_000,
      probes: search.probes)
  }
}
