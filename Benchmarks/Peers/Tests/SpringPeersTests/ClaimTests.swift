import ArgumentParser
import Testing

@testable import SpringPeers

@Suite struct ClaimTests {
  /// Returns measurements in which a contestant's cost is the same in each of nine rounds.
  private func heat(_ costs: [Contestant: Double], size: Int = 10_000, _ work: Work = .solve) -> Race.Heat {
    Race.Heat(size: size, work: work, costs: costs.mapValues { Array(repeating: $0, count: 9) })
  }

  private func system(_ scene: SystemScene, _ costs: [SystemContestant: Double]) -> SystemRace.Heat {
    SystemRace.Heat(scene: scene, costs: costs.mapValues { Array(repeating: $0, count: 9) }, awake: [:])
  }

  private func claim(_ key: String, _ heats: [Race.Heat], _ systems: [SystemRace.Heat] = []) throws -> Claim {
    try #require(Claim.all(heats, [], systems).first { $0.key == key })
  }

  private let costs: [Contestant: Double] = [
    .bareLoopY: 1, .engineRangeY: 1.0625, .bareLoopXY: 2, .engineRangeXY: 2.125, .chipmunkFewest: 600,
    .chipmunkUsual: 2000, .box2DFewest: 1800, .box2DUsual: 2176,
  ]

  @Test func theLoopIsComparedAlongAsManyAxesAndBothHaveToHold() throws {
    let claim = try claim("bareLoop", [heat(costs)])
    #expect(claim.parts.map(\.ratio.median) == [1.0625, 1.0625])
    #expect(claim.limit == .atMost(1.1) && claim.verdict == .held)
    for (contestant, cost) in [(Contestant.engineRangeY, 1.11), (.engineRangeXY, 2.22)] {
      var slow = costs
      slow[contestant] = cost
      #expect(try self.claim("bareLoop", [heat(slow)]).verdict == .missed)
    }
  }

  @Test func theFastestLibraryIsFoundAndNamed() throws {
    var claim = try claim("fastestLibrary", [heat(costs)])
    #expect(claim.name.contains(Contestant.chipmunkFewest.name))
    #expect(claim.parts[1].ratio.median == 600 / 2.125 && claim.verdict == .held)
    claim = try self.claim("box2D", [heat(costs)])
    #expect(claim.name.contains(Contestant.box2DUsual.name))
    #expect(claim.parts[1].ratio.median == 1024 && claim.verdict == .held)
    var fast = costs
    fast[.box2DFewest] = 500
    claim = try self.claim("fastestLibrary", [heat(fast)])
    #expect(claim.name.contains(Contestant.box2DFewest.name) && claim.verdict == .heldAlongOneAxis)
    fast[.box2DFewest] = 200
    #expect(try self.claim("fastestLibrary", [heat(fast)]).verdict == .missed)
  }

  @Test(arguments: [(1.19, Claim.Verdict.held), (1.21, .accepted), (1.36, .missed)])
  func aFrameOfItemsIsComparedWithThatOfObjects(cost: Double, verdict: Claim.Verdict) throws {
    let claim = try claim("itemsFrame", [heat([.engineItems: cost, .objects: 1], .frame)])
    #expect(claim.limit == .atMost(1.2) && claim.verdict == verdict)
  }

  @Test func aSystemIsComparedWithBothOfBox2DsScales() throws {
    let cradle = system(.cradle(1_000), [.engine: 100, .box2D: 201, .box2DFine: 210])
    #expect(try claim("cradle1000", [], [cradle]).limit == .atLeast(2))
    #expect(try claim("cradle1000", [], [cradle]).verdict == .held)
    for scale in SystemContestant.others {
      for (cost, verdict) in [(199.0, Claim.Verdict.accepted), (159, .missed)] {
        var slow = cradle
        slow.costs[scale] = Array(repeating: cost, count: 9)
        #expect(try claim("cradle1000", [], [slow]).verdict == verdict)
      }
    }
    let small = system(.cradle(10), [.engine: 100, .box2D: 100, .box2DFine: 99])
    #expect(try claim("cradle10", [], [small]).limit == .atLeast(1))
    #expect(try claim("cradle10", [], [small]).verdict == .missed)
    let drag = try claim("drag100", [], [system(.drag(100), [.engine: 100, .box2D: 101])])
    #expect(drag.verdict == .held && drag.parts.map(\.key) == ["box2D"])
  }

  @Test func nothingIsClaimedForOtherSizes() {
    #expect(Claim.all([]).isEmpty)
    #expect(Claim.all([heat(costs, size: 1_000), heat(costs, size: 100, .frame)]).isEmpty)
    #expect(Claim.all([heat(costs)]).map(\.key) == ["bareLoop", "fastestLibrary", "box2D"])
  }

  private func frames(_ costs: [Double]) -> Race.Heat {
    Race.Heat(
      size: 10_000, work: .frame, costs: [.engineItems: costs, .objects: Array(repeating: 1, count: costs.count)])
  }

  @Test func aLimitWithinTheIntervalIsNotMissed() throws {
    let unsure = try claim("itemsFrame", [frames([1.1, 1.3, 1.3, 1.3, 1.3, 1.3, 1.3, 1.3, 1.3])])
    #expect(unsure.verdict == .inconclusive && PeersCommand.missed([unsure]).isEmpty)
    let tooFew = try claim("itemsFrame", [frames([9, 9, 9])])
    #expect(tooFew.verdict == .inconclusive)
    let missed = try claim("itemsFrame", [frames([2.1, 2.2, 2.2, 2.2, 2.2, 2.2, 2.2, 2.2, 9])])
    #expect(missed.verdict == .missed)
  }

  @Test func aMissThatIsAcceptedIsNoFurtherThanAccepted() throws {
    for (cost, verdict) in [(1.7, Claim.Verdict.accepted), (2, .missed)] {
      var claim = try claim("itemsFrame", [frames(Array(repeating: cost, count: 9))])
      claim.acceptance = Claim.Acceptance(limit: .atMost(1.9), reason: "It is known.")
      #expect(claim.verdict == verdict && PeersCommand.missed([claim]).isEmpty == (verdict == .accepted))
    }
  }

  @Test func aMissedClaimIsNamedWithItsFiguresAndEndsWithStatusThree() throws {
    let missed = try claim("itemsFrame", [frames(Array(repeating: 2.5, count: 9))])
    let held = try claim("bareLoop", [heat(costs)])
    #expect(
      PeersCommand.missed([held, missed]) == [
        "peers: missed: A frame of this engine, items ÷ of object a behaviour: x and y 2.50 [2.50–2.50]; "
          + "the limit is ≤ 1.20"
      ])
    #expect(PeersCommand.exitCode(for: PeersCommand.overBudget).rawValue == 3)
  }

  @Test func aClaimIsMissedOnlyIfItIsMissedTwice() throws {
    let slow = try claim("itemsFrame", [frames(Array(repeating: 2.5, count: 9))])
    let fast = try claim("itemsFrame", [frames(Array(repeating: 1.1, count: 9))])
    let other = try claim("bareLoop", [heat(costs)])
    var confirmed = Claim.confirmed([other, slow], by: [slow])
    #expect(confirmed.map(\.verdict) == [.held, .missed] && confirmed.map { $0.firstParts != nil } == [false, true])
    confirmed = Claim.confirmed([other, slow], by: [fast])
    #expect(confirmed[1].verdict == .held && confirmed[1].firstParts == slow.parts)
    // A claim that held at first is not measured again and stays the same.
    #expect(Claim.confirmed([fast], by: [slow]) == [fast])
    #expect(Claim.confirmed([slow], by: []) == [slow])
  }
}
