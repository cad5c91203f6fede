/// Rigid bodies, their joints and their contacts. The world does not know what the bodies represent.
///
/// A step is the "soft step" of Box2D v3: the frame is divided into sub-steps. Before the bodies move in a sub-step,
/// all constraints are solved until they hold. Afterwards they are solved again, to remove velocities that only undid
/// overlaps. Sub-steps converge better than iterations do (Macklin et al., "Small Steps in Physics Simulation", 2019).
struct CoupledWorld: ~Copyable {
  var bodies = RigidBodies()
  var broadPhase = BroadPhase()
  /// The contacts, in the order of the slots of their bodies.
  var contacts = Buffer<Contact>()
  var newContacts = Buffer<Contact>()
  /// The contacts to be solved in this frame.
  var constraints = Buffer<ContactConstraint>()
  var joints = Buffer<DistanceJoint>()
  /// The joints that are solved in this frame, by index: springs that `forces` does not include, and soft joints (rods
  /// and springs that are too stiff for the sub-steps).
  var springs = Buffer<Int32>()
  var softJoints = Buffer<Int32>()
  /// The indices of the joints that `forces` does not include.
  var looseJoints = Buffer<Int32>()
  var forces = Buffer<BodyForces>()
  /// For each body, by slot, the index of the first spring that `forces` includes, or -1 if there is none.
  var firstSprings = Buffer<Int32>()
  var energy = SpringEnergy()
  /// The pairs of bodies that hit each other in this frame, recorded only if `energy.isNeeded` or `notesHits` is true.
  var hits = Buffer<BroadPhase.Pair>()
  var notesHits = false
  /// How many points each body can move within the frame if something hits it, by slot.
  var reaches = Buffer<Double>()
  /// The strongest connection of each body to other bodies in this frame, by slot.
  var holds = Buffer<Hold>()
  /// The constraints that must be solved again: the soft joints, followed by the contacts of this frame.
  var active = ActiveSet()
  /// The length of the sub-steps for which the `gains` of joints were computed, seconds. It is 0 if they are outdated.
  var gainsStep = 0.0
  /// The length of the sub-steps for which the stored impulses were computed, seconds.
  var lastStep = 1.0
  private var islands = Islands()

  var isResting: Bool {
    for index in 0..<bodies.count where bodies.isAwake(Int32(index)) { return false }
    return true
  }
}

// MARK: - The step

extension CoupledWorld {
  /// Advances the world by this many seconds.
  /// - Returns: Whether all bodies are at rest now.
  mutating func step(by timestep: Double, subStepCount: Int) -> Bool {
    guard timestep > 0 else { return isResting }
    bodies.collectAwake()
    guard bodies.awake.count > 0 else { return true }
    let subStepCount = bodies.hasLoose ? SolverConstants.looseSubSteps * subStepCount : subStepCount
    let step = SubStep(timestep / Double(subStepCount))
    findContacts(timestep)
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
    // No move follows these last forces, so this pass need not move overlapping bodies apart (the bias).
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

  /// Puts back bodies that have crossed a side of the reference bounds. The contacts found at the start of the frame
  /// did not include this side, because the body became so fast only later (Box2D: continuous collision).
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
  /// Lets islands (groups of connected bodies) that have been slow for long enough fall asleep.
  /// - Returns: Whether all bodies sleep now.
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
