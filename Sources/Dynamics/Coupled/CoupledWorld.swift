/// Rigid bodies, the joints between them, and where they touch. It does not know what they represent.
///
/// The step is the "soft step" of Box2D v3: the frame is cut into sub-steps, each of which goes over every constraint
/// once to move and once to relax. Sub-steps converge better than iterations do (Macklin et al., "Small Steps in
/// Physics Simulation", 2019).
struct CoupledWorld: ~Copyable {
  var bodies = RigidBodies()
  var broadPhase = BroadPhase()
  /// In the order of the slots of their bodies.
  var contacts = Buffer<Contact>()
  var newContacts = Buffer<Contact>()
  /// The contacts to be solved in this frame.
  var discs = Buffer<DiscConstraint>()
  var points = Buffer<PointConstraint>()
  /// Indices of the discs that press against each other.
  var pressedDiscs = Buffer<Int32>()
  var joints = Buffer<DistanceJoint>()
  /// The joints to be solved in this frame: springs from centres to anchors that are alone to pull at their bodies, those
  /// that are not, and the indices of other springs and of rods.
  var anchoredSprings = Buffer<AnchoredSpring>()
  var sharedSprings = Buffer<AnchoredSpring>()
  var springs = Buffer<Int32>()
  var rods = Buffer<Int32>()
  var forces = Buffer<Force>()
  /// By slot: whether something holds the body in this frame, a contact or a joint that is rigid.
  var isHeld = Buffer<Bool>()
  /// By slot: the sweep in which the body was last hit in this frame.
  private var lastHits = Buffer<Int32>()
  /// Seconds that the gains of springs are for; 0 when they must be recomputed.
  var gainsStep = 0.0
  /// Seconds that the impulses of the last sub-step are for.
  var lastStep = 1.0
  private var islands = Islands()

  init() {}

  var isResting: Bool {
    for slot in 0..<bodies.count where bodies.isAwake(Int32(slot)) { return false }
    return true
  }

  /// Pairs that touched, or were about to, in the last step.
  var constraintCount: Int { discs.count + points.count }

  // Not private: the compiler (6.3.1) breaks on private types in the buffers of a struct that cannot be copied.
  /// What acts on a body, whatever it touches.
  struct Force: BitwiseCopyable {
    let slot: Int32
    /// Whether nothing holds the body, so that its frame begins and ends with half a kick: the velocities are those
    /// of the same moment as the places then, and free flight is exact ("leapfrog").
    let isFree: Bool
    /// Of a sub-step, points per second.
    let dx: Double
    let dy: Double
    /// What a sub-step leaves of the velocity before forces change it.
    let damping: Double
    /// 1/seconds.
    let resistance: Double
    let angularResistance: Double
  }
}

// MARK: - The step

extension CoupledWorld {
  /// Advances all that moves by this many seconds.
  /// - Returns: Whether all are at rest now.
  mutating func step(by timestep: Double, subStepCount: Int) -> Bool {
    guard timestep > 0 else { return isResting }
    bodies.collectAwake()
    guard bodies.awake.count > 0 else { return true }
    let step = SubStep(timestep / Double(subStepCount))
    findContacts(timestep)
    isHeld.fill(bodies.count, with: false)
    prepareContacts(timestep, step.duration)
    prepareJoints(step.duration)
    prepareForces(step.duration)
    applyRestitution(within: timestep + step.duration)
    for index in 0..<subStepCount {
      let kick = index == 0 ? Kick.first : .middle
      integrateVelocities(kick, step.duration)
      pullSprings(kick)
      warmStart()
      solve(step, usesBias: true)
      bodies.integratePositions(step.duration)
      relax(step)
    }
    integrateVelocities(.last, step.duration)
    pullSprings(.last)
    storeImpulses()
    lastStep = step.duration
    bodies.finish(timestep)
    return letSleep()
  }

  private func integrateVelocities(_ kick: Kick, _ step: Double) {
    for index in 0..<forces.count {
      let force = forces.base + index
      let share: Double
      switch kick {
      case .first: share = force.pointee.isFree ? 0.5 : 1
      case .middle: share = 1
      case .last:
        if !force.pointee.isFree { continue }
        share = 0.5
      }
      let motion = bodies.motions.base + Int(force.pointee.slot)
      let damping = kick == .last ? 1 : force.pointee.damping
      motion.pointee.vx = damping * motion.pointee.vx + share * force.pointee.dx
      motion.pointee.vy = damping * motion.pointee.vy + share * force.pointee.dy
      if force.pointee.resistance > 0 {
        let kept = 1 / (1 + force.pointee.resistance * share * step)
        motion.pointee.vx *= kept
        motion.pointee.vy *= kept
      }
      if force.pointee.angularResistance > 0 {
        motion.pointee.spin /= 1 + force.pointee.angularResistance * share * step
      }
    }
  }

  private func pullSprings(_ kick: Kick) {
    let motions = bodies.motions.base
    for index in 0..<anchoredSprings.count { (anchoredSprings.base + index).apply(.both, motions, kick) }
    guard sharedSprings.count > 0 || springs.count > 0 else { return }
    pullShared(.damp, kick)
    pullShared(.pull, kick)
  }

  private func pullShared(_ pass: SpringPass, _ kick: Kick) {
    let motions = bodies.motions.base
    for index in 0..<sharedSprings.count { (sharedSprings.base + index).apply(pass, motions, kick) }
    for index in 0..<springs.count { (joints.base + Int(springs[index])).apply(pass, bodies, kick) }
  }

  private func warmStart() {
    let motions = bodies.motions.base
    for index in 0..<rods.count { (joints.base + Int(rods[index])).warmStart(bodies) }
    for index in 0..<discs.count { (discs.base + index).warmStart(motions) }
    for index in 0..<points.count { (points.base + index).warmStart(motions) }
  }

  /// Takes back the velocity with which overlaps were undone, and what is left to do, where bodies press against each
  /// other.
  private mutating func relax(_ step: SubStep) {
    solve(step, usesBias: false)
    let motions = bodies.motions.base
    pressedDiscs.removeAll()
    for index in 0..<discs.count where discs.base[index].normalImpulse > 0 {
      pressedDiscs.append(Int32(index))
    }
    for _ in 1..<SolverConstants.relaxIterations {
      solveRods(.rigid)
      for index in 0..<pressedDiscs.count {
        (discs.base + Int(pressedDiscs[index])).solve(motions, step, usesBias: false)
      }
      for index in 0..<points.count { (points.base + index).solve(motions, step, usesBias: false) }
    }
  }

  private func solveRods(_ softness: Softness) {
    for index in 0..<rods.count { (joints.base + Int(rods[index])).solve(bodies, softness) }
  }

  private func solve(_ step: SubStep, usesBias: Bool) {
    let motions = bodies.motions.base
    solveRods(usesBias ? step.softness : .rigid)
    for index in 0..<discs.count { (discs.base + index).solve(motions, step, usesBias: usesBias) }
    for index in 0..<points.count { (points.base + index).solve(motions, step, usesBias: usesBias) }
  }

  /// Returns the blows of this frame, and of the sub-step after it, which the last one must not stop: one pair after
  /// the other, as they happen in a row of balls, forth and back through the contacts until nobody hits anybody.
  private mutating func applyRestitution(within seconds: Double) {
    let motions = bodies.motions.base
    lastHits.fill(bodies.count, with: 0)
    for number in 1..<SolverConstants.restitutionIterations + 1 {
      let sweep = Int32(number)
      var hit = false
      for index in 0..<discs.count {
        let disc = discs.base + (number.isMultiple(of: 2) ? discs.count - 1 - index : index)
        let (a, b) = (disc.pointee.a, disc.pointee.b)
        guard isDue(a, b, sweep), disc.bounce(motions, seconds) else { continue }
        (lastHits[a], lastHits[b], hit) = (sweep, sweep, true)
      }
      for index in 0..<points.count {
        let point = points.base + (number.isMultiple(of: 2) ? points.count - 1 - index : index)
        let (a, b) = (point.pointee.a, point.pointee.b)
        guard isDue(a, b, sweep), point.bounce(motions, seconds) else { continue }
        (lastHits[a], lastHits[b], hit) = (sweep, sweep, true)
      }
      guard hit else { return }
    }
  }

  /// Whether anything has changed since the sweep before found that these do not meet.
  @inline(__always)
  private func isDue(_ a: Int32, _ b: Int32, _ sweep: Int32) -> Bool {
    sweep == 1 || lastHits[a] >= sweep - 1 || lastHits[b] >= sweep - 1
  }

  /// For the next frame.
  private func storeImpulses() {
    for index in 0..<discs.count {
      let disc = discs.base + index
      let contact = contacts.base + Int(disc.pointee.contact)
      contact.pointee.first.normal = disc.pointee.normalImpulse
      contact.pointee.first.tangent = disc.pointee.tangentImpulse
    }
    for index in 0..<points.count {
      let point = points.base + index
      let contact = contacts.base + Int(point.pointee.contact)
      contact.pointee.first.normal = point.pointee.first.normalImpulse
      contact.pointee.first.tangent = point.pointee.first.tangentImpulse
      contact.pointee.second.normal = point.pointee.second.normalImpulse
      contact.pointee.second.tangent = point.pointee.second.tangentImpulse
    }
  }
}

// MARK: - Sleep

extension CoupledWorld {
  /// Lets islands that have been slow for long enough fall asleep.
  /// - Returns: Whether all sleep now.
  private mutating func letSleep() -> Bool {
    islands.begin(bodies)
    for index in 0..<joints.count where bodies.isAwake(joints[index].a) {
      islands.join(joints[index].a, joints[index].b, bodies)
    }
    for index in 0..<discs.count { join(contacts.base + Int(discs[index].contact)) }
    for index in 0..<points.count { join(contacts.base + Int(points[index].contact)) }
    return islands.letSleep(bodies)
  }

  private func join(_ contact: UnsafeMutablePointer<Contact>) {
    if contact.pointee.isTouching { islands.join(contact.pointee.a, contact.pointee.b, bodies) }
  }
}
