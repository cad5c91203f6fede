import Testing

@testable import SpringPeers

@Suite struct ListTests {
  @Test(arguments: [ListScene.naive(1_000), .tiled(1_000)], [2013, 7] as [UInt64])
  func theLoopInCShowsWhatTheEngineShowsInEveryFrame(_ scene: ListScene, seed: UInt64) throws {
    try ListRace.check(scene, seed: seed)
  }

  @Test func theFramesScrollAndTheLastIsWhereTheFirstWas() throws {
    let frames = ListScene.naive(1_000).frames(seed: 3)
    #expect(frames.first == frames.last && frames.allSatisfy { $0.phase != .idle })
    let offsets = frames.map(\.contentOffset)
    #expect((offsets.max() ?? 0) - (offsets.min() ?? 0) > 500)
  }

  @Test func bothHaveATurnInEveryRound() throws {
    let options = ListRace.Options(scenes: [.naive(300), .tiled(300)], roundCount: 9, seed: 4)
    let heats = try ListRace(options: options, clockCost: 0).run { _ in }
    #expect(heats.map(\.scene) == options.scenes)
    for heat in heats {
      #expect(Set(heat.costs.keys) == Set(ListContestant.allCases))
      #expect(heat.costs.values.allSatisfy { $0.count == 9 && $0.allSatisfy { $0 > 0 } })
    }
  }

  @Test(arguments: [
    (ListScene.naive(10_000), 1.14, Claim.Verdict.held), (.naive(100_000), 1.16, .missed),
    (.tiled(10_000), 1.49, .held), (.tiled(10_000), 2.9, .accepted), (.tiled(10_000), 3.1, .missed),
  ]) func aFrameIsComparedWithThatOfTheLoop(_ scene: ListScene, cost: Double, verdict: Claim.Verdict) throws {
    let heat = ListRace.Heat(
      scene: scene, costs: [.engine: Array(repeating: cost, count: 9), .bareLoop: Array(repeating: 1, count: 9)])
    let claim = try #require(Claim.all([], [heat]).first)
    #expect(claim.key == scene.key && claim.verdict == verdict)
  }
}
