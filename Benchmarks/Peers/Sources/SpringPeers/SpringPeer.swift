import Dynamics

/// An engine that hangs one body per anchor on a damped spring, with the operations of a springy list.
///
/// Loops over steps and frames run inside the peer, so that the cost of calling it through a protocol is
/// not measured.
protocol SpringPeer: AnyObject {
  /// Puts every body on its anchor, without velocity.
  func rest() throws

  /// Moves every body along an axis as a scroll does, by `delta·min(1, r/resistance)`, where r is the distance
  /// |Δx| + |Δy| of its anchor from the touch. Peers that move along y only ignore shifts along x.
  func shift(by shift: ScrollShift, along axis: Axis)

  /// Makes this many steps.
  func solve(steps: Int, timestep: Double)

  /// Writes the positions of all bodies, as pairs x, y in points.
  func readCenters(into centers: CenterBuffer)

  /// Runs frames of a scroll: the shift along y, a step, and reading all centres.
  func scroll(_ shifts: ArraySlice<ScrollShift>, timestep: Double, into centers: CenterBuffer)

  /// Springs evaluated so far; nil if the engine does not count them.
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

/// Room for the centres of all bodies: x and y in points, `2 × bodies` of them.
typealias CenterBuffer = UnsafeMutablePointer<Double>
