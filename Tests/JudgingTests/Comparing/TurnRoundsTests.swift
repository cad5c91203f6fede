import Statistics
import Testing

@testable import Judging

/// Times of frames, with what disturbs them left out.
@Suite struct TurnRoundsTests {
  /// Rounds of 16 pieces of ten frames, 1,000 ns a frame, times what the build takes in that piece.
  private static func rounds(
    candidate: (_ piece: Int) -> Double = { _ in 1 },
    disturbedBy disturb: (_ round: Int, _ pieces: inout [[Double]]) -> Void = { _, _ in }
  ) -> TurnRounds {
    var rounds = TurnRounds(frameCount: 160, pieceCount: 16, slack: 20)
    for round in 0..<9 {
      var pieces = (0..<4).map { process in (0..<16).map { 10_000 * (process < 2 ? 1 : candidate($0)) } }
      disturb(round, &pieces)
      rounds.add(pieces)
    }
    return rounds
  }

  @Test func anUndisturbedFrameIsTheMeanOfAll() {
    #expect(Self.rounds().means == Array(repeating: [1_000, 1_000, 1_000, 1_000], count: 9))
  }

  @Test func anInterruptOfOneProcessDoesNotCount() {
    let rounds = Self.rounds(disturbedBy: { round, pieces in pieces[round % 4][round] += 3_000 })
    #expect(rounds.means == Array(repeating: [1_000, 1_000, 1_000, 1_000], count: 9))
  }

  @Test func whatABuildDoesInSomeFramesStays() {
    // A quarter of the frames takes 40% longer, in both processes of the candidate.
    let means = Self.rounds(candidate: { $0 % 4 == 0 ? 1.4 : 1 }).means
    #expect(means.allSatisfy { $0 == [1_000, 1_000, 1_100, 1_100] })
  }

  @Test func processesThatDifferThroughoutAreComparedAllTheSame() {
    // One lies badly in memory: always a fifth slower. An interrupt stands out nevertheless.
    let rounds = Self.rounds(disturbedBy: { _, pieces in
      pieces[1] = pieces[1].map { $0 * 1.2 }
      pieces[0][3] += 50_000
    })
    #expect(rounds.means.count == 9)
    for means in rounds.means {
      #expect(abs(means[0] - 1_000) < 1e-9)
      #expect(abs(means[1] - 1_200) < 1e-9)
    }
  }

  @Test func whereHardlyAPieceIsQuietAllCount() {
    let rounds = Self.rounds(disturbedBy: { _, pieces in
      for piece in 1..<16 { pieces[0][piece] *= piece % 2 == 0 ? 2 : 0.5 }
    })
    // Of sixteen, seven take twice as long, eight half as long.
    let mean: Double = 1_000 * 19 / 16
    #expect(rounds.means.allSatisfy { abs($0[0] - mean) < 1e-9 })
  }

  @Test func stepsOfTheClockAreNoDisturbance() {
    var rounds = TurnRounds(frameCount: 4, pieceCount: 4, slack: 20)
    rounds.add([[40, 50, 40, 50], [50, 40, 50, 40], [40, 40, 40, 40], [50, 40, 60, 40]])
    #expect(rounds.means == [[45, 45, 40, 47.5]])
  }

  @Test func piecesOfUnequalNumbersOfFramesWeighByThem() {
    // Five frames in two pieces: three and two.
    var rounds = TurnRounds(frameCount: 5, pieceCount: 2, slack: 0)
    let pieces = [[300.0, 100.0], [300, 100], [300, 100], [300, 100]]
    rounds.add(pieces)
    #expect(rounds.means == [[80, 80, 80, 80]])
  }
}
