/// Something that a behavior can move: the animator reads its centre when the item is added or on request, and writes
/// it in every step (UIKit: `UIDynamicItem`).
public protocol DynamicItem: AnyObject {
  /// Points, in the coordinates of the animator's reference.
  var center: Point { get set }
  /// Size of the item, points.
  var size: Size { get }
  /// Rotation about its centre, radians, clockwise as seen with y growing downwards (UIKit: the rotation of
  /// `transform`). By default an item stays upright on the screen.
  var angle: Double { get set }
  /// Size of the smallest upright rectangle around it, points: by default of the item as it is turned.
  var uprightSize: Size { get }
  /// The colliding outline: by default the rectangle.
  var collisionBoundsType: CollisionBoundsType { get }
  /// The item's name in error messages.
  var dynamicItemName: String { get }
}

/// The outline by which an item collides (UIKit: `UIDynamicItemCollisionBoundsType`).
public enum CollisionBoundsType: Hashable, Sendable {
  case rectangle
  /// A circle about the centre whose diameter is the smaller side.
  case ellipse
}

extension DynamicItem {
  /// Always 0: the item is not turned on the screen.
  @inlinable public var angle: Double {
    get { 0 }
    // swift-format-ignore
    set {}
  }
  @inlinable public var uprightSize: Size { angle == 0 ? size : size.turned(by: angle) }
  public var collisionBoundsType: CollisionBoundsType { .rectangle }
  /// The item's type, and its present centre.
  public var dynamicItemName: String { "\(type(of: self)) at \(center)" }
}

/// Notified when an animator pauses and resumes (UIKit: `UIDynamicAnimatorDelegate`); does nothing by default.
public protocol DynamicAnimatorDelegate: AnyObject {
  /// Called when something moves again after a rest, or for the first time.
  func dynamicAnimatorWillResume(_ animator: DynamicAnimator)
  /// Called when all items have come to rest; steps do nothing until something moves one of them.
  func dynamicAnimatorDidPause(_ animator: DynamicAnimator)
}

extension DynamicAnimatorDelegate {
  public func dynamicAnimatorWillResume(_ animator: DynamicAnimator) {}
  public func dynamicAnimatorDidPause(_ animator: DynamicAnimator) {}
}
