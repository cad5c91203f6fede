/// The reason why a call was refused. A refused call changes nothing, unless its documentation says otherwise.
public enum DynamicsError: Error, Equatable, CustomStringConvertible {
  /// A behavior was added that already belongs to an animator or to a parent behavior, or that contains its new parent.
  /// Adding several springs to one item is no error.
  case behaviorBelongsToAnimator(item: String)
  case anchorNotFinite(item: String, anchor: Point)
  case centerNotFinite(item: String, center: Point)
  /// The frequency is negative, not a number or larger than 1e150 Hz.
  case invalidFrequency(item: String, frequency: Double)
  /// The damping ratio is negative or not finite.
  case invalidDamping(item: String, damping: Double)
  /// The length of an attachment, in points, is negative or not finite.
  case invalidLength(item: String, length: Double)
  /// The offset of an attachment from an item's center, in points, is not finite.
  case offsetNotFinite(item: String, offset: Vector)
  case attachedToItself(item: String)
  /// A side of the item is not between 1e-9 and 1e9 points. Within these limits, the mass of its body is finite.
  case invalidSize(item: String, size: Size)
  /// The angle of the item, in radians, is not finite.
  case angleNotFinite(item: String, angle: Double)
  case velocityNotFinite(item: String)
  /// A value of `ItemProperties` is out of range.
  case invalidProperty(name: String, value: Double)
  case gravityNotFinite(direction: Vector)
  case unknownItem(item: String)
  case unknownBehavior(behavior: String)
  /// The behavior is a child of another behavior, so only `removeChildBehavior(_:)` of its parent can remove it.
  case behaviorIsChild(behavior: String)
  case boundaryExists(identifier: String)
  case unknownBoundary(identifier: String)
  /// An end of the boundary is not finite, or the ends are not between 1e-9 and 1e9 points apart.
  case invalidBoundary(identifier: String, from: Point, to: Point)
  /// The origin of the reference bounds is not finite, or a side is not between 1e-9 and 1e9 points.
  case invalidReferenceBounds(Rect)
  case tooManyCollisionBehaviors(limit: Int)
  /// Springs with this damping swing for so long that too many scroll movements would have to be remembered. Undamped
  /// springs never stop.
  case endlessHistory(damping: Double)
  case outOfMemory(bytes: Int)

  public var description: String {
    switch self {
    case .behaviorBelongsToAnimator(let item):
      "the behavior of \(item) already belongs to an animator; remove it there first"
    case .anchorNotFinite(let item, let anchor): "the anchor of \(item) is \(anchor); both coordinates must be finite"
    case .centerNotFinite(let item, let center): "the center of \(item) is \(center); both coordinates must be finite"
    case .invalidFrequency(let item, let frequency):
      "the frequency for \(item) is \(frequency) Hz; it must lie between 0 and 1e150"
    case .invalidDamping(let item, let damping):
      "the damping for \(item) is \(damping); it must be finite and not negative (1 is critical)"
    case .invalidLength(let item, let length):
      "the attachment of \(item) has length \(length); it must be finite and not negative"
    case .offsetNotFinite(let item, let offset):
      "the attachment of \(item) is \(offset) off its center; both numbers must be finite"
    case .attachedToItself(let item): "\(item) is attached to itself; attach it to an anchor or to another item"
    case .invalidSize(let item, let size): "the size of \(item) is \(size); both sides must lie between 1e-9 and 1e9"
    case .angleNotFinite(let item, let angle): "the angle of \(item) is \(angle); it must be finite"
    case .velocityNotFinite(let item): "the velocity for \(item) is not finite"
    case .invalidProperty(let name, let value):
      "the \(name) of items is \(value); "
        + (name == "density"
          ? "it must lie between 1e-9 and 1e9"
          : name == "elasticity" ? "it must lie between 0 and 1" : "it must be finite and not negative")
    case .gravityNotFinite(let direction): "the gravity is \(direction); both numbers must be finite"
    case .unknownItem(let item): "\(item) has no such behavior; add it first"
    case .unknownBehavior(let behavior):
      "the behavior of \(behavior) is not in the animator; it was never added, or was already removed"
    case .behaviorIsChild(let behavior): "the behavior of \(behavior) belongs to another behavior; remove it there"
    case .boundaryExists(let identifier):
      "there is a boundary “\(identifier)” already; remove it first, or choose another identifier"
    case .unknownBoundary(let identifier): "there is no boundary “\(identifier)”"
    case .invalidBoundary(let identifier, let from, let to):
      "the boundary “\(identifier)” runs from \(from) to \(to); its ends must be finite, and between 1e-9 and 1e9 apart"
    case .invalidReferenceBounds(let bounds):
      "the reference bounds are \(bounds.size) at \(bounds.origin); all numbers must be finite, and both"
        + " sides between 1e-9 and 1e9"
    case .tooManyCollisionBehaviors(let limit):
      "an animator can have at most \(limit) collision behaviors; let items share one"
    case .endlessHistory(let damping):
      "a damping of \(damping) lets springs swing for so long that no history of shifts can be kept;"
        + " use a damping that settles, or simulate all items"
    case .outOfMemory(let bytes): "no memory for \(bytes) bytes of springs; use fewer items"
    }
  }
}
