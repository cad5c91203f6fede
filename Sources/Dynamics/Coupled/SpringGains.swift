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
/// A spring that is alone to pull at its bodies, by their centres, moves exactly as in closed form: half a kick, a move
/// and half a kick are its exact transition, and the kick of a whole sub-step is two such halves. Others pull by their
/// place for half a sub-step, damp, and pull again ("velocity Verlet"), all of them together. Where the sub-steps cannot
/// follow, the kick is implicit, which is stable however stiff the spring and however many pull at a body.
struct SpringGains: BitwiseCopyable {
  enum Kind: BitwiseCopyable { case alone, shared, stiff }

  var kind = Kind.alone
  /// Of the body, or the reduced mass of both.
  var mass = 1.0
  /// Alone: of whole sub-steps, before the first move and after the last. Stiff: of whole sub-steps only.
  var full = SpringKick()
  var early = SpringKick()
  var late = SpringKick()
  /// Shared: of half a sub-step.
  var half = SpringKick()
  /// Seconds.
  var halfStep = 0.0

  init() {}

  /// - Parameters:
  ///   - h: Of a sub-step, seconds.
  ///   - count: Attachments that pull at the same bodies, this one included.
  init(_ joint: DistanceJoint, _ a: Motion, _ b: Motion, step h: Double, count: Int) {
    mass = 1 / (a.inverseMass + b.inverseMass)
    halfStep = h / 2
    if joint.isRigid { return }
    let ω = 2 * .pi * joint.frequency
    // How much more its ends give way across their levers than the centres would.
    let lightness =
      1 + mass * (a.inverseInertia * joint.offsetA.squared + b.inverseInertia * joint.offsetB.squared)
    kind = count == 1 && lightness == 1 ? .alone : .shared
    if !(ω * ω * h * h * Double(count) * lightness <= 1) { kind = .stiff }
    if kind == .alone { solve(joint, ω, h) }
    half = SpringKick(keep: PortableMath.exp(-min(joint.damping * ω * h, 40)), pull: ω * ω * halfStep)
    if kind == .stiff {
      let ω = 2 * .pi * min(joint.frequency, SolverConstants.contactFrequency)
      let keep = 1 / (1 + 2 * joint.damping * ω * h + ω * ω * h * h)
      full = SpringKick(keep: keep, pull: ω * ω * h * keep, lift: 0)
    }
  }

  private mutating func solve(_ joint: DistanceJoint, _ ω: Double, _ h: Double) {
    kind = .stiff
    guard
      let spring = try? SpringParameters(
        frequency: joint.frequency, damping: joint.damping, item: "attachment")
    else { return }
    let m = SpringTransition(spring, duration: h)
    let determinant = m.m00 * m.m11 - m.m01 * m.m10
    early = SpringKick(keep: m.m01 / h, pull: (1 - m.m00) / h)
    late = SpringKick(keep: determinant * h / m.m01, pull: (determinant - m.m11) / m.m01)
    full = SpringKick(keep: early.keep * late.keep, pull: early.keep * late.pull + early.pull)
    early.lift = early.pull / (ω * ω) - early.keep * h / 2
    late.lift = late.pull / (ω * ω) - late.keep * h / 2
    full.lift = full.pull / (ω * ω) - full.keep * h
    if full.keep.isFinite, full.pull.isFinite, late.keep.isFinite, late.pull.isFinite { kind = .alone }
  }

  /// What it does in this part of a sub-step, alone.
  @inline(__always)
  func kick(_ part: Kick, isFree: Bool) -> SpringKick {
    switch part {
    case .first: isFree ? early : full
    case .middle: full
    case .last: isFree ? late : SpringKick()
    }
  }

  /// What damping leaves of the velocity, shared.
  @inline(__always)
  func keep(_ part: Kick, isFree: Bool) -> Double {
    isFree && part != .middle ? half.keep : half.keep * half.keep
  }
}
