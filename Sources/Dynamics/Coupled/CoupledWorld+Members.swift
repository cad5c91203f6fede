/// Bodies come and go.
extension CoupledWorld {
  mutating func addBody(_ traits: Traits, _ pose: Pose) -> Int32 {
    let slot = bodies.add(traits, pose)
    // What is needed now and then must not be the first to ask for memory in a steady frame.
    eased.reserve(bodies.count)
    easedBy.reserve(bodies.count)
    easingCosts.reserve(bodies.count)
    lastHits.reserve(bodies.count)
    return slot
  }

  /// A body that never moves: a segment.
  /// - Parameter isWall: Whether bodies belong on one side of it, which is that of its direction turned by
  ///   90° from x to y.
  mutating func addBoundary(from: Point, to: Point, isWall: Bool, mask: UInt64) -> Int32 {
    let (dx, dy) = (to.x - from.x, to.y - from.y)
    let length = (dx * dx + dy * dy).squareRoot()
    var pose = Pose(x: (from.x + to.x) / 2, y: (from.y + to.y) / 2, angle: 0)
    (pose.cosine, pose.sine) = (dx / length, dy / length)
    var traits = Traits(kind: .fixed, halfWidth: length / 2, halfHeight: 0, isCircle: false)
    traits.collisionMask = mask
    traits.isWall = isWall
    broadPhase.membersChanged = true
    return addBody(traits, pose)
  }

  /// Its contacts go with the next frame; until then they are as if they were new, as the slot may be used
  /// again.
  mutating func removeBody(_ slot: Int32) {
    bodies.remove(slot)
    broadPhase.forget(slot)
    broadPhase.membersChanged = true
    for index in 0..<contacts.count {
      let (a, b) = (contacts[index].a, contacts[index].b)
      if a == slot || b == slot { contacts[index] = Contact(BroadPhase.Pair(a: a, b: b)) }
    }
  }

  /// Springs are as stiff as the masses that they pull at ask for.
  mutating func updateMass(_ slot: Int32) {
    let (oldMass, oldInertia) = (bodies.motions[slot].inverseMass, bodies.traits[slot].inverseInertia)
    bodies.updateMass(slot)
    if oldMass != bodies.motions[slot].inverseMass || oldInertia != bodies.traits[slot].inverseInertia {
      gainsStep = 0
    }
  }
}

/// So do attachments.
extension CoupledWorld {
  /// It lies behind all others.
  mutating func attach(_ attachment: Attachment) {
    attachments.append(attachment)
    attachmentsChanged(at: attachments.count - 1, by: 1)
  }

  /// The last attachment takes its place.
  mutating func detach(at index: Int) {
    attachmentsChanged(at: index, by: -1)
    attachments.swapRemove(at: index)
  }

  /// Of the same bodies. What springs have booked and rods have pulled so far is forgotten.
  mutating func replaceAttachment(at index: Int, by attachment: Attachment) {
    attachmentsChanged(at: index, by: 0)
    attachments[index] = attachment
  }

  func moveAnchor(ofAttachmentAt index: Int, to offset: Vector) {
    attachments[index].offsetB = offset
    bodies.wake(attachments[index].a)
  }

  private mutating func attachmentsChanged(at index: Int, by change: Int) {
    let (a, b) = (attachments[index].a, attachments[index].b)
    bodies.traits[a].attachmentCount += change
    bodies.traits[b].attachmentCount += change
    bodies.wake(a)
    bodies.wake(b)
    gainsStep = 0
  }
}
