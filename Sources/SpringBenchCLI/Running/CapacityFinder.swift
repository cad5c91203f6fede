import Foundation
import FrameBench
import Statistics

/// Searches for capacities by worker processes.
struct CapacityFinder {
  /// Runs of a size that does not fit, before it is believed.
  static let largestRunCount = 5
  /// A size whose p99 frame is beyond the budget by this factor after two runs will not fit after five; nor
  /// will one whose cheapest tenth of frames is, after a single run.
  static let hopeless = 1.25

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
      let known = starts.firstIndex {
        $0.id.scenario == benchmark.id.scenario && $0.id.strategy == benchmark.id.strategy
      }
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
    let ceiling = ceiling(of: start)
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
      end = ceiling == SelectionOptions.largestSize ? .sizeLimit : .memoryLimit
    }
    return record(start, search, end, failure, seconds: (ContinuousClock.now - began) / .seconds(1))
  }

  /// The most items whose memory can be had, by the scenario's own estimate.
  func ceiling(of benchmark: PlannedBenchmark) -> Int {
    guard let availableMemoryBytes else { return SelectionOptions.largestSize }
    let context = benchmark.context(runner.options)
    func fits(_ size: Int) -> Bool {
      benchmark.scenario.memoryEstimate(size, context) <= availableMemoryBytes
    }
    var (low, high) = (benchmark.id.size, SelectionOptions.largestSize)
    if fits(high) { return high }
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if fits(middle) { low = middle } else { high = middle }
    }
    return low
  }

  /// Runs a size until it fits, or enough runs say that it does not.
  private func probe(
    _ benchmark: PlannedBenchmark, _ budget: Double, timeout: Duration
  ) async throws -> CapacityRecord.Probe {
    let deadline = ContinuousClock.now + timeout
    var runs: [WorkerMeasurement] = []
    while true {
      try Task.checkCancellation()
      let left = max(.milliseconds(1), deadline - ContinuousClock.now)
      let worker = WorkerProcess(executablePath: runner.executablePath, timeout: left)
      runs.append(
        try await worker.measure(
          WorkerRequest(
            benchmark: benchmark.id, pass: .frames, options: runner.options, core: runner.core,
            parentProcess: runner.parentProcess)))
      guard let frames = TimeRecord(framesOf: runs)?.alignedNanoseconds.sorted(),
        let summary = Summary(frames)
      else {
        throw WorkerProcess.Failure(reason: "the runs did not time the same frames", standardError: "")
      }
      let judged = runs.count == 1 ? Quantile.type7(sorted: frames, at: 0.1) : summary.p99
      let isHopeless = judged > budget * Self.hopeless
      if summary.p99 <= budget || isHopeless || runs.count == Self.largestRunCount {
        return CapacityRecord.Probe(
          itemCount: benchmark.id.size, runCount: runs.count, p50Nanoseconds: inTenths(summary.p50),
          p99Nanoseconds: inTenths(summary.p99))
      }
    }
  }

  private func record(
    _ start: PlannedBenchmark, _ search: CapacitySearch, _ end: CapacityRecord.End, _ failure: String?,
    seconds: Double
  ) -> CapacityRecord {
    let budget = runner.options.frameBudget
    return CapacityRecord(
      scenario: start.id.scenario, strategy: start.id.strategy,
      refreshRateHertz: runner.options.refreshRateHertz, share: budget.share,
      budgetNanoseconds: inTenths(budget.budgetNanoseconds), itemCount: search.fitting,
      exceedingItemCount: search.exceeding, precision: CapacitySearch.precision, end: end, failure: failure,
      durationSeconds: (seconds * 1_000).rounded() / 1_000,
      probes: search.probes)
  }
}

private func inTenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }
