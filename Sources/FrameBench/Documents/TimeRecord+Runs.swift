import Statistics

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

extension TimeRecord {
  /// The frames of some runs, each less what its clock costs (the median over runs). Nil where a run did
  /// not time frames, or there is none.
  public init?(framesOf runs: [WorkerMeasurement]) {
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
