/// Wilcoxon's signed-rank test of paired differences: is their distribution symmetric about zero?
///
/// Exact for any number of ties: the probability of every rank sum is computed, not approximated.
/// Differences of zero say nothing of either direction and are left out (Wilcoxon's own treatment);
/// equal sizes share their mean rank. Source: F. Wilcoxon, "Individual Comparisons by Ranking Methods",
/// Biometrics Bulletin 1 (1945).
public struct SignedRankTest: Sendable, Hashable {
  /// Which deviation from symmetry about zero counts.
  public enum Alternative: Sendable, Hashable, CaseIterable {
    /// The differences lie above zero.
    case greater
    /// The differences lie below zero.
    case less
    case twoSided
  }

  /// Differences that are not zero.
  public let count: Int
  /// W⁺: the sum of the ranks of the positive differences.
  public let positiveRankSum: Double

  /// P(W⁺·2 = index), for doubled ranks, which are whole where ties make halves.
  private let distribution: [Double]

  /// O(n³) time, n the number of differences.
  public init(_ differences: [Double]) {
    precondition(differences.allSatisfy(\.isFinite), "a signed-rank test of \(differences)")
    let sorted = differences.filter { $0 != 0 }.sorted { abs($0) < abs($1) }
    let doubledRanks = Self.doubledRanks(ofSorted: sorted.map(abs))
    count = sorted.count
    positiveRankSum =
      Double(zip(sorted, doubledRanks).reduce(0) { $0 + ($1.0 > 0 ? $1.1 : 0) }) / 2
    distribution = Self.distribution(doubledRanks: doubledRanks)
  }

  /// The probability of a rank sum at least as far in the named direction, if there were none. 1 where
  /// every difference is zero.
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

  private static func doubledRanks(ofSorted sizes: [Double]) -> [Int] {
    var ranks = [Int](repeating: 0, count: sizes.count)
    var start = 0
    while start < sizes.count {
      let end = sizes[start...].firstIndex { $0 != sizes[start] } ?? sizes.count
      // The mean of the ranks start + 1 to end, twice.
      for index in start..<end { ranks[index] = start + 1 + end }
      start = end
    }
    return ranks
  }

  /// Every difference is positive or negative with probability one half, independent of the others.
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
