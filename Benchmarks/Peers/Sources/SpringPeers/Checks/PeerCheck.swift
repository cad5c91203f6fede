/// Checks that a contestant simulates the right motion: a swinging spring, and a scroll.
struct PeerCheck: Equatable {
  var contestant: Contestant
  /// One for each of `dampings`.
  var trajectories: [Trajectory]
  var scroll: ScrollAgreement

  /// The springy list's damping, and one with which a spring swings many times.
  static let dampings = [0.8, 0.1]

  static func measure(_ contestant: Contestant, seed: UInt64) throws -> PeerCheck {
    PeerCheck(
      contestant: contestant, trajectories: try dampings.map { try Trajectory.measure(contestant, damping: $0) },
      scroll: try ScrollAgreement.measure(contestant, seed: seed))
  }

  /// Deviations in sentences; empty if there are none.
  var violations: [String] { trajectories.flatMap { trajectoryViolations($0) } + scrollViolations }

  private func trajectoryViolations(_ trajectory: Trajectory) -> [String] {
    var found: [String] = []
    let limit = contestant.accuracy.trajectoryLimit(damping: trajectory.damping)
    if !(trajectory.largestError <= limit) {
      found.append(
        "\(contestant.name): a spring of damping \(trajectory.damping) strays "
          + "\(Figure.points(trajectory.largestError)) points from its analytic motion; "
          + "the limit is \(Figure.points(limit))")
    }
    if !trajectory.oscillates {
      found.append(
        "\(contestant.name): a spring of damping \(trajectory.damping) went "
          + "\(trajectory.crossingCount) times through its anchor, and should have gone "
          + "\(trajectory.expectedCrossingCount) times")
    }
    return found
  }

  private var scrollViolations: [String] {
    let limit = contestant.accuracy.scrollLimit(largestDisplacement: scroll.largestDisplacement)
    guard !(scroll.largestDifference <= limit) else { return [] }
    return [
      "\(contestant.name): in the scripted scroll a row strays \(Figure.points(scroll.largestDifference)) "
        + "points from the exact one; the limit is \(Figure.points(limit))"
    ]
  }
}

/// A contestant's integration method, which determines the accepted error.
enum Accuracy: Equatable {
  /// Solves a step in closed form: only rounding remains.
  case exact
  /// Chipmunk: the spring's force at the start of a step, its damping by a decay; positions lag by a step.
  case explicitForce
  /// Box2D: soft constraints, implicit and in Float, which damp more than they should.
  case implicitConstraint

  /// The largest accepted error in points, for a spring that is released 100 points from its anchor. A spring that
  /// never moves would be off by more than 100.
  func trajectoryLimit(damping: Double) -> Double {
    switch self {
    case .exact: 1e-9
    case .explicitForce: 8
    case .implicitConstraint: damping < 0.5 ? 20 : 4
    }
  }

  /// The largest accepted error in points, if the scroll displaces rows by at most this many points.
  func scrollLimit(largestDisplacement: Double) -> Double {
    switch self {
    case .exact: 1e-6
    case .explicitForce, .implicitConstraint: largestDisplacement / 4
    }
  }
}
