/// Bodies come and go.
extension CoupledWorld {
  /// A body that never moves: a segment.
  /// - Parameter isWall: Whether bodies belong on one side: that of its direction turned by 90° from x to y.
  mutating func addBoundary(from: Point, to: Point, isWall: Bool, mask: UInt64) -> Int32 {
    let (dx, dy) = (to.x - from.x, to.y - from.y)
    let length = (dx * dx + dy * dy).squareRoot()
    var pose = Pose(x: (from.x + to.x) / 2, y: (from.y + to.y) / 2, angle: 0)
    (pose.cosine, pose.sine) = (dx / length, dy / length)
    var definition = BodyDefinition(
      kind: .fixed, shape: Shape(halfWidth: length / 2, halfHeight: 0, isCircle: false, isWall: isWall))
    definition.collisionMask = mask
    broadPhase.membersChanged = true
    return bodies.add(definition, pose)
  }

  /// The body's contacts are removed with the next frame. Until then they count as new, because the slot may be used
  /// again.
  mutating func removeBody(_ slot: Int32) {
    bodies.remove(slot)
    broadPhase.forget(slot)
    broadPhase.membersChanged = true
    for index in 0..<contacts.count {
      let (a, b) = (contacts[index].a, contacts[index].b)
      if a == slot || b == slot { contacts[index] = Contact(a: a, b: b) }
    }
  }

  /// Springs are recomputed if the mass changes, because their stiffness depends on it.
  mutating func updateMass(_ slot: Int32) {
    let old = bodies.motions[slot]
    bodies.updateMass(slot)
    let new = bodies.motions[slot]
    if old.inverseMass != new.inverseMass || old.inverseInertia != new.inverseInertia { gainsStep = 0 }
  }
}

/// Joints come and go.
extension CoupledWorld {
  /// Adds a joint behind all others.
  mutating func attach(_ joint: DistanceJoint) {
    joints.append(joint)
    jointsChanged(at: joints.count - 1, by: 1)
  }

  /// The joint holds nothing from now on, and must be gone before the next step.
  mutating func detach(at index: Int) { jointsChanged(at: index, by: -1) }

  /// Puts another joint of the same bodies in its place. The old impulses of rods are forgotten.
  mutating func replaceJoint(at index: Int, by joint: DistanceJoint) {
    jointsChanged(at: index, by: -1)
    joints[index] = joint
    jointsChanged(at: index, by: 1)
  }

  func moveAnchor(ofJointAt index: Int, to offset: Vector) {
    joints[index].offsetB = offset
    bodies.wake(joints[index].a)
  }

  private mutating func jointsChanged(at index: Int, by change: Int) {
    let (a, b) = (joints[index].a, joints[index].b)
    bodies.definitions[a].attachmentCount += change
    bodies.definitions[b].attachmentCount += change
    if joints[index].length > 0, joints[index].damping > 0, !joints[index].isRigid, b == RigidBodies.ground {
      bodies.definitions[a].dampedSpringCount += change
    }
    bodies.wake(a)
    bodies.wake(b)
    gainsStep = 0
  }
}
