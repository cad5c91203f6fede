/// What a body has to do with others in this frame.
enum Hold: Int8, BitwiseCopyable {
  case none
  /// Something hit it.
  case blow
  /// A stiff spring pulls it, or it presses against another, or several: its frame does not begin and end with half a kick.
  case joint, contact, contacts

  @inline(__always) var isFree: Bool { rawValue < Hold.joint.rawValue }
}

/// What forces and joints do in this frame.
extension CoupledWorld {
  mutating func prepareForces(_ step: Double) {
    forces.reserve(bodies.count)
    forces.removeAll()
    for index in 0..<bodies.awake.count {
      let slot = bodies.awake[index]
      let body = bodies.definitions.base + Int(slot)
      let motion = bodies.motions[slot]
      // What slides, rolls or swings by its weight; what is as fast as the limit is not damped.
      let speed = max(abs(motion.vx), abs(motion.vy)) + abs(motion.spin) * body.pointee.extent
      let isPulled = body.pointee.acceleration != .zero && speed < SolverConstants.dampingLimit
      let rate = isPulled ? SolverConstants.damping * (1 - speed / SolverConstants.dampingLimit) : 0
      let damping = 1 / (1 + rate * step)
      let isDamped = holds[slot] == .contacts || body.pointee.dampedSpringCount > 0
      forces.append(
        Force(
          slot: slot, isFree: holds[slot].isFree, dx: step * body.pointee.acceleration.dx,
          dy: step * body.pointee.acceleration.dy,
          damping: isDamped ? damping : 1, angularDamping: isDamped || holds[slot] == .contact ? damping : 1,
          resistance: body.pointee.properties.resistance,
          angularResistance: body.pointee.properties.angularResistance))
    }
  }

  mutating func prepareJoints(_ step: Double) {
    anchoredSprings.removeAll()
    sharedSprings.removeAll()
    springs.removeAll()
    rods.removeAll()
    guard joints.count > 0 else { return }
    if gainsStep != step { prepareGains(step) }
    let scale = step / lastStep
    for index in 0..<joints.count {
      let joint = joints.base + index
      guard !joint.pointee.isRigid, joint.pointee.gains.kind == .stiff else { continue }
      hold(joint.pointee.a)
      if joint.pointee.b != RigidBodies.ground { hold(joint.pointee.b) }
    }
    for index in 0..<joints.count {
      let joint = joints.base + index
      // Bodies that are attached to each other sleep and wake together.
      guard bodies.isAwake(joint.pointee.a) || bodies.isAwake(joint.pointee.b) else { continue }
      joint.pointee.isFree = holds[joint.pointee.a].isFree && holds[joint.pointee.b].isFree
      if joint.pointee.isRigid {
        joint.pointee.impulse = joint.pointee.impulse.times(scale)
        rods.append(Int32(index))
      } else if joint.pointee.isAnchored, joint.pointee.gains.kind != .stiff {
        let spring = AnchoredSpring(joint.pointee, bodies)
        if spring.gains.kind == .alone {
          anchoredSprings.append(spring)
        } else {
          sharedSprings.append(spring)
        }
      } else {
        springs.append(Int32(index))
      }
    }
  }

  private func hold(_ slot: Int32) {
    if holds[slot].isFree { holds[slot] = .joint }
  }

  private mutating func prepareGains(_ step: Double) {
    for index in 0..<joints.count {
      let (a, b) = (joints[index].a, joints[index].b)
      let others = bodies.isFixed(b) ? 0 : bodies.definitions[b].attachmentCount - 1
      joints[index].gains = SpringGains(
        joints[index], bodies.motions[a], bodies.motions[b], step: step,
        count: bodies.definitions[a].attachmentCount + others)
    }
    energy.rebuild(joints)
    gainsStep = step
  }
}
