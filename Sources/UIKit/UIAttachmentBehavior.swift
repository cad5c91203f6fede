import Dynamics
import Foundation

/// Ties an item to an anchor point or to another item: by a spring, or by a rigid rod if the frequency is 0.
open class UIAttachmentBehavior: UIDynamicBehavior {
  /// The other end of an attachment.
  public enum AttachmentType: Int, Sendable {
    case items, anchor
  }

  /// The item, and the one that it is attached to, if any.
  public final let items: [any UIDynamicItem]
  private final let offsets: [UIOffset]
  private final var anchor: CGPoint
  private final var spring: AttachmentBehavior?

  public convenience init(item: any UIDynamicItem, attachedToAnchor point: CGPoint) {
    self.init(item: item, offsetFromCenter: .zero, attachedToAnchor: point)
  }

  public init(item: any UIDynamicItem, offsetFromCenter offset: UIOffset, attachedToAnchor point: CGPoint) {
    (items, offsets, anchor) = ([item], [offset], point)
    length = Self.distance(Self.end(of: item, offset), point)
    super.init()
  }

  public convenience init(item item1: any UIDynamicItem, attachedTo item2: any UIDynamicItem) {
    self.init(item: item1, offsetFromCenter: .zero, attachedTo: item2, offsetFromCenter: .zero)
  }

  public init(
    item item1: any UIDynamicItem, offsetFromCenter offset1: UIOffset, attachedTo item2: any UIDynamicItem,
    offsetFromCenter offset2: UIOffset
  ) {
    (items, offsets, anchor) = ([item1, item2], [offset1, offset2], .zero)
    length = Self.distance(Self.end(of: item1, offset1), Self.end(of: item2, offset2))
    super.init()
  }

  public final var attachedBehaviorType: AttachmentType { items.count == 1 ? .anchor : .items }

  /// The anchor, points; of an attachment of two items, the end on the second. When the anchor is moved, the item stays
  /// where it is and is pulled along.
  open var anchorPoint: CGPoint {
    get { items.count == 1 ? anchor : Self.end(of: items[1], offsets[1]) }
    set {
      guard items.count == 1 else { return }
      anchor = newValue
      mustSucceed { () throws(DynamicsError) in try spring?.setAnchorPoint(Point(newValue)) }
    }
  }

  /// Distance between the ends at which the spring is relaxed, points: at first that between them.
  open var length: CGFloat { didSet { apply { $0.length = Double(length) } } }
  /// Damping ratio: at 0 it swings forever, 1 is critical.
  open var damping: CGFloat = 0 { didSet { apply { $0.damping = Double(damping) } } }
  /// Frequency, Hz; 0 holds both ends rigidly at the length.
  open var frequency: CGFloat = 0 { didSet { apply { $0.frequency = Double(frequency) } } }

  /// The torque against which the item turns about its end. Attachments have no friction here: one that is not 0 ends the
  /// program with a message.
  open var frictionTorque: CGFloat = 0 {
    didSet {
      if frictionTorque != 0 { raise("a frictionTorque of \(frictionTorque): attachments have none here") }
    }
  }

  private func apply(_ change: (AttachmentBehavior) -> Void) {
    guard let spring else { return }
    for (name, value) in [("length", length), ("damping", damping), ("frequency", frequency)]
    where !(value >= 0 && value.isFinite) {
      raise("the \(name) of an attachment is \(value); it must be finite and not negative")
    }
    change(spring)
  }

  override final func join(_ animator: UIDynamicAnimator) {
    let bodies = items.map { animator.retain($0) }
    let (length, damping, frequency) = (Double(length), Double(damping), Double(frequency))
    let spring =
      bodies.count == 1
      ? AttachmentBehavior(
        item: bodies[0], offsetFromCenter: Vector(offsets[0]), attachedToAnchor: Point(anchor),
        length: length,
        damping: damping, frequency: frequency)
      : AttachmentBehavior(
        item: bodies[0], offsetFromCenter: Vector(offsets[0]), attachedTo: bodies[1],
        offsetFromCenter: Vector(offsets[1]), length: length, damping: damping, frequency: frequency)
    animator.run(spring)
    self.spring = spring
  }

  override final func leave(_ animator: UIDynamicAnimator) {
    if let spring { animator.end(spring) }
    spring = nil
    for item in items { animator.release(item) }
  }

  override final func forget() { spring = nil }

  private static func end(of item: any UIDynamicItem, _ offset: UIOffset) -> CGPoint {
    let turned = CGPoint(x: offset.horizontal, y: offset.vertical)
      .applying(CGAffineTransform(rotationAngle: CGFloat(item.transform.angle)))
    return CGPoint(x: item.center.x + turned.x, y: item.center.y + turned.y)
  }

  private static func distance(_ a: CGPoint, _ b: CGPoint) -> CGFloat {
    ((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)).squareRoot()
  }
}
