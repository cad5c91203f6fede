extension TimeRecord {
  /// Aligns and pools the times of several runs.
  ///
  /// - Parameters:
  ///   - runs: As the clock read them, nanoseconds: one array a run, one value a frame; all equally long.
  ///   - clockPairs: Like `runs`, the number of clock pairs that each value contains; nil: one each.
  ///   - pairCost: What one pair reads with nothing between, nanoseconds; taken off, never below zero.
  init(runs: [[Double]], clockPairs: [[Int]]?, pairCost: Double) {
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
      alignedNanoseconds: aligned.map(inTenths), pooled: PooledTimes(samples: net.flatMap(\.self)))
  }
}

extension PooledTimes {
  init(samples: [Double]) {
    precondition(!samples.isEmpty, "quantiles of no samples")
    let sorted = samples.sorted()
    self.init(
      sampleCount: sorted.count, p50: inTenths(quantile(sorted, 0.5)),
      p90: inTenths(quantile(sorted, 0.9)), p99: inTenths(quantile(sorted, 0.99)),
      max: inTenths(sorted[sorted.count - 1]),
      mean: inTenths(sorted.reduce(0, +) / Double(sorted.count)))
  }
}

/// Hyndman and Fan's type 7: linear between the order statistics around (n − 1)·p.
func quantile(_ sorted: [Double], _ p: Double) -> Double {
  precondition(!sorted.isEmpty, "a quantile of no values")
  let position = Double(sorted.count - 1) * p
  let lower = Int(position)
  let upper = min(lower + 1, sorted.count - 1)
  return sorted[lower] + (position - Double(lower)) * (sorted[upper] - sorted[lower])
}
