import FrameBench

/// The result of a search: the largest list with which a strategy's p99 frame still fits the budget (the time allowed
/// for a frame).
public struct CapacityRecord: Codable, Sendable, Equatable {
  /// The scenario with its parameters, as written in benchmark ids.
  public var scenario: String
  /// The strategy, as written in benchmark ids.
  public var strategy: String
  /// Refresh rate of the display, in Hz.
  public var refreshRateHertz: Int
  /// The fraction of a frame period that the measured work may take.
  public var share: Double
  /// The time that the work of a frame may take, in nanoseconds: the frame period multiplied by `share`.
  public var budgetNanoseconds: Double
  /// The largest number of items that fit. Absent: no size fit.
  public var itemCount: Int?
  /// The smallest number of items that did not fit. Absent: all sizes that were tried fit.
  public var exceedingItemCount: Int?
  /// The search ends once `exceedingItemCount` exceeds `itemCount` by no more than this fraction.
  public var precision: Double
  /// Why the search ended. Any value except `found` means that the search did not reach `precision`.
  public var end: End
  /// Why a size could not be measured. Absent: the search did not end with a failure.
  public var failure: String?
  /// Wall time of the search, seconds.
  public var durationSeconds: Double
  /// The sizes that were tried, in the order in which they were tried.
  public var probes: [Probe]

  package func isSameSeries(as other: CapacityRecord) -> Bool {
    (scenario, strategy) == (other.scenario, other.strategy)
  }

  /// Reasons to end the search.
  public enum End: String, Codable, Sendable {
    /// The result is as precise as requested.
    case found
    /// The search ran out of time.
    case timeLimit
    /// More items do not fit into memory.
    case memoryLimit
    /// The largest size that springbench accepts fits, too.
    case sizeLimit
    /// A run of the benchmark failed.
    case failure
  }

  /// One size that was tried.
  public struct Probe: Codable, Sendable, Equatable {
    /// Number of items.
    public var itemCount: Int
    /// Number of runs. One run is enough for a size that fits, because a frame's time is its minimum over the runs,
    /// which more runs can only lower.
    public var runCount: Int
    /// Median of the frames' times, nanoseconds. The next size to try is predicted from it, because with few runs the
    /// median is steadier than the p99.
    public var p50Nanoseconds: Double
    /// 99th percentile of the frames' times, nanoseconds. The size fits if this is at most `budgetNanoseconds`.
    public var p99Nanoseconds: Double

    public init(itemCount: Int, runCount: Int, p50Nanoseconds: Double, p99Nanoseconds: Double) {
      (self.itemCount, self.runCount) = (itemCount, runCount)
      (self.p50Nanoseconds, self.p99Nanoseconds) = (p50Nanoseconds, p99Nanoseconds)
    }
  }
}

extension CapacityRecord {
  /// Makes the record of a search that has not tried any size yet.
  package init(of id: BenchmarkID, _ options: RunOptions, precision: Double) {
    let budget = options.frameBudget
    self.init(
      scenario: id.variant, strategy: id.strategy, refreshRateHertz: options.refreshRateHertz, share: budget.share,
      budgetNanoseconds: inTenths(budget.budgetNanoseconds), precision: precision, end: .found, durationSeconds: 0,
      probes: [])
  }
}
