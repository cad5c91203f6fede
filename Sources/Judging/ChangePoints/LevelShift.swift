import Statistics

/// A change point with the levels on both sides. The old level begins at the previous change point, and the new level
/// ends at the next one.
///
/// Several steps in one direction are one shift, a drift, if a gradual change fits the values about as well as the
/// steps do. The old level of a drift is the one before the first step, and its new level the one after the last step.
package struct LevelShift: Sendable, Hashable {
  /// The index of the first value after the old level; never 0.
  package var position: Int
  /// The index of the first value of the new level. It differs from `position` only for a drift.
  package var levelPosition: Int
  /// The number of values of the old level.
  package var supportBefore: Int
  /// The number of values of the new level.
  package var support: Int
  /// The mean of all values of the old level, in the unit of the series.
  package var before: Double
  package var after: Double
  /// The median of the old level. Unlike the mean, one bad night hardly changes it.
  package var medianBefore: Double
  package var medianAfter: Double
  /// The p-value of Student's t-test on the values without outliers, corrected for autocorrelation. For a drift, it is
  /// the smallest p-value of the whole drift and its steps, because the last level may still have few values.
  package var pValue: Double
  /// Whether both levels are constant.
  package var isExact: Bool
  /// Whether the t-test, the rank-sum test and the medians agree that the level changed. For a drift, they have to
  /// agree for the whole drift or for one of its steps.
  package var isConfirmed: Bool
  /// In 95% of cases, `position` is off by at most this many values.
  package var slack: Int
  /// In 95% of cases, `levelPosition` is off by at most this many values.
  package var levelSlack: Int

  /// Whether the new level is worse. False until set by a caller that knows which direction is worse.
  package var isRegression = false

  package var isRise: Bool { after > before }
  /// The change as a fraction of `before`; nil if `before` is 0.
  package var relativeChange: Double? { after.change(from: before) }
  package var confidence: Double { 1 - pValue }

  /// A shift is confirmed only if the p-value of its t-test is at most this.
  package static let confirmedPValue = 1e-6
  /// The usual limit for the p-value of the rank-sum test. With this limit, four new values confirm a shift if all of
  /// them lie beyond forty old ones. The test is skipped if both levels are constant or far apart.
  static let confirmedRankPValue = 3e-5
  /// The limit for the p-value of the rank-sum test if all values of one level lie beyond those of the other, and the
  /// t-test's p-value is at most `separatePValue`. So a large step is confirmed after few nights.
  static let separateRankPValue = 3e-4
  static let separatePValue = 1e-9
  /// Levels are far apart if their distance is more than this many times the sum of their spans. Outliers, and the two
  /// levels of a machine that switches between two speeds, are closer together.
  private static let farFactor = 10.0
  /// Levels that are far apart need no rank-sum test if each level has at least this many values.
  private static let leastFarCount = 4
  /// A shift is confirmed only if the medians differ by at least this fraction of the difference of the means, so that
  /// a few outliers cannot confirm it. Constant levels are exempt.
  static let leastMedianShare = 0.5
  /// 95% of estimated change points are at most this number times (σ/δ)² values away from the true one, for noise σ and
  /// a step of δ (J. Bai, "Estimation of a Change Point in Multiple Regression Models", 1997).
  private static let slackFactor = 11.0
  static let largestSlack = 50
  /// The start and the end of a drift may be off by the length of the drift divided by this.
  private static let kneeShare = 4

  /// Makes the shift between two ranges of a series. The ranges are adjacent, except for a drift.
  /// - Parameter clipped: The values without lone outliers.
  init(_ values: [Double], clipped: [Double], old: Range<Int>, new: Range<Int>, effectiveShare: Double) {
    (position, levelPosition) = (old.upperBound, new.lowerBound)
    (supportBefore, support) = (old.count, new.count)
    let raw = LevelTest(values[old], values[new])
    (before, after) = (raw.meanBefore, raw.meanAfter)
    medianBefore = Quantile.median(values[old])
    medianAfter = Quantile.median(values[new])
    isExact = raw.deviationBefore == 0 && raw.deviationAfter == 0
    let test = LevelTest(clipped[old], clipped[new], effectiveShare: effectiveShare)
    pValue = test.pValue
    let ratio = test.deviation / (test.meanAfter - test.meanBefore)
    let doubt = (Self.slackFactor * ratio * ratio).rounded(.up)
    slack = doubt < Double(Self.largestSlack) ? Int(doubt) : Self.largestSlack
    levelSlack = slack
    isConfirmed = false
    // A noisy count, such as page faults, may be constant for a few nights by luck.
    let isConstant = isExact && old.count >= Self.leastFarCount
    isConfirmed = pValue <= Self.confirmedPValue && (isConstant || ranksAgree(values[old], values[new]))
  }

  /// Whether the distance between two levels is many times the sum of their spans. Then a few nights are enough to
  /// confirm the change.
  static func areFarApart(_ old: ArraySlice<Double>, _ new: ArraySlice<Double>) -> Bool {
    guard let (low, high) = old.range, let (newLow, newHigh) = new.range else { return false }
    return max(newLow - high, low - newHigh) > farFactor * (high - low + newHigh - newLow)
  }

  private func ranksAgree(_ old: ArraySlice<Double>, _ new: ArraySlice<Double>) -> Bool {
    guard (medianAfter - medianBefore) / (after - before) >= Self.leastMedianShare else { return false }
    if min(old.count, new.count) >= Self.leastFarCount, Self.areFarApart(old, new) { return true }
    let ranks = RankSumTest.pValue(old, new)
    guard ranks > Self.confirmedRankPValue else { return true }
    guard ranks <= Self.separateRankPValue, pValue <= Self.separatePValue, let (low, high) = old.range,
      let (newLow, newHigh) = new.range
    else { return false }
    return newLow > high || newHigh < low
  }

  /// Returns the drift from the level before `first` to the level after `last`. `self` is the shift between the two.
  func drift(from first: LevelShift, to last: LevelShift) -> LevelShift {
    var drift = self
    drift.pValue = min(pValue, first.pValue, last.pValue)
    drift.isConfirmed = isConfirmed || first.isConfirmed || last.isConfirmed
    // The ends of a ramp are harder to locate than a step. They may be off by a part of the ramp's length.
    let knee = (levelPosition - position) / Self.kneeShare
    (drift.slack, drift.levelSlack) = (max(first.slack, knee), max(last.levelSlack, knee))
    return drift
  }
}

extension ArraySlice<Double> {
  fileprivate var range: (low: Double, high: Double)? { self.min().flatMap { low in self.max().map { (low, $0) } } }
}

extension Double {
  /// The change from an earlier value, as a fraction of the earlier value; nil if that is 0. It is positive if the
  /// value rose, even if both values are negative, as counters of scenarios may be.
  package func change(from earlier: Double) -> Double? { earlier == 0 ? nil : (self - earlier) / abs(earlier) }
}
