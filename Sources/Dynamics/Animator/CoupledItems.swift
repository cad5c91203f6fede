/// The items that are rigid bodies, because they are coupled with each other or pushed by forces, and the behaviors
/// that couple or push them. A body exists only as long as a behavior needs it.
struct CoupledItems: ~Copyable {
  var world = CoupledWorld()
  /// The items by the slots (indices) of their bodies. An element is nil if no item has a body in that slot.
  private(set) var items: [(any DynamicItem)?] = [nil]
  /// For each slot, the number of behaviors that need the body.
  private var uses: [Int] = [0]
  private var slots: [ObjectIdentifier: Int32] = [:]
  /// The behaviors by the indices of their joints. An element is nil if its joint was detached since the last step.
  private var owners: [AttachmentBehavior?] = []
  private var gapCount = 0
  /// For each item, the spring that the animator could solve in closed form if nothing else moved the item.
  private(set) var plainSprings: [ObjectIdentifier: AttachmentBehavior] = [:]
  /// The group behaviors that run, in the order in which they were added.
  var groups: [GroupBehavior] = []
  /// The bits of all collision behaviors that run, one bit for each.
  var collisionBits: UInt64 = 0
  /// Whether items have UIKit's resistances, steps also write the angles of bodies that have not turned, and bodies keep
  /// their first shapes.
  let followsUIKit: Bool

  init(followsUIKit: Bool) { self.followsUIKit = followsUIKit }

  /// The properties of an item that no `DynamicItemBehavior` contains.
  private var unconfigured: ItemProperties { followsUIKit ? .unconfiguredInUIKit : .unconfigured }

  /// Whether no body was ever added besides the ground, which every world has. Removed bodies count as added.
  var isEmpty: Bool { world.bodies.count == 1 }

  func slot(of item: any DynamicItem) -> Int32? { slots[ObjectIdentifier(item)] }

  /// Throws if the item cannot be a body.
  static func check(_ item: any DynamicItem) throws(DynamicsError) {
    guard item.center.isFinite else { throw .centerNotFinite(item: item.dynamicItemName, center: item.center) }
    guard item.angle.isFinite else { throw .angleNotFinite(item: item.dynamicItemName, angle: item.angle) }
    // For sides in this range, masses, inertias and their inverses are finite numbers.
    let sides = 1e-9...1e9
    guard sides.contains(item.size.width), sides.contains(item.size.height) else {
      throw .invalidSize(item: item.dynamicItemName, size: item.size)
    }
  }

  /// Records that one more behavior needs a body for the item, and creates the body if there is none.
  /// - Precondition: The item has been checked.
  /// - Returns: The slot of the body.
  @discardableResult mutating func retain(_ item: any DynamicItem) -> Int32 {
    if let slot = slot(of: item) {
      uses[Int(slot)] += 1
      return slot
    }
    var definition = BodyDefinition(kind: .moving, shape: Shape(halfWidth: 0.5, halfHeight: 0.5, isCircle: false))
    definition.properties = unconfigured
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

  /// Copies the item's place, angle, size and outline to its body. The velocity of the body stays the same.
  /// - Parameter keepsShape: Whether size and outline stay the same, too.
  mutating func readState(of item: any DynamicItem, _ slot: Int32, keepsShape: Bool = false) {
    if !keepsShape {
      let isCircle = item.collisionBoundsType == .ellipse
      let (width, height) = (item.size.width, item.size.height)
      world.bodies.definitions[slot].shape = Shape(
        halfWidth: (isCircle ? min(width, height) : width) / 2,
        halfHeight: (isCircle ? min(width, height) : height) / 2, isCircle: isCircle)
    }
    world.bodies.place(slot, at: Pose(x: item.center.x, y: item.center.y, angle: item.angle))
    world.updateMass(slot)
    if world.bodies.isFixed(slot) {
      // Wakes all bodies, because some of them may have rested on this body or hung from it.
      world.broadPhase.forget(slot)
      world.broadPhase.membersChanged = true
      for other in 0..<world.bodies.count { world.bodies.wake(Int32(other)) }
    }
    world.bodies.wake(slot)
  }

  /// Adds the body of a boundary, which belongs to no item; see `CoupledWorld.addBoundary`.
  /// - Returns: The slot of the body.
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

  /// Returns the spring and the velocity (points per second) of an item if the spring could also be solved in closed
  /// form. Returns nil if another behavior needs the body, or if the item spins.
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

  /// Calls `body` with the items that overlap `rect`, in the order of their slots. A rotated item counts as the upright
  /// rectangle around it. Touching at an edge does not count.
  /// - Complexity: O(items).
  func forEachItem(in rect: Rect, _ body: (any DynamicItem) -> Void) {
    for case let item? in items where Rect(center: item.center, size: item.uprightSize).intersects(rect) { body(item) }
  }

  /// Recomputes the acceleration, collision bits and properties of the item's body from the item's group behaviors.
  /// - Parameter wakes: Whether a sleeping body wakes.
  mutating func refresh(_ item: any DynamicItem, wakes: Bool = true) {
    guard let slot = slot(of: item) else { return }
    let oldMask = world.bodies.definitions[slot].collisionMask
    world.bodies.definitions[slot].acceleration = .zero
    world.bodies.definitions[slot].collisionMask = 0
    world.bodies.definitions[slot].properties = unconfigured
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

  /// - Precondition: The animator has accepted the behavior and its items, so all their numbers are finite.
  mutating func attach(_ behavior: AttachmentBehavior) {
    let a = retain(behavior.item)
    let b = behavior.attachedItem.map { retain($0) } ?? RigidBodies.ground
    world.attach(behavior.joint(of: a, to: b))
    behavior.index = owners.count
    owners.append(behavior)
    notePlain(behavior)
  }

  /// Updates `plainSprings` for the behavior's item. The closed form can solve only one spring of an item. When that
  /// spring is detached, another spring that qualifies replaces it.
  private mutating func notePlain(_ behavior: AttachmentBehavior) {
    let item = ObjectIdentifier(behavior.item)
    func isCandidate(_ spring: AttachmentBehavior) -> Bool {
      spring.index != nil && spring.isPlain && spring.parent == nil
    }
    if isCandidate(behavior) {
      if plainSprings[item] == nil { plainSprings[item] = behavior }
    } else if plainSprings[item] === behavior {
      // If the item has no body, it has no other attachment.
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

  /// Closes the gaps that detached joints have left. The joints keep their order, because the motion of their bodies
  /// depends on it: the springs of one item must not move differently because another item has lost a spring.
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
