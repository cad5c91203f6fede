/// Bodies come and go with the behaviours that need them.
extension CoupledWorld {
  func slot(of item: any DynamicItem) -> Int32? { slots[ObjectIdentifier(item)] }

  /// Whether a body can stand for the item.
  static func check(_ item: any DynamicItem) throws(DynamicsError) {
    let name = item.dynamicItemName
    guard item.center.isFinite else { throw .centerNotFinite(item: name, center: item.center) }
    guard item.angle.isFinite else { throw .angleNotFinite(item: name, angle: item.angle) }
    // Within these sides masses and inertias, and their inverses, are numbers.
    let sides = 1e-9...1e9
    guard sides.contains(item.size.width), sides.contains(item.size.height) else {
      throw .invalidSize(item: name, size: item.size)
    }
  }

  /// Makes sure that there is a body for the item, which one more behaviour needs.
  /// - Precondition: The item has been checked.
  @discardableResult
  mutating func retain(_ item: any DynamicItem) -> Int32 {
    if let slot = slot(of: item) {
      uses[Int(slot)] += 1
      return slot
    }
    let slot = bodies.add(
      Traits(kind: .moving, halfWidth: 0.5, halfHeight: 0.5, isCircle: false), Pose(x: 0, y: 0, angle: 0))
    growTables(to: slot)
    items[Int(slot)] = item
    uses[Int(slot)] = 1
    slots[ObjectIdentifier(item)] = slot
    readState(of: item, slot)
    return slot
  }

  /// One behaviour less needs the body.
  mutating func release(_ item: any DynamicItem) {
    guard let slot = slot(of: item) else { return }
    bodies.wake(slot)
    uses[Int(slot)] -= 1
    guard uses[Int(slot)] == 0 else { return }
    slots[ObjectIdentifier(item)] = nil
    items[Int(slot)] = nil
    removeBody(slot)
  }

  /// Takes over where the item is and how large; its velocity stays.
  mutating func readState(of item: any DynamicItem, _ slot: Int32) {
    let isCircle = item.collisionBoundsType == .ellipse
    let (width, height) = (item.size.width, item.size.height)
    bodies.traits[slot].isCircle = isCircle
    bodies.traits[slot].halfWidth = (isCircle ? min(width, height) : width) / 2
    bodies.traits[slot].halfHeight = (isCircle ? min(width, height) : height) / 2
    bodies.poses[slot] = Pose(x: item.center.x, y: item.center.y, angle: item.angle)
    updateMass(slot)
    bodies.wake(slot)
  }

  /// Springs are as stiff as the masses that they pull at ask for.
  private mutating func updateMass(_ slot: Int32) {
    let old = bodies.motions[slot]
    bodies.updateMass(slot)
    let new = bodies.motions[slot]
    if old.inverseMass != new.inverseMass || old.inverseInertia != new.inverseInertia { gainsStep = 0 }
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
    let slot = bodies.add(traits, pose)
    growTables(to: slot)
    broadPhase.membersChanged = true
    return slot
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

  private mutating func growTables(to slot: Int32) {
    guard Int(slot) == items.count else { return }
    items.append(nil)
    uses.append(0)
    // What is needed now and then must not be the first to ask for memory in a steady frame.
    eased.reserve(items.count)
    easedBy.reserve(items.count)
    easingCosts.reserve(items.count)
    lastHits.reserve(items.count)
  }
}

extension CoupledWorld {
  /// The spring of an item that could as well be solved in closed form, and the item's velocity, points per
  /// second.
  func lonelySpring(of item: any DynamicItem) -> (spring: AttachmentBehavior, velocity: Vector)? {
    guard let slot = slot(of: item), uses[Int(slot)] == 1, bodies.motions[slot].spin == 0,
      let spring = plainSprings[ObjectIdentifier(item)]
    else { return nil }
    return (spring, Vector(dx: bodies.motions[slot].vx, dy: bodies.motions[slot].vy))
  }

  func setVelocity(_ velocity: Vector, of item: any DynamicItem) {
    guard let slot = slot(of: item) else { return }
    (bodies.motions[slot].vx, bodies.motions[slot].vy) = (velocity.dx, velocity.dy)
  }

  /// The items whose rectangles, or the upright boxes around turned ones, share more than an edge with this
  /// one, in the order of their slots.
  /// - Complexity: O(items).
  func items(in rect: Rect) -> [any DynamicItem] {
    var found: [any DynamicItem] = []
    for (slot, item) in items.enumerated() {
      guard let item else { continue }
      let (c, s) = (abs(bodies.poses[slot].cosine), abs(bodies.poses[slot].sine))
      let size = Size(
        width: c * item.size.width + s * item.size.height,
        height: s * item.size.width + c * item.size.height)
      if Rect(center: item.center, size: size).intersects(rect) { found.append(item) }
    }
    return found
  }
}

// MARK: - Groups

extension CoupledWorld {
  /// Works out anew what the groups make of the item's body: how it accelerates, what it collides with, and
  /// what it is like.
  mutating func refresh(_ item: any DynamicItem) {
    guard let slot = slot(of: item) else { return }
    let oldMask = bodies.traits[slot].collisionMask
    bodies.traits[slot].acceleration = .zero
    bodies.traits[slot].collisionMask = 0
    bodies.traits[slot].properties = ItemProperties()
    for group in groups where group.contains(item) { group.apply(to: &bodies.traits[slot]) }
    updateMass(slot)
    bodies.wake(slot)
    if bodies.traits[slot].collisionMask != oldMask { broadPhase.membersChanged = true }
  }
}

// MARK: - Attachments

extension CoupledWorld {
  /// - Precondition: The behaviour and its items have been checked.
  mutating func attach(_ behavior: AttachmentBehavior) {
    let a = retain(behavior.item)
    let b = behavior.attachedItem.map { retain($0) } ?? RigidBodies.ground
    attachments.append(
      Attachment(
        a: a, b: b, offsetA: behavior.offsetFromCenter, offsetB: behavior.farOffset, length: behavior.length,
        frequency: behavior.frequency, damping: behavior.damping))
    behavior.index = owners.count
    owners.append(behavior)
    if behavior.isPlain, behavior.parent == nil { plainSprings[ObjectIdentifier(behavior.item)] = behavior }
    attachmentsChanged(at: owners.count - 1, by: 1)
  }

  mutating func detach(_ behavior: AttachmentBehavior) {
    guard let index = behavior.index else { return }
    attachmentsChanged(at: index, by: -1)
    attachments.swapRemove(at: index)
    owners.swapAt(index, owners.count - 1)
    owners.removeLast()
    if index < owners.count { owners[index].index = index }
    behavior.index = nil
    if plainSprings[ObjectIdentifier(behavior.item)] === behavior {
      plainSprings[ObjectIdentifier(behavior.item)] = nil
    }
    release(behavior.item)
    if let other = behavior.attachedItem { release(other) }
  }

  func anchorMoved(of behavior: AttachmentBehavior) {
    guard let index = behavior.index else { return }
    attachments[index].offsetB = behavior.farOffset
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
