import Dynamics
import Testing

@testable import SpringPeers

@Suite struct RaceTests {
  private func options(_ sizes: [Int], rounds: Int, _ contestants: [Contestant]) -> Race.Options {
    Race.Options(sizes: sizes, roundCount: rounds, turnNanoseconds: 1, seed: 5, contestants: contestants)
  }

  @Test func everyContestantHasATurnInEveryRoundOfEverySizeAndWork() throws {
    var told: [String] = []
    let heats = try Race(options([3, 17], rounds: 4, Contestant.allCases)).run { told.append($0) }
    #expect(told == ["3 springs", "17 springs"])
    #expect(heats.map(\.size) == [3, 3, 17, 17])
    #expect(heats.map(\.work) == [.solve, .frame, .solve, .frame])
    for heat in heats {
      #expect(Set(heat.costs.keys) == Set(Contestant.allCases))
      #expect(heat.costs.values.allSatisfy { $0.count == 4 && $0.allSatisfy { $0 > 0 && $0.isFinite } })
    }
  }

  @Test(arguments: Contestant.allCases) func everythingMovesAndIsEvaluatedWhateverNumberOfStepsIsAskedFor(
    _ contestant: Contestant
  ) throws {
    let runner = try Runner(contestant, SpringList(count: 40), seed: 1, clockCost: 0)
    for steps in [1, 7, Runner.period, 3 * Runner.period + 1] {
      _ = try runner.run(.solve, steps: steps)
      #expect(runner.moves)
    }
    _ = try runner.run(.frame, steps: 2 * Runner.period)
    #expect(runner.moves)
    #expect(runner.skippedCount ?? 0 == 0)
  }

  /// Returns the rows' centers after a fixed number of steps.
  private func centers(_ contestant: Contestant, count: Int) throws -> [Double] {
    let list = SpringList(count: count)
    let peer = try contestant.make(list)
    try peer.rest()
    peer.shift(by: list.shiftOfAll(by: 100), along: .vertical)
    peer.shift(by: list.shiftOfAll(by: 70), along: .horizontal)
    peer.solve(steps: 25, timestep: list.timestep)
    var centers = [Double](repeating: .nan, count: 2 * count)
    centers.withUnsafeMutableBufferPointer { buffer in
      if let start = buffer.baseAddress { peer.readCenters(into: start) }
    }
    return centers
  }

  @Test(arguments: [1, 7, 8, 100, 1_025]) func theEngineAndTheBareLoopDoTheSame(count: Int) throws {
    for (engine, loop) in [
      (Contestant.engineRangeY, Contestant.bareLoopY), (.engineRangeXY, .bareLoopXY), (.engineItems, .bareLoopXY),
      (.objects, .bareLoopXY),
    ] {
      let (found, expected) = (try centers(engine, count: count), try centers(loop, count: count))
      #expect(zip(found, expected).allSatisfy { abs($0 - $1) < 1e-9 })
      #expect(found[1] != SpringList(count: count).anchor(0).y)
    }
  }

  @Test(arguments: Contestant.libraries) func aLibraryMovesBothAxes(_ library: Contestant) throws {
    let (found, expected) = (try centers(library, count: 9), try centers(.bareLoopXY, count: 9))
    #expect(zip(found, expected).allSatisfy { abs($0 - $1) < 12 })
    let anchor = SpringList(count: 9).anchor(4)
    #expect(abs(found[8] - anchor.x) > 5 && abs(found[9] - anchor.y) > 5)
  }

  @Test func aFrameShiftsStepsAndReads() throws {
    let list = SpringList(count: 12)
    let shift = ScrollShift(delta: 40, touch: Point(x: 0, y: 0), resistance: SpringList.scrollResistance)
    for contestant in Contestant.allCases where contestant.oscillates {
      let peer = try contestant.make(list)
      let room = CenterBuffer.allocate(capacity: 24)
      defer { room.deallocate() }
      try peer.rest()
      peer.scroll([shift][...], timestep: list.timestep, into: room)
      for row in 0..<12 {
        let moved = room[2 * row + 1] - list.anchor(row).y
        let wanted = shift.distance(of: list.anchor(row))
        #expect(moved > 0.9 * wanted && moved <= 1.001 * wanted, "\(contestant) \(row)")
      }
    }
  }

  @Test func theScrollIsTheSeedsAndMovesRows() {
    let list = SpringList(count: 100)
    let scroll = list.scriptedScroll(seed: 3, frameCount: 120)
    #expect(scroll.count == 120 && scroll.contains { $0.delta != 0 })
    #expect(scroll.map(\.delta) == list.scriptedScroll(seed: 3, frameCount: 120).map(\.delta))
    #expect(scroll.map(\.delta) != list.scriptedScroll(seed: 4, frameCount: 120).map(\.delta))
  }
}
