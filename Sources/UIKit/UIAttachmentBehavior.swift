import Dynamics
import Foundation

/// A range of numbers, of which the ends may be infinite.
public struct UIFloatRange: Hashable, Sendable {
  public var minimum: CGFloat
  public var maximum: CGFloat

  public init(minimum: CGFloat, maximum: CGFloat) { (self.minimum, self.maximum) = (minimum, maximum) }
  public init() { self.init(minimum: 0, maximum: 0) }

  public static let zero = UIFloatRange()
  public static let infinite = UIFloatRange(minimum: -.infinity, maximum: .infinity)
  public var isInfinite: Bool { minimum == -.infinity && maximum == .infinity }
}

/// Ties an item to an anchor point or to another item: by a spring, by a rigid rod if the frequency is 0, or by one of
/// the joints that class methods make.
open class UIAttachmentBehavior: UIDynamicBehavior {
  /// The other end of an attachment.
  public enum AttachmentType: Int, Sendable { case items, anchor }

  /// How the ends are tied.
  enum Tie {
    case distance, limit, fixed, pin
    /// Along an axis of length 1, as it is when the attachment is made.
    case sliding(Vector)
  }

  /// The item, and the one that it is attached to, if any.
  public final let items: [any UIDynamicItem]
  private final let tie: Tie
  /// The offsets of the ends, in the directions of the items.
  private final let offsets: [Vector]
  /// The angles of the items when the attachment was made, radians.
  private final let angles: [Double]
  private final var anchor: CGPoint
  /// The engine's joints; the first is the one that has the length.
  private final var joints: [AttachmentBehavior] = []

  public convenience init(item: any UIDynamicItem, attachedToAnchor point: CGPoint) {
    self.init(item: item, offsetFromCenter: .zero, attachedToAnchor: point)
  }

  public convenience init(item: any UIDynamicItem, offsetFromCenter offset: UIOffset, attachedToAnchor point: CGPoint) {
    self.init([item], [Vector(offset)], point, .distance)
  }

  public convenience init(item item1: any UIDynamicItem, attachedTo item2: any UIDynamicItem) {
    self.init(item: item1, offsetFromCenter: .zero, attachedTo: item2, offsetFromCenter: .zero)
  }

  public convenience init(
    item item1: any UIDynamicItem, offsetFromCenter offset1: UIOffset, attachedTo item2: any UIDynamicItem,
    offsetFromCenter offset2: UIOffset
  ) { self.init([item1, item2], [Vector(offset1), Vector(offset2)], .zero, .distance) }

  private init(_ items: [any UIDynamicItem], _ offsets: [Vector], _ anchor: CGPoint, _ tie: Tie) {
    (self.items, self.offsets, self.anchor, self.tie) = (items, offsets, anchor, tie)
    angles = items.map(\.transform.angle)
    let ends = zip(items, offsets).map { Self.end(of: $0, $1) }
    length = Self.distance(ends[0], ends.count == 1 ? anchor : ends[1])
    super.init()
  }

  /// - Parameter anchor: Where both ends are.
  private convenience init(_ items: [any UIDynamicItem], at anchor: CGPoint, _ tie: Tie) {
    self.init(items, items.map { Self.offset(of: anchor, on: $0) }, anchor, tie)
  }

  // MARK: Joints

  /// The item moves along an axis through the anchor, and does not turn.
  open class func slidingAttachment(
    with item: any UIDynamicItem, attachmentAnchor point: CGPoint, axisOfTranslation axis: CGVector
  ) -> UIAttachmentBehavior { UIAttachmentBehavior([item], at: point, .sliding(direction(axis))) }

  /// The items move against each other along an axis, which turns with them, and do not turn against each other.
  open class func slidingAttachment(
    with item1: any UIDynamicItem, attachedTo item2: any UIDynamicItem, attachmentAnchor point: CGPoint,
    axisOfTranslation axis: CGVector
  ) -> UIAttachmentBehavior { UIAttachmentBehavior([item1, item2], at: point, .sliding(direction(axis))) }

  /// The ends come no further apart than they are now, as on a rope.
  open class func limitAttachment(
    with item1: any UIDynamicItem, offsetFromCenter offset1: UIOffset, attachedTo item2: any UIDynamicItem,
    offsetFromCenter offset2: UIOffset
  ) -> UIAttachmentBehavior {
    UIAttachmentBehavior([item1, item2], [Vector(offset1), Vector(offset2)], .zero, .limit)
  }

  /// The items move and turn as one.
  open class func fixedAttachment(
    with item1: any UIDynamicItem, attachedTo item2: any UIDynamicItem, attachmentAnchor point: CGPoint
  ) -> UIAttachmentBehavior { UIAttachmentBehavior([item1, item2], at: point, .fixed) }

  /// The items turn against each other about the anchor.
  open class func pinAttachment(
    with item1: any UIDynamicItem, attachedTo item2: any UIDynamicItem, attachmentAnchor point: CGPoint
  ) -> UIAttachmentBehavior { UIAttachmentBehavior([item1, item2], at: point, .pin) }

  private static func direction(_ axis: CGVector) -> Vector {
    let length = (axis.dx * axis.dx + axis.dy * axis.dy).squareRoot()
    guard length > 0, length.isFinite else { return Vector(dx: 1, dy: 0) }
    return Vector(axis).times(1 / Double(length))
  }

  // MARK: Values

  public final var attachedBehaviorType: AttachmentType { items.count == 1 ? .anchor : .items }

  /// The anchor, points; of an attachment of two items, the end on the second. When the anchor is moved, the item stays
  /// where it is and is pulled along.
  open var anchorPoint: CGPoint {
    get { items.count == 1 ? anchor : Self.end(of: items[1], offsets[1]) }
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

  /// Distance between the ends at which the spring is relaxed, points, or the limit: at first that between them. Other
  /// joints have none.
  open var length: CGFloat {
    didSet {
      switch tie {
      case .distance, .limit: joints.first?.length = length.usable()
      case .fixed, .pin, .sliding: break
      }
    }
  }
  /// Damping ratio: at 0 it swings forever, 1 is critical. Only springs have one, as they have a frequency.
  open var damping: CGFloat = 0 { didSet { if case .distance = tie { joints.first?.damping = damping.usable() } } }
  /// Frequency, Hz; 0 holds both ends rigidly at the length.
  open var frequency: CGFloat = 0 {
    didSet { if case .distance = tie { joints.first?.frequency = frequency.usable() } }
  }

  /// The torque that turns items against each other about a pin, or an item at a rod: a force of 1 in `UIPushBehavior`
  /// at a distance of 100 points. A smaller one turns nothing.
  open var frictionTorque: CGFloat = 0 { didSet { rub() } }

  /// How far the first item may slide along the axis, points, or turn about the pin, radians, clockwise, from where it
  /// was when the attachment was made. Other joints ignore it, a pin does if it is a full turn or more, and all do if
  /// the minimum is above the maximum.
  open var attachmentRange = UIFloatRange.infinite {
    didSet {
      guard let dynamicAnimator, !joints.isEmpty else { return }
      let old = joints
      run(in: dynamicAnimator)
      for joint in old { dynamicAnimator.end(joint) }
    }
  }

  private func rub() {
    switch tie {
    // A newton times a metre, because the engine's mass is an area: 100×100 points weigh a kilogram.
    case .distance, .pin: joints.first?.frictionTorque = 1e8 * frictionTorque.usable()
    case .limit, .fixed, .sliding: break
    }
  }

  // MARK: Running

  override final func join(_ animator: UIDynamicAnimator) {
    for item in items { _ = animator.retain(item) }
    run(in: animator)
  }

  override final func leave(_ animator: UIDynamicAnimator) {
    for joint in joints { animator.end(joint) }
    joints = []
    for item in items { animator.release(item) }
  }

  override final func forget() { joints = [] }

  private func run(in animator: UIDynamicAnimator) {
    joints = joints(items.compactMap { animator.engineItem($0) })
    for joint in joints { animator.run(joint) }
    rub()
  }

  private func joints(_ bodies: [EngineItem]) -> [AttachmentBehavior] {
    switch tie {
    case .distance: return [spring(bodies)]
    case .limit: return [joint(.rope, bodies, offset: offsets[0], to: offsets[1], length.usable())]
    case .pin: return [pin(bodies)] + turningLimit(bodies)
    case .fixed:
      let (along, across) = (Vector(dx: reach, dy: 0), Vector(dx: 0, dy: 1).turned(-angles[0]))
      // A second point of the other item stays on a line of the first through the pin.
      return [
        pin(bodies),
        joint(.line, bodies, offset: across, to: offsets[1] + along.turned(-angles[1]), offsets[0].along(across)),
      ]
    case .sliding(let axis): return sliding(bodies, axis)
    }
  }

  private func spring(_ bodies: [EngineItem]) -> AttachmentBehavior {
    let (length, damping, frequency) = (length.usable(), damping.usable(), frequency.usable())
    return bodies.count == 1
      ? AttachmentBehavior(
        item: bodies[0], offsetFromCenter: offsets[0], attachedToAnchor: Point(anchor), length: length,
        damping: damping, frequency: frequency)
      : AttachmentBehavior(
        item: bodies[0], offsetFromCenter: offsets[0], attachedTo: bodies[1], offsetFromCenter: offsets[1],
        length: length, damping: damping, frequency: frequency)
  }

  private func joint(_ kind: JointKind, _ bodies: [EngineItem], offset: Vector, to end: Vector, _ length: Double)
    -> AttachmentBehavior
  {
    AttachmentBehavior(
      kind, of: bodies[0], offset: offset, to: bodies.count == 1 ? nil : bodies[1], attachedOffset: end, length: length)
  }

  private func pin(_ bodies: [EngineItem]) -> AttachmentBehavior {
    joint(.distance, bodies, offset: offsets[0], to: offsets[1], 0)
  }

  /// A rope between two points at one distance from the pin: its length limits the angle between them, and is the same
  /// at both ends of the range.
  private func turningLimit(_ bodies: [EngineItem]) -> [AttachmentBehavior] {
    let (low, high) = (Double(attachmentRange.minimum), Double(attachmentRange.maximum))
    guard high >= low, high - low < 2 * .pi else { return [] }
    let (arm, middle) = (Vector(dx: reach, dy: 0), (low + high) / 2)
    return [
      joint(
        .rope, bodies, offset: offsets[0] + arm.turned(-angles[0]), to: offsets[1] + arm.turned(middle - angles[1]),
        2 * reach * PortableMath.sin((high - low) / 4))
    ]
  }

  /// Two points of the other end stay on a line of the item.
  private func sliding(_ bodies: [EngineItem], _ axis: Vector) -> [AttachmentBehavior] {
    let along = axis.turned(-angles[0])
    let across = Vector(dx: -along.dy, dy: along.dx)
    let end = bodies.count == 1 ? Vector(dx: Double(anchor.x), dy: Double(anchor.y)) : offsets[1]
    let arm = axis.times(reach).turned(bodies.count == 1 ? 0 : -angles[1])
    let place = offsets[0].along(along)
    var joints = [end + arm, end - arm].map { joint(.line, bodies, offset: across, to: $0, offsets[0].along(across)) }
    let (low, high) = (Double(attachmentRange.minimum), Double(attachmentRange.maximum))
    guard high >= low else { return joints }
    if low.isFinite { joints.append(joint(.lineLimit, bodies, offset: along, to: end, place - low)) }
    if high.isFinite { joints.append(joint(.lineLimit, bodies, offset: along.times(-1), to: end, high - place)) }
    return joints
  }

  /// How far points that keep items from turning are apart, points: as far as the item reaches.
  private var reach: Double {
    let size = items[0].bounds.size
    return Double(size.width * size.width + size.height * size.height).squareRoot() / 2
  }

  private static func end(of item: any UIDynamicItem, _ offset: Vector) -> CGPoint {
    let turned = offset.turned(item.transform.angle)
    return CGPoint(x: item.center.x + CGFloat(turned.dx), y: item.center.y + CGFloat(turned.dy))
  }

  private static func offset(of point: CGPoint, on item: any UIDynamicItem) -> Vector {
    Vector(dx: Double(point.x - item.center.x), dy: Double(point.y - item.center.y)).turned(-item.transform.angle)
  }

  private static func distance(_ a: CGPoint, _ b: CGPoint) -> CGFloat {
    ((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)).squareRoot()
  }
}
