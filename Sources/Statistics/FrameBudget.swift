/// The time that a display allows for one frame, and by how much frames overrun it. All costs are in nanoseconds.
public struct FrameBudget: Sendable, Hashable {
  /// The number of frames that the display shows per second.
  public let refreshRateHertz: Double
  /// The part of a frame period that the measured work may take, above 0 and up to 1.
  public let share: Double

  /// - Precondition: The rate is positive and finite, and the share is above 0 and at most 1.
  public init(refreshRateHertz: Double, share: Double = 1) {
    precondition(refreshRateHertz > 0 && refreshRateHertz.isFinite, "a refresh rate of \(refreshRateHertz) Hz")
    precondition(share > 0 && share <= 1, "a budget of \(share) frame periods; it must lie in 0...1")
    (self.refreshRateHertz, self.share) = (refreshRateHertz, share)
  }

  /// The time T between two frames of the display.
  public var periodNanoseconds: Double { 1e9 / refreshRateHertz }
  /// The time B = T · share that the measured work of a frame may take.
  public var budgetNanoseconds: Double { periodNanoseconds * share }

  /// Returns c − B, the time by which a frame of cost c overruns the budget. A negative value is time to spare.
  public func overrunNanoseconds(ofFrame cost: Double) -> Double { cost - budgetNanoseconds }

  /// Returns the number of frames that cost more than the budget.
  public func missedCount(in costs: some Sequence<Double>) -> Int { costs.count { $0 > budgetNanoseconds } }

  /// Returns the hitch time in ms per second of display time (below 1,000), or nil if there are no frames. A frame of
  /// cost c stays on the display for max(1, ⌈c/T⌉) periods, and all but the first of them are hitch time.
  public func hitchTimeRatio(in costs: some Sequence<Double>) -> Double? {
    let periods = costs.map(periodsShown)
    let shown = periods.reduce(0, +)
    return shown == 0 ? nil : 1_000 * periods.reduce(0) { $0 + ($1 - 1) } / shown
  }

  private func periodsShown(_ cost: Double) -> Double { Swift.max(1, (cost / periodNanoseconds).rounded(.up)) }
}

/// The severity of hitches on Apple's scale for scrolling ("Explore UI animation hitches and the render loop", 2020).
public enum HitchClass: String, Sendable, Hashable, Codable, CaseIterable {
  /// Below 5 ms/s: mostly not noticed.
  case good
  /// 5 to 10 ms/s: noticed.
  case warning
  /// Above 10 ms/s: disturbing.
  case critical

  /// - Parameter ratio: A ratio from `FrameBudget.hitchTimeRatio(in:)`.
  public init(millisecondsPerSecond ratio: Double) {
    if ratio < 5 { self = .good } else if ratio <= 10 { self = .warning } else { self = .critical }
  }
}
