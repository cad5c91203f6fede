/// Sets properties of items, and reads and changes their velocities (UIKit: `UIDynamicItemBehavior`). If
/// several apply to the same item, the one that was added last counts.
public final class DynamicItemBehavior: GroupBehavior {
  /// The same for all items of the group. Setting invalid values while an animator runs the behavior is a
  /// programming error that ends the program.
  public var properties: ItemProperties { didSet { valuesChanged() } }

  /// Values are checked when the behavior is added to an animator.
  public init(items: [any DynamicItem] = [], properties: ItemProperties = ItemProperties()) {
    self.properties = properties
    super.init(items: items)
  }

  override func check() throws(DynamicsError) { try properties.check() }

  override func apply(to body: inout BodyDefinition) { body.properties = properties }
}

extension DynamicItemBehavior {
  /// Points per second.
  /// - Throws: `DynamicsError.unknownItem` if the item does not belong to the group, or while the behavior
  ///   does not run; the other calls do, too.
  public func linearVelocity(for item: any DynamicItem) throws(DynamicsError) -> Vector {
    let motion = try motion(of: item)
    return Vector(dx: motion.pointee.vx, dy: motion.pointee.vy)
  }

  /// Radians per second.
  public func angularVelocity(for item: any DynamicItem) throws(DynamicsError) -> Double {
    try motion(of: item).pointee.spin
  }

  /// - Parameters:
  ///   - velocity: Points per second.
  ///   - item: One of the behavior's items.
  public func addLinearVelocity(_ velocity: Vector, for item: any DynamicItem) throws(DynamicsError) {
    let motion = try motion(of: item)
    guard velocity.isFinite else { throw .velocityNotFinite(item: item.dynamicItemName) }
    motion.pointee.vx += velocity.dx
    motion.pointee.vy += velocity.dy
    animator?.wake(item)
    animator?.resumeIfAwake()
  }

  /// Does nothing to an item that may not rotate.
  /// - Parameters:
  ///   - velocity: Radians per second.
  ///   - item: One of the behavior's items.
  public func addAngularVelocity(_ velocity: Double, for item: any DynamicItem) throws(DynamicsError) {
    let motion = try motion(of: item)
    guard velocity.isFinite else { throw .velocityNotFinite(item: item.dynamicItemName) }
    if motion.pointee.inverseInertia > 0 { motion.pointee.spin += velocity }
    animator?.wake(item)
    animator?.resumeIfAwake()
  }

  private func motion(of item: any DynamicItem) throws(DynamicsError) -> UnsafeMutablePointer<Motion> {
    guard let animator, contains(item), let slot = animator.coupled.pointee.slot(of: item) else {
      throw .unknownItem(item: item.dynamicItemName)
    }
    return animator.coupled.pointee.world.bodies.motions.base + Int(slot)
  }
}
