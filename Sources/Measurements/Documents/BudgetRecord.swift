import FrameBench
import Statistics

/// How the frames of a benchmark compare with the time that a display allows for one.
public struct BudgetRecord: Codable, Sendable, Equatable {
  /// Frames per second of the display, 1/s.
  public var refreshRateHertz: Int
  /// The part of a frame period that the measured work may take.
  public var share: Double
  /// Period times share, nanoseconds.
  public var budgetNanoseconds: Double
  /// Cost less budget; negative is time to spare.
  public var overrun: OverrunRecord
  /// Frames that cost more than the budget.
  public var missedFrameCount: Int
  /// Milliseconds of hitches per second of display time. A hitch is judged by the whole period, since a
  /// display does not wait for a share of one.
  public var hitchTimeRatio: Double
  /// How bad `hitchTimeRatio` is, judged before rounding.
  public var hitchClass: HitchClass

  /// Nil for no frames, or a display without a refresh rate. Costs are nanoseconds.
  public init?(frames: [Double], options: RunOptions) {
    let budget = options.frameBudget
    guard options.refreshRateHertz > 0, let overrun = OverrunRecord(frames: frames, budget: budget),
      let ratio = budget.hitchTimeRatio(in: frames)
    else { return nil }
    refreshRateHertz = options.refreshRateHertz
    share = budget.share
    budgetNanoseconds = inTenths(budget.budgetNanoseconds)
    self.overrun = overrun
    missedFrameCount = budget.missedCount(in: frames)
    hitchTimeRatio = (ratio * 1_000).rounded() / 1_000
    hitchClass = HitchClass(millisecondsPerSecond: ratio)
  }
}

/// By how much frames overrun their budget, over the frames of a benchmark, nanoseconds; signed.
public struct OverrunRecord: Codable, Sendable, Equatable {
  /// Median, nanoseconds.
  public var p50: Double
  /// 90th percentile, nanoseconds.
  public var p90: Double
  /// 99th percentile, nanoseconds.
  public var p99: Double
  /// Of the most expensive frame, nanoseconds; negative if every frame fits.
  public var max: Double
  /// Over all frames, nanoseconds; those with time to spare lower it.
  public var mean: Double

  init?(frames: [Double], budget: FrameBudget) {
    guard let summary = Summary(frames.lazy.map(budget.overrunNanoseconds)) else { return nil }
    p50 = inTenths(summary.p50)
    p90 = inTenths(summary.p90)
    p99 = inTenths(summary.p99)
    max = inTenths(summary.max)
    mean = inTenths(summary.mean)
  }
}

extension RunOptions {
  /// The budget that frames are judged by.
  public var frameBudget: FrameBudget { frameBudget(refreshRateHertz: refreshRateHertz) }

  /// The same share of another display's frame. Options may come from an edited file, and a report must not
  /// crash over it: an invalid share counts as the whole frame, a rate below 1 as 1.
  public func frameBudget(refreshRateHertz: Int) -> FrameBudget {
    let share = budgetShare.flatMap { $0 > 0 && $0 <= 1 ? $0 : nil }
    return FrameBudget(refreshRateHertz: Double(max(1, refreshRateHertz)), share: share ?? 1)
  }
}
