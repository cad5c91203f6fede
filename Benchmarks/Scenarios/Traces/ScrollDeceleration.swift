import Dynamics

/// The deceleration of a list after the finger has lifted, like UIScrollView's `decelerationRate.normal`.
///
/// Every millisecond leaves 0.998 of the velocity: v(t) = v₀·0.998^(1000 t), t in seconds. The integral from 0 to t is
/// the distance: x(t) = v₀·(0.998^(1000 t) − 1) / (1000·ln 0.998).
public struct ScrollDeceleration: Sendable, Equatable {
  /// The fraction of the velocity that is left after one millisecond.
  public static let ratePerMillisecond = 0.998
  /// The speed at which a list stops, points/s: the 0.01 points per millisecond of Apple's PastryKit. A fling therefore
  /// ends at the same place for every refresh rate, 5 points short of the place that it would reach in infinite time.
  public static let stopSpeed = 10.0

  /// 1000·ln 0.998 ≈ −2.002 per second.
  static let logRatePerSecond = 1_000 * PortableMath.log(ratePerMillisecond)

  /// The velocity when the finger lifts, points/s. If it is positive, the content offset grows.
  public var initialVelocity: Double

  public init(initialVelocity: Double) { self.initialVelocity = initialVelocity }

  /// Seconds until the list stops. 0 if the initial velocity is not above ``stopSpeed``.
  public var duration: Double {
    let speed = abs(initialVelocity)
    guard speed > Self.stopSpeed else { return 0 }
    return PortableMath.log(Self.stopSpeed / speed) / Self.logRatePerSecond
  }

  /// Points that the list moves after the finger has lifted, until the list stops, with a sign.
  public var distance: Double { displacement(after: duration) }

  /// Points moved after `seconds`, with a sign, for a list that does not stop at ``stopSpeed``.
  public func displacement(after seconds: Double) -> Double {
    initialVelocity * (PortableMath.exp(Self.logRatePerSecond * seconds) - 1) / Self.logRatePerSecond
  }

  /// Returns the velocity after `seconds`, points/s.
  public func velocity(after seconds: Double) -> Double {
    initialVelocity * PortableMath.exp(Self.logRatePerSecond * seconds)
  }

  /// Returns the seconds after which the list has moved by `distance` points. Nil if the list stops before that.
  func time(toReach distance: Double) -> Double? {
    guard abs(distance) < abs(self.distance) else { return nil }
    return PortableMath.log(1 + distance * Self.logRatePerSecond / initialVelocity) / Self.logRatePerSecond
  }
}
