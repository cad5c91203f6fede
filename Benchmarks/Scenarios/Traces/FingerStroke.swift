/// The movement of a finger over the glass: from rest to a release velocity, smoothly.
///
/// People move their arms with minimal jerk (Flash and Hogan 1985), which makes the distance a quintic in time. This
/// stroke starts at rest and ends with the release velocity v and no acceleration. With its distance d, its moving time
/// T and s = t/T: x = d·(10s³ − 15s⁴ + 6s⁵) + v·T·(−4s³ + 7s⁴ − 3s⁵).
struct FingerStroke: Sendable, Equatable {
  /// The largest v·T/d (with v, T and d as above) for which the finger never moves backwards.
  static let steepestRelease = 2.5

  /// The distance of the whole stroke in points, with a sign.
  private let distance: Double
  /// Points/s, with the sign of the distance.
  private let releaseVelocity: Double
  /// Seconds that the finger rests before it moves.
  private let delay: Double
  /// Seconds of movement.
  private let movingTime: Double

  init(distance: Double, duration: Double, releaseVelocity: Double) {
    precondition(
      releaseVelocity == 0 || releaseVelocity * distance > 0,
      "a drag by \(distance) points cannot end with \(releaseVelocity) points/s")
    self.distance = distance
    self.releaseVelocity = releaseVelocity
    movingTime =
      releaseVelocity * duration / distance > Self.steepestRelease
      ? Self.steepestRelease * distance / releaseVelocity : duration
    delay = duration - movingTime
  }

  /// Points moved after `seconds`, with a sign. After the end of the stroke, the result is the whole distance.
  func displacement(after seconds: Double) -> Double {
    let s = progress(seconds)
    let cubed = s * s * s
    return distance * Self.smooth(s) + releaseVelocity * movingTime * cubed * (-4 + s * (7 - 3 * s))
  }

  /// Returns the fraction of a movement that is complete after `seconds`, if the movement starts and ends at rest.
  func drift(after seconds: Double) -> Double { Self.smooth(progress(seconds)) }

  private func progress(_ seconds: Double) -> Double { min(max((seconds - delay) / movingTime, 0), 1) }

  private static func smooth(_ s: Double) -> Double { s * s * s * (10 + s * (-15 + 6 * s)) }
}
