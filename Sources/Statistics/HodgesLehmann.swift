/// The centre of a symmetric distribution, by Hodges and Lehmann's estimator: the median of all means of two
/// values (Walsh averages), each value with itself included. Up to a third of the values may be outliers, and
/// without any it is nearly as efficient as the mean.
///
/// Source: J. L. Hodges and E. L. Lehmann, "Estimates of Location Based on Rank Tests", The Annals of
/// Mathematical Statistics 34 (1963).
public struct HodgesLehmann: Sendable, Hashable {
  /// Median of all Walsh averages, in the unit of the values.
  public let estimate: Double
  /// Values that it rests on; at least 1.
  public let count: Int
  private let walshAverages: [Double]

  /// Nil for no values. O(n² log n).
  public init?(_ values: [Double]) {
    guard !values.isEmpty else { return nil }
    precondition(values.allSatisfy(\.isFinite), "the centre of \(values)")
    var averages: [Double] = []
    averages.reserveCapacity(values.count * (values.count + 1) / 2)
    for (index, value) in values.enumerated() {
      for other in values[index...] { averages.append((value + other) / 2) }
    }
    averages.sort()
    walshAverages = averages
    count = values.count
    estimate = Quantile.type7(sorted: averages, at: 0.5)
  }

  /// The interval of centres that a two-sided signed-rank test at 1 − `confidence` does not reject: it
  /// covers the true centre with at least this probability. Nil where the values are too few for that.
  ///
  /// Source: M. Hollander and D. A. Wolfe, "Nonparametric Statistical Methods", section 3.3; as R's
  /// `wilcox.test(conf.int = TRUE)` where there are no ties.
  public func interval(confidence: Double) -> ClosedRange<Double>? {
    precondition(confidence > 0 && confidence < 1, "a confidence of \(confidence)")
    let tail = (1 - confidence) / 2
    let distribution = SignedRankTest.distribution(doubledRanks: Array(1...count))
    var below = 0.0
    var cut = 0
    while cut < distribution.count, below + distribution[cut] <= tail {
      below += distribution[cut]
      cut += 1
    }
    guard cut > 0 else { return nil }
    return walshAverages[cut - 1]...walshAverages[walshAverages.count - cut]
  }
}
