import Foundation
import FrameBench
import Statistics

/// The times of whole frames, or of one phase, in several runs, as read from the clock.
package struct TimeRuns {
  /// Nanoseconds by run and frame. All runs have the same number of frames.
  var runs: [[Double]]
  /// The number of pairs of clock reads in each value of `runs`, by run and frame. Nil means that each contains one.
  var clockPairs: [[Int]]?
  /// The time between two reads of the clock if nothing runs between them, in nanoseconds, by run.
  var pairCosts: [Double]
  /// Smallest step of the clock divided by `callCount`, nanoseconds.
  var clockStep: Double
  /// Number of calls in a frame. `runs` contains the times of one call. Nil if frames are not calls.
  var callCount: Int?
  /// Number of orders in which the program was linked. Run i has the order i modulo this number.
  var layoutCount = 1

  /// Takes the times of whole frames from runs. Nil if a run did not time frames, or if there are no runs.
  package init?(framesOf runs: [RunMeasurement], layoutCount: Int = 1) {
    let frames = runs.compactMap(\.frameNanoseconds)
    guard let first = frames.first, !first.isEmpty, frames.count == runs.count,
      frames.allSatisfy({ $0.count == first.count })
    else { return nil }
    // If a frame repeats a call, each run has added its own measured cost of the clock to the time of a call. So that
    // cost is subtracted here. For other frames, the median cost of all runs is subtracted.
    let costs = runs.map(\.clock.pairCostNanoseconds)
    let isRepeated = runs.callCount ?? 1 > 1
    self.init(
      runs: isRepeated ? zip(frames, costs).map { times, cost in times.map { $0 - cost } } : frames, clockPairs: nil,
      pairCosts: isRepeated ? costs.map { _ in 0 } : costs, clockStep: runs.clockStep, callCount: runs.callCount,
      layoutCount: layoutCount)
  }

  package init(
    runs: [[Double]], clockPairs: [[Int]]?, pairCosts: [Double], clockStep: Double, callCount: Int? = nil,
    layoutCount: Int = 1
  ) {
    (self.runs, self.clockPairs, self.pairCosts, self.callCount) = (runs, clockPairs, pairCosts, callCount)
    self.clockStep = clockStep / Double(callCount ?? 1)
    self.layoutCount = min(layoutCount, runs.count)
  }

  /// Computes the aligned time of each frame, the uncertainties of the statistics of aligned times, and the statistics
  /// of each run and of all runs together.
  package func record() -> TimeRecord {
    let isOneCall = (callCount ?? 1) == 1
    let round: (Double) -> Double = { isOneCall ? inTenths($0) : inThousandths($0) }
    let net = net(costing: medianCost(everyRun))
    let positive = net.map { $0.map { max(0, $0) } }
    return TimeRecord(
      alignedNanoseconds: aligned().map(round), pooled: PooledTimes(samples: positive.flatMap(\.self), round: round),
      runs: positive.compactMap { TimeFigures($0, round: round) }, halfWidths: halfWidths(round),
      layoutSpread: layoutSpread(net))
  }

  private func halfWidths(_ round: (Double) -> Double) -> TimeFigures? {
    let unitCount = layoutCount > 1 ? layoutCount : runs.count
    let widths = Bootstrap.halfWidths(unitCount: unitCount) { weights in
      TimeFigures(aligned(weights), round: { $0 })?.all ?? []
    }
    // The bootstrap misses two errors, because they are equal in all runs of a measurement. The clock rounds a time by
    // up to half a step. The measured cost of two clock reads, which is subtracted from the time, may be wrong by up to
    // another half step. 95% of the sums of two such uniform errors lie within ± `step`.
    let step = clockStep * (1 - 0.05.squareRoot())
    return widths.map { TimeFigures(all: $0.map { round(($0 * $0 + step * step).squareRoot()) }) }
  }

  /// The aligned time of each frame, nanoseconds: nearly its minimum over the runs, and at least 0. With several link
  /// orders, it is the mean over the orders.
  package func aligned() -> [Double] { aligned(everyRun) }

  private var everyRun: [Int] { [Int](repeating: 1, count: runs.count) }

  /// - Parameter weights: How often each run counts; with several link orders, how often each order counts.
  private func aligned(_ weights: [Int]) -> [Double] {
    guard layoutCount > 1 else { return Self.aligned(net(costing: medianCost(weights)), weights, step: clockStep) }
    let net = net(costing: medianCost(everyRun))
    var sum = [Double](repeating: 0, count: runs[0].count)
    for order in 0..<layoutCount where weights[order] > 0 {
      for (frame, cost) in Self.aligned(net, runs(ofOrder: order), step: clockStep).enumerated() {
        sum[frame] += Double(weights[order]) * cost
      }
    }
    let count = Double(weights.prefix(layoutCount).reduce(0, +))
    return sum.map { $0 / count }
  }

  /// The weights that select the runs of a link order.
  private func runs(ofOrder order: Int) -> [Int] { runs.indices.map { $0 % layoutCount == order ? 1 : 0 } }

  /// Returns for each frame the mean of the samples within one clock step of the minimum. The clock rounds up or down,
  /// so this mean is finer than the step.
  private static func aligned(_ runs: [[Double]], _ weights: [Int], step: Double) -> [Double] {
    let chosen = runs.indices.filter { weights[$0] > 0 }
    guard let first = chosen.first else { return [] }
    var least = runs[first]
    for run in chosen.dropFirst() {
      let own = runs[run]
      for frame in least.indices where own[frame] < least[frame] { least[frame] = own[frame] }
    }
    var sums = [Double](repeating: 0, count: least.count)
    var counts = sums
    for run in chosen {
      let (own, weight) = (runs[run], Double(weights[run]))
      // The length of the clock's step is measured and therefore not exact, so two samples that are one step apart may
      // differ by slightly more than `step`.
      for frame in own.indices where own[frame] <= least[frame] + 1.01 * step {
        sums[frame] += weight * own[frame]
        counts[frame] += weight
      }
    }
    return sums.indices.map { max(0, sums[$0] / counts[$0]) }
  }

  /// The median over the runs of the cost of two clock reads, which is subtracted from the times of every run. A
  /// disturbed run measures a higher cost; if that were subtracted, the run's times would become too short.
  private func medianCost(_ weights: [Int]) -> Double {
    Quantile.median(pairCosts.indices.flatMap { [Double](repeating: pairCosts[$0], count: weights[$0]) })
  }

  private func net(costing pairCost: Double) -> [[Double]] {
    guard let clockPairs else { return runs.map { $0.map { $0 - pairCost } } }
    return zip(runs, clockPairs).map { run, pairs in zip(run, pairs).map { $0 - Double($1) * pairCost } }
  }

  /// How much times vary with the link order: the robust standard deviation of the logarithms of the orders' times. An
  /// order's time is the mean of its frames without the slowest tenth. A frame's time is its minimum over the order's
  /// runs. Nil for fewer than two orders.
  private func layoutSpread(_ net: [[Double]]) -> Double? {
    guard layoutCount >= 2 else { return nil }
    let logs = (0..<layoutCount).map { order in
      let frames = Self.aligned(net, runs(ofOrder: order), step: 0).sorted()
      let kept = frames.prefix(max(1, frames.count * 9 / 10))
      return log(max(0.1, kept.reduce(0, +) / Double(kept.count)))
    }
    return (RobustSpread.deviation(logs) * 1e4).rounded() / 1e4
  }
}

extension [RunMeasurement] {
  /// The smallest number of calls in a frame over the runs; nil if frames are not calls.
  var callCount: Int? { compactMap(\.callCount).count == count ? compactMap(\.callCount).min() : nil }
  /// The step of the coarsest clock of the runs, nanoseconds.
  var clockStep: Double { map(\.clock.resolutionNanoseconds).max() ?? 0 }
}

extension TimeFigures {
  init?(_ samples: [Double], round: (Double) -> Double = inTenths) {
    guard let summary = Summary(samples) else { return nil }
    self.init(all: TimeFigures(summary).all.map(round))
  }

  /// - Parameter all: Five values in the order of the property `all`. Traps if there are fewer.
  init(all: [Double]) { self.init(p50: all[0], p90: all[1], p99: all[2], max: all[3], mean: all[4]) }

  /// The values in the order of `FlatRow.Statistic`, without the total.
  var all: [Double] { [p50, p90, p99, max, mean] }
}

extension PooledTimes {
  init(samples: [Double], round: (Double) -> Double = inTenths) {
    guard let all = TimeFigures(samples, round: round)?.all else { preconditionFailure("quantiles of no samples") }
    self.init(sampleCount: samples.count, p50: all[0], p90: all[1], p99: all[2], max: all[3], mean: all[4])
  }
}
