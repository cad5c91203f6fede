import Foundation
import Statistics

extension TimeRecord {
  /// Aligns and pools the times of several runs.
  ///
  /// - Parameters:
  ///   - runs: As the clock read them, nanoseconds: one array a run, one value a frame; all equally long.
  ///   - clockPairs: Like `runs`, the number of clock pairs that each value contains; nil: one each.
  ///   - pairCost: What one pair reads with nothing between, nanoseconds; taken off, never below zero.
  ///   - layoutCount: Link orders that the runs had in turns; nil: one.
  init(runs: [[Double]], clockPairs: [[Int]]?, pairCost: Double, layoutCount: Int? = nil) {
    let net = runs.indices.map { run in
      runs[run].indices.map { frame in
        max(0, runs[run][frame] - Double(clockPairs?[run][frame] ?? 1) * pairCost)
      }
    }
    var aligned = net.first ?? []
    for run in net.dropFirst() {
      for frame in aligned.indices { aligned[frame] = min(aligned[frame], run[frame]) }
    }
    self.init(
      alignedNanoseconds: aligned.map(inTenths), pooled: PooledTimes(samples: net.flatMap(\.self)),
      layoutSpread: layoutCount.flatMap { Self.layoutSpread(net, count: $0) })
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
  /// The frames of some runs, each less what its clock costs (the median over runs). Nil where a run did
  /// not time frames, or there is none.
  package init?(framesOf runs: [RunMeasurement]) {
    let frames = runs.compactMap(\.frameNanoseconds)
    guard let first = frames.first, !first.isEmpty, frames.count == runs.count,
      frames.allSatisfy({ $0.count == first.count })
    else { return nil }
    let costs = runs.map(\.clock.pairCostNanoseconds).sorted()
    self.init(runs: frames, clockPairs: nil, pairCost: Quantile.type7(sorted: costs, at: 0.5))
  }
}

extension PooledTimes {
  init(samples: [Double]) {
    precondition(!samples.isEmpty, "quantiles of no samples")
    let sorted = samples.sorted()
    self.init(
      sampleCount: sorted.count, p50: inTenths(Quantile.type7(sorted: sorted, at: 0.5)),
      p90: inTenths(Quantile.type7(sorted: sorted, at: 0.9)),
      p99: inTenths(Quantile.type7(sorted: sorted, at: 0.99)),
      max: inTenths(sorted[sorted.count - 1]),
      mean: inTenths(sorted.reduce(0, +) / Double(sorted.count)))
  }
}
