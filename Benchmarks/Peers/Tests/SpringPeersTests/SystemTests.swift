import Dynamics
import Testing

@testable import SpringPeers

@Suite struct SystemTests {
  @Test func box2DDoesWhatTheEngineDoes() throws {
    let agreements = try SystemAgreement.measure()
    #expect(agreements.count == 3)
    for agreement in agreements { #expect(agreement.violation == nil) }
  }

  @Test func anEngineThatStraysOrStandsStillEndsTheRun() {
    var agreement = SystemAgreement(scene: .cradle(1), contestant: .box2D, largestDifference: 10, span: 600)
    #expect(agreement.violation == nil)
    agreement.largestDifference = 121
    #expect(agreement.violation?.contains("strays 121 points") == true)
    #expect(throws: PeersError.self) { try PeersCommand.verify([agreement]) }
    (agreement.largestDifference, agreement.span) = (0, 0)
    #expect(agreement.violation != nil)
    agreement.largestDifference = .nan
    #expect(agreement.violation != nil)
  }

  @Test(arguments: [SystemScene.cradle(12), .drag(9)]) func allThatIsInASceneMoves(_ scene: SystemScene) throws {
    for contestant in SystemContestant.all(scene) {
      let peer = try contestant.make(scene)
      let room = CenterBuffer.allocate(capacity: 2 * scene.count)
      defer { room.deallocate() }
      peer.run(frames: 1, into: room)
      let before = Array(UnsafeBufferPointer(start: room, count: 2 * scene.count))
      peer.run(frames: 10, into: room)
      #expect(peer.awakeCount == scene.count)
      for index in 0..<scene.count {
        let (dx, dy) = (room[2 * index] - before[2 * index], room[2 * index + 1] - before[2 * index + 1])
        #expect(abs(dx) + abs(dy) > 0.1)
      }
    }
  }

  @Test func everyEngineHasATurnInEveryRound() throws {
    let options = SystemRace.Options(scenes: [.cradle(3), .drag(2)], roundCount: 9, seed: 4)
    let heats = try SystemRace(options: options, clockCost: 0).run { _ in }
    #expect(heats.map(\.scene) == options.scenes)
    for heat in heats {
      #expect(Set(heat.costs.keys) == Set(SystemContestant.all(heat.scene)))
      #expect(heat.costs.values.allSatisfy { $0.count == 9 && $0.allSatisfy { $0 > 0 } })
    }
  }
}
