/// Sets properties of items, and reads and changes their velocities (UIKit: `UIDynamicItemBehavior`). If several such
/// behaviors contain an item, only the one that was added to the animator last sets its properties.
@dynamicMemberLookup public final class DynamicItemBehavior: GroupBehavior {
  /// The properties of all items. Setting invalid values while an animator runs the behavior ends the program.
  public var properties: ItemProperties { didSet { valuesChanged() } }
  /// Functions that set the only properties that the behavior sets, as in UIKit. If nil, it sets all of `properties`.
  package var changes: [PartialKeyPath<ItemProperties>: (inout ItemProperties) -> Void]? { didSet { valuesChanged() } }

  /// Creates a behavior. The values are checked when it is added to an animator.
  public init(items: [any DynamicItem] = [], properties: ItemProperties = ItemProperties()) {
    self.properties = properties
    super.init(items: items)
  }

  /// A single property of `properties`, so that the names of UIKit work, such as `behavior.friction`.
  public subscript<Value>(dynamicMember property: WritableKeyPath<ItemProperties, Value>) -> Value {
    get { properties[keyPath: property] }
    set { properties[keyPath: property] = newValue }
  }

  override func check() throws(DynamicsError) { try properties.check() }
  override func apply(to body: inout BodyDefinition, of item: any DynamicItem) {
    if let changes { for change in changes.values { change(&body.properties) } } else { body.properties = properties }
  }
}

extension DynamicAnimator {
  /// Makes properties those that the last of these behaviors sets. They must be all behaviors of this class that run.
  package func order(_ behaviors: [DynamicItemBehavior]) {
    let before = coupled.pointee.groups.compactMap { $0 as? DynamicItemBehavior }
    guard !before.elementsEqual(behaviors, by: ===) else { return }
    coupled.pointee.groups.removeAll { $0 is DynamicItemBehavior }
    coupled.pointee.groups += behaviors
    for behavior in behaviors { behavior.valuesChanged() }
  }
}
