/// The change of the relative velocity v of a spring's ends: `v′ = keep·v − pull·d + lift·g`. Here d is how far the
/// spring is stretched, and g is the acceleration by other forces, which has already changed v.
struct SpringKick: BitwiseCopyable {
  var keep = 1.0
  /// The factor for the stretch, 1/seconds.
  var pull = 0.0
  /// The factor for the acceleration, seconds. It keeps a body at rest where the pull balances the weight.
  var lift = 0.0
}

/// The factors with which the solver applies a joint in sub-steps of a certain length.
///
/// The stiffness of a spring is k = m·ω², where m is the mass of the body or the reduced mass of two bodies. Its
/// damping coefficient is 2ζ·m·ω (as in `b2LinearStiffness` of Box2D 2.4). Neither depends on where the ends are or how
/// the bodies turn.
struct SpringGains: BitwiseCopyable {
  enum Kind: BitwiseCopyable {
    /// The only attachment of its bodies, which pulls only at their centers. Its kicks (changes of velocity) come from
    /// the exact solution for a damped spring, so half a kick, a move and half a kick make no error. The kick of a
    /// whole sub-step is two such halves.
    case alone
    /// Any other spring that is soft enough for the sub-steps. All shared springs pull for half a sub-step, then all
    /// damp, and then all pull again ("velocity Verlet"). Otherwise later springs would damp the effect of earlier
    /// ones.
    case shared
    /// A rod, or a spring that is too stiff for the sub-steps. It is a soft constraint as in Box2D v3, solved with the
    /// contacts.
    case soft
  }

  /// The kick (change of velocity) of a whole sub-step, and the half kicks before the first move of a free body and
  /// after its last move. For shared springs, the kicks contain only damping.
  var full = SpringKick()
  var early = SpringKick()
  var late = SpringKick()
  /// For shared springs: the pull of half a sub-step, 1/seconds, and the fraction of a velocity that damping removes in
  /// a sub-step, to first order in the length of the sub-step.
  var pull = 0.0
  var damping = 0.0
  /// The mass of the body, or the reduced mass of the two bodies.
  var mass = 1.0
  /// For soft joints: the rate at which an error is corrected, 1/seconds, and how much more the ends yield to an
  /// impulse than those of a rigid joint, 1/mass.
  var biasRate = 0.0
  var compliance = 0.0
  /// The kind is the last property, so that a joint that stores these gains can place its next properties directly
  /// after it, without padding.
  var kind = Kind.soft

  init() {}

  /// - Parameters:
  ///   - h: The length of a sub-step, seconds.
  ///   - count: The number of attachments on `a`, including this one, plus the other attachments on `b` (0 if `b` never
  ///     moves).
  init(_ joint: DistanceJoint, _ a: Motion, _ b: Motion, step h: Double, count: Int) {
    mass = 1 / (a.inverseMass + b.inverseMass)
    let ω = 2 * .pi * joint.frequency
    // Because of their levers, the ends yield more than the centers would, by this factor.
    let lightness = 1 + mass * (a.inverseInertia * joint.offsetA.squared + b.inverseInertia * joint.offsetB.squared)
    damping = 2 * joint.damping * ω * h
    if !joint.isRigid, count == 1, lightness == 1, ω * h <= 1, solve(joint, ω, h) { return }
    if !joint.isRigid, max(ω * ω * h * h, damping / 2) * Double(count) * lightness <= 1 {
      kind = .shared
      pull = ω * ω * h / 2
      let keep = PortableMath.exp(-damping / 2)
      full = SpringKick(keep: keep * keep, lift: (1 - keep * keep) * h / 2)
      early = SpringKick(keep: keep, lift: (1 - keep) * h / 2)
      late = SpringKick(keep: keep)
    } else {
      let softest = SubStep.contactFrequency(h)
      let softness = Softness(
        frequency: joint.isRigid ? softest : min(joint.frequency, softest),
        damping: joint.isRigid ? SolverConstants.contactDampingRatio : joint.damping, step: h)
      (biasRate, compliance) = (softness.biasRate, softness.compliance / mass)
    }
  }

  /// Computes `early`, `full` and `late` from the exact solution for a damped spring.
  /// - Returns: False if a result is not finite. In that case, `kind` does not change.
  private mutating func solve(_ joint: DistanceJoint, _ ω: Double, _ h: Double) -> Bool {
    guard let spring = try? SpringParameters(frequency: joint.frequency, damping: joint.damping, item: "attachment")
    else { return false }
    let m = SpringTransition(spring, duration: h)
    let determinant = m.m00 * m.m11 - m.m01 * m.m10
    early = SpringKick(keep: m.m01 / h, pull: (1 - m.m00) / h)
    late = SpringKick(keep: determinant * h / m.m01, pull: (determinant - m.m11) / m.m01)
    full = SpringKick(keep: early.keep * late.keep, pull: early.keep * late.pull + early.pull)
    guard full.keep.isFinite, full.pull.isFinite, late.keep.isFinite, late.pull.isFinite else { return false }
    early.lift = early.pull / (ω * ω) - early.keep * h / 2
    late.lift = late.pull / (ω * ω) - late.keep * h / 2
    full.lift = full.pull / (ω * ω) - full.keep * h
    kind = .alone
    return true
  }

  @inline(__always) func kick(_ part: Kick, isFree: Bool) -> SpringKick {
    switch part {
    case .first: isFree ? early : full
    case .middle: full
    case .last: late
    }
  }
}
