/// Rigid bodies, the joints between them, and where they touch. It does not know what they represent.
///
/// The step is the "soft step" of Box2D v3: the frame is cut into sub-steps, each of which goes over every constraint
/// until it holds, to move and to relax. Sub-steps converge better than iterations do (Macklin et al., "Small Steps in
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
  var joints = Buffer<DistanceJoint>()
  /// The joints to be solved in this frame: springs from centres to anchors that are alone to pull at their bodies, those
  /// that are not, and the indices of other springs and of rods.
  var anchoredSprings = Buffer<AnchoredSpring>()
  var sharedSprings = Buffer<AnchoredSpring>()
  var springs = Buffer<Int32>()
  var rods = Buffer<Int32>()
  var forces = Buffer<Force>()
  var energy = SpringEnergy()
  /// Who hit whom in this frame, where the energy of springs is watched.
  var hits = Buffer<BroadPhase.Pair>()
  /// By slot: how far the body can get within the frame if it is hit, points.
  var reaches = Buffer<Double>()
  /// By slot: what holds the body in this frame.
  var holds = Buffer<Hold>()
  /// Sweeps over the constraints in this frame so far, and by slot, the one that last changed the body's velocity.
  var sweep: Int32 = 0
  var lastChanges = Buffer<Int32>()
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
    /// What a sub-step leaves of the velocity before forces change it, and of the spin.
    let damping: Double
    let angularDamping: Double
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
    holds.fill(bodies.count, with: .none)
    lastChanges.fill(bodies.count, with: 0)
    sweep = 1
    prepareContacts(timestep, step.duration)
    prepareJoints(step.duration)
    prepareForces(step.duration)
    hits.removeAll()
    if energy.isNeeded { energy.begin(joints, bodies) }
    for index in 0..<subStepCount {
      let kick = index == 0 ? Kick.first : .middle
      if index > 0 { refreshContacts(timestep, step.duration) }
      integrateVelocities(kick, step.duration)
      pullSprings(kick)
      applyRestitution(step)
      warmStart()
      solve(step, usesBias: true)
      bodies.integratePositions(step.duration)
      solve(step, usesBias: false)
    }
    integrateVelocities(.last, step.duration)
    pullSprings(.last)
    if rods.count > 0 { finishRods(step) }
    if energy.isNeeded { energy.settle(joints, bodies, hits, holds) }
    storeImpulses()
    keepInside()
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
      if kick != .last { motion.pointee.spin *= force.pointee.angularDamping }
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
    for index in 0..<anchoredSprings.count { (anchoredSprings.base + index).apply(motions, kick) }
    guard sharedSprings.count > 0 || springs.count > 0 else { return }
    pullShared(.before, kick)
    pullShared(.damp, kick)
    pullShared(.after, kick)
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

  /// Puts back what crossed a reference bound, as it became too fast for the contacts of its frame within it (Box2D:
  /// continuous collision).
  private func keepInside() {
    for index in 0..<broadPhase.walls.count {
      let (wall, pose) = (bodies.definitions[broadPhase.walls[index]], bodies.poses[broadPhase.walls[index]])
      let normal = Vector(dx: -pose.sine, dy: pose.cosine)
      for index in 0..<bodies.awake.count {
        let slot = bodies.awake[index]
        let (motion, start) = (bodies.motions.base + Int(slot), bodies.poses[slot])
        let now = Vector(dx: motion.pointee.x - pose.x, dy: motion.pointee.y - pose.y).along(normal)
        guard now < 0, bodies.definitions[slot].collisionMask & wall.collisionMask != 0,
          Vector(dx: start.x - pose.x, dy: start.y - pose.y).along(normal) >= 0
        else { continue }
        let half = bodies.definitions[slot].upright(at: start)
        let way = abs(normal.dx) * half.x + abs(normal.dy) * half.y - now
        let speed =
          (1 + bodies.definitions[slot].properties.elasticity) * min(motion.pointee.velocity.along(normal), 0)
        motion.pointee.x += way * normal.dx
        motion.pointee.y += way * normal.dy
        motion.pointee.vx -= speed * normal.dx
        motion.pointee.vy -= speed * normal.dy
      }
    }
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
      (contacts.base + Int(point.pointee.contact)).pointee.store(point.pointee)
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
