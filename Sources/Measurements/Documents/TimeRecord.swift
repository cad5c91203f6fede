/// The time of one thing, frame by frame.
public struct TimeRecord: Codable, Sendable, Equatable {
  /// Per recorded frame the mean of the runs within one clock step of the fastest, clock cost subtracted,
  /// nanoseconds, in tenths. Where the runs had several link orders, the mean over the orders of each order's.
  public var alignedNanoseconds: [Double]
  /// All frames of all runs pooled, noise of the machine included.
  public var pooled: PooledTimes
  /// The percentiles of each run by itself, in the order of the runs, nanoseconds. Absent if not recorded.
  public var runs: [TimeFigures]?
  /// Half of the 95% interval around each figure of the aligned frames, nanoseconds: how far another measurement of
  /// the same program on the same machine may differ. Absent for fewer than three runs, or three link orders.
  public var halfWidths: TimeFigures?
  /// How far the time of a frame differs between link orders of the program, as a standard deviation of its
  /// logarithm: 0.07 is ±7%. Absent if there was only one order.
  public var layoutSpread: Double?

  public init(
    alignedNanoseconds: [Double], pooled: PooledTimes, runs: [TimeFigures]? = nil,
    halfWidths: TimeFigures? = nil,
    layoutSpread: Double? = nil
  ) {
    self.alignedNanoseconds = alignedNanoseconds
    self.pooled = pooled
    self.runs = runs
    self.halfWidths = halfWidths
    self.layoutSpread = layoutSpread
  }
}

/// Figures of the frames of a benchmark, or how far they may be off, nanoseconds.
public struct TimeFigures: Codable, Sendable, Equatable {
  /// Median.
  public var p50: Double
  /// 90th percentile.
  public var p90: Double
  /// 99th percentile.
  public var p99: Double
  /// The longest frame.
  public var max: Double
  /// Arithmetic mean.
  public var mean: Double

  public init(p50: Double, p90: Double, p99: Double, max: Double, mean: Double) {
    self.p50 = p50
    self.p90 = p90
    self.p99 = p99
    self.max = max
    self.mean = mean
  }
}

/// Quantiles of the raw samples of all runs (Hyndman and Fan's type 7), nanoseconds.
public struct PooledTimes: Codable, Sendable, Equatable {
  /// Runs times recorded frames.
  public var sampleCount: Int
  /// Median, nanoseconds.
  public var p50: Double
  /// 90th percentile, nanoseconds.
  public var p90: Double
  /// 99th percentile, nanoseconds.
  public var p99: Double
  /// The longest sample, nanoseconds.
  public var max: Double
  /// Of all samples, disturbed ones included, nanoseconds.
  public var mean: Double

  public init(sampleCount: Int, p50: Double, p90: Double, p99: Double, max: Double, mean: Double) {
    self.sampleCount = sampleCount
    self.p50 = p50
    self.p90 = p90
    self.p99 = p99
    self.max = max
    self.mean = mean
  }
}
