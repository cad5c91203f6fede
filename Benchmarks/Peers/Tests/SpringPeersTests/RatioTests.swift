import Testing

@testable import SpringPeers

@Suite struct RatioTests {
  @Test func aRatioIsTheMedianOfTheRoundsQuotients() {
    // The quotients are 2, 10, 3, 4, 5; that of the medians would be 30/5 = 6.
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

@Suite struct ClaimTests {
  /// Measurements of 10,000 springs where each contestant costs the same in every round.
  private func heat(_ costs: [Contestant: Double], size: Int = 10_000, _ work: Work = .solve) -> Race.Heat {
    Race.Heat(size: size, work: work, costs: costs.mapValues { [$0, $0, $0] })
  }

  private let costs: [Contestant: Double] = [
    .bareLoopY: 1, .engineRangeY: 1.125, .bareLoopXY: 2, .engineRangeXY: 2.25,
    .chipmunkFewest: 600, .chipmunkUsual: 2000, .box2DFewest: 1800, .box2DUsual: 2304,
  ]

  @Test func theLoopIsComparedAlongAsManyAxes() throws {
    let claim = try #require(Claim.all([heat(costs)]).first)
    #expect(claim.oneAxis.median == 1.125 && claim.twoAxes.median == 1.125)
    #expect(claim.limit == .atMost(1.15) && claim.verdict == .held)
    var slow = costs
    slow[.engineRangeXY] = 2.4
    #expect(Claim.all([heat(slow)]).first?.verdict == .heldAlongOneAxis)
    slow[.engineRangeY] = 1.16
    #expect(Claim.all([heat(slow)]).first?.verdict == .missed)
  }

  @Test func theFastestLibraryIsFoundAndNamed() throws {
    let claims = Claim.all([heat(costs)])
    try #require(claims.count == 3)
    #expect(claims[1].name.contains(Contestant.chipmunkFewest.name))
    #expect(claims[1].twoAxes.median == 600 / 2.25 && claims[1].verdict == .held)
    #expect(claims[2].name.hasPrefix(Contestant.box2DUsual.name))
    #expect(claims[2].twoAxes.median == 1024 && claims[2].verdict == .held)
    var fast = costs
    fast[.box2DFewest] = 500
    #expect(Claim.all([heat(fast)])[1].name.contains(Contestant.box2DFewest.name))
    #expect(Claim.all([heat(fast)])[1].verdict == .heldAlongOneAxis)
  }

  @Test func nothingIsClaimedForOtherSizesOrFrames() {
    #expect(Claim.all([]).isEmpty)
    #expect(Claim.all([heat(costs, size: 1_000), heat(costs, .frame)]).isEmpty)
  }
}
