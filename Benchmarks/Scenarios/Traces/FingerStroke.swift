/// The movement of a finger over the glass: from rest to a release velocity, smoothly.
///
/// Arms move so that the jerk is minimal (Flash and Hogan 1985), which makes the distance a quintic in time. Here it
/// starts at rest and ends with the velocity v of the release and no acceleration: with s = t/T, x = d·(10s³ − 15s⁴ +
/// 6s⁵) + v·T·(−4s³ + 7s⁴ − 3s⁵).
struct FingerStroke: Sendable, Equatable {
  /// Up to this v·T/d the quintic never runs backwards.
  static let steepestRelease = 2.5

  /// Points, signed.
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

  /// Points moved after `seconds`, signed; the whole distance from the end on.
  func displacement(after seconds: Double) -> Double {
    let s = progress(seconds)
    let cubed = s * s * s
    return distance * Self.smooth(s) + releaseVelocity * movingTime * cubed * (-4 + s * (7 - 3 * s))
  }

  /// Share of a movement that starts and ends at rest, 0 to 1, after `seconds`.
  func drift(after seconds: Double) -> Double { Self.smooth(progress(seconds)) }

  private func progress(_ seconds: Double) -> Double { min(max((seconds - delay) / movingTime, 0), 1) }

  private static func smooth(_ s: Double) -> Double { s * s * s * (10 + s * (-15 + 6 * s)) }
}
