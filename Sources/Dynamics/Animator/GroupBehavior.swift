/// A behavior that affects the rigid bodies of a group of items. Subclasses define the effect.
public class GroupBehavior: DynamicBehavior {
  /// The items, in no particular order.
  public private(set) final var items: [any DynamicItem] = []
  private final var places: [ObjectIdentifier: Int] = [:]
  /// For items that `retainItem` has added several times, the number of calls after the first one.
  private final var furtherUses: [ObjectIdentifier: Int] = [:]

  init(items: [any DynamicItem]) {
    super.init()
    for item in items where !contains(item) { append(item) }
  }

  override var itemName: String { "\(type(of: self)) of \(items.count) items" }

  /// Throws if the behavior's own values are invalid.
  func check() throws(DynamicsError) {}

  func apply(to body: inout BodyDefinition, of item: any DynamicItem) {}

  /// Applies changed values of the behavior to its items.
  final func valuesChanged() {
    guard let animator else { return }
    do throws(DynamicsError) { try check() } catch { preconditionFailure("\(error)") }
    for item in items { animator.coupled.pointee.refresh(item) }
    animator.resumeIfAwake()
  }

  final func contains(_ item: any DynamicItem) -> Bool { places[ObjectIdentifier(item)] != nil }

  private final func append(_ item: any DynamicItem) {
    places[ObjectIdentifier(item)] = items.count
    items.append(item)
  }

  override func join(_ animator: DynamicAnimator) throws(DynamicsError) {
    try check()
    for item in items { try CoupledItems.check(item) }
    animator.coupled.pointee.groups.append(self)
    for item in items { animator.couple(item) }
  }

  override func leave(_ animator: DynamicAnimator) {
    animator.coupled.pointee.groups.removeAll { $0 === self }
    for item in items { animator.uncouple(item) }
  }

  /// Adds an item. Does nothing if the item already belongs to the group.
  /// - Throws: If an animator runs the behavior and the item's center, angle or size is invalid. In that case, the
  ///   group does not change.
  public final func addItem(_ item: any DynamicItem) throws(DynamicsError) {
    guard !contains(item) else { return }
    if animator != nil { try CoupledItems.check(item) }
    append(item)
    animator?.couple(item)
    animator?.resumeIfAwake()
  }

  /// Removes an item.
  /// - Throws: `DynamicsError.unknownItem` if the item does not belong to the group.
  /// - Complexity: O(n), where n is the number of contacts of all items of the animator.
  public func removeItem(_ item: any DynamicItem) throws(DynamicsError) {
    guard let place = places.removeValue(forKey: ObjectIdentifier(item)) else {
      throw .unknownItem(item: item.dynamicItemName)
    }
    items.swapAt(place, items.count - 1)
    items.removeLast()
    if place < items.count { places[ObjectIdentifier(items[place])] = place }
    animator?.uncouple(item)
    animator?.resumeIfAwake()
  }

  /// Adds an item, or counts one more use of an item that already belongs to the group.
  package final func retainItem(_ item: any DynamicItem) throws(DynamicsError) {
    guard contains(item) else { return try addItem(item) }
    furtherUses[ObjectIdentifier(item), default: 0] += 1
  }

  /// Removes an item if each other call of `retainItem` for the item has been undone, too.
  package final func releaseItem(_ item: any DynamicItem) throws(DynamicsError) {
    guard let uses = furtherUses[ObjectIdentifier(item)] else { return try removeItem(item) }
    furtherUses[ObjectIdentifier(item)] = uses > 1 ? uses - 1 : nil
  }

  /// Returns the velocity of an item, points per second.
  /// - Throws: `DynamicsError.unknownItem` if the item is not in the group, or no animator runs the behavior.
  public final func linearVelocity(for item: any DynamicItem) throws(DynamicsError) -> Vector {
    try motion(of: item).pointee.velocity
  }

  /// Returns the spin of an item, radians per second.
  /// - Throws: The same errors as `linearVelocity(for:)`.
  public final func angularVelocity(for item: any DynamicItem) throws(DynamicsError) -> Double {
    try motion(of: item).pointee.spin
  }

  /// Adds to the velocity of an item, points per second. Does nothing if the item is anchored.
  /// - Throws: The same errors as `linearVelocity(for:)`, and `.velocityNotFinite`.
  public final func addLinearVelocity(_ velocity: Vector, for item: any DynamicItem) throws(DynamicsError) {
    let motion = try motion(of: item)
    guard velocity.isFinite else { throw .velocityNotFinite(item: item.dynamicItemName) }
    guard motion.pointee.inverseMass > 0 else { return }
    motion.pointee.vx += velocity.dx
    motion.pointee.vy += velocity.dy
    animator?.wake(item)
    animator?.resumeIfAwake()
  }

  /// Adds to the spin of an item, radians per second. The spin stays 0 if the item may not rotate.
  /// - Throws: The same errors as `linearVelocity(for:)`, and `.velocityNotFinite`.
  public final func addAngularVelocity(_ velocity: Double, for item: any DynamicItem) throws(DynamicsError) {
    let motion = try motion(of: item)
    guard velocity.isFinite else { throw .velocityNotFinite(item: item.dynamicItemName) }
    if motion.pointee.inverseInertia > 0 { motion.pointee.spin += velocity }
    animator?.wake(item)
    animator?.resumeIfAwake()
  }

  final func motion(of item: any DynamicItem) throws(DynamicsError) -> UnsafeMutablePointer<Motion> {
    guard let animator, contains(item), let slot = animator.coupled.pointee.slot(of: item) else {
      throw .unknownItem(item: item.dynamicItemName)
    }
    return animator.coupled.pointee.world.bodies.motions.base + Int(slot)
  }
}
