import Foundation

/// The analytic motion of an underdamped spring that is released without velocity. It is written as an amplitude and a
/// phase, so it shares no formula with the code that it checks.
struct Oscillation {
  /// Hz.
  var frequency: Double
  /// Damping ratio, less than 1.
  var damping: Double
  /// Points.
  var initialDisplacement: Double

  /// Returns the displacement after this many seconds, in points.
  func displacement(at seconds: Double) -> Double {
    let ω = 2 * Double.pi * frequency
    let ratio = (1 - damping * damping).squareRoot()
    let phase = asin(damping)
    return initialDisplacement / ratio * exp(-damping * ω * seconds) * cos(ω * ratio * seconds - phase)
  }
}
