/// Something that a behavior can move: the animator reads its centre when the item is added or when it is
/// told to, and writes it in every step (UIKit: `UIDynamicItem`).
public protocol DynamicItem: AnyObject {
  /// Points, in the coordinates of the animator's reference.
  var center: Point { get set }
  /// Size of the item, points.
  var size: Size { get }
  /// How far the item is turned about its centre, radians, clockwise as seen with y growing downwards
  /// (UIKit: the rotation of `transform`). An item that does not say keeps upright on the screen.
  var angle: Double { get set }
  /// What collides: the rectangle, unless the item says otherwise.
  var collisionBoundsType: CollisionBoundsType { get }
  /// How error messages call the item.
  var dynamicItemName: String { get }
}

/// The outline by which an item collides (UIKit: `UIDynamicItemCollisionBoundsType`).
public enum CollisionBoundsType: Hashable, Sendable {
  case rectangle
  /// A circle about the centre whose diameter is the smaller side.
  case ellipse
}

extension DynamicItem {
  /// 0, whatever is set: the item is not turned on the screen.
  public var angle: Double {
    get { 0 }
    // swift-format-ignore
    set {}
  }
  public var collisionBoundsType: CollisionBoundsType { .rectangle }
  /// The item's type, and where its centre is now.
  public var dynamicItemName: String { "\(type(of: self)) at \(center)" }
}

/// What is told when an animator falls asleep and wakes (UIKit: `UIDynamicAnimatorDelegate`).
public protocol DynamicAnimatorDelegate: AnyObject {
  /// Something moved again after a rest, or for the first time.
  func dynamicAnimatorWillResume(_ animator: DynamicAnimator)
  /// All items have come to rest; no step does anything until something moves one of them.
  func dynamicAnimatorDidPause(_ animator: DynamicAnimator)
}

extension DynamicAnimatorDelegate {
  /// Does nothing: a delegate need not listen to both.
  public func dynamicAnimatorWillResume(_ animator: DynamicAnimator) {}
  /// Does nothing: a delegate need not listen to both.
  public func dynamicAnimatorDidPause(_ animator: DynamicAnimator) {}
}
