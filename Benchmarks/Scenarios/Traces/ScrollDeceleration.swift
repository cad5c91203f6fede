import Dynamics

/// The slowing down of a list after the finger has lifted: UIScrollView's `decelerationRate.normal`.
///
/// Every millisecond leaves 0.998 of the velocity: v(t) = v₀·0.998^(1000 t), t in seconds. The integral
/// from 0 to t is the distance: x(t) = v₀·(0.998^(1000 t) − 1) / (1000·ln 0.998).
public struct ScrollDeceleration: Sendable, Equatable {
  /// Share of the velocity that one millisecond leaves.
  public static let ratePerMillisecond = 0.998
  /// Below this speed a list stops, points/s: the 0.01 points per millisecond of Apple's PastryKit. A fling therefore
  /// ends 5 points short of its asymptote, in the same place at every refresh rate.
  public static let stopSpeed = 10.0

  /// 1000·ln 0.998 ≈ −2.002 per second.
  static let logRatePerSecond = 1_000 * PortableMath.log(ratePerMillisecond)

  /// Velocity at the moment of lifting, points/s; positive: the content offset grows.
  public var initialVelocity: Double

  public init(initialVelocity: Double) { self.initialVelocity = initialVelocity }

  /// Seconds until the list stops; 0 if it is too slow to start.
  public var duration: Double {
    let speed = abs(initialVelocity)
    guard speed > Self.stopSpeed else { return 0 }
    return PortableMath.log(Self.stopSpeed / speed) / Self.logRatePerSecond
  }

  /// Points from lifting to the stop, signed.
  public var distance: Double { displacement(after: duration) }

  /// Points moved after `seconds`, signed, as if the list did not stop at ``stopSpeed``.
  public func displacement(after seconds: Double) -> Double {
    initialVelocity * (PortableMath.exp(Self.logRatePerSecond * seconds) - 1) / Self.logRatePerSecond
  }

  /// Points/s after `seconds`.
  public func velocity(after seconds: Double) -> Double {
    initialVelocity * PortableMath.exp(Self.logRatePerSecond * seconds)
  }

  /// Seconds after which the list has gone `distance` points; nil if it never gets there.
  func time(toReach distance: Double) -> Double? {
    guard abs(distance) < abs(self.distance) else { return nil }
    return PortableMath.log(1 + distance * Self.logRatePerSecond / initialVelocity) / Self.logRatePerSecond
  }
}
