import Foundation
import Testing

@testable import Statistics

/// Expected values come from published tables or from scipy 1.17.1: `stats.wilcoxon(x, alternative=a, method="exact")`.
/// If there are ties, the method is `stats.PermutationMethod(n_resamples=numpy.inf)`.
@Suite struct SignedRankTests {
  /// Hollander and Wolfe, "Nonparametric Statistical Methods", table 3.1: the Hamilton depression scale factor of nine
  /// patients at the first visit minus that at the second visit.
  static let depression = [0.952, -0.147, 1.022, 0.43, 0.62, 0.59, 0.49, -0.08, 0.01]

  @Test func thePublishedExampleComesOutAsPublished() {
    let test = SignedRankTest(Self.depression)
    #expect(test.positiveRankSum == 40)
    #expect(test.pValue(.greater) == 0.01953125)
    #expect(test.pValue(.less) == 0.986328125)
    #expect(test.pValue(.twoSided) == 0.0390625)
  }

  @Test func tiesShareTheirRankAndZerosAreLeftOut() {
    let test = SignedRankTest([1, 1, -1, 2, 3, -3, 4, 4, 0, 0, 5.5])
    #expect(test.count == 9)
    #expect(test.positiveRankSum == 37.5)
    #expect(abs(test.pValue(.greater) - 0.04296875) < 1e-15)
    #expect(abs(test.pValue(.less) - 0.97265625) < 1e-15)
    #expect(abs(test.pValue(.twoSided) - 0.0859375) < 1e-15)
  }

  @Test func twentyDrawnValuesComeOutAsInScipy() {
    let test = SignedRankTest(HodgesLehmannTests.drawn)
    #expect(abs(test.pValue(.greater) - 0.5072822570800781) < 1e-14)
    #expect(abs(test.pValue(.less) - 0.5072822570800781) < 1e-14)
    #expect(test.pValue(.twoSided) == 1)
  }

  @Test(arguments: [1, 5, 12, 28]) func theLeastPValueIsOneOfAllSigns(_ count: Int) {
    let test = SignedRankTest((1...count).map(Double.init))
    #expect(abs(test.pValue(.greater) - pow(0.5, Double(count))) < 1e-15)
    #expect(test.pValue(.less) == 1)
  }

  @Test func nothingButZerosSaysNothing() {
    for differences in [[], [0.0, 0, 0]] {
      let test = SignedRankTest(differences)
      #expect(SignedRankTest.Alternative.allCases.map(test.pValue) == [1, 1, 1])
    }
  }

  @Test func everyEnumerationOfSignsIsCountedOnce() {
    // The expected p-value is counted over all 2^8 assignments of signs to the tied ranks.
    let sizes = [1.0, 2, 2, 3, 4, 4, 4, 5]
    let observed = [1.0, 2, -2, 3, -4, 4, 4, 5]
    let target = SignedRankTest(observed).positiveRankSum
    var reached = 0
    for bits in 0..<256 {
      let signed = sizes.enumerated().map { bits >> $0.offset & 1 == 1 ? $0.element : -$0.element }
      if SignedRankTest(signed).positiveRankSum >= target { reached += 1 }
    }
    #expect(abs(SignedRankTest(observed).pValue(.greater) - Double(reached) / 256) < 1e-15)
  }

  @Test func theSignsTurnedRoundTurnTheTestRound() {
    let turned = SignedRankTest(Self.depression.map { -$0 })
    #expect(turned.pValue(.less) == SignedRankTest(Self.depression).pValue(.greater))
  }
}

@Suite struct HodgesLehmannTests {
  /// Values from `numpy.round(numpy.random.default_rng(7).normal(.3, 1, 20), 2)`.
  static let drawn = [
    0.3, 0.6, 0.03, -0.59, -0.15, -0.69, 0.36, 1.64, -0.19, -0.32, 0.79, 0.66, 0.41, -0.63, 0.27, 1.0, -1.04, -0.16,
    -1.6, -0.99,
  ]

  /// R's documentation of `wilcox.test` contains this example: 0.46, with an interval of 0.010 to 0.786.
  @Test func thePublishedExampleComesOutAsPublished() throws {
    let center = try #require(HodgesLehmann(SignedRankTests.depression))
    #expect(abs(center.estimate - 0.46) < 1e-12)
    let interval = try #require(center.interval(confidence: 0.95))
    #expect(abs(interval.lowerBound - 0.01) < 1e-12)
    #expect(abs(interval.upperBound - 0.786) < 1e-12)
  }

  /// The expected values come from numpy's pair means (Walsh averages) and scipy's exact distribution.
  @Test func twentyDrawnValuesComeOutAsInNumpy() throws {
    let center = try #require(HodgesLehmann(Self.drawn))
    #expect(abs(center.estimate + 0.0025) < 1e-12)
    let interval = try #require(center.interval(confidence: 0.98))
    #expect(abs(interval.lowerBound + 0.47) < 1e-12)
    #expect(abs(interval.upperBound - 0.435) < 1e-12)
  }

  @Test func tooFewValuesHaveNoInterval() throws {
    #expect(HodgesLehmann([]) == nil)
    let six = try #require(HodgesLehmann([1, 2, 3, 4, 5, 6]))
    // The smallest two-sided p-value for six values is 2/64 = 3.1%.
    #expect(six.interval(confidence: 0.98) == nil)
    #expect(six.interval(confidence: 0.95) == 1...6)
  }

  @Test func aWildValueMovesItLittle() throws {
    let tame = try #require(HodgesLehmann([1, 2, 3, 4, 5, 6, 7, 8, 9]))
    let wild = try #require(HodgesLehmann([1, 2, 3, 4, 5, 6, 7, 8, 9_000]))
    #expect(tame.estimate == 5)
    #expect(wild.estimate <= 5.5)
  }

  @Test func theIntervalHoldsWhatTheTestDoesNotReject() throws {
    let interval = try #require(HodgesLehmann(Self.drawn)?.interval(confidence: 0.9))
    func pValue(shiftedBy shift: Double) -> Double { SignedRankTest(Self.drawn.map { $0 - shift }).pValue(.twoSided) }
    #expect(pValue(shiftedBy: interval.lowerBound - 1e-6) <= 0.1)
    #expect(pValue(shiftedBy: interval.lowerBound + 1e-6) > 0.1)
    #expect(pValue(shiftedBy: interval.upperBound + 1e-6) <= 0.1)
    #expect(pValue(shiftedBy: interval.upperBound - 1e-6) > 0.1)
  }
}

@Suite struct HolmTests {
  @Test func theSmallestIsCorrectedMost() {
    // Computed by hand: 4·0.005, 3·0.01 and 2·0.03. 1·0.04 is raised to the previous result, 0.06.
    let adjusted = Holm.adjusted([0.01, 0.04, 0.03, 0.005])
    for (found, expected) in zip(adjusted, [0.03, 0.06, 0.06, 0.02]) { #expect(abs(found - expected) < 1e-15) }
  }

  @Test func noneExceedsOneAndTheOrderStays() {
    #expect(Holm.adjusted([0.9, 0.6, 1]) == [1, 1, 1])
    #expect(Holm.adjusted([]) == [])
    #expect(Holm.adjusted([0.02]) == [0.02])
  }
}
