import FrameBench
import Testing

@testable import SpringBenchCLI

/// What the answers of a set's four processes amount to.
@Suite struct TurnSetTests {
  private static func readiness(_ phases: [String]) -> TurnReadiness {
    TurnReadiness(phases: phases, frameNanoseconds: 1_000, pairCostNanoseconds: 10)
  }

  /// Two frames a turn. The second phase is the one that both builds have.
  @Test(arguments: [true, false])
  func phasesAreFoundByNameAndTheClockIsTakenOff(_ arePieces: Bool) throws {
    let baseline = Self.readiness(["shift", "solve"])
    let candidate = Self.readiness(["solve"])
    var set = TurnSet(readiness: [baseline, baseline, candidate, candidate], framesPerTurn: 2)
    #expect(set.phases == ["solve"])
    for _ in 0..<3 {
      set.add(
        frames: [1_020, 1_020, 2_020, 2_020].map { arePieces ? [$0, $0 / 2, $0 / 2] : [$0] },
        phases: [
          [50, 2, 820, 2] + (arePieces ? [25, 1, 25, 1, 410, 1, 410, 1] : []),
          [50, 2, 820, 2] + (arePieces ? [25, 1, 25, 1, 410, 1, 410, 1] : []),
          [1_620, 2] + (arePieces ? [810, 1, 810, 1] : []),
          [1_620, 2] + (arePieces ? [810, 1, 810, 1] : []),
        ])
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
      frames: Array(repeating: [110, 110], count: 4),
      phases: Array(repeating: [60, 1, 999, 1, 60, 1, 999, 1], count: 4))
    #expect(set.figures(1).baseline == 50)
  }
}
