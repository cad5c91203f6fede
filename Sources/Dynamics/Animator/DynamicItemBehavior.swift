/// Sets properties of items, and reads and changes their velocities (UIKit: `UIDynamicItemBehavior`). If several apply
/// to the same item, the one that was added last counts.
@dynamicMemberLookup public final class DynamicItemBehavior: GroupBehavior {
  /// The properties of all items of the group. Setting invalid values while an animator runs the behavior is a
  /// programming error that ends the program.
  public var properties: ItemProperties { didSet { valuesChanged() } }

  /// Values are checked when the behavior is added to an animator.
  public init(items: [any DynamicItem] = [], properties: ItemProperties = ItemProperties()) {
    self.properties = properties
    super.init(items: items)
  }

  /// The single properties under UIKit's names, as they are in `properties`.
  public subscript<Value>(dynamicMember property: WritableKeyPath<ItemProperties, Value>) -> Value {
    get { properties[keyPath: property] }
    set { properties[keyPath: property] = newValue }
  }

  override func check() throws(DynamicsError) { try properties.check() }
  override func apply(to body: inout BodyDefinition, of item: any DynamicItem) { body.properties = properties }
}
