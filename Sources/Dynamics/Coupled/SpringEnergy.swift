/// Keeps undamped springs and rods from gaining or losing energy, and lightly damped springs from gaining energy.
///
/// The solver changes velocities before and after each move. This is second-order accurate, or worse if a spring
/// reverses its direction during the move, as when a body flies past its anchor. So the energy of bodies that such
/// springs connect is summed up before and after each frame. Energy that the frame has added is removed, and energy
/// that the frame has lost is given back. Bodies that hit each other in the frame belong to one group. Such a group
/// gets no energy back, because impacts may lose energy.
struct SpringEnergy: ~Copyable {
  /// The energy balance of bodies that joints or impacts connect in a frame. The type is not private, because the
  /// compiler (6.3.1) fails on private types in the buffers of a struct that cannot be copied.
  struct Group: BitwiseCopyable {
    /// A group with a rigid or lightly damped joint is watched: energy that it gains is removed. If it is also
    /// lossless, energy that it loses is given back.
    var isWatched = false
    var isLossless = true
    /// `isAnchored`: whether a joint connects the group to a body that never moves. `isFixed`: whether outside forces
    /// change both the momentum and the angular momentum of the group. A lone spring from an anchor to a body's center
    /// does not set `isFixed`, because it keeps the angular momentum about the anchor.
    var isAnchored = false
    var isFixed = false
    /// Whether bodies may be moved to remove energy. Bodies on a rod may not, because a rod keeps its length.
    var canStepBack = true
    /// The energy gained by the group: the energy gained by its bodies minus the energy lost by its springs.
    var surplus = 0.0
    /// The correction adds `share` times `changes` to the velocities. If `share` is negative, the bodies become slower.
    /// The energy that this adds is `slope`·`share` + `curve`·`share`².
    var slope = 0.0
    var curve = 0.0
    var share = 0.0
  }

  /// Whether the energy must be corrected at all, because some joint is rigid or lightly damped.
  private(set) var isNeeded = false
  private var sets = DisjointSets()
  /// The groups, by the slots that represent them.
  private var groups = Buffer<Group>()
  /// For each body, by slot, the energy that the body and its springs have gained in the frame, mass·points²/seconds².
  /// Between frames, the slot that represents a group has the part of its surplus that could not be corrected.
  private var surpluses = Buffer<Double>()
  /// For each body, by slot, the direction in which its velocity (in `settle`) or its position (in `stepBack`) is
  /// corrected. The factor for the direction is the same for all bodies of a group.
  private var changes = Buffer<Motion>()

  mutating func rebuild(_ joints: borrowing Buffer<DistanceJoint>) {
    isNeeded = joints.elements.contains(where: \.isLightlyDamped)
    surpluses.removeAll()
  }

  /// Sums up the energy before the frame.
  mutating func begin(_ joints: borrowing Buffer<DistanceJoint>, _ bodies: borrowing RigidBodies) {
    if surpluses.count != bodies.count { surpluses.fill(bodies.count, with: 0) }
    add(-1, joints, bodies)
  }

  private func add(_ sign: Double, _ joints: borrowing Buffer<DistanceJoint>, _ bodies: borrowing RigidBodies) {
    forEachAwake(bodies) { surpluses[$0] += sign * bodies.energy($0) }
    for index in 0..<joints.count where bodies.isAwake(joints[index].mover(bodies)) {
      let stretch = Ends(joints[index], bodies).stretch
      surpluses[joints[index].mover(bodies)] += sign * 0.5 * joints[index].stiffness * stretch.squared
    }
  }

  @inline(__always) private func forEachAwake(_ bodies: borrowing RigidBodies, _ body: (Int32) -> Void) {
    for index in 0..<bodies.awake.count { body(bodies.awake[index]) }
  }

  private func group(_ slot: Int32) -> UnsafeMutablePointer<Group> { groups.base + Int(sets.root(slot)) }

  /// Removes from the motion the energy that the frame has added, and gives back the energy that the frame has lost.
  /// - Parameter hits: The pairs of bodies that hit each other.
  mutating func settle(
    _ joints: borrowing Buffer<DistanceJoint>, _ bodies: borrowing RigidBodies,
    _ hits: borrowing Buffer<BroadPhase.Pair>, _ holds: borrowing Buffer<Hold>
  ) {
    add(1, joints, bodies)
    form(joints, bodies, hits, holds)
    forEachAwake(bodies) { changes[$0] = group($0).pointee.isFixed ? bodies.motions[$0] : Motion() }
    // Springs conserve momentum and angular momentum, so the correction must conserve them, too.
    for index in 0..<joints.count where !group(joints[index].mover(bodies)).pointee.isFixed {
      let (joint, ends) = (joints[index], Ends(joints[index], bodies))
      let velocity = joint.isRigid ? ends.velocity : ends.along(ends.velocity)
      ends.apply(velocity.times(joint.gains.mass), to: changes.base + Int(joint.a), changes.base + Int(joint.b))
    }
    weigh(bodies)
    forEachAwake(bodies) { if sets.root($0) == $0 { groups[$0].settle() } }
    forEachAwake(bodies) { slot in
      let (motion, share) = (bodies.motions.base + Int(slot), group(slot).pointee.share)
      motion.pointee.vx += share * changes[slot].vx
      motion.pointee.vy += share * changes[slot].vy
      motion.pointee.spin += share * changes[slot].spin
    }
    stepBack(joints, bodies)
    forEachAwake(bodies) { if sets.root($0) == $0 { surpluses[$0] = groups[$0].surplus } }
  }

  private mutating func form(
    _ joints: borrowing Buffer<DistanceJoint>, _ bodies: borrowing RigidBodies,
    _ hits: borrowing Buffer<BroadPhase.Pair>, _ holds: borrowing Buffer<Hold>
  ) {
    sets.reset(bodies.count)
    groups.fill(bodies.count, with: Group())
    changes.fill(bodies.count, with: Motion())
    for index in 0..<joints.count { join(joints[index].a, joints[index].b, bodies) }
    for index in 0..<hits.count { join(hits[index].a, hits[index].b, bodies) }
    for index in 0..<joints.count {
      let (joint, group) = (joints[index], group(joints[index].mover(bodies)))
      if joint.isLightlyDamped { group.pointee.isWatched = true }
      if joint.isRigid { group.pointee.canStepBack = false }
      if joint.isStiff || joint.damping > 0 || joint.kind.isLimit { group.pointee.isLossless = false }
      guard bodies.isFixed(joint.a) || bodies.isFixed(joint.b) else { continue }
      group.pointee.isAnchored = true
      if joint.gains.kind != .alone { group.pointee.isFixed = true }
    }
    forEachAwake(bodies) { slot in
      let (group, body) = (group(slot), bodies.definitions[slot])
      if holds[slot] != .none || body.properties.resistance > 0 || body.properties.angularResistance > 0 {
        group.pointee.isLossless = false
      }
      if body.acceleration != .zero || group.pointee.isAnchored && holds[slot] != .none { group.pointee.isFixed = true }
      group.pointee.surplus += surpluses[slot]
      surpluses[slot] = 0
    }
  }

  private func join(_ a: Int32, _ b: Int32, _ bodies: borrowing RigidBodies) {
    if !bodies.isFixed(a), !bodies.isFixed(b) { sets.join(a, b) }
  }

  /// Computes the coefficients `slope` and `curve` of each group from `changes`.
  private func weigh(_ bodies: borrowing RigidBodies) {
    forEachAwake(bodies) { slot in
      let (motion, change, group) = (bodies.motions[slot], changes[slot], group(slot))
      let inertia = motion.inverseInertia > 0 ? 1 / motion.inverseInertia : 0
      group.pointee.slope +=
        motion.velocity.along(change.velocity) / motion.inverseMass + inertia * motion.spin * change.spin
      group.pointee.curve += 0.5 * (change.velocity.squared / motion.inverseMass + inertia * change.spin * change.spin)
    }
  }

  /// Moves the bodies of groups that still have surplus energy but no motion from which it could be removed. This
  /// happens if bodies overshoot a turning point. Moving them along their forces uses up the surplus.
  private func stepBack(_ joints: borrowing Buffer<DistanceJoint>, _ bodies: borrowing RigidBodies) {
    forEachAwake(bodies) { slot in
      changes[slot] = Motion()
      changes[slot].vx = bodies.definitions[slot].acceleration.dx
      changes[slot].vy = bodies.definitions[slot].acceleration.dy
      (group(slot).pointee.slope, group(slot).pointee.curve) = (0, 0)
    }
    for index in 0..<joints.count {
      let (joint, ends) = (joints[index], Ends(joints[index], bodies))
      let force = ends.stretch.times(-joint.stiffness)
      ends.apply(force, to: changes.base + Int(joint.a), changes.base + Int(joint.b))
    }
    weigh(bodies)
    forEachAwake(bodies) { slot in
      let (motion, group) = (bodies.motions.base + Int(slot), group(slot))
      guard group.pointee.isFixed, group.pointee.canStepBack, group.pointee.surplus > 0, group.pointee.curve > 0 else {
        return
      }
      let way = group.pointee.surplus / (2 * group.pointee.curve)
      motion.pointee.x += way * changes[slot].vx
      motion.pointee.y += way * changes[slot].vy
      motion.pointee.turn += way * changes[slot].spin
    }
    forEachAwake(bodies) { slot in
      if group(slot).pointee.isFixed { group(slot).pointee.surplus = min(group(slot).pointee.surplus, 0) }
    }
  }
}

extension SpringEnergy.Group {
  /// Finds the `share` that restores the energy to its value before the frame, or comes as close as possible.
  fileprivate mutating func settle() {
    if !isWatched || !isLossless && surplus <= 0 { surplus = 0 }
    guard surplus != 0, curve > 0, slope > 0, curve.isFinite else { return }
    let square = slope * slope - 4 * curve * surplus
    // The share is at most 1, because if almost nothing moves, giving back even a small loss would take a huge share.
    share = square > 0 ? min(-2 * surplus / (slope + square.squareRoot()), 1) : -slope / (2 * curve)
    surplus += share * (slope + share * curve)
  }
}

extension DistanceJoint {
  /// Returns the joint's first body, or its second body if the first never moves.
  fileprivate func mover(_ bodies: borrowing RigidBodies) -> Int32 { bodies.isFixed(a) ? b : a }

  fileprivate var isLightlyDamped: Bool { isRigid || !isStiff && damping < SolverConstants.lightDamping }

  /// The stiffness of a spring that keeps its energy, mass/seconds², or 0 for a soft joint, which loses energy.
  fileprivate var stiffness: Double {
    let ω = 2 * .pi * frequency
    return gains.kind == .soft ? 0 : ω * ω * gains.mass
  }
}

extension RigidBodies {
  /// Returns the energy of a body's motion and height, mass·points²/seconds².
  fileprivate func energy(_ slot: Int32) -> Double {
    let motion = motions[slot]
    let height = -definitions[slot].acceleration.along(Vector(dx: motion.x, dy: motion.y))
    let turning = motion.inverseInertia > 0 ? 0.5 * motion.spin * motion.spin / motion.inverseInertia : 0
    return (0.5 * motion.velocity.squared + height) / motion.inverseMass + turning
  }
}
