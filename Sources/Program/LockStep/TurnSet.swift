import Foundation
import FrameBench
import Statistics

/// The turns of one set of four processes: two of the baseline, then two of the candidate.
struct TurnSet {
  /// Phases that both builds have, in the baseline's order.
  let phases: [String]
  /// What an empty pair of clock reads measures: one figure for all four, since an error in it must not
  /// make a difference between them.
  let pairCost: Double
  private let framesPerTurn: Int
  /// By process, where each of `phases` stands in its answers.
  private let places: [[Int]]
  /// The whole frame, then each phase.
  private var things: [TurnRounds] = []

  init(readiness: [TurnReadiness], framesPerTurn: Int) {
    let common = readiness[0].phases.filter { name in readiness.allSatisfy { $0.phases.contains(name) } }
    phases = common
    pairCost = readiness.map(\.pairCostNanoseconds).reduce(0, +) / Double(readiness.count)
    self.framesPerTurn = framesPerTurn
    places = readiness.map { process in common.compactMap { process.phases.firstIndex(of: $0) } }
  }

  /// - Parameters:
  ///   - frames: By process and piece, nanoseconds.
  ///   - phases: By process, phase and piece.
  mutating func add(frames: [[Double]], phases answers: [[[TurnAnswer.PhasePiece]]]) {
    if things.isEmpty {
      let none = TurnRounds(
        frameCount: framesPerTurn, pieceCount: frames.map(\.count).min() ?? 0, slack: pairCost)
      things = Array(repeating: none, count: 1 + phases.count)
    }
    things[0].add(frames.map { pieces in zip(pieces, things[0].frameCounts).map { $0 - $1 * pairCost } })
    for phase in phases.indices {
      things[1 + phase].add(
        zip(answers, places).map { answer, places in
          answer[places[phase]].map { $0.nanoseconds - $0.pairCount * pairCost }
        })
    }
  }

  /// The figures of one thing: the whole frame (0) or a phase (1, …).
  func figures(_ thing: Int) -> Figures {
    let rounds = things[thing].means
    // A phase of nothing can come out below zero.
    let logs = rounds.map { $0.map { log(max($0, 0.01)) } }
    func median(_ candidate: Int, _ baseline: Int) -> Double {
      Quantile.median(logs.map { $0[candidate] - $0[baseline] })
    }
    let pairs = [2, 3].flatMap { candidate in [0, 1].map { median(candidate, $0) } }
    let means = (0..<4).map { process in Quantile.median(rounds.map { $0[process] }) }
    return Figures(
      change: pairs.reduce(0, +) / 4, control: median(1, 0), baseline: (means[0] + means[1]) / 2,
      candidate: (means[2] + means[3]) / 2)
  }

  struct Figures {
    /// ln(candidate ÷ baseline): the mean over the four pairs of a process of either build, each the
    /// median over rounds. Neither a turn that was disturbed nor a few of them matter.
    var change: Double
    /// ln(baseline ÷ itself), between its two processes.
    var control: Double
    /// Nanoseconds.
    var baseline: Double
    var candidate: Double
  }
}
