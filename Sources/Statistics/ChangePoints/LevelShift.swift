/// A change point with the two final stretches beside it: from the change point before to this one, and from this
/// one to the next. Everything that is said of it is of the same two stretches.
public struct LevelShift: Sendable, Hashable {
  /// Index of the first value of the new level; never 0.
  public var index: Int
  /// Values of the old level.
  public var countBefore: Int
  /// Values of the new level.
  public var countAfter: Int
  /// Of all values of the old level, in the unit of the series.
  public var meanBefore: Double
  /// Of all values of the new level.
  public var meanAfter: Double
  /// Beside the mean, since a bad night does not move it.
  public var medianBefore: Double
  /// Likewise.
  public var medianAfter: Double
  /// Of equal levels, by Student's t-test of the clipped values, with the autocorrelation of the series discounted.
  public var pValue: Double
  /// Neither level has any noise.
  public var isExact: Bool
  /// The t-test, the ranks and the medians agree that the level is another.
  public var isConfirmed: Bool
  /// A straight line fits both stretches nearly as well as two levels do, or better: the series drifts.
  public var isGradual: Bool
  /// Values by which the index may be off, to either side, in 95% of cases.
  public var slack: Int

  /// Whether the level rises.
  public var isRise: Bool { meanAfter > meanBefore }

  /// A t-test with a greater probability confirms no shift.
  public static let confirmedPValue = 1e-6
  /// Likewise for ranks: four values that lie beyond forty others stay below it.
  static let confirmedRankPValue = 3e-5
  /// Of ranks, where the stretches do not overlap and the t-test leaves no doubt: a large step after few nights.
  static let separateRankPValue = 3e-4
  static let separatePValue = 1e-9
  /// The part of the difference of the means that the medians have to show.
  static let leastMedianShare = 0.5
  /// Of what two levels explain of the variance, a line has to explain so much for a drift. Of a true step in the
  /// middle it explains three quarters.
  private static let leastLineShare = 0.8
  /// 95% of estimated change points are within this many (σ/δ)² of the true one, for noise σ and a step of δ
  /// (J. Bai, "Estimation of a Change Point in Multiple Regression Models", 1997).
  private static let slackFactor = 11.0
  static let largestSlack = 50

  /// - Parameters:
  ///   - values: The series; `before` and `after` are adjacent ranges of it.
  ///   - clipped: The same series without lone outliers.
  ///   - effectiveShare: Independent values for each value, from 0 to 1.
  init(_ values: [Double], clipped: [Double], before: Range<Int>, after: Range<Int>, effectiveShare: Double) {
    index = after.lowerBound
    (countBefore, countAfter) = (before.count, after.count)
    let raw = LevelTest(values[before], values[after])
    (meanBefore, meanAfter) = (raw.meanBefore, raw.meanAfter)
    medianBefore = Quantile.median(values[before])
    medianAfter = Quantile.median(values[after])
    isExact = raw.deviationBefore == 0 && raw.deviationAfter == 0
    let test = LevelTest(clipped[before], clipped[after], effectiveShare: effectiveShare)
    pValue = test.pValue
    let ratio = test.deviation / (test.meanAfter - test.meanBefore)
    let doubt = (Self.slackFactor * ratio * ratio).rounded(.up)
    slack = doubt < Double(Self.largestSlack) ? Int(doubt) : Self.largestSlack
    isGradual = Self.isLine(clipped[before.lowerBound..<after.upperBound], breakAt: index)
    isConfirmed = false
    isConfirmed = pValue <= Self.confirmedPValue && (isExact || ranksAgree(values[before], values[after]))
  }

  private func ranksAgree(_ before: ArraySlice<Double>, _ after: ArraySlice<Double>) -> Bool {
    guard (medianAfter - medianBefore) / (meanAfter - meanBefore) >= Self.leastMedianShare else {
      return false
    }
    let ranks = RankSumTest(before, after).pValue
    guard ranks > Self.confirmedRankPValue else { return true }
    guard ranks <= Self.separateRankPValue, pValue <= Self.separatePValue,
      let (low, high) = Self.bounds(before), let (newLow, newHigh) = Self.bounds(after)
    else { return false }
    return newLow > high || newHigh < low
  }

  private static func bounds(_ values: ArraySlice<Double>) -> (Double, Double)? {
    guard let low = values.min(), let high = values.max() else { return nil }
    return (low, high)
  }

  /// Compares the sums of squares that the least-squares line and the two means explain.
  private static func isLine(_ values: ArraySlice<Double>, breakAt index: Int) -> Bool {
    guard values.count > 3 else { return false }
    let count = Double(values.count)
    let mean = values.reduce(0, +) / count
    let middle = Double(values.startIndex) + (count - 1) / 2
    let products = values.indices.reduce(0) { $0 + (values[$1] - mean) * (Double($1) - middle) }
    // Σ (i − mean)² over n consecutive whole numbers.
    let explainedByLine = products * products / (count * (count * count - 1) / 12)
    let (before, after) = (values[..<index], values[index...])
    let step = after.reduce(0, +) / Double(after.count) - before.reduce(0, +) / Double(before.count)
    let explainedByLevels = step * step * Double(before.count) * Double(after.count) / count
    return explainedByLine > explainedByLevels * leastLineShare
  }
}
