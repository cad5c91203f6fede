extension AttachmentBehavior {
  /// The item, and the one it is attached to, if any.
  public var items: [any DynamicItem] { attachedItem.map { [item, $0] } ?? [item] }

  /// The other end of an attachment (UIKit: `UIAttachmentBehavior.AttachmentType`).
  public enum AttachedBehaviorType: Hashable, Sendable { case items, anchor }

  public var attachedBehaviorType: AttachedBehaviorType { attachedItem == nil ? .anchor : .items }
}
