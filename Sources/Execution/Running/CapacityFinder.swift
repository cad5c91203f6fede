import FrameBench
import Measurements
import Platform
import Statistics

package struct CapacityFinder {
  /// The maximum number of runs of one size, even if further runs still lower the times of frames.
  package static let largestRunCount = 10

  package var runner: Runner
  package var limit: Duration
  /// The memory that is available. Nil if the system does not report it; then memory is no limit.
  package var availableMemoryBytes: Int?

  package init(runner: Runner, limit: Duration, availableMemoryBytes: Int? = nil) {
    (self.runner, self.limit, self.availableMemoryBytes) = (runner, limit, availableMemoryBytes)
  }

  /// Searches for the largest size that fits the budget of a frame, starting from the size of the given benchmark.
  package func search(from start: BenchmarkID, progress: (String) -> Void) async throws -> CapacityRecord {
    let began = ContinuousClock.now
    let ceiling = try await ceiling(of: start)
    var search = CapacitySearch(
      CapacityRecord(of: start, runner.options, precision: CapacitySearch.precision), start: start.size,
      ceiling: ceiling)
    /// The time that trying the last size took, divided by its number of items.
    var durationPerItem = Duration.zero
    /// The peak memory at the last tried size, divided by its number of items.
    var bytesPerItem = 0.0
    while let size = search.next {
      let probed = start.with(size: size)
      progress("capacity: trying \(probed)")
      let left = limit - (ContinuousClock.now - began)
      guard left > durationPerItem * size else {
        search.record.end = .timeLimit
        break
      }
      guard bytesPerItem * Double(size) <= Double(availableMemoryBytes ?? .max) else {
        search.record.end = .memoryLimit
        break
      }
      do {
        let probeBegan = ContinuousClock.now
        let found = try await probe(probed, search.record.budgetNanoseconds, timeout: left)
        search.add(found.probe)
        durationPerItem = (ContinuousClock.now - probeBegan) / size
        bytesPerItem = Double(found.peakBytes) / Double(size)
      } catch let error as WorkerProcess.Failure {
        // A run that would take much longer than the time that is left ends in its warm-up.
        let isLate = error.isOfTime || ContinuousClock.now - began >= limit
        search.record.end = isLate ? .timeLimit : .failure
        search.record.failure = isLate ? nil : "\(probed): \(error.reason)"
        break
      }
    }
    var record = search.record
    if record.end == .found, record.itemCount == ceiling, record.exceedingItemCount == nil {
      record.end = ceiling == Catalogue.largestSize ? .sizeLimit : .memoryLimit
    }
    record.durationSeconds = inThousandths((ContinuousClock.now - began) / .seconds(1))
    return record
  }

  /// Returns the largest number of items for which enough memory is available, according to the scenario's own
  /// estimate.
  package func ceiling(of benchmark: BenchmarkID) async throws -> Int {
    guard let availableMemoryBytes else { return Catalogue.largestSize }
    let program = BenchmarkProgram(path: runner.programs.path(of: benchmark))
    func fits(_ size: Int) async throws -> Bool {
      do {
        let found = try await program.preflight([benchmark.with(size: size)], runner.options, within: .seconds(60))
        return found[0].memoryBytes <= availableMemoryBytes
      } catch is RunError {
        // This size does not fit: the estimate takes too long, or overflows, which makes the program crash.
        return false
      }
    }
    var (low, high) = (benchmark.size, Catalogue.largestSize)
    if try await fits(high) { return high }
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if try await fits(middle) { low = middle } else { high = middle }
    }
    return low
  }

  /// Runs a benchmark until its size fits the budget, or until enough runs show that it does not.
  private func probe(_ id: BenchmarkID, _ budget: Double, timeout: Duration) async throws -> (
    probe: CapacityRecord.Probe, peakBytes: Int
  ) {
    let deadline = ContinuousClock.now + timeout
    var runner = runner
    var runs: [RunMeasurement] = []
    var earlierP99: Double?
    while true {
      try Task.checkCancellation()
      runner.timeout = max(.milliseconds(1), deadline - ContinuousClock.now)
      runs.append(try await runner.measure(id, .frames))
      guard let frames = TimeRuns(framesOf: runs)?.aligned().sorted(), let summary = Summary(frames) else {
        throw WorkerProcess.Failure(reason: "the runs did not time the same frames")
      }
      let isSettled = Self.isSettled(
        p10: Quantile.type7(sorted: frames, at: 0.1), p50: summary.p50, p99: summary.p99, earlierP99: earlierP99,
        runCount: runs.count, budget: budget)
      earlierP99 = summary.p99
      if isSettled {
        let probe = CapacityRecord.Probe(
          itemCount: id.size, runCount: runs.count, p50Nanoseconds: inTenths(summary.p50),
          p99Nanoseconds: inTenths(summary.p99))
        return (probe, runs.compactMap(\.memory.peakResidentBytes).max() ?? 0)
      }
    }
  }

  /// Whether there have been enough runs to tell if a size fits. The percentiles are those of the aligned times of the
  /// frames. All times are in nanoseconds.
  ///
  /// More runs can only shorten aligned times, so a size that fits is settled. If a size does not fit, a disturbance of
  /// the machine may be the reason. The result is settled once another run lowers the p99 by less than 3%, or if the p10
  /// or p50, which disturbances rarely raise, is clearly above the budget, or after `largestRunCount` runs.
  /// - Parameter earlierP99: The p99 before the last run was added. Nil after the first run.
  package static func isSettled(
    p10: Double, p50: Double, p99: Double, earlierP99: Double?, runCount: Int, budget: Double
  ) -> Bool {
    if p99 <= budget || runCount >= largestRunCount { return true }
    if p10 > 1.25 * budget || (runCount >= 2 && p50 > 1.1 * budget) { return true }
    // Close to the budget, more runs are needed until every heavy frame has run without a disturbance.
    guard runCount >= (p99 > 1.25 * budget ? 3 : 6), let earlierP99 else { return false }
    return p99 > 0.97 * earlierP99
  }
}

/// Searches for the largest number of items that fits a budget. It chooses the numbers to try, and does not measure.
///
/// The number grows fourfold until it does not fit, or shrinks until it fits. If the last two tried numbers predict the
/// limit, the next number is just above the prediction, because longer lists take longer to try. The search then
/// narrows the gap between the largest size that fits and the smallest that does not. It tries the limit predicted by
/// the costs at both ends, or else bisects on a logarithmic scale.
package struct CapacitySearch {
  /// The precision of the result: the smallest size that does not fit exceeds the largest that fits by at most this
  /// fraction.
  package static let precision = 0.05
  package static let growth = 4.0
  package static let leastGrowth = 1.25
  package static let foretoldProbeCount = 4

  package var record: CapacityRecord
  private let start: Int
  private let ceiling: Int
  /// How many sizes were tried after both a size that fits and a size that does not fit were known.
  private var probesInGap = 0

  package init(_ record: CapacityRecord, start: Int, ceiling: Int) {
    precondition(start > 0 && ceiling > 0, "a search from \(start) to \(ceiling) items")
    (self.record, self.start, self.ceiling) = (record, min(start, ceiling), ceiling)
  }

  package mutating func add(_ probe: CapacityRecord.Probe) {
    if record.itemCount != nil, record.exceedingItemCount != nil { probesInGap += 1 }
    record.probes.append(probe)
    if probe.p99Nanoseconds <= record.budgetNanoseconds {
      record.itemCount = max(record.itemCount ?? 0, probe.itemCount)
    } else {
      record.exceedingItemCount = min(record.exceedingItemCount ?? .max, probe.itemCount)
    }
  }

  /// The number of items to try next. Nil when the search has ended: the gap is small enough, the ceiling fits, or a
  /// single item does not fit.
  package var next: Int? {
    switch (record.itemCount, record.exceedingItemCount) {
    case (nil, nil): start
    case (let fitting?, nil): fitting >= ceiling ? nil : grown(from: fitting)
    case (nil, let exceeding?): exceeding <= 1 ? nil : max(1, Int(Double(exceeding) / Self.growth))
    case (let fitting?, let exceeding?): between(fitting, exceeding)
    }
  }

  /// Returns the next size between a size that fits and one that does not. Nil if the gap is small enough, or if there
  /// is no gap because noise made a longer list look cheaper than a shorter one.
  private func between(_ fitting: Int, _ exceeding: Int) -> Int? {
    guard exceeding - fitting > 1, Double(exceeding) > Double(fitting) * (1 + Self.precision) else { return nil }
    let middle = (Double(fitting) * Double(exceeding)).squareRoot()
    let target = besideForetold(fitting, exceeding) ?? middle
    return min(exceeding - 1, max(fitting + 1, Int(target.rounded())))
  }

  /// Returns a size just below the predicted limit, or just above it if the size below is known to fit. The prediction
  /// is the size at which the line through both ends of the gap, in log-log space, meets the budget. Trying two sizes
  /// usually closes the gap. The prediction is used only a few times, because a jump in the cost makes it wrong.
  private func besideForetold(_ fitting: Int, _ exceeding: Int) -> Double? {
    let sides = [fitting, exceeding].compactMap { size in record.probes.last { $0.itemCount == size } }
    let points = sides.map { (size: Double($0.itemCount), cost: $0.p50Nanoseconds) }
    guard probesInGap < Self.foretoldProbeCount,
      let target = PowerLaw(fitting: points)?.size(atCost: record.budgetNanoseconds)
    else { return nil }
    // The gap between these two sizes is smaller than the precision, so the search ends if one fits and the other does
    // not.
    let (below, above) = (target * (1 - 0.4 * Self.precision), target * (1 + 0.4 * Self.precision))
    return [below, above].first { $0 > Double(fitting) && $0 < Double(exceeding) }
  }

  private func grown(from size: Int) -> Int {
    var target = Double(size) * Self.growth
    if let foretold, foretold * (1 + Self.precision) < target {
      // The step has a minimum, in case noise makes the prediction too small.
      target = max(foretold * (1 + Self.precision), Double(size) * Self.leastGrowth)
    }
    return min(ceiling, max(size + 1, Int(target.rounded(.up))))
  }

  /// The size at which the line through the costs of the last two tried sizes, in log-log space, meets the budget. Nil
  /// if the cost is too flat to predict anything.
  private var foretold: Double? {
    let points = record.probes.suffix(2).map { (size: Double($0.itemCount), cost: $0.p50Nanoseconds) }
    guard let law = PowerLaw(fitting: points), law.exponent >= 0.5 else { return nil }
    return law.size(atCost: record.budgetNanoseconds)
  }
}
