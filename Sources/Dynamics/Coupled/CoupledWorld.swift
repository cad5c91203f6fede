/// Rigid bodies, the joints between them, and where they touch. It does not know what they represent.
///
/// The step is the "soft step" of Box2D v3: the frame is cut into sub-steps, each of which goes over every constraint
/// until it holds, to move and to relax. Sub-steps converge better than iterations do (Macklin et al., "Small Steps in
/// Physics Simulation", 2019).
struct CoupledWorld: ~Copyable {
  var bodies = RigidBodies()
  var broadPhase = BroadPhase()
  /// The contacts, in the order of the slots of their bodies.
  var contacts = Buffer<Contact>()
  var newContacts = Buffer<Contact>()
  /// The contacts to be solved in this frame.
  var constraints = Buffer<ContactConstraint>()
  var joints = Buffer<DistanceJoint>()
  /// The joints to be solved in this frame, by index: springs other than those among the forces of a body, and soft
  /// joints.
  var springs = Buffer<Int32>()
  var softJoints = Buffer<Int32>()
  /// The joints that are not among the forces of a body.
  var looseJoints = Buffer<Int32>()
  var forces = Buffer<BodyForces>()
  /// The first of the joints that are among a body's forces, by the body's slot, or -1.
  var firstSprings = Buffer<Int32>()
  var energy = SpringEnergy()
  /// The pairs that hit each other in this frame; noted only if the energy of springs is watched, or the client asks
  /// for them.
  var hits = Buffer<BroadPhase.Pair>()
  var notesHits = false
  /// How far a body can get within the frame if it is hit, by its slot, points.
  var reaches = Buffer<Double>()
  /// What holds a body in this frame, by its slot.
  var holds = Buffer<Hold>()
  /// The constraints to be solved again: the soft joints, and after them the contacts of this frame.
  var active = ActiveSet()
  /// Seconds that the gains of springs are for; 0 when they must be recomputed.
  var gainsStep = 0.0
  /// Seconds that the impulses of the last sub-step are for.
  var lastStep = 1.0
  private var islands = Islands()

  var isResting: Bool {
    for index in 0..<bodies.count where bodies.isAwake(Int32(index)) { return false }
    return true
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
    let subStepCount = bodies.hasLoose ? SolverConstants.looseSubSteps * subStepCount : subStepCount
    let step = SubStep(timestep / Double(subStepCount))
    findContacts(timestep)
    holds.fill(bodies.count, with: .none)
    prepareContacts(timestep, step.duration)
    prepareJoints(step.duration)
    prepareForces(step.duration)
    prepareActiveSet()
    hits.removeAll()
    if energy.isNeeded { energy.begin(joints, bodies) }
    for index in 0..<subStepCount {
      if index > 0 { refreshContacts(timestep, step.duration) }
      applyForces(index == 0 ? .first : .middle, step.duration)
      applyRestitution(step)
      warmStart()
      solve(step, usesBias: true)
      bodies.integratePositions(step.duration)
      solve(step, usesBias: false)
    }
    applyForces(.last, step.duration)
    // The last half-kick is not followed by a move, so there is no bias.
    if softJoints.count > 0 { solve(step, usesBias: false) }
    if energy.isNeeded { energy.settle(joints, bodies, hits, holds) }
    for index in 0..<constraints.count { contacts[constraints[index].contact].store(constraints[index]) }
    keepInside()
    lastStep = step.duration
    bodies.finish(timestep)
    return letSleep()
  }

  private mutating func prepareActiveSet() {
    active.pairs.removeAll()
    for index in 0..<softJoints.count { active.pairs.append(joints[softJoints[index]].pair) }
    for index in 0..<constraints.count { active.pairs.append(constraints[index].pair) }
    active.connect(bodies)
  }

  private func warmStart() {
    let motions = bodies.motions.base
    for index in 0..<softJoints.count { (joints.base + Int(softJoints[index])).warmStart(bodies) }
    for index in 0..<constraints.count { (constraints.base + index).warmStart(motions) }
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
        let half = bodies.definitions[slot].shape.upright(at: start)
        let way = abs(normal.dx) * half.x + abs(normal.dy) * half.y - now
        let speed = (1 + bodies.definitions[slot].properties.elasticity) * min(motion.pointee.velocity.along(normal), 0)
        motion.pointee.x += way * normal.dx
        motion.pointee.y += way * normal.dy
        motion.pointee.vx -= speed * normal.dx
        motion.pointee.vy -= speed * normal.dy
      }
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
    for index in 0..<contacts.count where contacts[index].isTouching && bodies.isAwake(contacts[index].b) {
      islands.join(contacts[index].a, contacts[index].b, bodies)
    }
    return islands.letSleep(bodies)
  }
}
