import Testing

@testable import SpringPeers

@Suite struct RatioTests {
  @Test func aRatioIsTheMedianOfTheRoundsQuotients() {
    // The ratios are 2, 10, 3, 4, 5. The ratio of the medians would be 30/10 = 3.
    let ratio = Ratio([10, 100, 30, 4, 50], to: [5, 10, 10, 1, 10])
    #expect(ratio.median == 4)
    #expect(ratio.quartiles == 3...5)
  }

  @Test func aMachineThatSlowsDownForARoundDoesNotMoveTheRatio() {
    let ratio = Ratio([2, 2000, 2, 20], to: [1, 1000, 1, 10])
    #expect(ratio == Ratio([2], to: [1]))
  }

  @Test func anEvenNumberOfRoundsIsInterpolated() {
    let ratio = Ratio([1, 2, 3, 4], to: [1, 1, 1, 1])
    #expect(ratio.median == 2.5)
    #expect(ratio.quartiles == 1.75...3.25)
  }

  @Test(arguments: [(1, nil), (7, nil), (8, 0), (11, 0), (12, 1), (41, 11), (101, 37)] as [(Int, Int?)])
  func theIntervalOfTheMedianIsThatOfTheBinomialDistribution(count: Int, outer: Int?) {
    #expect(Ratio.outerCount(of: count) == outer)
    let ratio = Ratio((1...count).map(Double.init), to: Array(repeating: 1, count: count))
    #expect(ratio.interval == outer.map { Double($0 + 1)...Double(count - $0) })
  }

  @Test func manyRoundsHaveANarrowInterval() throws {
    // The normal approximation n/2 − 2.576·√n/2 gives 5,000 − 2.576·50.
    let outer = try #require(Ratio.outerCount(of: 10_000))
    #expect(abs(outer - 4_871) <= 1)
  }

  @Test func theFastestHasTheLowestMedianAndNotTheLowestRound() {
    let heat = Race.Heat(
      size: 10, work: .solve,
      costs: [.chipmunkUsual: [1, 9, 9], .box2DUsual: [5, 6, 7], .bareLoopY: [0.1, 0.1, 0.1]])
    #expect(heat.fastest(of: Contestant.libraries) == .box2DUsual)
    #expect(heat.fastest(of: [.objects]) == nil)
    #expect(heat.cost(of: .chipmunkUsual) == 9)
    #expect(heat.ratio(of: .box2DUsual, to: .bareLoopY)?.median == 60)
    #expect(heat.ratio(of: .objects, to: .bareLoopY) == nil)
  }
}
