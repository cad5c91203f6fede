import Dynamics

/// An engine that simulates the rows of a springy list, each as a body on a damped spring.
///
/// The loops over steps and frames are inside the peer, so that the cost of protocol calls is not measured.
protocol SpringPeer: AnyObject {
  /// Moves every body to its anchor, without velocity.
  func rest() throws

  /// Moves every body along an axis as a scroll does: by `delta·min(1, r/resistance)`. Here r is |Δx| + |Δy|, the
  /// distance from the touch to the body's anchor. Peers that move only along y ignore shifts along x.
  func shift(by shift: ScrollShift, along axis: Axis)

  func solve(steps: Int, timestep: Double)

  /// Writes the positions of all bodies, as pairs x, y in points.
  func readCenters(into centers: CenterBuffer)

  /// Runs the frames of a scroll. Each frame shifts the bodies along y, makes a step, and reads all centers.
  func scroll(_ shifts: ArraySlice<ScrollShift>, timestep: Double, into centers: CenterBuffer)

  /// The number of steps that all springs together have made so far. Nil if the engine does not count them.
  var evaluationCount: Int? { get }
}

extension SpringPeer {
  var evaluationCount: Int? { nil }

  func scroll(_ shifts: ArraySlice<ScrollShift>, timestep: Double, into centers: CenterBuffer) {
    for shift in shifts {
      self.shift(by: shift, along: .vertical)
      solve(steps: 1, timestep: timestep)
      readCenters(into: centers)
    }
  }
}

/// Memory for the centers of all bodies: `2 × bodies` numbers, x and y in points.
typealias CenterBuffer = UnsafeMutablePointer<Double>
