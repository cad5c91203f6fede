import Foundation
import Statistics

/// What the turns of a set's four processes, two of each build, took for one thing: whole frames, or a phase.
///
/// An interrupt, a neighbour on the same core, a cold cache: what disturbs a process for a few microseconds
/// does not disturb the other process of its build, which runs the same frames. So a piece of a turn that
/// takes one of two like processes much longer than the other is left out, for all four. What a build does in
/// some of its frames, it does in both of its processes, and stays. On a machine with five times as many busy
/// processes as cores this made the changes that sets see vary by half as much.
struct TurnRounds {
  /// The part by which the processes of a build may differ in a piece.
  static let mostDifference = 0.05
  /// Below this part of the pieces of a turn, it is more than interrupts that differs, and all count.
  static let leastKept = 0.125

  private let slack: Double
  /// Frames of each piece.
  let frameCounts: [Double]
  /// By round, process and piece: nanoseconds.
  private var rounds: [[[Double]]] = []

  /// - Parameters:
  ///   - frameCount: Of a turn.
  ///   - pieceCount: Of a turn.
  ///   - slack: Nanoseconds by which the times of a piece may differ in any case: what the clock's steps can do.
  init(frameCount: Int, pieceCount: Int, slack: Double) {
    self.slack = slack
    frameCounts = (0..<frameCount).reduce(into: [Double](repeating: 0, count: pieceCount)) { counts, frame in
      counts[frame * pieceCount / frameCount] += 1
    }
  }

  /// - Parameter pieces: By process and piece, nanoseconds, each less what the clock takes.
  mutating func add(_ pieces: [[Double]]) { rounds.append(pieces) }

  /// By round and process, the mean time of an undisturbed frame, nanoseconds.
  var means: [[Double]] {
    zip(rounds, undisturbed).map { round, isKept in
      let frameCount = zip(frameCounts, isKept).reduce(0) { $0 + ($1.1 ? $1.0 : 0) }
      return round.map { pieces in
        zip(pieces, isKept).reduce(0) { $0 + ($1.1 ? $1.0 : 0) } / frameCount
      }
    }
  }

  /// By round, which pieces count.
  private var undisturbed: [[Bool]] {
    let usual = [usualRatio(0, 1), usualRatio(2, 3)]
    return rounds.map { round in
      let isKept = frameCounts.indices.map { piece in
        areAlike(round[0][piece], usual[0] * round[1][piece])
          && areAlike(round[2][piece], usual[1] * round[3][piece])
      }
      let keptCount = isKept.count { $0 }
      return Double(keptCount) < Self.leastKept * Double(isKept.count) || keptCount == 0
        ? isKept.map { _ in true } : isKept
    }
  }

  /// What the processes of a build differ by anyway, for where their memory lies.
  private func usualRatio(_ first: Int, _ second: Int) -> Double {
    let ratios = rounds.flatMap { round in
      zip(round[first], round[second]).map { max($0, 0.01) / max($1, 0.01) }
    }
    return ratios.isEmpty ? 1 : Quantile.type7(sorted: ratios.sorted(), at: 0.5)
  }

  private func areAlike(_ first: Double, _ second: Double) -> Bool {
    abs(first - second) <= Self.mostDifference * min(first, second) + slack
  }
}
