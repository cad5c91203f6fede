/// The largest list of one strategy whose p99 frame fits the budget.
public struct CapacityRecord: Codable, Sendable, Equatable {
  /// As in the ids of the sizes that were tried, with the parameters after it.
  public var scenario: String
  /// As in the ids of the sizes that were tried.
  public var strategy: String
  /// Frames per second of the display, 1/s.
  public var refreshRateHertz: Int
  /// The part of a frame period that the measured work may take.
  public var share: Double
  /// Period times share, nanoseconds.
  public var budgetNanoseconds: Double
  /// The largest number of items that was seen to fit; absent where none was.
  public var itemCount: Int?
  /// The smallest number of items that was seen not to fit; absent where none was: then the strategy can
  /// take at least `itemCount`.
  public var exceedingItemCount: Int?
  /// The search ends where `exceedingItemCount` lies above `itemCount` by no more than this fraction.
  public var precision: Double
  /// Anything but `found`: the search stopped before it was as precise as `precision` asks.
  public var end: End
  /// Why a size could not be measured, where that ended the search.
  public var failure: String?
  /// Wall time of the search, seconds.
  public var durationSeconds: Double
  /// What was tried, in this order.
  public var probes: [Probe]

  /// What ended the search.
  public enum End: String, Codable, Sendable {
    /// It is as precise as was asked for.
    case found
    /// It took all the time that it was given.
    case timeLimit
    /// More items need more memory than there is.
    case memoryLimit
    /// More items are more than the harness runs at.
    case sizeLimit
    /// A worker failed.
    case failure
  }

  /// One size that was tried.
  public struct Probe: Codable, Sendable, Equatable {
    public var itemCount: Int
    /// Runs over which frames were aligned. One that fits needs no second: more runs lower a frame's
    /// minimum, never raise it.
    public var runCount: Int
    /// Of the aligned frames, nanoseconds. The p99 decides whether a size fits; of the few runs that a
    /// search makes the p50 is the steadier, and foretells the next size.
    public var p50Nanoseconds: Double
    /// Of the aligned frames, nanoseconds; the size fits where this is no more than `budgetNanoseconds`.
    public var p99Nanoseconds: Double

    public init(itemCount: Int, runCount: Int, p50Nanoseconds: Double, p99Nanoseconds: Double) {
      self.itemCount = itemCount
      self.runCount = runCount
      self.p50Nanoseconds = p50Nanoseconds
      self.p99Nanoseconds = p99Nanoseconds
    }
  }

  public init(
    scenario: String, strategy: String, refreshRateHertz: Int, share: Double, budgetNanoseconds: Double,
    itemCount: Int?, exceedingItemCount: Int?, precision: Double, end: End, failure: String? = nil,
    durationSeconds: Double, probes: [Probe]
  ) {
    self.scenario = scenario
    self.strategy = strategy
    self.refreshRateHertz = refreshRateHertz
    self.share = share
    self.budgetNanoseconds = budgetNanoseconds
    self.itemCount = itemCount
    self.exceedingItemCount = exceedingItemCount
    self.precision = precision
    self.end = end
    self.failure = failure
    self.durationSeconds = durationSeconds
    self.probes = probes
  }
}
