/// How a spring changes the velocity v of its ends against each other, d being how far it is stretched and g the
/// acceleration by other forces, which has changed v already: `v′ = keep·v − pull·d + lift·g`.
struct SpringKick: BitwiseCopyable {
  var keep = 1.0
  /// 1/seconds.
  var pull = 0.0
  /// Seconds. Makes a spring hang still where its pull holds the weight.
  var lift = 0.0
}

/// The gains of a joint in sub-steps of some length.
///
/// The stiffness of a spring is k = m·ω², m being the mass of the body or the reduced mass of both, and its friction
/// 2ζ·m·ω (as `b2LinearStiffness` of Box2D 2.4), wherever on the bodies its ends are and however these turn.
struct SpringGains: BitwiseCopyable {
  enum Kind: BitwiseCopyable {
    /// Nothing else pulls at the bodies, and this spring pulls only at their centres: its kicks are the transition in
    /// closed form. Half a kick, a move and half a kick are exact; the kick of a whole sub-step is two such halves.
    case alone
    /// All such springs pull by their places for half a sub-step, then all damp, and all pull again ("velocity
    /// Verlet"). Otherwise those that come first would be damped by those that come later.
    case shared
    /// A rod, or a spring that is too stiff for the sub-steps: a soft constraint as in Box2D v3, solved with the
    /// contacts.
    case soft
  }

  /// The kicks of a whole sub-step, before the first move of a free body, and after its last; shared: of damping only.
  var full = SpringKick()
  var early = SpringKick()
  var late = SpringKick()
  /// Shared: of half a sub-step, 1/seconds, and what damping takes of a velocity in a sub-step, to the first order.
  var pull = 0.0
  var damping = 0.0
  /// The mass of the body, or the reduced mass of both.
  var mass = 1.0
  /// Soft: how fast an error is undone, 1/seconds, and how much more the ends give way than if they were held rigidly,
  /// 1/mass.
  var biasRate = 0.0
  var compliance = 0.0
  /// Last, so that what follows in the joint fits behind it.
  var kind = Kind.soft

  init() {}

  /// - Parameters:
  ///   - h: Length of a sub-step, seconds.
  ///   - count: Attachments that pull at the same bodies, this one included.
  init(_ joint: DistanceJoint, _ a: Motion, _ b: Motion, step h: Double, count: Int) {
    mass = 1 / (a.inverseMass + b.inverseMass)
    let ω = 2 * .pi * joint.frequency
    // How much more its ends give way across their levers than the centres would.
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

  /// - Returns: Whether the numbers are small enough.
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

  /// The gains in this part of a frame.
  @inline(__always) func kick(_ part: Kick, isFree: Bool) -> SpringKick {
    switch part {
    case .first: isFree ? early : full
    case .middle: full
    case .last: late
    }
  }
}
