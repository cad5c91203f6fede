import Statistics

/// The times of one thing, whole frames or a phase, in the turns of a set's four processes, two of each build.
/// Interrupts, neighbours on the same core or a cold cache disturb a process for a few microseconds, but not the other
/// process of its build, which runs the same frames. So a piece of a turn that takes one of two like processes much
/// longer than the other is left out, for all four. A build's own slow frames are slow in both of its processes, and
/// stay. On a machine with five times as many busy processes as cores this reduced the variation between sets by half.
package struct TurnRounds {
  /// Largest difference between the processes of a build in a piece, as a fraction.
  static let mostDifference = 0.05
  /// If fewer of a turn's pieces are kept, more than interrupts differs, and all count.
  static let leastKept = 0.125

  private let slack: Double
  /// Frames of each piece.
  package let frameCounts: [Double]
  /// By round, process and piece: nanoseconds.
  private var rounds: [[[Double]]] = []

  /// - Parameter slack: Difference that is always allowed, nanoseconds: the effect of the clock's steps.
  package init(frameCount: Int, pieceCount: Int, slack: Double) {
    self.slack = slack
    frameCounts = (0..<frameCount).reduce(into: [Double](repeating: 0, count: pieceCount)) { counts, frame in
      counts[frame * pieceCount / frameCount] += 1
    }
  }

  /// - Parameter pieces: Times by process and piece, nanoseconds, each less the cost of the clock.
  package mutating func add(_ pieces: [[Double]]) { rounds.append(pieces) }

  /// By round and process, the mean time of an undisturbed frame, nanoseconds.
  package var means: [[Double]] {
    zip(rounds, undisturbed).map { round, isKept in
      let frameCount = zip(frameCounts, isKept).reduce(0) { $0 + ($1.1 ? $1.0 : 0) }
      return round.map { pieces in zip(pieces, isKept).reduce(0) { $0 + ($1.1 ? $1.0 : 0) } / frameCount }
    }
  }

  /// Pieces that count, by round.
  private var undisturbed: [[Bool]] {
    let usual = [usualRatio(0, 1), usualRatio(2, 3)]
    return rounds.map { round in
      let isKept = frameCounts.indices.map { piece in
        areAlike(round[0][piece], usual[0] * round[1][piece]) && areAlike(round[2][piece], usual[1] * round[3][piece])
      }
      let keptCount = isKept.count { $0 }
      return Double(keptCount) < Self.leastKept * Double(isKept.count) || keptCount == 0
        ? isKept.map { _ in true } : isKept
    }
  }

  /// The usual ratio of two processes of a build, due to their places in memory.
  private func usualRatio(_ first: Int, _ second: Int) -> Double {
    let ratios = rounds.flatMap { round in zip(round[first], round[second]).map { max($0, 0.01) / max($1, 0.01) } }
    return ratios.isEmpty ? 1 : Quantile.median(ratios)
  }

  private func areAlike(_ first: Double, _ second: Double) -> Bool {
    abs(first - second) <= Self.mostDifference * min(first, second) + slack
  }
}
