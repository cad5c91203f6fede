/// The items that are coupled with one another or pushed by forces, as rigid bodies of a coupled world, and the
/// behaviors that couple or push them. Bodies come and go with the behaviors that need them.
struct CoupledItems: ~Copyable {
  var world = CoupledWorld()
  /// Items by slot of the body.
  private(set) var items: [(any DynamicItem)?] = [nil]
  /// Number of behaviors that need the body, by slot.
  private var uses: [Int] = [0]
  private var slots: [ObjectIdentifier: Int32] = [:]
  /// Behaviors by attachment; nil for one that was detached since the last step.
  private var owners: [AttachmentBehavior?] = []
  private var gapCount = 0
  /// For each item, the spring that the animator could solve in closed form if nothing else moved the item.
  private(set) var plainSprings: [ObjectIdentifier: AttachmentBehavior] = [:]
  /// The groups in the order in which they were added.
  var groups: [GroupBehavior] = []
  /// One bit per collision behavior.
  var collisionBits: UInt64 = 0

  func slot(of item: any DynamicItem) -> Int32? { slots[ObjectIdentifier(item)] }

  /// Whether the item can be a body.
  static func check(_ item: any DynamicItem) throws(DynamicsError) {
    guard item.center.isFinite else { throw .centerNotFinite(item: item.dynamicItemName, center: item.center) }
    guard item.angle.isFinite else { throw .angleNotFinite(item: item.dynamicItemName, angle: item.angle) }
    // Within these sides masses and inertias, and their inverses, are numbers.
    let sides = 1e-9...1e9
    guard sides.contains(item.size.width), sides.contains(item.size.height) else {
      throw .invalidSize(item: item.dynamicItemName, size: item.size)
    }
  }

  /// Counts one more behavior that needs a body for the item, which has been checked.
  @discardableResult mutating func retain(_ item: any DynamicItem) -> Int32 {
    if let slot = slot(of: item) {
      uses[Int(slot)] += 1
      return slot
    }
    var definition = BodyDefinition(kind: .moving, shape: Shape(halfWidth: 0.5, halfHeight: 0.5, isCircle: false))
    definition.properties = .unconfigured
    let slot = world.bodies.add(definition, Pose(x: 0, y: 0, angle: 0))
    growTables(to: slot)
    items[Int(slot)] = item
    uses[Int(slot)] = 1
    slots[ObjectIdentifier(item)] = slot
    readState(of: item, slot)
    return slot
  }

  mutating func release(_ item: any DynamicItem) {
    guard let slot = slot(of: item) else { return }
    world.bodies.wake(slot)
    uses[Int(slot)] -= 1
    guard uses[Int(slot)] == 0 else { return }
    slots[ObjectIdentifier(item)] = nil
    items[Int(slot)] = nil
    world.removeBody(slot)
  }

  /// Reads the item's place and size; its velocity stays.
  mutating func readState(of item: any DynamicItem, _ slot: Int32) {
    let isCircle = item.collisionBoundsType == .ellipse
    let (width, height) = (item.size.width, item.size.height)
    world.bodies.definitions[slot].shape = Shape(
      halfWidth: (isCircle ? min(width, height) : width) / 2, halfHeight: (isCircle ? min(width, height) : height) / 2,
      isCircle: isCircle)
    world.bodies.place(slot, at: Pose(x: item.center.x, y: item.center.y, angle: item.angle))
    world.updateMass(slot)
    if world.bodies.isFixed(slot) {
      // Others may have rested on it, or hung from it.
      world.broadPhase.forget(slot)
      world.broadPhase.membersChanged = true
      for other in 0..<world.bodies.count { world.bodies.wake(Int32(other)) }
    }
    world.bodies.wake(slot)
  }

  /// A boundary's body does not belong to an item; see `CoupledWorld.addBoundary`.
  mutating func addBoundary(from: Point, to: Point, isWall: Bool, mask: UInt64) -> Int32 {
    let slot = world.addBoundary(from: from, to: to, isWall: isWall, mask: mask)
    growTables(to: slot)
    return slot
  }

  private mutating func growTables(to slot: Int32) {
    guard Int(slot) == items.count else { return }
    items.append(nil)
    uses.append(0)
  }

  /// The spring of an item that could also be solved in closed form, and the item's velocity, points per second.
  func lonelySpring(of item: any DynamicItem) -> (spring: AttachmentBehavior, velocity: Vector)? {
    guard let slot = slot(of: item), uses[Int(slot)] == 1, world.bodies.motions[slot].spin == 0,
      let spring = plainSprings[ObjectIdentifier(item)]
    else { return nil }
    return (spring, world.bodies.motions[slot].velocity)
  }

  func setVelocity(_ velocity: Vector, of item: any DynamicItem) {
    guard let slot = slot(of: item) else { return }
    (world.bodies.motions[slot].vx, world.bodies.motions[slot].vy) = (velocity.dx, velocity.dy)
  }

  /// The items whose rectangles, or the upright ones around them, share more than an edge with this one, in the order
  /// of their slots.
  /// - Complexity: O(items).
  func items(in rect: Rect) -> [any DynamicItem] {
    var found: [any DynamicItem] = []
    for case let item? in items where Rect(center: item.center, size: item.uprightSize).intersects(rect) {
      found.append(item)
    }
    return found
  }

  /// Recomputes from the groups the acceleration, the collision bits and the properties of the item's body.
  /// - Parameter wakes: Whether a body at rest moves again.
  mutating func refresh(_ item: any DynamicItem, wakes: Bool = true) {
    guard let slot = slot(of: item) else { return }
    let oldMask = world.bodies.definitions[slot].collisionMask
    world.bodies.definitions[slot].acceleration = .zero
    world.bodies.definitions[slot].collisionMask = 0
    world.bodies.definitions[slot].properties = .unconfigured
    for group in groups where group.contains(item) { group.apply(to: &world.bodies.definitions[slot], of: item) }
    let (isAnchored, wasAnchored) = (world.bodies.definitions[slot].properties.isAnchored, world.bodies.isFixed(slot))
    world.bodies.definitions[slot].kind = isAnchored ? .fixed : .moving
    if isAnchored { (world.bodies.motions[slot].vx, world.bodies.motions[slot].vy) = (0, 0) }
    world.updateMass(slot)
    if wakes { world.bodies.wake(slot) }
    if world.bodies.definitions[slot].collisionMask != oldMask || isAnchored != wasAnchored {
      world.broadPhase.membersChanged = true
    }
  }

  /// - Precondition: The behavior and its items have been checked.
  mutating func attach(_ behavior: AttachmentBehavior) {
    let a = retain(behavior.item)
    let b = behavior.attachedItem.map { retain($0) } ?? RigidBodies.ground
    world.attach(behavior.joint(of: a, to: b))
    behavior.index = owners.count
    owners.append(behavior)
    notePlain(behavior)
  }

  /// Only one spring of an item can be solved in closed form. A second one that would qualify waits here until the
  /// first is detached.
  private mutating func notePlain(_ behavior: AttachmentBehavior) {
    let item = ObjectIdentifier(behavior.item)
    func isCandidate(_ spring: AttachmentBehavior) -> Bool {
      spring.index != nil && spring.isPlain && spring.parent == nil
    }
    if isCandidate(behavior) {
      if plainSprings[item] == nil { plainSprings[item] = behavior }
    } else if plainSprings[item] === behavior {
      // Without a body, the item hangs on nothing else.
      plainSprings[item] =
        slot(of: behavior.item) == nil
        ? nil : owners.lazy.compactMap { $0 }.first { $0.item === behavior.item && isCandidate($0) }
    }
  }

  mutating func valuesChanged(of behavior: AttachmentBehavior) {
    guard let index = behavior.index else { return }
    let old = world.joints[index]
    world.replaceJoint(at: index, by: behavior.joint(of: old.a, to: old.b))
    notePlain(behavior)
  }

  mutating func detach(_ behavior: AttachmentBehavior) {
    guard let index = behavior.index else { return }
    world.detach(at: index)
    (owners[index], behavior.index) = (nil, nil)
    gapCount += 1
    release(behavior.item)
    notePlain(behavior)
    if let other = behavior.attachedItem { release(other) }
    if 2 * gapCount > owners.count { closeGaps() }
  }

  /// Moves the joints together, before a step. They stay in their order, on which the motion of their bodies depends:
  /// the springs of one item must not move because another has lost one.
  mutating func closeGaps() {
    guard gapCount > 0 else { return }
    var kept = 0
    for index in owners.indices {
      guard let owner = owners[index] else { continue }
      world.joints[kept] = world.joints[index]
      (owners[kept], owner.index) = (owner, kept)
      kept += 1
    }
    owners.removeLast(owners.count - kept)
    world.joints.truncate(to: kept)
    gapCount = 0
  }

  func anchorMoved(of behavior: AttachmentBehavior) {
    guard let index = behavior.index else { return }
    world.moveAnchor(ofJointAt: index, to: behavior.farOffset)
  }
}
