import Dynamics

/// An engine that hangs one body an anchor on a damped spring, and does what a springy list asks of it.
///
/// Loops over steps and frames run inside the peer, so that calling it through a protocol costs nothing that
/// would be measured.
protocol SpringPeer: AnyObject {
  /// Puts every body on its anchor, without velocity.
  func rest() throws

  /// Moves every body along an axis as a scroll does, by `delta·min(1, r/resistance)`, where r is the distance
  /// |Δx| + |Δy| of its anchor from the touch. Peers that move along y only ignore shifts along x.
  func shift(by shift: ScrollShift, along axis: Axis)

  /// Steps this many times.
  func solve(steps: Int, timestep: Double)

  /// Writes where all bodies are, as pairs x, y in points.
  func readCenters(into centers: CenterBuffer)

  /// Frames of a scroll: of each the shift along y, a step, and reading all centres.
  func scroll(_ shifts: ArraySlice<ScrollShift>, timestep: Double, into centers: CenterBuffer)

  /// Springs evaluated so far, as far as the engine counts them.
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
