/// Properties of items (UIKit: those of `UIDynamicItemBehavior`, with their defaults). An item without a
/// `DynamicItemBehavior` has the values of `unconfigured`.
public struct ItemProperties: Hashable, Sendable, BitwiseCopyable {
  /// Mass is density times area.
  public var density = 1.0
  /// 0 for items that do not bounce, 1 for items that lose nothing. If two meet, the larger value counts.
  public var elasticity = 0.0
  /// 0 for smooth items. If two meet, the geometric mean counts.
  public var friction = 0.0
  /// Speed lost, 1/seconds.
  public var resistance = 0.0
  /// Spin lost, 1/seconds.
  public var angularResistance = 0.0
  /// If false, nothing turns the item, and any spin ends.
  public var allowsRotation = true
  /// If true, the item stays where it is, like a boundary.
  public var isAnchored = false

  /// Values are checked when a behavior that has them is added to an animator.
  public init(
    density: Double = 1, elasticity: Double = 0, friction: Double = 0, resistance: Double = 0,
    angularResistance: Double = 0, allowsRotation: Bool = true, isAnchored: Bool = false
  ) {
    (self.density, self.elasticity, self.friction) = (density, elasticity, friction)
    (self.resistance, self.angularResistance) = (resistance, angularResistance)
    (self.allowsRotation, self.isAnchored) = (allowsRotation, isAnchored)
  }

  /// For an item without a `DynamicItemBehavior`, the same as a UIKit body without a `UIDynamicItemBehavior`: a
  /// friction and an elasticity of 0.2. UIKit prints them in the message of the exception that a second behavior of an
  /// item raises (`fr:(0.200000) re:(0.200000)`; objc.io, "UICollectionView + UIKit Dynamics", issue 5, 2013). Its
  /// `de:(1.054650)` is not taken over: nobody says in which unit it is, and UIKit documents a density of 1.
  public static let unconfigured = ItemProperties(elasticity: 0.2, friction: 0.2)

  func check() throws(DynamicsError) {
    guard (1e-9...1e9).contains(density) else { throw .invalidProperty(name: "density", value: density) }
    guard (0...1).contains(elasticity) else { throw .invalidProperty(name: "elasticity", value: elasticity) }
    let others = [("friction", friction), ("resistance", resistance), ("angular resistance", angularResistance)]
    for (name, value) in others where !(value >= 0 && value.isFinite) {
      throw .invalidProperty(name: name, value: value)
    }
  }
}
