/// What items are like (UIKit: the properties of `UIDynamicItemBehavior`, with their defaults).
public struct ItemProperties: Hashable, Sendable, BitwiseCopyable {
  /// Mass is density times area.
  public var density = 1.0
  /// 0 for items that do not bounce, 1 for items that lose nothing. Where two meet, the larger counts.
  public var elasticity = 0.0
  /// 0 for smooth items. Where two meet, the geometric mean counts.
  public var friction = 0.0
  /// Speed lost, 1/seconds.
  public var resistance = 0.0
  /// Spin lost, 1/seconds.
  public var angularResistance = 0.0
  /// False: nothing turns the item, and a spin that it has ends.
  public var allowsRotation = true

  /// Values are checked when a behaviour that has them is added to an animator.
  public init(
    density: Double = 1, elasticity: Double = 0, friction: Double = 0, resistance: Double = 0,
    angularResistance: Double = 0, allowsRotation: Bool = true
  ) {
    self.density = density
    self.elasticity = elasticity
    self.friction = friction
    self.resistance = resistance
    self.angularResistance = angularResistance
    self.allowsRotation = allowsRotation
  }

  func check() throws(DynamicsError) {
    guard (1e-9...1e9).contains(density) else { throw .invalidProperty(name: "density", value: density) }
    guard (0...1).contains(elasticity) else {
      throw .invalidProperty(name: "elasticity", value: elasticity)
    }
    let others = [
      ("friction", friction), ("resistance", resistance), ("angular resistance", angularResistance),
    ]
    for (name, value) in others where !(value >= 0 && value.isFinite) {
      throw .invalidProperty(name: name, value: value)
    }
  }
}

/// Says what items are like, and reads and changes their velocities (UIKit: `UIDynamicItemBehavior`). Where
/// several are about the same item, the one that was added last counts.
public final class DynamicItemBehavior: GroupBehavior {
  /// The same for all items of the group.
  public let properties: ItemProperties

  /// Values are checked when the behaviour is added to an animator.
  public init(items: [any DynamicItem] = [], properties: ItemProperties = ItemProperties()) {
    self.properties = properties
    super.init(items: items)
  }

  override func check() throws(DynamicsError) { try properties.check() }

  override func apply(to body: inout Traits) { body.properties = properties }
}

extension DynamicItemBehavior {
  /// Points per second.
  /// - Throws: `DynamicsError.unknownItem` for one that does not belong to the group, or while the
  ///   behaviour does not run; so do the others.
  public func linearVelocity(for item: any DynamicItem) throws(DynamicsError) -> Vector {
    let motion = try motion(of: item)
    return Vector(dx: motion.pointee.vx, dy: motion.pointee.vy)
  }

  /// Radians per second.
  public func angularVelocity(for item: any DynamicItem) throws(DynamicsError) -> Double {
    try motion(of: item).pointee.spin
  }

  /// - Parameter velocity: Points per second.
  public func addLinearVelocity(_ velocity: Vector, for item: any DynamicItem) throws(DynamicsError) {
    let motion = try motion(of: item)
    guard velocity.isFinite else { throw .velocityNotFinite(item: item.dynamicItemName) }
    motion.pointee.vx += velocity.dx
    motion.pointee.vy += velocity.dy
    animator?.wake(item)
    animator?.resumeIfAwake()
  }

  /// Does nothing to an item that may not rotate.
  /// - Parameter velocity: Radians per second.
  public func addAngularVelocity(_ velocity: Double, for item: any DynamicItem) throws(DynamicsError) {
    let motion = try motion(of: item)
    guard velocity.isFinite else { throw .velocityNotFinite(item: item.dynamicItemName) }
    if motion.pointee.inverseInertia > 0 { motion.pointee.spin += velocity }
    animator?.wake(item)
    animator?.resumeIfAwake()
  }

  private func motion(of item: any DynamicItem) throws(DynamicsError) -> UnsafeMutablePointer<Motion> {
    guard let animator, contains(item), let slot = animator.world.pointee.slot(of: item) else {
      throw .unknownItem(item: item.dynamicItemName)
    }
    return animator.world.pointee.bodies.motions.base + Int(slot)
  }
}
