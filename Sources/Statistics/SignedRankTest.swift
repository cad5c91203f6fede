/// Wilcoxon's signed-rank test of paired differences: is their distribution symmetric about zero? Differences of equal
/// magnitude get the mean of their ranks. The test is exact for any number of such ties, because the probability of
/// every rank sum is computed. Differences of zero are left out. Source: F. Wilcoxon, "Individual Comparisons by
/// Ranking Methods", Biometrics Bulletin 1 (1945).
public struct SignedRankTest: Sendable, Hashable {
  /// The deviation from symmetry about zero that the test looks for.
  public enum Alternative: Sendable, Hashable, CaseIterable {
    /// The differences lie above zero.
    case greater
    /// The differences lie below zero.
    case less
    case twoSided
  }

  /// The number of differences that are not zero.
  public let count: Int
  /// W⁺: the sum of the ranks of the positive differences.
  public let positiveRankSum: Double

  /// The probabilities P(2·W⁺ = index). Ranks are doubled so that they are whole, because tied ranks may end in .5.
  private let distribution: [Double]

  /// Computes the distribution of rank sums, in O(n³) time for n differences.
  public init(_ differences: [Double]) {
    precondition(differences.allSatisfy(\.isFinite), "a signed-rank test of \(differences)")
    let sorted = differences.filter { $0 != 0 }.sorted { abs($0) < abs($1) }
    let doubledRanks = Self.doubledRanks(ofSorted: sorted.map(abs))
    count = sorted.count
    positiveRankSum = Double(zip(sorted, doubledRanks).reduce(0) { $0 + ($1.0 > 0 ? $1.1 : 0) }) / 2
    distribution = Self.distribution(doubledRanks: doubledRanks)
  }

  /// Returns the probability of a rank sum at least as extreme as `positiveRankSum` in the direction of the
  /// alternative, if the differences are symmetric about zero. The result is 1 if every difference is 0.
  public func pValue(_ alternative: Alternative) -> Double {
    let index = Int(2 * positiveRankSum)
    let below = distribution[...index].reduce(0, +)
    let above = distribution[index...].reduce(0, +)
    switch alternative {
    case .greater: return min(1, above)
    case .less: return min(1, below)
    case .twoSided: return min(1, 2 * min(above, below))
    }
  }

  /// Returns twice the rank of each value, counted from 1. Equal values get the mean of their ranks. This mean may end
  /// in .5, so ranks are doubled to be whole.
  package static func doubledRanks(ofSorted values: [Double]) -> [Int] {
    var ranks: [Int] = []
    while ranks.count < values.count {
      let start = ranks.count
      let end = values[start...].firstIndex { $0 != values[start] } ?? values.count
      ranks += Array(repeating: start + 1 + end, count: end - start)
    }
    return ranks
  }

  /// Returns the probability of each doubled rank sum, if every difference is positive or negative with probability one
  /// half, independent of the others.
  static func distribution(doubledRanks: [Int]) -> [Double] {
    var probabilities = [Double](repeating: 0, count: doubledRanks.reduce(1, +))
    probabilities[0] = 1
    var highest = 0
    for rank in doubledRanks {
      highest += rank
      for sum in stride(from: highest, through: 0, by: -1) {
        let with = sum >= rank ? probabilities[sum - rank] : 0
        probabilities[sum] = (probabilities[sum] + with) / 2
      }
    }
    return probabilities
  }
}

/// The center of a symmetric distribution, by Hodges and Lehmann's estimator: the median of all means of two values
/// (Walsh averages), including those of each value with itself. Up to 29% of the values may be outliers. Without
/// outliers, the estimate is nearly as efficient as the mean. Source: J. L. Hodges and E. L. Lehmann, "Estimates of
/// Location Based on Rank Tests", The Annals of Mathematical Statistics 34 (1963).
public struct HodgesLehmann: Sendable, Hashable {
  /// The median of all Walsh averages, in the unit of the values.
  public let estimate: Double
  /// The number of values, at least 1.
  public let count: Int
  private let walshAverages: [Double]

  /// Computes the estimate in O(n² log n). Nil if there are no values.
  public init?(_ values: [Double]) {
    guard !values.isEmpty else { return nil }
    precondition(values.allSatisfy(\.isFinite), "the center of \(values)")
    var averages: [Double] = []
    averages.reserveCapacity(values.count * (values.count + 1) / 2)
    for (index, value) in values.enumerated() { for other in values[index...] { averages.append((value + other) / 2) } }
    averages.sort()
    walshAverages = averages
    count = values.count
    estimate = Quantile.type7(sorted: averages, at: 0.5)
  }

  /// Returns an interval that covers the true center with at least the probability `confidence`, or nil if there are
  /// too few values. It contains the centers that a two-sided signed-rank test at the level 1 − `confidence` does not
  /// reject. Source: M. Hollander and D. A. Wolfe, "Nonparametric Statistical Methods", section 3.3. Without ties, the
  /// interval is the same as in R's `wilcox.test(conf.int = TRUE)`.
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

/// Holm's correction for many tests. The probability of any false alarm among the tests stays below the level, however
/// they depend on each other. Source: S. Holm, "A Simple Sequentially Rejective Multiple Test Procedure", Scandinavian
/// Journal of Statistics 6 (1979).
public enum Holm {
  /// Returns adjusted p-values in the given order. A test is significant if its adjusted p-value is at most the level
  /// for the whole family of tests.
  public static func adjusted(_ pValues: [Double]) -> [Double] {
    precondition(pValues.allSatisfy { (0...1).contains($0) }, "p-values of \(pValues)")
    let order = pValues.indices.sorted { pValues[$0] < pValues[$1] }
    var adjusted = pValues
    var largest = 0.0
    for (rank, index) in order.enumerated() {
      largest = max(largest, min(1, pValues[index] * Double(pValues.count - rank)))
      adjusted[index] = largest
    }
    return adjusted
  }
}
