import Foundation
import Statistics

extension TimeRecord {
  /// Aligns and pools the times of several runs.
  ///
  /// The clock rounds a frame down in some runs and up in others, so a frame's cost is the mean of its
  /// samples that are within one step of the minimum: finer than a step, and still without what the machine
  /// added.
  ///
  /// - Parameters:
  ///   - runs: As the clock read them, nanoseconds: one array per run, one value per frame; all of equal
  ///     length.
  ///   - clockPairs: Like `runs`, the number of clock pairs that each value contains; nil: one each.
  ///   - pairCost: What one pair reads with nothing between, nanoseconds; subtracted, never below zero.
  ///   - clockStep: Smallest step of the clock, nanoseconds.
  ///   - callCount: Calls in a frame, of one of which `runs` are.
  ///   - layoutCount: Link orders that the runs had in turns; nil: one.
  init(
    runs: [[Double]], clockPairs: [[Int]]?, pairCost: Double, clockStep: Double, callCount: Int? = nil,
    layoutCount: Int? = nil
  ) {
    let round = callCount ?? 1 == 1 ? inTenths : inThousandths
    let signed = runs.indices.map { run in
      runs[run].indices.map { frame in
        runs[run][frame] - Double(clockPairs?[run][frame] ?? 1) * pairCost
      }
    }
    let net = signed.map { $0.map { max(0, $0) } }
    self.init(
      alignedNanoseconds: Self.aligned(signed, clockStep: clockStep / Double(callCount ?? 1)).map(round),
      pooled: PooledTimes(samples: net.flatMap(\.self), round: round),
      layoutSpread: layoutCount.flatMap { Self.layoutSpread(net, count: $0) })
  }

  /// For each frame, the mean of the samples within a step of the minimum, never below zero.
  private static func aligned(_ runs: [[Double]], clockStep: Double) -> [Double] {
    (runs.first ?? []).indices.map { frame in
      let least = runs.reduce(.infinity) { min($0, $1[frame]) }
      // A step is measured too, so two samples one step apart may differ by a little more.
      let limit = least + 1.01 * clockStep
      var (sum, count) = (0.0, 0.0)
      for run in runs where run[frame] <= limit {
        sum += run[frame]
        count += 1
      }
      return max(0, sum / count)
    }
  }

  /// The robust standard deviation of ln t over link orders, where t is the mean of an order's frames up to their
  /// 90th percentile, each the minimum over the runs of that order. Nil for fewer than two orders.
  private static func layoutSpread(_ runs: [[Double]], count: Int) -> Double? {
    let orders = Dictionary(grouping: runs.indices) { $0 % count }.values.map { numbers in
      (0..<runs[0].count).map { frame in numbers.map { runs[$0][frame] }.min() ?? 0 }.sorted()
    }
    guard orders.count >= 2 else { return nil }
    let logs = orders.map { frames in
      let kept = frames.prefix(max(1, frames.count * 9 / 10))
      return log(max(0.1, kept.reduce(0, +) / Double(kept.count)))
    }
    return (RobustSpread.deviation(logs) * 1e4).rounded() / 1e4
  }
}

extension TimeRecord {
  /// The frames of some runs, each minus its clock cost (the median over runs). Nil if a run did not time
  /// frames, or there are no runs.
  package init?(framesOf runs: [RunMeasurement]) {
    let frames = runs.compactMap(\.frameNanoseconds)
    guard let first = frames.first, !first.isEmpty, frames.count == runs.count,
      frames.allSatisfy({ $0.count == first.count })
    else { return nil }
    let costs = runs.map(\.clock.pairCostNanoseconds).sorted()
    self.init(
      runs: frames, clockPairs: nil, pairCost: Quantile.type7(sorted: costs, at: 0.5),
      clockStep: runs.clockStep, callCount: runs.callCount)
  }
}

extension [RunMeasurement] {
  /// The least of their calls in a frame; nil for frames that are no calls.
  var callCount: Int? { compactMap(\.callCount).count == count ? compactMap(\.callCount).min() : nil }

  /// The coarsest of their clocks, nanoseconds.
  var clockStep: Double { map(\.clock.resolutionNanoseconds).max() ?? 0 }
}

extension PooledTimes {
  init(samples: [Double], round: (Double) -> Double = inTenths) {
    precondition(!samples.isEmpty, "quantiles of no samples")
    let sorted = samples.sorted()
    self.init(
      sampleCount: sorted.count, p50: round(Quantile.type7(sorted: sorted, at: 0.5)),
      p90: round(Quantile.type7(sorted: sorted, at: 0.9)),
      p99: round(Quantile.type7(sorted: sorted, at: 0.99)),
      max: round(sorted[sorted.count - 1]),
      mean: round(sorted.reduce(0, +) / Double(sorted.count)))
  }
}
