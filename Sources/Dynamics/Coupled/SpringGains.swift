/// How a spring changes the velocity v of its ends against each other in half a sub-step, d being how far it
/// is stretched and g the acceleration by other forces: `v′ = keep·v − pull·d + lift·g`.
struct HalfKick: BitwiseCopyable {
  let keep: Double
  /// 1/seconds.
  let pull: Double
  /// Seconds.
  let lift: Double

  static let none = HalfKick(keep: 1, pull: 0, lift: 0)
}

/// What a spring does to its ends in sub-steps of some length.
///
/// Its stiffness is k = m·ω², m being the mass of the body or the reduced mass of both, and its friction
/// 2ζ·m·ω (as `b2LinearStiffness` of Box2D 2.4), wherever on the bodies its ends are and however these turn:
/// a stiffness that changed as they turn would do work.
///
/// A spring that is the only one to pull at its bodies, by their centres, is solved exactly. Others are split:
/// first all of them damp the motion, implicitly, and then all pull, or those that come first would be damped
/// by those that come later, and pull less. They pull by their place alone (velocity Verlet), unless they are
/// so stiff that this could shake the bodies.
struct SpringGains: BitwiseCopyable {
  /// Seconds.
  var halfStep = 0.0
  var mass = 0.0
  /// Mass/seconds².
  var stiffness = 0.0
  /// Whether its energy is booked; see `EnergyAccount`. More damping takes more than errors can give, and a
  /// stiff spring always loses energy.
  var isBooked = false
  /// Whether it keeps all of its energy.
  var isLossless = false

  /// Of a spring that is not split, before and after the bodies move.
  var early = HalfKick.none
  var late = HalfKick.none

  var isSplit = false
  /// Whether it damps the motion; a stiff one always does.
  var damps = false
  var isStiff = false
  /// Split: how much more its ends give way to its damping than to something rigid, 1/mass.
  var give = 0.0
  /// Split: impulse by stretch; where it is stiff, velocity by stretch.
  var pull = 0.0
  /// Stiff: stretch by acceleration at which it hangs still, seconds².
  var sag = 0.0
  /// Stiff: impulse by acceleration with which it does, mass·seconds.
  var hold = 0.0

  static let none = SpringGains()

  /// - Parameters:
  ///   - h: Seconds.
  ///   - count: Attachments that pull at the same bodies, this one included.
  init(_ attachment: Attachment, _ a: Motion, _ b: Motion, step h: Double, count: Int) {
    let ω = 2 * .pi * attachment.frequency
    let ωh = ω * h
    let ζ = attachment.damping
    mass = 1 / (a.inverseMass + b.inverseMass)
    stiffness = mass * ω * ω
    halfStep = h / 2
    // How much more its ends give way across their levers than the centres would.
    let lightness =
      1 + mass
      * (a.inverseInertia * attachment.offsetA.squared
        + (attachment.b == RigidBodies.ground ? 0 : b.inverseInertia * attachment.offsetB.squared))
    isSplit = count > 1 || lightness > 1
    isStiff = !(ωh * ωh * Double(count) * lightness <= (isSplit ? 1 : 0.25))
    isBooked = ζ < 0.3 && !isStiff
    isLossless = ζ == 0 && !isStiff
    if !isSplit {
      solve(attachment, h)
    } else if !isStiff {
      damps = ζ > 0
      give = 1 / (mass * ζ * ωh)
      pull = stiffness * halfStep
    } else {
      damps = true
      let n = Double(count)
      give = 1 / (mass * ωh * (ζ + n * ωh / 2))
      pull = ω / (2 * ζ + n * ωh)
      sag = 1 / (n * ω * ω)
      hold = mass * halfStep / n
    }
  }

  private init() {}

  /// Half a kick, a move by h and another half make a sub-step. The gains are such that it maps (d, v) as
  /// the exact solution (d′, v′) = M·(d, v) of a spring alone does: the velocity between is (d′ − d)/h,
  /// which gives the first half, and v′ as a function of it and d′ gives the second. An implicit kick takes
  /// its place where the spring is stiff, which is stable whatever it is.
  private mutating func solve(_ attachment: Attachment, _ h: Double) {
    let ω = 2 * .pi * attachment.frequency
    let spring = try? SpringParameters(
      frequency: attachment.frequency, damping: attachment.damping, item: "attachment")
    if !isStiff, let spring {
      let m = SpringTransition(spring, duration: h)
      let determinant = m.m00 * m.m11 - m.m01 * m.m10
      early = Self.kick(keep: m.m01 / h, pull: (1 - m.m00) / h, ω, h)
      late = Self.kick(keep: determinant * h / m.m01, pull: (determinant - m.m11) / m.m01, ω, h)
    } else {
      let keep = 1 / (1 + attachment.damping * ω * h + ω * ω * h * h / 2)
      early = Self.kick(keep: keep, pull: ω * ω * h / 2 * keep, ω, h)
      late = early
    }
  }

  /// The lift makes a spring hang still where its pull holds the weight.
  private static func kick(keep: Double, pull: Double, _ ω: Double, _ h: Double) -> HalfKick {
    guard keep.isFinite, pull.isFinite else { return HalfKick(keep: 0, pull: 0, lift: 0) }
    return HalfKick(keep: keep, pull: pull, lift: pull / (ω * ω) - h / 2)
  }
}
