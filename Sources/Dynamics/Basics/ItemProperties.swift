/// Physical properties of items. An item without a `DynamicItemBehavior` has the values of `unconfigured` instead of
/// the defaults.
public struct ItemProperties: Hashable, Sendable, BitwiseCopyable {
  /// The mass per area. An item's mass is its density times its area.
  public var density = 1.0
  /// The share of its speed that an item keeps in a bounce. If two items meet, the larger value counts.
  public var elasticity = 0.0
  /// Resistance to sliding along another item; 0 is smooth. If two items meet, the geometric mean counts. If an item
  /// meets a boundary or an anchored item, only the value of the moving item counts.
  public var friction = 0.0
  /// The rate at which the item loses speed, 1/seconds.
  public var resistance = 0.0
  /// The rate at which the item loses spin, 1/seconds.
  public var angularResistance = 0.0
  /// Whether the item can turn. Setting this to false also ends any spin.
  public var allowsRotation = true
  /// Whether the item stays where it is, like a boundary.
  public var isAnchored = false
  /// The charge, which no behavior of this module reads. Force fields of the module UIKit act on it.
  package var charge = 0.0

  /// Creates properties. Their values are checked when a behavior that has them is added to an animator.
  public init(
    density: Double = 1, elasticity: Double = 0, friction: Double = 0, resistance: Double = 0,
    angularResistance: Double = 0, allowsRotation: Bool = true, isAnchored: Bool = false
  ) {
    (self.density, self.elasticity, self.friction) = (density, elasticity, friction)
    (self.resistance, self.angularResistance) = (resistance, angularResistance)
    (self.allowsRotation, self.isAnchored) = (allowsRotation, isAnchored)
  }

  /// The properties of an item without a `DynamicItemBehavior`. Friction and elasticity are 0.2, as in UIKit: a message
  /// of UIKit describes such an item with `fr:(0.200000) re:(0.200000)` (objc.io, "UICollectionView + UIKit Dynamics",
  /// issue 5, 2013). The two resistances are 0 here, and 0.1 in UIKit and in the animators of the module UIKit.
  public static let unconfigured = ItemProperties(elasticity: 0.2, friction: 0.2)
  static let unconfiguredInUIKit = ItemProperties(
    elasticity: 0.2, friction: 0.2, resistance: 0.1, angularResistance: 0.1)

  func check() throws(DynamicsError) {
    guard (1e-9...1e9).contains(density) else { throw .invalidProperty(name: "density", value: density) }
    guard (0...1).contains(elasticity) else { throw .invalidProperty(name: "elasticity", value: elasticity) }
    let others = [("friction", friction), ("resistance", resistance), ("angular resistance", angularResistance)]
    for (name, value) in others where !(value >= 0 && value.isFinite) {
      throw .invalidProperty(name: name, value: value)
    }
  }
}
