import Testing

@testable import Statistics

/// The same values as `np.array([((i*7919)%1201)**2/1000 for i in range(1200)])` in numpy.
let scatteredValues = (0..<1_200).map { index -> Double in
  let residue = Double(index * 7_919 % 1_201)
  return residue * residue / 1_000
}

func isClose(_ value: Double, _ expected: Double, relative: Double = 1e-12) -> Bool {
  abs(value - expected) <= relative * max(1, abs(expected))
}

@Suite struct QuantileTests {
  // The expected values come from numpy 2.4.6: np.quantile([15, 20, 35, 40, 50], q)
  @Test(arguments: [(0, 15), (0.05, 16), (0.4, 29), (0.5, 35), (0.9, 46), (0.99, 49.6), (1, 50)])
  func quantilesOfFiveValuesAgreeWithNumpy(_ probability: Double, _ expected: Double) {
    #expect(isClose(Quantile.type7(sorted: [15, 20, 35, 40, 50], at: probability), expected))
  }

  @Test(arguments: [0, 0.3, 0.5, 0.99, 1]) func everyQuantileOfOneValueIsThatValue(_ probability: Double) {
    #expect(Quantile.type7(sorted: [42], at: probability) == 42)
  }

  // The expected values come from numpy: np.quantile([3, 7], q)
  @Test(arguments: [(0, 3), (0.25, 4), (0.5, 5), (0.9, 6.6), (0.99, 6.96), (1, 7)]) func twoValuesAreJoinedByALine(
    _ probability: Double, _ expected: Double
  ) { #expect(isClose(Quantile.type7(sorted: [3, 7], at: probability), expected)) }

  // The expected values come from numpy: np.quantile([1, 2, 2, 2, 9], q)
  @Test(arguments: [(0.25, 2), (0.5, 2), (0.75, 2), (0.9, 6.2), (0.99, 8.72)]) func tiesAreValuesLikeAnyOther(
    _ probability: Double, _ expected: Double
  ) { #expect(isClose(Quantile.type7(sorted: [1, 2, 2, 2, 9], at: probability), expected)) }
}

@Suite struct SummaryTests {
  @Test func summaryOfTwelveHundredValuesAgreesWithNumpy() throws {
    let summary = try #require(Summary(scatteredValues))
    #expect(summary.count == 1_200)
    // The expected values come from numpy: np.quantile(values, [0, .5, .9, .99, 1]) and values.mean()
    #expect(summary.min == 0)
    #expect(isClose(summary.p50, 360.6005))
    #expect(isClose(summary.p90, 1_166.6161000000004))
    #expect(isClose(summary.p99, 1_411.36777))
    #expect(summary.max == 1_440)
    #expect(isClose(summary.mean, 480.4017133333333))
  }

  @Test func summaryDoesNotDependOnTheOrderOfTheValues() {
    #expect(Summary(scatteredValues) == Summary(scatteredValues.reversed()))
  }

  @Test func summaryOfOneValueIsThatValueThroughout() throws {
    let summary = try #require(Summary([7.5]))
    #expect(summary.count == 1)
    #expect([summary.min, summary.p50, summary.p90, summary.p99, summary.max, summary.mean].allSatisfy { $0 == 7.5 })
  }

  @Test func summaryOfNothingIsAbsent() { #expect(Summary([Double]()) == nil) }
}
