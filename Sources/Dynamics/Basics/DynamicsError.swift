/// Why the animator refused a call. It is then unchanged.
public enum DynamicsError: Error, Equatable, CustomStringConvertible {
  /// The same behavior, added twice. It is not the case in which UIKit raises the article's exception: that is about two
  /// attributes of one element, and the module UIKit ends the program there. An item may have several springs.
  case behaviorBelongsToAnimator(item: String)
  case anchorNotFinite(item: String, anchor: Point)
  case centerNotFinite(item: String, center: Point)
  /// A frequency is negative or not finite, Hz.
  case invalidFrequency(item: String, frequency: Double)
  /// A damping ratio is negative or not finite.
  case invalidDamping(item: String, damping: Double)
  /// A length is negative or not finite, points.
  case invalidLength(item: String, length: Double)
  /// An offset is not finite, points.
  case offsetNotFinite(item: String, offset: Vector)
  case attachedToItself(item: String)
  /// A size is zero, negative, not finite, or so large or small that the mass of a body would not be a number, points.
  case invalidSize(item: String, size: Size)
  /// An angle is not finite, radians.
  case angleNotFinite(item: String, angle: Double)
  case velocityNotFinite(item: String)
  /// A property of items that is out of its range.
  case invalidProperty(name: String, value: Double)
  case gravityNotFinite(direction: Vector)
  case unknownItem(item: String)
  case unknownBehavior(behavior: String)
  /// A behavior that was added as a child can be removed from its parent only.
  case behaviorIsChild(behavior: String)
  case boundaryExists(identifier: String)
  case unknownBoundary(identifier: String)
  /// An end of a boundary is not finite, or both ends are at the same point.
  case invalidBoundary(identifier: String, from: Point, to: Point)
  /// A side of the reference bounds is zero, negative or not finite, points.
  case invalidReferenceBounds(Rect)
  case tooManyCollisionBehaviors(limit: Int)
  /// Undamped springs never forget, so missed shifts cannot be replayed from a finite history.
  case endlessHistory(damping: Double)
  case outOfMemory(bytes: Int)

  public var description: String {
    switch self {
    case .behaviorBelongsToAnimator(let item):
      "the behavior of \(item) already belongs to an animator; remove it there first"
    case .anchorNotFinite(let item, let anchor): "the anchor of \(item) is \(anchor); both coordinates must be finite"
    case .centerNotFinite(let item, let center): "the centre of \(item) is \(center); both coordinates must be finite"
    case .invalidFrequency(let item, let frequency):
      "the frequency for \(item) is \(frequency) Hz; it must lie between 0 and 1e150"
    case .invalidDamping(let item, let damping):
      "the damping for \(item) is \(damping); it must be finite and not negative (1 is critical)"
    case .invalidLength(let item, let length):
      "the attachment of \(item) has length \(length); it must be finite and not negative"
    case .offsetNotFinite(let item, let offset):
      "the attachment of \(item) is \(offset) off its centre; both numbers must be finite"
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
