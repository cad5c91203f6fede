/// A touch on the screen, in points of the viewport.
public struct ScrollTouch: Sendable, Hashable {
  public var x: Double
  public var y: Double

  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  var isFinite: Bool { x.isFinite && y.isFinite }
}

/// A gesture of a finger, or a movement or rest of the list without a finger.
///
/// A finger gesture after a fling catches the list, which stops at once.
public enum ScrollGesture: Sendable, Hashable {
  /// The finger touches the screen at `from`, moves, and lifts.
  ///
  /// The offset changes by `distance` points in `duration` seconds, and the touch moves by the same distance in the
  /// opposite direction. If `distance` is positive, the offset grows and the finger moves up. The touch also moves by
  /// `sideways` points in x. The velocity changes smoothly from 0 at the start to `releaseVelocity`, points/s, at the
  /// end. If `releaseVelocity` is nil, the velocity of the following fling is used, or 0 if no fling follows. If a
  /// movement that takes the whole `duration` would be too slow to end with that velocity, the finger rests first and
  /// then moves for a shorter time.
  case drag(distance: Double, duration: Double, from: ScrollTouch, sideways: Double = 0, releaseVelocity: Double? = nil)
  /// The finger touches the screen for `duration` seconds and does not move.
  case hold(duration: Double, at: ScrollTouch)
  /// The list runs on with `velocity`, points/s, and slows down until it stops, or until the next finger gesture
  /// catches it after `caughtAfter` seconds.
  case fling(velocity: Double, caughtAfter: Double? = nil)
  /// Nothing moves for `duration` seconds.
  case pause(duration: Double)
}

extension ScrollGesture {
  var isOfFinger: Bool {
    switch self {
    case .drag, .hold: true
    case .fling, .pause: false
    }
  }

  /// - Parameter next: The gesture that follows, nil at the end.
  func checkPreconditions(next: ScrollGesture?) {
    switch self {
    case .drag(let distance, let duration, let from, let sideways, let release):
      precondition(distance.isFinite && sideways.isFinite, "a drag by (\(sideways), \(distance)) points")
      Self.checkDuration(duration)
      precondition(from.isFinite, "a touch at (\(from.x), \(from.y))")
      guard let release else { return }
      precondition(release.isFinite, "a release velocity of \(release) points/s")
      guard release != 0 else { return }
      guard case .fling = next else {
        preconditionFailure("a drag released at \(release) points/s without a fling after it")
      }
    case .hold(let duration, let touch):
      Self.checkDuration(duration)
      precondition(touch.isFinite, "a touch at (\(touch.x), \(touch.y))")
    case .fling(let velocity, let caughtAfter):
      precondition(velocity.isFinite, "a fling at \(velocity) points/s")
      guard let caughtAfter else { return }
      Self.checkDuration(caughtAfter)
      precondition(next?.isOfFinger ?? true, "a fling is caught after \(caughtAfter) s, but by no finger")
    case .pause(let duration): Self.checkDuration(duration)
    }
  }

  private static func checkDuration(_ seconds: Double) {
    precondition(seconds.isFinite && seconds > 0, "a gesture of \(seconds) s")
  }
}
