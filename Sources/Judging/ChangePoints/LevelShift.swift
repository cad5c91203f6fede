import Statistics

/// A change point with the two final stretches beside it, to which all its figures refer: from the change point before
/// to this one, and from this one to the next. Or a drift: several steps in one direction that a ramp fits as well,
/// with the level before the first and the level after the last of them.
package struct LevelShift: Sendable, Hashable {
  /// Index of the first value that is not of the old level; never 0.
  package var position: Int
  /// Index of the first value of the new level: behind `position` for a drift.
  package var levelPosition: Int
  /// Values of the old level.
  package var supportBefore: Int
  /// Values of the new level.
  package var support: Int
  /// Mean of all values of the old level, in the unit of the series.
  package var before: Double
  package var after: Double
  /// Median of the old level: unlike the mean, a bad night does not move it.
  package var medianBefore: Double
  package var medianAfter: Double
  /// Probability of equal levels, by Student's t-test of the clipped values, with the autocorrelation of the series
  /// discounted. For a drift, the minimum over its steps and the whole: its last level may be new.
  package var pValue: Double
  /// Whether neither level has any noise.
  package var isExact: Bool
  /// Whether t-test, ranks and medians agree that the level is another; for a drift, those of one of its steps or of
  /// the whole.
  package var isConfirmed: Bool
  /// Values by which the position may be off, to either side, in 95% of cases.
  package var slack: Int
  /// Values by which `levelPosition` may be off, like `slack`.
  package var levelSlack: Int

  /// Whether the new level is worse. False until set by a caller that knows which direction is worse.
  package var isRegression = false

  package var isRise: Bool { after > before }
  /// The change as a fraction of `before`; nil if that was 0.
  package var relativeChange: Double? { before == 0 ? nil : after / before - 1 }
  /// 1 − p.
  package var confidence: Double { 1 - pValue }

  /// A t-test with a greater probability confirms no shift.
  package static let confirmedPValue = 1e-6
  /// A rank-sum test with a greater probability confirms no shift: four values that lie beyond forty others stay below
  /// it.
  static let confirmedRankPValue = 3e-5
  /// The limit for ranks if the stretches do not overlap and the t-test leaves no doubt: a large step after few nights.
  static let separateRankPValue = 3e-4
  static let separatePValue = 1e-9
  /// Levels are far apart if their distance is this many times what both of them span together: neither the two modes
  /// of a machine nor an outlier are as far away.
  private static let farFactor = 10.0
  /// Values of each level that suffice if the levels are far apart.
  private static let leastFarCount = 4
  /// The part of the difference of the means that the medians have to show.
  static let leastMedianShare = 0.5
  /// 95% of estimated change points are within this many (σ/δ)² of the true one, for noise σ and a step of δ
  /// (J. Bai, "Estimation of a Change Point in Multiple Regression Models", 1997).
  private static let slackFactor = 11.0
  static let largestSlack = 50
  /// The knees of a drift are known to a fourth of its length.
  private static let kneeShare = 4

  /// The shift between two ranges of a series, adjacent except for a drift; `clipped` has no lone outliers.
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
    isConfirmed = pValue <= Self.confirmedPValue && (isExact || ranksAgree(values[old], values[new]))
  }

  /// Whether the distance between two levels is many times what either of them spans: a few nights suffice, then.
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

  /// A drift: the shift from the level before `first` to the one after `last`.
  func drift(from first: LevelShift, to last: LevelShift) -> LevelShift {
    var drift = self
    drift.pValue = min(pValue, first.pValue, last.pValue)
    drift.isConfirmed = isConfirmed || first.isConfirmed || last.isConfirmed
    // The ends of a ramp show later than the ramp itself.
    let knee = (levelPosition - position) / Self.kneeShare
    (drift.slack, drift.levelSlack) = (max(first.slack, knee), max(last.levelSlack, knee))
    return drift
  }
}

extension ArraySlice<Double> {
  fileprivate var range: (low: Double, high: Double)? { self.min().flatMap { low in self.max().map { (low, $0) } } }
}
