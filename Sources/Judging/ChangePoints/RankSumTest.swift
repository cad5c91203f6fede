import Glibc
import Statistics

/// The two-sided rank-sum test (Mann–Whitney test): do the values of two samples come from one distribution? An outlier
/// weighs no more than any other value. The test is exact, ties included, if the smaller sample has up to eight values.
/// Otherwise it uses the normal approximation with a correction for ties and continuity. Source: H. B. Mann and D. R.
/// Whitney, "On a Test of Whether one of Two Random Variables is Stochastically Larger than the Other", Annals of
/// Mathematical Statistics 18 (1947).
enum RankSumTest {
  private static let largestExactCount = 8

  /// Returns the probability that the ranks differ at least this much if all values come from one distribution.
  static func pValue(_ first: ArraySlice<Double>, _ second: ArraySlice<Double>) -> Double {
    precondition(!first.isEmpty && !second.isEmpty, "a rank-sum test of no values")
    let values = (first.map { ($0, true) } + second.map { ($0, false) }).sorted { $0.0 < $1.0 }
    let doubledRanks = SignedRankTest.doubledRanks(ofSorted: values.map(\.0))
    let smallerIsFirst = first.count <= second.count
    let sum = zip(values, doubledRanks).reduce(0) { $0 + ($1.0.1 == smallerIsFirst ? $1.1 : 0) }
    let count = min(first.count, second.count)
    return count <= largestExactCount
      ? exact(doubledRanks, sum: sum, of: count) : normal(doubledRanks, sum: sum, of: count)
  }

  /// Returns the exact p-value, from the number of ways to draw `count` ranks whose sum is at least as far from the
  /// mean as `sum`.
  private static func exact(_ doubledRanks: [Int], sum: Int, of count: Int) -> Double {
    let total = doubledRanks.count
    let mean = count * (total + 1)
    // If the sum is high, all ranks are mirrored at their mean, because counting smaller sums takes less work.
    let isHigh = sum > mean
    let ranks = isHigh ? doubledRanks.map { 2 * (total + 1) - $0 } : doubledRanks
    let limit = isHigh ? 2 * mean - sum : sum
    let width = limit + 1
    var ways = [Double](repeating: 0, count: (count + 1) * width)
    ways[0] = 1
    for rank in ranks where rank <= limit {
      for drawn in stride(from: count, to: 0, by: -1) {
        let (to, from) = (drawn * width, (drawn - 1) * width - rank)
        for reached in stride(from: limit, through: rank, by: -1) { ways[to + reached] += ways[from + reached] }
      }
    }
    let all = (0..<count).reduce(1.0) { $0 * Double(total - $1) / Double($1 + 1) }
    return min(1, 2 * ways[(count * width)...].reduce(0, +) / all)
  }

  private static func normal(_ doubledRanks: [Int], sum: Int, of count: Int) -> Double {
    let total = doubledRanks.count
    let (n, m, all) = (Double(count), Double(total - count), Double(total))
    let ties = Dictionary(doubledRanks.map { ($0, 1.0) }, uniquingKeysWith: +).values
    let variance = n * m / 12 * (all + 1 - ties.reduce(0) { $0 + ($1 * $1 * $1 - $1) } / (all * (all - 1)))
    guard variance > 0 else { return 1 }
    let distance = abs(Double(sum - count * (total + 1))) / 2
    return erfc(max(0, distance - 0.5) / variance.squareRoot() / 2.0.squareRoot())
  }
}
