import FrameBench

/// The largest list of one strategy whose p99 frame fits the budget.
public struct CapacityRecord: Codable, Sendable, Equatable {
  /// The scenario as in the ids of the sizes that were tried, with the parameters after it.
  public var scenario: String
  /// The strategy as in the ids of the sizes that were tried.
  public var strategy: String
  /// Frames per second of the display, 1/s.
  public var refreshRateHertz: Int
  /// The part of a frame period that the measured work may take.
  public var share: Double
  /// The period of a frame times the share, nanoseconds.
  public var budgetNanoseconds: Double
  /// The largest number of items that fitted. Absent: none did.
  public var itemCount: Int?
  /// The smallest number of items that did not fit. Absent: all did, so that at least `itemCount` items fit.
  public var exceedingItemCount: Int?
  /// The search ends once `exceedingItemCount` exceeds `itemCount` by no more than this fraction.
  public var precision: Double
  /// Reason for the end of the search. Unless `found`, it stopped before it reached `precision`.
  public var end: End
  /// Why a size could not be measured. Absent: no such failure ended the search.
  public var failure: String?
  /// Wall time of the search, seconds.
  public var durationSeconds: Double
  /// The sizes that were tried, in this order.
  public var probes: [Probe]

  /// Reasons to end the search.
  public enum End: String, Codable, Sendable {
    /// The result is as precise as requested.
    case found
    /// The search ran out of time.
    case timeLimit
    /// More items do not fit into memory.
    case memoryLimit
    /// The harness does not run more items.
    case sizeLimit
    /// A worker failed.
    case failure
  }

  /// One size that was tried.
  public struct Probe: Codable, Sendable, Equatable {
    /// Number of items.
    public var itemCount: Int
    /// Runs over which frames were aligned. A size that fits needs one: more can only lower a frame's minimum.
    public var runCount: Int
    /// Median of the aligned frames, nanoseconds. The p99 decides whether a size fits; the p50, which is
    /// steadier over the few runs of a search, predicts the next size.
    public var p50Nanoseconds: Double
    /// 99th percentile of the aligned frames, nanoseconds; the size fits if this is no more than `budgetNanoseconds`.
    public var p99Nanoseconds: Double

    public init(itemCount: Int, runCount: Int, p50Nanoseconds: Double, p99Nanoseconds: Double) {
      (self.itemCount, self.runCount) = (itemCount, runCount)
      (self.p50Nanoseconds, self.p99Nanoseconds) = (p50Nanoseconds, p99Nanoseconds)
    }
  }
}

extension CapacityRecord {
  /// The record of a search that has not tried any size yet.
  package init(of id: BenchmarkID, _ options: RunOptions, precision: Double) {
    let budget = options.frameBudget
    self.init(
      scenario: id.variant, strategy: id.strategy, refreshRateHertz: options.refreshRateHertz, share: budget.share,
      budgetNanoseconds: inTenths(budget.budgetNanoseconds), precision: precision, end: .found, durationSeconds: 0,
      probes: [])
  }
}
