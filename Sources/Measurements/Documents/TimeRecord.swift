import FrameBench
import Statistics

/// The time of whole frames, or of one phase, frame by frame.
public struct TimeRecord: Codable, Sendable, Equatable {
  /// The aligned time of each recorded frame, nanoseconds: the mean over those runs in which the frame took at most one
  /// clock step longer than in its fastest run. The cost of reading the clock is subtracted. If the program was linked
  /// in several orders, it is the mean over these. Rounded to tenths, or to thousandths if frames make several calls.
  public var alignedNanoseconds: [Double] { didSet { aligned = Summary(alignedNanoseconds) } }
  /// Summary of `alignedNanoseconds`; nil if no frame was recorded.
  package private(set) var aligned: Summary?
  /// Statistics of all frames of all runs together, including the noise of the machine.
  public var pooled: PooledTimes
  /// The statistics of each single run, in nanoseconds, in the order of the runs. Absent: they were not recorded.
  public var runs: [TimeFigures]?
  /// Half the width of the 95% interval around each statistic of the aligned times, in nanoseconds. It shows how far
  /// another measurement of the same program on the same machine may differ. Absent: there were fewer than three runs,
  /// or exactly two link orders.
  public var halfWidths: TimeFigures?
  /// How much times depend on the order in which the program was linked: the standard deviation of the logarithm of the
  /// time over the orders. 0.07 is ±7%. Absent: there was only one order.
  public var layoutSpread: Double?

  private enum CodingKeys: String, CodingKey { case alignedNanoseconds, pooled, runs, halfWidths, layoutSpread }

  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      alignedNanoseconds: try fields.decode([Double].self, forKey: .alignedNanoseconds),
      pooled: try fields.decode(PooledTimes.self, forKey: .pooled),
      runs: try fields.decodeIfPresent([TimeFigures].self, forKey: .runs),
      halfWidths: try fields.decodeIfPresent(TimeFigures.self, forKey: .halfWidths),
      layoutSpread: try fields.decodeIfPresent(Double.self, forKey: .layoutSpread))
  }

  init(
    alignedNanoseconds: [Double], pooled: PooledTimes, runs: [TimeFigures]? = nil, halfWidths: TimeFigures? = nil,
    layoutSpread: Double? = nil
  ) {
    self.alignedNanoseconds = alignedNanoseconds
    aligned = Summary(alignedNanoseconds)
    (self.pooled, self.runs, self.halfWidths, self.layoutSpread) = (pooled, runs, halfWidths, layoutSpread)
  }
}

/// Statistics of a series with one time for each frame, or the uncertainties of these statistics; nanoseconds.
public struct TimeFigures: Codable, Sendable, Equatable {
  /// Median, nanoseconds.
  public var p50: Double
  /// 90th percentile, nanoseconds.
  public var p90: Double
  /// 99th percentile, nanoseconds.
  public var p99: Double
  /// The longest frame, nanoseconds.
  public var max: Double
  /// Arithmetic mean, nanoseconds.
  public var mean: Double
}

/// Statistics of the times of all frames in all runs, nanoseconds. Quantiles are of Hyndman and Fan's type 7.
public struct PooledTimes: Codable, Sendable, Equatable {
  /// Number of runs multiplied by the number of recorded frames.
  public var sampleCount: Int
  /// Median, nanoseconds.
  public var p50: Double
  /// 90th percentile, nanoseconds.
  public var p90: Double
  /// 99th percentile, nanoseconds.
  public var p99: Double
  /// The longest sample, nanoseconds.
  public var max: Double
  /// Mean of all samples, disturbed ones included, nanoseconds.
  public var mean: Double

  package var figures: TimeFigures { TimeFigures(p50: p50, p90: p90, p99: p99, max: max, mean: mean) }
}

/// How the frames of a benchmark compare with the time that a display allows for a frame.
public struct BudgetRecord: Codable, Sendable, Equatable {
  /// Refresh rate of the display, in Hz.
  public var refreshRateHertz: Int
  /// The fraction of a frame period that the measured work may take.
  public var share: Double
  /// The time that the work of a frame may take, in nanoseconds: the frame period multiplied by `share`.
  public var budgetNanoseconds: Double
  /// Statistics of the cost of each frame minus the budget, nanoseconds. A negative number is time to spare.
  public var overrun: TimeFigures
  /// Number of frames that cost more than the budget.
  public var missedFrameCount: Int
  /// Milliseconds by which frames are too late for the display (hitches), per second of display time. Each delay is a
  /// whole number of frame periods, whatever `share` is, because a late frame has to wait for the next period.
  public var hitchTimeRatio: Double
  /// How bad `hitchTimeRatio` is on Apple's scale, judged before the ratio is rounded.
  public var hitchClass: HitchClass

  /// Returns nil if there are no frames, or if the display has no refresh rate.
  /// - Parameter frames: Costs of the frames, nanoseconds.
  public init?(frames: [Double], options: RunOptions) {
    let budget = options.frameBudget
    guard options.refreshRateHertz > 0, let overrun = TimeFigures(frames.map(budget.overrunNanoseconds)),
      let ratio = budget.hitchTimeRatio(in: frames)
    else { return nil }
    (refreshRateHertz, share) = (options.refreshRateHertz, budget.share)
    (budgetNanoseconds, self.overrun) = (inTenths(budget.budgetNanoseconds), overrun)
    missedFrameCount = budget.missedCount(in: frames)
    hitchTimeRatio = (ratio * 1_000).rounded() / 1_000
    hitchClass = HitchClass(millisecondsPerSecond: ratio)
  }
}

extension RunOptions {
  /// The time that these options allow for a frame.
  public var frameBudget: FrameBudget { frameBudget(refreshRateHertz: refreshRateHertz) }

  /// The budget for another refresh rate with the same share. An invalid share counts as the whole frame, and a rate
  /// below 1 as 1, so that a report on an edited file does not crash.
  public func frameBudget(refreshRateHertz: Int) -> FrameBudget {
    let share = budgetShare.flatMap { $0 > 0 && $0 <= 1 ? $0 : nil }
    return FrameBudget(refreshRateHertz: Double(max(1, refreshRateHertz)), share: share ?? 1)
  }

  /// The budgets at 60 Hz, 120 Hz and the refresh rate of the run. Each is the fraction of a frame period that
  /// `--share` allows.
  package var judgedBudgets: [FrameBudget] {
    Set([60, 120, refreshRateHertz]).filter { $0 > 0 }.sorted().map { frameBudget(refreshRateHertz: $0) }
  }
}
