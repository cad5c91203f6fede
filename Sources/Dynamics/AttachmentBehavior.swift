/// Ties an item to an anchor point by a spring (UIKit: `UIAttachmentBehavior`).
public final class AttachmentBehavior: DynamicBehavior {
  public let item: any DynamicItem
  /// Points.
  public private(set) var anchorPoint: Point
  /// Distance from the anchor at which the spring is relaxed, points.
  public let length: Double
  /// Damping ratio: 0 swings for ever, 1 is critical.
  public let damping: Double
  /// Hz; 0 holds the item rigidly at its anchor.
  public let frequency: Double

  /// Values are checked when the behaviour is added to an animator.
  public init(
    item: any DynamicItem, attachedToAnchor anchorPoint: Point, length: Double = 0, damping: Double = 0,
    frequency: Double = 0
  ) {
    self.item = item
    self.anchorPoint = anchorPoint
    self.length = length
    self.damping = damping
    self.frequency = frequency
  }

  override var itemName: String { item.dynamicItemName }

  /// Moves the anchor; the item stays where it is and is pulled after.
  public func setAnchorPoint(_ newAnchor: Point) throws(DynamicsError) {
    guard newAnchor.isFinite else {
      throw .anchorNotFinite(item: item.dynamicItemName, anchor: newAnchor)
    }
    let old = anchorPoint
    anchorPoint = newAnchor
    animator?.anchorMoved(of: self, from: old)
  }
}
