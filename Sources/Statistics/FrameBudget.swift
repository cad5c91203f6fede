/// The time that a display allows for one frame, and the cost of overrunning it. All costs are nanoseconds.
public struct FrameBudget: Sendable, Hashable {
  /// Frames that the display shows per second, 1/s.
  public let refreshRateHertz: Double
  /// The part of a frame period that the measured work may take, above 0 and up to 1.
  public let share: Double

  /// - Precondition: The rate is positive and finite, the share above 0 and up to 1.
  public init(refreshRateHertz: Double, share: Double = 1) {
    precondition(refreshRateHertz > 0 && refreshRateHertz.isFinite, "a refresh rate of \(refreshRateHertz) Hz")
    precondition(share > 0 && share <= 1, "a budget of \(share) frame periods; it must lie in 0...1")
    (self.refreshRateHertz, self.share) = (refreshRateHertz, share)
  }

  /// T: time between two frames of the display.
  public var periodNanoseconds: Double { 1e9 / refreshRateHertz }
  /// B = T · share.
  public var budgetNanoseconds: Double { periodNanoseconds * share }

  /// c − B: how far a frame of this cost overruns the budget; negative is time to spare.
  public func overrunNanoseconds(ofFrame cost: Double) -> Double { cost - budgetNanoseconds }

  /// Number of frames that cost more than the budget.
  public func missedCount(in costs: some Sequence<Double>) -> Int {
    costs.reduce(0) { $0 + ($1 > budgetNanoseconds ? 1 : 0) }
  }

  /// Delay of the display, which waits for whole periods, for a frame of this cost: max(0, ⌈c/T⌉ − 1)·T.
  public func hitchNanoseconds(ofFrame cost: Double) -> Double { (periodsShown(cost) - 1) * periodNanoseconds }

  /// Milliseconds of hitches per second of display time; nil for no frames. The display time is that of the frames on
  /// screen, hitches included: Σ max(1, ⌈c/T⌉)·T. So the ratio stays below 1,000.
  public func hitchTimeRatio(in costs: some Sequence<Double>) -> Double? {
    let periods = costs.map(periodsShown)
    let shown = periods.reduce(0, +)
    return shown == 0 ? nil : 1_000 * periods.reduce(0) { $0 + ($1 - 1) } / shown
  }

  private func periodsShown(_ cost: Double) -> Double { Swift.max(1, (cost / periodNanoseconds).rounded(.up)) }
}

/// How bad hitches are, on Apple's scale for scrolling ("Explore UI animation hitches and the render loop", 2020).
public enum HitchClass: String, Sendable, Hashable, Codable, CaseIterable {
  /// Below 5 ms/s: mostly not noticed.
  case good
  /// 5 to 10 ms/s: noticed.
  case warning
  /// Above 10 ms/s: disturbing.
  case critical

  /// - Parameter ratio: As from `FrameBudget.hitchTimeRatio(in:)`.
  public init(millisecondsPerSecond ratio: Double) {
    if ratio < 5 { self = .good } else if ratio <= 10 { self = .warning } else { self = .critical }
  }
}
