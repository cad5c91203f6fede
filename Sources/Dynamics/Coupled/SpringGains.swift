/// How a spring changes the velocity v of its ends against each other, d being how far it is stretched and g the
/// acceleration by other forces, which has changed v already: `v′ = keep·v − pull·d + lift·g`.
struct SpringKick: BitwiseCopyable {
  var keep = 1.0
  /// 1/seconds.
  var pull = 0.0
  /// Seconds. Makes a spring hang still where its pull holds the weight.
  var lift = 0.0
}

/// What a spring does in sub-steps of some length.
///
/// Its stiffness is k = m·ω², m being the mass of the body or the reduced mass of both, and its friction
/// 2ζ·m·ω (as `b2LinearStiffness` of Box2D 2.4), wherever on the bodies its ends are and however these turn.
///
/// Where the sub-steps can follow, a spring alone moves exactly as in closed form: half a kick, a move and half
/// a kick are its exact transition, and the kick of a whole sub-step is two such halves. Where they cannot, the kick
/// is implicit, which is stable however stiff the spring and however many pull at a body.
struct SpringGains: BitwiseCopyable {
  /// Of whole sub-steps, before the first move and after the last.
  var full = SpringKick()
  var early = SpringKick()
  var late = SpringKick()
  /// Of the body, or the reduced mass of both.
  var mass = 1.0
  /// Whether the sub-steps cannot follow; it has no halves then.
  var isStiff = false

  init() {}

  /// - Parameters:
  ///   - h: Of a sub-step, seconds.
  ///   - count: Attachments that pull at the same bodies, this one included.
  init(_ joint: DistanceJoint, _ a: Motion, _ b: Motion, step h: Double, count: Int) {
    mass = 1 / (a.inverseMass + b.inverseMass)
    let ω = 2 * .pi * joint.frequency
    // How much more its ends give way across their levers than the centres would.
    let lightness =
      1 + mass * (a.inverseInertia * joint.offsetA.squared + b.inverseInertia * joint.offsetB.squared)
    isStiff = !(ω * ω * h * h * Double(count) * lightness <= 1)
    if !isStiff,
      let spring = try? SpringParameters(
        frequency: joint.frequency, damping: joint.damping, item: "attachment")
    {
      let m = SpringTransition(spring, duration: h)
      let determinant = m.m00 * m.m11 - m.m01 * m.m10
      early = SpringKick(keep: m.m01 / h, pull: (1 - m.m00) / h)
      late = SpringKick(keep: determinant * h / m.m01, pull: (determinant - m.m11) / m.m01)
      full = SpringKick(
        keep: early.keep * late.keep, pull: early.keep * late.pull + early.pull)
      early.lift = early.pull / (ω * ω) - early.keep * h / 2
      late.lift = late.pull / (ω * ω) - late.keep * h / 2
      full.lift = full.pull / (ω * ω) - full.keep * h
      isStiff = !(full.keep.isFinite && full.pull.isFinite && late.keep.isFinite && late.pull.isFinite)
    }
    if isStiff {
      let ω = 2 * .pi * min(joint.frequency, SolverConstants.contactFrequency)
      let keep = 1 / (1 + 2 * joint.damping * ω * h + ω * ω * h * h)
      full = SpringKick(keep: keep, pull: ω * ω * h * keep, lift: 0)
      (early, late) = (full, SpringKick())
    }
  }
}
