/// The strongest connection of a body to other bodies in this frame. The cases are ordered from weak to strong.
enum Hold: BitwiseCopyable, Comparable {
  case none
  /// Something hit the body.
  case blow
  /// A stiff spring pulls the body (`joint`), or the body presses against one body (`contact`) or several (`contacts`).
  /// Such a body gets whole kicks only: its frame does not begin and end with half a kick (see `Kick`).
  case joint, contact, contacts

  @inline(__always) var isFree: Bool { self < .joint }
}

extension CoupledWorld {
  /// Collects the forces on the awake bodies. The joints must have been prepared before.
  mutating func prepareForces(_ step: Double) {
    forces.reserve(bodies.count)
    forces.removeAll()
    for index in 0..<bodies.awake.count {
      let slot = bodies.awake[index]
      let body = bodies.definitions.base + Int(slot)
      let motion = bodies.motions[slot]
      // A body is damped if its weight makes it slide, roll or swing, unless its speed has reached the limit.
      let speed = max(abs(motion.vx), abs(motion.vy)) + abs(motion.spin) * body.pointee.shape.extent
      let isPulled = body.pointee.acceleration != .zero && speed < SolverConstants.dampingLimit
      let isPressed = holds[slot] == .contact || holds[slot] == .contacts
      let most = isPressed ? SolverConstants.damping : SolverConstants.damping / 2
      let rate = isPulled ? most * (1 - speed / SolverConstants.dampingLimit) : 0
      let damping = 1 / (1 + rate * step)
      let isDamped = holds[slot] == .contacts || body.pointee.dampedSpringCount > 0
      forces.append(
        BodyForces(
          slot: slot, isFree: holds[slot].isFree,
          springCount: firstSprings[slot] < 0 ? 0 : Int32(body.pointee.attachmentCount),
          firstSpring: firstSprings[slot], acceleration: body.pointee.acceleration, damping: isDamped ? damping : 1,
          angularDamping: isDamped || holds[slot] == .contact ? damping : 1,
          resistance: body.pointee.properties.resistance, angularResistance: body.pointee.properties.angularResistance))
    }
  }

  mutating func prepareJoints(_ step: Double) {
    if gainsStep != step || firstSprings.count != bodies.count { prepareGains(step) }
    springs.removeAll()
    softJoints.removeAll()
    for index in 0..<looseJoints.count where joints[looseJoints[index]].isStiff {
      let (a, b) = (joints[looseJoints[index]].a, joints[looseJoints[index]].b)
      holds[a] = max(holds[a], .joint)
      holds[b] = max(holds[b], .joint)
    }
    for index in 0..<looseJoints.count {
      let joint = joints.base + Int(looseJoints[index])
      // Bodies that are attached to each other sleep and wake together.
      guard bodies.isAwake(joint.pointee.a) || bodies.isAwake(joint.pointee.b) else { continue }
      joint.pointee.isFree = isFree(joint.pointee.a) && isFree(joint.pointee.b)
      joint.pointee.impulse = joint.pointee.impulse.times(step / lastStep)
      joint.pointee.turning *= step / lastStep
      let isSoft = joint.pointee.gains.kind == .soft
      if isSoft { softJoints.append(looseJoints[index]) } else { springs.append(looseJoints[index]) }
    }
  }

  /// Returns whether neither a contact nor a stiff spring holds the body. Contacts of a body that never moves do not
  /// count, because they do not affect its springs.
  private func isFree(_ slot: Int32) -> Bool { holds[slot].isFree || bodies.isFixed(slot) }

  /// Returns whether the only attachments of the body are springs from its center to anchors.
  private func isAnchored(_ slot: Int32, _ indices: Range<Int>) -> Bool {
    indices.upperBound <= joints.count
      && joints.elements[indices].allSatisfy {
        $0.a == slot && $0.b == RigidBodies.ground && $0.offsetA == .zero && $0.gains.kind != .soft
      }
  }

  private mutating func prepareGains(_ step: Double) {
    for index in 0..<joints.count {
      let (a, b) = (joints[index].a, joints[index].b)
      let others = bodies.isFixed(b) ? 0 : bodies.definitions[b].attachmentCount - 1
      joints[index].gains = SpringGains(
        joints[index], bodies.motions[a], bodies.motions[b], step: step,
        count: bodies.definitions[a].attachmentCount + others)
    }
    firstSprings.fill(bodies.count, with: -1)
    looseJoints.removeAll()
    var index = 0
    while index < joints.count {
      let slot = joints[index].a
      let end = index + bodies.definitions[slot].attachmentCount
      if isAnchored(slot, index..<end) {
        firstSprings[slot] = Int32(index)
        index = end
      } else {
        looseJoints.append(Int32(index))
        index += 1
      }
    }
    energy.rebuild(joints)
    gainsStep = step
  }

  func applyForces(_ part: Kick, _ step: Double) {
    let motions = bodies.motions.base
    for index in 0..<forces.count { (forces.base + index).apply(part, motions, joints.base, step) }
    guard springs.count > 0 else { return }
    pull(part, isBefore: true)
    for index in 0..<springs.count {
      let joint = joints.base + Int(springs[index])
      if part == .last, !joint.pointee.isFree { continue }
      joint.apply(joint.pointee.gains.kick(part, isFree: joint.pointee.isFree), bodies)
    }
    pull(part, isBefore: false)
  }

  /// Applies the pull of springs that share bodies, either before or after all of them apply their damping.
  private func pull(_ part: Kick, isBefore: Bool) {
    for index in 0..<springs.count {
      let joint = joints.base + Int(springs[index])
      let isFree = joint.pointee.isFree
      if isBefore ? part == .middle || (part == .first) != isFree : part != .last {
        joint.apply(SpringKick(pull: joint.pointee.gains.pull), bodies)
      }
    }
  }
}
