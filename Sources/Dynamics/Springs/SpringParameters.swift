/// The frequency and the damping of a spring, as in `UIAttachmentBehavior`. They do not depend on the mass of the
/// spring's item.
public struct SpringParameters: Hashable, Sendable {
  /// The number of undamped oscillations per second, Hz. A frequency of 0 holds the item rigidly at its anchor.
  public let frequency: Double
  /// The damping ratio. At 0 the spring swings forever, 1 is critical, and above 1 it creeps back.
  public let damping: Double

  /// Creates checked parameters.
  /// - Parameter item: The name of the spring's item in error messages.
  /// - Throws: `DynamicsError.invalidFrequency` or `.invalidDamping`.
  public init(frequency: Double, damping: Double, item: @autoclosure () -> String) throws(DynamicsError) {
    // For a larger frequency, ω² would leave the range of a Double.
    guard frequency >= 0, frequency <= 1e150 else { throw .invalidFrequency(item: item(), frequency: frequency) }
    guard damping.isFinite, damping >= 0 else { throw .invalidDamping(item: item(), damping: damping) }
    self.frequency = frequency
    self.damping = damping
  }

  /// The angular frequency ω = 2πf, rad/s.
  var angularFrequency: Double { 2 * .pi * frequency }

  /// The rate at which the slowest part of a motion fades, 1/s: this part shrinks as e^(−rate·t).
  package var decayRate: Double {
    let ω = angularFrequency
    return damping <= 1 ? damping * ω : ω / (damping + ((damping - 1) * (damping + 1)).squareRoot())
  }
}

/// The exact change of a spring's displacement d and velocity v over a duration of any length: `d′ = m00·d + m01·v`,
/// `v′ = m10·d + m11·v`. It is the solution of d″ = −2ζω·d′ − ω²·d.
struct SpringTransition: Hashable {
  let m00: Double
  /// The factor of v in d′, seconds.
  let m01: Double
  /// The factor of d in v′, 1/seconds.
  let m10: Double
  let m11: Double
  var envelope = Envelope()

  /// How the amplitude of a spring fades in a step. The amplitude is defined so that it is never less than |d|.
  ///
  /// For damping ratios in `followedDamping`, the amplitude is √(d² + ((v + ζω·d)/ω_d)²) with ω_d = ω·√(1 − ζ²), which
  /// fades exactly as e^(−ζω·t). With more damping, this would be far more than |d|. With less, it would hardly fade
  /// between shifts. In these two cases the amplitude is √(d² + (v/ω)²), which is simpler and never grows.
  struct Envelope: Hashable {
    /// The factor by which the step multiplies the amplitude; 1 if it is unknown.
    var decay = 1.0
    /// The amplitude is at most this factor times the sum |d| + |v|/ω.
    var stretch = 1.0
  }

  /// A lower bound on the factor by which the transition multiplies a spring's amplitude √(d² + (v/ω)²).
  ///
  /// The amplitude never grows, so the larger singular value of the matrix for (d, v/ω) is at most 1. The smaller one,
  /// which is the least factor, is therefore at least the determinant. The margin covers rounding errors.
  var leastContraction: Double { max(0, (m00 * m11 - m01 * m10) * (1 - 1e-9) - 1e-12) }
}

extension SpringTransition {
  /// The damping ratios for which an envelope bounds displacements closely, even after many shifts.
  private static let followedDamping = 0.3...0.95

  /// Creates the transition over `duration` seconds.
  init(_ parameters: SpringParameters, duration h: Double) {
    let ω = parameters.angularFrequency
    let ζ = parameters.damping
    guard ω > 0, PortableMath.exp(-parameters.decayRate * h) > 0 else {
      // The spring is rigid, or its motion has faded to 0. The products below would multiply this 0 by an infinity.
      self.init(m00: 0, m01: 0, m10: 0, m11: 0)
      return
    }
    if ζ < 1 {
      let ωDamped = ω * ((1 - ζ) * (1 + ζ)).squareRoot()
      let e = PortableMath.exp(-ζ * ω * h)
      let cosine = PortableMath.cos(ωDamped * h)
      let sine = PortableMath.sin(ωDamped * h) / ωDamped
      self.init(
        m00: e * (cosine + ζ * ω * sine), m01: e * sine, m10: -e * ω * ω * sine, m11: e * (cosine - ζ * ω * sine))
      if Self.followedDamping.contains(ζ) { envelope = Envelope(decay: e, stretch: ω / ωDamped) }
    } else if ζ == 1 {
      let e = PortableMath.exp(-ω * h)
      self.init(m00: e * (1 + ω * h), m01: e * h, m10: -e * ω * ω * h, m11: e * (1 - ω * h))
    } else {
      // Adds exponentials of the two real roots, because these become 0 where cosh and sinh would overflow. The slow
      // root is written as a quotient, which avoids cancellation.
      let s = ((ζ - 1) * (ζ + 1)).squareRoot()
      let slow = -ω / (ζ + s)
      let fast = -ω * (ζ + s)
      let gap = 2 * ω * s
      let a = PortableMath.exp(slow * h)
      let b = PortableMath.exp(fast * h)
      let sine = -a * PortableMath.expm1(-gap * h) / gap
      self.init(m00: a - slow * sine, m01: sine, m10: -ω * ω * sine, m11: b + slow * sine)
    }
  }
}
