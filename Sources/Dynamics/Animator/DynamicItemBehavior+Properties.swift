// UIKit's properties, one by one; see `ItemProperties`.
extension DynamicItemBehavior {
  /// Mass is density times area.
  public var density: Double {
    get { properties.density }
    set { properties.density = newValue }
  }

  /// 0 for items that do not bounce, 1 for items that lose nothing.
  public var elasticity: Double {
    get { properties.elasticity }
    set { properties.elasticity = newValue }
  }

  /// 0 for smooth items.
  public var friction: Double {
    get { properties.friction }
    set { properties.friction = newValue }
  }

  /// Rate of losing speed, 1/seconds.
  public var resistance: Double {
    get { properties.resistance }
    set { properties.resistance = newValue }
  }

  /// Rate of losing spin, 1/seconds.
  public var angularResistance: Double {
    get { properties.angularResistance }
    set { properties.angularResistance = newValue }
  }

  /// If false, nothing turns the items, and any spin ends.
  public var allowsRotation: Bool {
    get { properties.allowsRotation }
    set { properties.allowsRotation = newValue }
  }
}
