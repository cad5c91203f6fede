/// What forces and joints do in this frame.
extension CoupledWorld {
  mutating func prepareForces(_ step: Double) {
    forces.reserve(bodies.count)
    forces.removeAll()
    for index in 0..<bodies.awake.count {
      let slot = bodies.awake[index]
      let body = bodies.definitions.base + Int(slot)
      let swings = body.pointee.dampedSpringCount > 0 && body.pointee.acceleration != .zero
      forces.append(
        Force(
          slot: slot, isFree: !isHeld[slot], dx: step * body.pointee.acceleration.dx,
          dy: step * body.pointee.acceleration.dy,
          damping: swings ? 1 / (1 + SolverConstants.linearDamping * step) : 1,
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
      if joint.pointee.isRigid || joint.pointee.gains.isStiff || isHeld[joint.pointee.b] {
        isHeld[joint.pointee.a] = true
      }
      if joint.pointee.isRigid || joint.pointee.gains.isStiff || isHeld[joint.pointee.a] {
        if joint.pointee.b != RigidBodies.ground { isHeld[joint.pointee.b] = true }
      }
    }
    for index in 0..<joints.count {
      let joint = joints.base + index
      // Bodies that are attached to each other sleep and wake together.
      guard bodies.isAwake(joint.pointee.a) || bodies.isAwake(joint.pointee.b) else { continue }
      joint.pointee.isFree = !isHeld[joint.pointee.a] && !isHeld[joint.pointee.b]
      if joint.pointee.isRigid {
        joint.pointee.impulse = joint.pointee.impulse.times(scale)
        rods.append(Int32(index))
      } else if joint.pointee.isAnchored {
        let spring = AnchoredSpring(joint.pointee, bodies)
        if bodies.definitions[joint.pointee.a].attachmentCount == 1 {
          anchoredSprings.append(spring)
        } else {
          sharedSprings.append(spring)
        }
      } else {
        springs.append(Int32(index))
      }
    }
  }

  private mutating func prepareGains(_ step: Double) {
    for index in 0..<joints.count where !joints[index].isRigid {
      let (a, b) = (joints[index].a, joints[index].b)
      let others = bodies.isFixed(b) ? 0 : bodies.definitions[b].attachmentCount - 1
      joints[index].gains = SpringGains(
        joints[index], bodies.motions[a], bodies.motions[b], step: step,
        count: bodies.definitions[a].attachmentCount + others)
    }
    gainsStep = step
  }
}
