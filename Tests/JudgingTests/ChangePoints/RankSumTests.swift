import Testing

@testable import Judging

/// Compares `RankSumTest` with scipy's Mann–Whitney test.
@Suite struct RankSumTests {
  /// The p-values come from `scipy.stats.mannwhitneyu(x, y, method="exact")` or, if there are ties, from
  /// `scipy.stats.permutation_test`.
  @Test(arguments: [
    ([1.0, 2, 3, 4], [5.0, 6, 7, 8, 9, 10], 2.0 / 210), ([1.0, 5, 6], [2.0, 3, 4, 7], 1.0),
    ([1.0, 2, 3], [4.0, 5, 6, 7], 2.0 / 35), ([2.0, 2, 2], [1.0, 1, 1], 0.1),
  ]) func fewValuesAreCountedExactly(_ first: [Double], _ second: [Double], _ expected: Double) {
    #expect(abs(RankSumTest.pValue(first[...], second[...]) - expected) < 1e-12)
    #expect(abs(RankSumTest.pValue(second[...], first[...]) - expected) < 1e-12)
  }

  @Test func fourBeyondFortyAreOneInManyThousand() {
    let old = (0..<40).map(Double.init)
    #expect(abs(RankSumTest.pValue(old[...], [50, 51, 52, 53]) - 2.0 / 135_751) < 1e-15)
    #expect(RankSumTest.pValue(old[...], [50, 51, 52, 1e9]) == RankSumTest.pValue(old[...], [50, 51, 52, 53]))
  }

  @Test func equalValuesSayNothing() {
    #expect(RankSumTest.pValue([1, 1, 1], [1, 1]) == 1)
    let same = [Double](repeating: 3, count: 20)
    #expect(RankSumTest.pValue(same[...], same[...]) == 1)
  }

  @Test func manyValuesFollowTheNormalApproximation() {
    let odd = (0..<20).map { Double(2 * $0 + 1) }
    let even = (0..<20).map { Double(2 * $0) + 12 }
    // The expected value comes from scipy 1.16.3: scipy.stats.mannwhitneyu(method="asymptotic").
    let expected = 0.010581211443165648
    let found = RankSumTest.pValue(odd[...], even[...])
    #expect(abs(found - expected) < 1e-9, "\(found)")
  }
}
