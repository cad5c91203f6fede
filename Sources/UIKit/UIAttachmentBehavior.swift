import Dynamics
import Foundation

/// A range of numbers whose ends may be infinite.
public struct UIFloatRange: Hashable, Sendable {
  public var minimum: CGFloat
  public var maximum: CGFloat

  public init(minimum: CGFloat, maximum: CGFloat) { (self.minimum, self.maximum) = (minimum, maximum) }
  public init() { self.init(minimum: 0, maximum: 0) }

  public static let zero = UIFloatRange()
  public static let infinite = UIFloatRange(minimum: -.infinity, maximum: .infinity)
  public var isInfinite: Bool { minimum == -.infinity && maximum == .infinity }
}

/// Connects an item to an anchor point or to another item. The connection is a spring, a rigid rod if the frequency is
/// 0, or one of the joints that the class methods make.
open class UIAttachmentBehavior: UIDynamicBehavior {
  /// What the first item is attached to.
  public enum AttachmentType: Int, Sendable { case items, anchor }

  /// How the two ends are connected.
  enum Tie {
    case distance, limit, fixed, pin
    /// Slides along an axis. The vector is the direction of the axis when the attachment was made, with length 1.
    case sliding(Vector)
  }

  /// The attached item, followed by the item to which it is attached, if any.
  public final let items: [any UIDynamicItem]
  private final var tie = Tie.distance
  /// Whether the app has set the length.
  private final var isLengthSet = false
  /// The length that the app has set. Before that, the length of an attachment that does not run.
  private final var ownLength: CGFloat = 0
  /// The offset of each end from the center of its item, points. It rotates with the item. The offsets of a joint at an
  /// anchor are those when the attachment was added.
  private final var offsets: (Vector, Vector)
  /// The angles of the items when the attachment was added, radians.
  private final var angles = (0.0, 0.0)
  @exclusivity(unchecked) private final var anchor: CGPoint
  /// The joints that implement the attachment. The first one has the attachment's length, damping and friction.
  private final var joints: [AttachmentBehavior] = []

  public init(item: any UIDynamicItem, offsetFromCenter offset: UIOffset = .zero, attachedToAnchor point: CGPoint) {
    (items, offsets, anchor) = ([item], (Vector(offset), .zero), point)
    super.init()
  }

  public init(
    item item1: any UIDynamicItem, offsetFromCenter offset1: UIOffset = .zero, attachedTo item2: any UIDynamicItem,
    offsetFromCenter offset2: UIOffset = .zero
  ) {
    (items, offsets, anchor) = ([item1, item2], (Vector(offset1), Vector(offset2)), .zero)
    super.init()
  }

  /// Connects both items, or the item and the anchor, at a point.
  private convenience init(
    _ item: any UIDynamicItem, _ other: (any UIDynamicItem)? = nil, at anchor: CGPoint, _ tie: Tie
  ) {
    if let other { self.init(item: item, attachedTo: other) } else { self.init(item: item, attachedToAnchor: anchor) }
    (self.anchor, self.tie) = (anchor, tie)
  }

  // MARK: Joints

  /// Lets the item move along an axis through the anchor, and prevents rotation.
  open class func slidingAttachment(
    with item: any UIDynamicItem, attachmentAnchor point: CGPoint, axisOfTranslation axis: CGVector
  ) -> UIAttachmentBehavior { UIAttachmentBehavior(item, at: point, .sliding(direction(axis))) }

  /// Lets the items move along an axis, relative to each other, but not rotate. The axis rotates with the first item.
  open class func slidingAttachment(
    with item1: any UIDynamicItem, attachedTo item2: any UIDynamicItem, attachmentAnchor point: CGPoint,
    axisOfTranslation axis: CGVector
  ) -> UIAttachmentBehavior { UIAttachmentBehavior(item1, item2, at: point, .sliding(direction(axis))) }

  /// Keeps the two attached points, one on each item, at most as far apart as when it is added, like a rope.
  open class func limitAttachment(
    with item1: any UIDynamicItem, offsetFromCenter offset1: UIOffset, attachedTo item2: any UIDynamicItem,
    offsetFromCenter offset2: UIOffset
  ) -> UIAttachmentBehavior {
    let limit = UIAttachmentBehavior(
      item: item1, offsetFromCenter: offset1, attachedTo: item2, offsetFromCenter: offset2)
    limit.tie = .limit
    limit.ownLength = item1.center.distance(to: item2.center)
    return limit
  }

  /// Connects the items rigidly, so that they move and rotate as one.
  open class func fixedAttachment(
    with item1: any UIDynamicItem, attachedTo item2: any UIDynamicItem, attachmentAnchor point: CGPoint
  ) -> UIAttachmentBehavior { UIAttachmentBehavior(item1, item2, at: point, .fixed) }

  /// Lets the items rotate about the anchor, relative to each other.
  open class func pinAttachment(
    with item1: any UIDynamicItem, attachedTo item2: any UIDynamicItem, attachmentAnchor point: CGPoint
  ) -> UIAttachmentBehavior { UIAttachmentBehavior(item1, item2, at: point, .pin) }

  private static func direction(_ axis: CGVector) -> Vector {
    guard axis.length > 0, axis.length.isFinite else { return Vector(dx: 1, dy: 0) }
    return Vector(axis).times(1 / Double(axis.length))
  }

  // MARK: Values

  public final var attachedBehaviorType: AttachmentType { items.count == 1 ? .anchor : .items }

  /// The anchor, points. When the anchor of an item moves, the item stays in place at first, and the attachment pulls
  /// it. The anchor of a joint between two items is the point where it was made; other attachments of two items have
  /// none, and return zero.
  open var anchorPoint: CGPoint {
    get { anchor }
    set {
      guard items.count == 1, newValue.x.isFinite, newValue.y.isFinite else { return }
      let (dx, dy) = (Double(newValue.x - anchor.x), Double(newValue.y - anchor.y))
      anchor = newValue
      for joint in joints {
        let old = joint.anchorPoint
        try? joint.setAnchorPoint(joints.count == 1 ? Point(newValue) : Point(x: old.x + dx, y: old.y + dy))
      }
    }
  }

  /// The length of the relaxed spring or of the rod, or the largest distance in a limit attachment, points. If it was
  /// never set, it is the distance between the ends when the attachment is added to an animator, and before that 0, or
  /// for a limit attachment the distance between the centers. Other joints ignore the length.
  open var length: CGFloat {
    get {
      guard !isLengthSet, hasLength, let joint = joints.first else { return ownLength }
      return CGFloat(joint.length)
    }
    set {
      (ownLength, isLengthSet) = (newValue, true)
      if hasLength { joints.first?.length = newValue.usable() }
    }
  }
  /// The length for the engine. If it is nil, the engine measures it.
  private final var relaxedLength: Double? { isLengthSet ? ownLength.usable() : nil }
  private final var hasLength: Bool {
    switch tie {
    case .distance, .limit: true
    case .fixed, .pin, .sliding: false
    }
  }
  /// The damping ratio of a spring: at 0 it swings forever, at 1 (critical damping) it does not swing. Rods and joints
  /// ignore the damping.
  open var damping: CGFloat = 0 { didSet { if case .distance = tie { joints.first?.damping = damping.usable() } } }
  /// The frequency of a spring, Hz. At 0, a rigid rod keeps the length.
  open var frequency: CGFloat = 0 {
    didSet { if case .distance = tie { joints.first?.frequency = frequency.usable() } }
  }

  /// The torque with which friction resists rotation at a pin or a rod. An applied torque below this one does not
  /// rotate the items. The unit is a force of 1 in `UIPushBehavior` at a distance of 100 points.
  open var frictionTorque: CGFloat = 0 { didSet { rub() } }

  /// How far the first item may slide along the axis (in points), or rotate clockwise about the pin (in radians). The
  /// range is relative to the position when the attachment was added. Other joints ignore the range, and so does a pin
  /// if the range is a full rotation or more. A range whose minimum is above its maximum has no effect.
  open var attachmentRange = UIFloatRange.infinite {
    didSet {
      // New joints with a length would measure it anew.
      guard !hasLength, let dynamicAnimator, let first = joints.first else { return }
      let old = joints
      run([first.item, first.attachedItem].compactMap { $0 as? EngineItem }, in: dynamicAnimator)
      for joint in old { dynamicAnimator.end(joint) }
    }
  }

  private func rub() {
    switch tie {
    // Converts to the units of the module Dynamics. There, an item's mass is its density times its area in square
    // points, so a force of 1 in UIKit is 1e6. A torque of 1 is this force at a distance of 100 points.
    case .distance, .pin: joints.first?.frictionTorque = 1e8 * frictionTorque.usable()
    case .limit, .fixed, .sliding: break
    }
  }

  // MARK: Running

  override final func join(_ animator: UIDynamicAnimator) {
    let bodies = items.map { animator.retain($0) }
    if !hasLength {
      angles = (bodies[0].angle, bodies.count > 1 ? bodies[1].angle : 0)
      let ends = bodies.map { body in
        Vector(dx: Double(anchor.x) - body.center.x, dy: Double(anchor.y) - body.center.y).turned(-body.angle)
      }
      offsets = (ends[0], ends.count > 1 ? ends[1] : .zero)
    }
    run(bodies, in: animator)
  }

  override final func leave(_ animator: UIDynamicAnimator) {
    animator.end(joints)
    joints = []
  }

  override final func forget() { joints = [] }

  private func run(_ bodies: [EngineItem], in animator: UIDynamicAnimator) {
    joints = joints(bodies)
    // Sets the friction before the joints run. A later change would make the animator check all values again.
    rub()
    for joint in joints { animator.run(joint) }
  }

  private func joints(_ bodies: [EngineItem]) -> [AttachmentBehavior] {
    switch tie {
    case .distance:
      let end = bodies.count == 1 ? Vector(anchor) : offsets.1
      return [joint(.distance, bodies, offset: offsets.0, to: end, relaxedLength, damping.usable(), frequency.usable())]
    case .limit: return [joint(.rope, bodies, offset: offsets.0, to: offsets.1, relaxedLength)]
    case .pin: return [pin(bodies)] + turningLimit(bodies)
    case .fixed:
      let (along, across) = (Vector(dx: bodies[0].reach, dy: 0), Vector(dx: 0, dy: 1).turned(-angles.0))
      // The second joint prevents rotation about the pin: it keeps a point of the other item on a line that is fixed to
      // the first item and runs through the pin.
      return [
        pin(bodies),
        joint(.line, bodies, offset: across, to: offsets.1 + along.turned(-angles.1), offsets.0.along(across)),
      ]
    case .sliding(let axis): return sliding(bodies, axis)
    }
  }

  private func joint(
    _ kind: JointKind, _ bodies: [EngineItem], offset: Vector, to end: Vector, _ length: Double?, _ damping: Double = 0,
    _ frequency: Double = 0
  ) -> AttachmentBehavior {
    AttachmentBehavior(
      kind, of: bodies[0], offset: offset, to: bodies.count == 1 ? nil : bodies[1], attachedOffset: end, length: length,
      damping: damping, frequency: frequency)
  }

  private func pin(_ bodies: [EngineItem]) -> AttachmentBehavior {
    joint(.distance, bodies, offset: offsets.0, to: offsets.1, 0)
  }

  /// Returns a rope between two points, one on each item, at the same distance from the pin. The length of the rope
  /// limits the angle between the points. At the middle of the range, the points coincide.
  private func turningLimit(_ bodies: [EngineItem]) -> [AttachmentBehavior] {
    let (low, high) = (Double(attachmentRange.minimum), Double(attachmentRange.maximum))
    guard high >= low, high - low < 2 * .pi else { return [] }
    let (reach, middle) = (bodies[0].reach, (low + high) / 2)
    let arm = Vector(dx: reach, dy: 0)
    return [
      joint(
        .rope, bodies, offset: offsets.0 + arm.turned(-angles.0), to: offsets.1 + arm.turned(middle - angles.1),
        2 * reach * PortableMath.sin((high - low) / 4))
    ]
  }

  /// Returns joints that let the second item, or the anchor, slide along a line that is fixed to the first item. They
  /// keep two points on the line, one on each side of the attachment point, which prevents rotation. Each finite end of
  /// `attachmentRange` adds a joint that limits the sliding.
  private func sliding(_ bodies: [EngineItem], _ axis: Vector) -> [AttachmentBehavior] {
    let along = axis.turned(-angles.0)
    let across = Vector(dx: -along.dy, dy: along.dx)
    let end = bodies.count == 1 ? Vector(anchor) : offsets.1
    let arm = axis.times(bodies[0].reach).turned(bodies.count == 1 ? 0 : -angles.1)
    let place = offsets.0.along(along)
    var joints = [end + arm, end - arm].map { joint(.line, bodies, offset: across, to: $0, offsets.0.along(across)) }
    let (low, high) = (Double(attachmentRange.minimum), Double(attachmentRange.maximum))
    guard high >= low else { return joints }
    if low.isFinite { joints.append(joint(.lineLimit, bodies, offset: along, to: end, place - low)) }
    if high.isFinite { joints.append(joint(.lineLimit, bodies, offset: along.times(-1), to: end, high - place)) }
    return joints
  }
}

extension EngineItem {
  /// The distance from a joint to the additional points that prevent or limit rotation: half the diagonal of the item.
  fileprivate var reach: Double { Vector(dx: size.width, dy: size.height).squared.squareRoot() / 2 }
}
