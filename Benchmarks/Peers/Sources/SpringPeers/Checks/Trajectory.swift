import Dynamics

/// Compares the motion of a contestant's released spring with the analytic motion.
struct Trajectory: Equatable {
  /// Damping ratio.
  var damping: Double
  /// The largest distance from the analytic motion in any step, points.
  var largestError: Double
  /// How often the contestant's spring passes through its anchor.
  var crossingCount: Int
  var expectedCrossingCount: Int

  /// The distance from the anchor at which the spring is released, points.
  static let initialDisplacement = 100.0
  static let stepCount = 180
  /// Swings smaller than this many points do not count.
  private static let visible = 0.5

  init(damping: Double, displacements: [Double], expected: [Double]) {
    precondition(displacements.count == expected.count, "\(displacements.count) of \(expected.count) steps")
    self.damping = damping
    largestError = 0
    for (displacement, wanted) in zip(displacements, expected) { largestError.raise(to: abs(displacement - wanted)) }
    crossingCount = Self.crossings(displacements)
    expectedCrossingCount = Self.crossings(expected)
  }

  /// Whether the spring passes through its anchor the right number of times. The last swing may be missing, because a
  /// solver with too much damping can lose it.
  var oscillates: Bool {
    expectedCrossingCount - crossingCount <= (expectedCrossingCount > 2 ? 1 : 0)
      && crossingCount - expectedCrossingCount <= 1
  }

  static func crossings(_ displacements: [Double]) -> Int {
    var side = 0.0
    var count = 0
    for displacement in displacements where abs(displacement) > visible {
      let newSide = displacement < 0 ? -1.0 : 1.0
      if side != 0, newSide != side { count += 1 }
      side = newSide
    }
    return count
  }
}

extension Trajectory {
  /// Releases the first row of a contestant's list, and follows it for three seconds at 60 Hz.
  static func measure(_ contestant: Contestant, damping: Double) throws -> Trajectory {
    let list = SpringList(count: 3, damping: damping)
    let peer = try contestant.make(list)
    try peer.rest()
    peer.shift(by: list.shiftOfAll(by: initialDisplacement), along: .vertical)
    let centers = CenterBuffer.allocate(capacity: 2 * list.count)
    defer { centers.deallocate() }
    let analytic = Oscillation(frequency: list.frequency, damping: damping, initialDisplacement: initialDisplacement)
    var (displacements, expected) = ([initialDisplacement], [initialDisplacement])
    for step in 1...stepCount {
      peer.solve(steps: 1, timestep: list.timestep)
      peer.readCenters(into: centers)
      displacements.append(centers[1] - list.anchor(0).y)
      expected.append(analytic.displacement(at: Double(step) * list.timestep))
    }
    return Trajectory(damping: damping, displacements: displacements, expected: expected)
  }
}
