/// Checks that a contestant (an engine or a loop) simulates the right motion of a swinging spring and of a scroll.
struct PeerCheck: Equatable {
  var contestant: Contestant
  /// One trajectory of a swinging spring for each of `dampings`.
  var trajectories: [Trajectory]
  var scroll: ScrollAgreement

  /// 0.8 is the damping ratio of the springy list. At 0.1, a spring swings many times.
  static let dampings = [0.8, 0.1]

  static func measure(_ contestant: Contestant, seed: UInt64) throws -> PeerCheck {
    PeerCheck(
      contestant: contestant, trajectories: try dampings.map { try Trajectory.measure(contestant, damping: $0) },
      scroll: try ScrollAgreement.measure(contestant, seed: seed))
  }

  /// One sentence for each motion that deviates too much.
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

/// A contestant's method of integration, which determines how large an error is accepted.
enum Accuracy: Equatable {
  /// Solves a step in closed form, so the only error is rounding.
  case exact
  /// Chipmunk applies the spring's force at the start of a step, so its positions lag one step behind.
  case explicitForce
  /// Box2D solves springs as implicit soft constraints with Float. This damps the motion too much.
  case implicitConstraint

  /// Returns the largest accepted error in points, for a spring that is released 100 points from its anchor. A spring
  /// that never moved would have an error of more than 100, far beyond each of these limits.
  func trajectoryLimit(damping: Double) -> Double {
    switch self {
    case .exact: 1e-9
    case .explicitForce: 8
    case .implicitConstraint: damping < 0.5 ? 20 : 4
    }
  }

  /// Returns the largest accepted error in points, for a scroll that displaces rows by up to this many points.
  func scrollLimit(largestDisplacement: Double) -> Double {
    switch self {
    case .exact: 1e-6
    case .explicitForce, .implicitConstraint: largestDisplacement / 4
    }
  }
}
