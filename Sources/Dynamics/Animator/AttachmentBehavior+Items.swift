extension AttachmentBehavior {
  /// The item, and what it is attached to, if that is an item.
  public var items: [any DynamicItem] { attachedItem.map { [item, $0] } ?? [item] }

  /// What an attachment holds the item to (UIKit: `UIAttachmentBehavior.AttachmentType`).
  public enum AttachedBehaviorType: Hashable, Sendable {
    case items, anchor
  }

  public var attachedBehaviorType: AttachedBehaviorType { attachedItem == nil ? .anchor : .items }
}
