extension CoupledWorld {
  /// Adds a segment as a body that never moves.
  /// - Parameter isWall: Whether bodies must stay on the side of the segment to which the vector (-dy, dx) points,
  ///   where (dx, dy) is `to` - `from`.
  /// - Returns: The slot of the body.
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

  /// Removes a body. The body's contacts are reset now and removed in the next frame, because another body may get the
  /// slot in between.
  mutating func removeBody(_ slot: Int32) {
    bodies.remove(slot)
    broadPhase.forget(slot)
    broadPhase.membersChanged = true
    for index in 0..<contacts.count {
      let (a, b) = (contacts[index].a, contacts[index].b)
      if a == slot || b == slot { contacts[index] = Contact(a: a, b: b) }
    }
  }

  /// Computes the mass of a body. If the mass changes, the constants of all springs are recomputed, because the
  /// stiffness of a spring depends on the mass.
  mutating func updateMass(_ slot: Int32) {
    let old = bodies.motions[slot]
    bodies.updateMass(slot)
    let new = bodies.motions[slot]
    if old.inverseMass != new.inverseMass || old.inverseInertia != new.inverseInertia { gainsStep = 0 }
  }
}

extension CoupledWorld {
  /// Adds a joint after all others.
  mutating func attach(_ joint: DistanceJoint) {
    joints.append(joint)
    jointsChanged(at: joints.count - 1, by: 1)
  }

  /// Stops counting a joint as an attachment. The caller must remove it from `joints` before the next step.
  mutating func detach(at index: Int) { jointsChanged(at: index, by: -1) }

  /// Replaces a joint by another one between the same bodies. The impulses of the old joint are forgotten.
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
