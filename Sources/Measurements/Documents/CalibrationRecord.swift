import Statistics

/// How fast a machine is, and how steadily, measured with a fixed piece of work that fits into a core's
/// registers.
///
/// Documents with different scores come from different machines, or from times when the machine was clocked
/// differently.
public struct CalibrationRecord: Codable, Sendable, Equatable {
  /// Steps of the kernel in one sample.
  public var roundCount: Int
  /// Before the first run.
  public var start: KernelTimes
  /// After the last run; absent if the run ended before.
  public var end: KernelTimes?

  public init(roundCount: Int, start: KernelTimes, end: KernelTimes?) {
    self.roundCount = roundCount
    self.start = start
    self.end = end
  }

  /// Steps per microsecond at the machine's fastest; more is faster.
  public var score: Double {
    Double(roundCount) * 1_000 / min(start.fastest, end?.fastest ?? start.fastest)
  }

  /// How much slower the machine was at the end, as a fraction of the start; nil if unknown.
  public var drift: Double? { end.map { $0.fastest / start.fastest - 1 } }
}

/// Samples of the kernel, nanoseconds.
public struct KernelTimes: Codable, Sendable, Equatable {
  /// Repetitions of the kernel; at least 100 where `CalibrationKernel` measured.
  public var sampleCount: Int
  /// The shortest sample, nanoseconds in tenths; scores and drift are computed from it.
  public var fastest: Double
  /// Median, nanoseconds in tenths.
  public var p50: Double
  /// 90th percentile, nanoseconds in tenths.
  public var p90: Double
  /// 99th percentile, nanoseconds in tenths.
  public var p99: Double
  /// The longest sample, nanoseconds in tenths.
  public var slowest: Double

  /// Nil without samples, or if one has no length.
  public init?(samples: some Sequence<Double>) {
    guard let summary = Summary(samples), summary.min > 0 else { return nil }
    sampleCount = summary.count
    fastest = inTenths(summary.min)
    p50 = inTenths(summary.p50)
    p90 = inTenths(summary.p90)
    p99 = inTenths(summary.p99)
    slowest = inTenths(summary.max)
  }

  /// How much longer the p99 sample took than the fastest, as a fraction.
  public var spread: Double { p99 / fastest - 1 }
  /// The same for the median sample.
  public var typicalExcess: Double { p50 / fastest - 1 }
}
