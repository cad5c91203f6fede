import Testing

@testable import FrameBench
@testable import Program

/// What the answers of a set's four processes amount to.
@Suite struct TurnSetTests {
  private static func readiness(_ phases: [String]) -> TurnReadiness {
    TurnReadiness(phases: phases, frameNanoseconds: 1_000, pairCostNanoseconds: 10)
  }

  private static func pieces(_ nanoseconds: Double...) -> [TurnAnswer.PhasePiece] {
    nanoseconds.map { TurnAnswer.PhasePiece(nanoseconds: $0, pairCount: 1) }
  }

  /// Two frames a turn, each a piece. The second phase is the one that both builds have.
  @Test func phasesAreFoundByNameAndTheClockIsTakenOff() throws {
    let baseline = Self.readiness(["shift", "solve"])
    let candidate = Self.readiness(["solve"])
    var set = TurnSet(readiness: [baseline, baseline, candidate, candidate], framesPerTurn: 2)
    #expect(set.phases == ["solve"])
    let old = [Self.pieces(25, 25), Self.pieces(410, 410)]
    let new = [Self.pieces(810, 810)]
    for _ in 0..<3 {
      set.add(frames: [[510, 510], [510, 510], [1_010, 1_010], [1_010, 1_010]], phases: [old, old, new, new])
    }
    let (frame, solve) = (set.figures(0), set.figures(1))
    #expect(abs(frame.baseline - 500) < 1e-9 && abs(frame.candidate - 1_000) < 1e-9)
    #expect(abs(solve.baseline - 400) < 1e-9 && abs(solve.candidate - 800) < 1e-9)
    #expect(abs(frame.change - 0.693147) < 1e-6 && abs(solve.change - 0.693147) < 1e-6)
    #expect(solve.control == 0)
  }

  /// A phase that a process meets for the first time after it said it was ready stands behind the others.
  @Test func aPhaseThatComesLateDoesNotMoveTheOthers() {
    let one = Self.readiness(["solve"])
    var set = TurnSet(readiness: [one, one, one, one], framesPerTurn: 1)
    set.add(
      frames: Array(repeating: [110], count: 4),
      phases: Array(repeating: [Self.pieces(60), Self.pieces(999)], count: 4))
    #expect(set.figures(1).baseline == 50)
  }

  /// On a busy machine a process may say that it is ready before it has met a phase that is rare.
  @Test func onlyPhasesThatEverySetKnowsAreCompared() throws {
    func set(_ phases: [String], _ nanoseconds: [Double]) -> TurnSet {
      let one = Self.readiness(phases)
      var set = TurnSet(readiness: [one, one, one, one], framesPerTurn: 1)
      let answer = nanoseconds.map { Self.pieces($0 + 10) }
      set.add(frames: Array(repeating: [110], count: 4), phases: Array(repeating: answer, count: 4))
      return set
    }
    var times = LockStepTimes()
    times.add(set(["rare", "solve"], [7, 50]), order: nil)
    times.add(set(["solve"], [50]), order: nil)
    times.add(set(["solve", "rare"], [50, 7]), order: nil)
    #expect(times.things == [nil, "solve"])
    #expect(times.times(of: "solve").baseline == [50, 50, 50])
  }
}
