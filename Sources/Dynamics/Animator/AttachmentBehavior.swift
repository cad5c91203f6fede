/// Ties an item to an anchor point or to another item (UIKit: `UIAttachmentBehavior`): by a spring, or by a
/// rigid rod where the frequency is 0.
///
/// A spring's frequency holds for whatever mass hangs on it: its stiffness is (2π·frequency)² times the mass
/// of the item, or the reduced mass of two, as by `b2LinearStiffness` of Box2D 2.4. Tied off the centre, an
/// item gives way more by turning, and swings faster.
///
/// A spring that is not damped keeps its energy, and a damped one gains none. Stiffer ones than the sub-steps
/// can follow, from some 20 Hz on at 60 frames a second, are held rather than swung, and lose their energy.
///
/// An item that hangs on nothing but one anchored spring of length 0 by its centre is solved in closed form.
public final class AttachmentBehavior: DynamicBehavior {
  /// Pulled towards `anchorPoint`, or to `length` from it; kept alive by the behavior.
  public let item: any DynamicItem
  /// Beside the item, as both are read for each item in each step.
  private(set) final var anchor: Point
  /// Where the item is tied, from its centre and in its own directions, points.
  public let offsetFromCenter: Vector
  /// What it is tied to; nil for an anchor.
  public let attachedItem: (any DynamicItem)?
  /// Where the other item is tied, from its centre and in its own directions, points.
  public let attachedOffset: Vector
  /// Points. Where the other item is tied now, if there is one.
  public var anchorPoint: Point {
    guard let attachedItem else { return anchor }
    let pose = Pose(x: attachedItem.center.x, y: attachedItem.center.y, angle: attachedItem.angle)
    let offset = pose.turned(attachedOffset)
    return Point(x: pose.x + offset.dx, y: pose.y + offset.dy)
  }
  /// Distance between both ends at which the spring is relaxed, points.
  public let length: Double
  /// Damping ratio: 0 swings for ever, 1 is critical.
  public let damping: Double
  /// Hz; 0 holds both ends rigidly at the length.
  public let frequency: Double
  /// Where the attachment lies in the coupled world; nil while it is solved in closed form, or not at all.
  final var index: Int?

  /// Values are checked when the behavior is added to an animator.
  public init(
    item: any DynamicItem, offsetFromCenter: Vector = .zero, attachedToAnchor anchorPoint: Point,
    length: Double = 0, damping: Double = 0, frequency: Double = 0
  ) {
    self.item = item
    self.offsetFromCenter = offsetFromCenter
    attachedItem = nil
    attachedOffset = .zero
    anchor = anchorPoint
    self.length = length
    self.damping = damping
    self.frequency = frequency
  }

  /// Values are checked when the behavior is added to an animator.
  public init(
    item: any DynamicItem, offsetFromCenter: Vector = .zero, attachedTo attachedItem: any DynamicItem,
    offsetFromCenter attachedOffset: Vector = .zero, length: Double = 0, damping: Double = 0,
    frequency: Double = 0
  ) {
    self.item = item
    self.offsetFromCenter = offsetFromCenter
    self.attachedItem = attachedItem
    self.attachedOffset = attachedOffset
    anchor = attachedItem.center
    self.length = length
    self.damping = damping
    self.frequency = frequency
  }

  override var itemName: String { item.dynamicItemName }

  /// Moves the anchor; the item stays where it is and is pulled after.
  /// - Precondition: The item is attached to an anchor, not to another item.
  public func setAnchorPoint(_ newAnchor: Point) throws(DynamicsError) {
    precondition(attachedItem == nil, "\(itemName) is attached to an item, which has no anchor to move")
    guard newAnchor.isFinite else {
      throw .anchorNotFinite(item: item.dynamicItemName, anchor: newAnchor)
    }
    let old = anchor
    anchor = newAnchor
    animator?.anchorMoved(of: self, from: old)
  }

  override func join(_ animator: DynamicAnimator) throws(DynamicsError) { try animator.attach(self) }

  override func leave(_ animator: DynamicAnimator) { animator.detach(self) }

  override func forget() { index = nil }
}

extension AttachmentBehavior {
  /// Whether both axes of its motion are linear and independent of each other and of any angle.
  var isPlain: Bool { attachedItem == nil && length == 0 && offsetFromCenter == .zero }

  /// Of the far end, from the centre of the other body; the ground's is the origin.
  var farOffset: Vector { attachedItem == nil ? Vector(dx: anchor.x, dy: anchor.y) : attachedOffset }

  /// Whether the coupled world can solve it.
  func check() throws(DynamicsError) {
    try CoupledItems.check(item)
    if let attachedItem {
      try CoupledItems.check(attachedItem)
      guard attachedItem !== item else { throw .attachedToItself(item: itemName) }
    }
    guard anchor.isFinite else { throw .anchorNotFinite(item: itemName, anchor: anchor) }
    for offset in [offsetFromCenter, attachedOffset] where !offset.isFinite {
      throw .offsetNotFinite(item: itemName, offset: offset)
    }
    guard length.isFinite, length >= 0 else { throw .invalidLength(item: itemName, length: length) }
    _ = try SpringParameters(frequency: frequency, damping: damping, item: itemName)
  }
}
