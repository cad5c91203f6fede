/// Something that a behavior can move (UIKit: `UIDynamicItem`). The animator reads the item's center when the item is
/// added or on request, and writes it in every step.
public protocol DynamicItem: AnyObject {
  /// The center in points, in coordinates that all items of an animator share.
  var center: Point { get set }
  /// The size of the item, points.
  var size: Size { get }
  /// The rotation about the center in radians, clockwise on the screen (UIKit: the rotation of `transform`). By default
  /// it is always 0.
  var angle: Double { get set }
  /// The size of the smallest upright rectangle around the item, points. By default it follows from `size` and `angle`.
  var uprightSize: Size { get }
  /// The outline of the item in collisions, by default the rectangle.
  var collisionBoundsType: CollisionBoundsType { get }
  /// The item's name in error messages.
  var dynamicItemName: String { get }
}

/// The outline of an item in collisions (UIKit: `UIDynamicItemCollisionBoundsType`).
public enum CollisionBoundsType: Hashable, Sendable {
  case rectangle
  /// A circle about the center. Its diameter is the item's smaller side.
  case ellipse
}

extension DynamicItem {
  /// The angle is always 0. Setting it does nothing: an item that does not store an angle stays upright on the screen.
  @inlinable public var angle: Double {
    get { 0 }
    // swift-format-ignore
    set {}
  }
  @inlinable public var uprightSize: Size { angle == 0 ? size : size.turned(by: angle) }
  public var collisionBoundsType: CollisionBoundsType { .rectangle }
  /// The item's type, and its present center.
  public var dynamicItemName: String { "\(type(of: self)) at \(center)" }
}

/// The delegate of an animator (UIKit: `UIDynamicAnimatorDelegate`). Its methods are optional.
public protocol DynamicAnimatorDelegate: AnyObject {
  /// Called when something moves again after a rest, or for the first time.
  func dynamicAnimatorWillResume(_ animator: DynamicAnimator)
  /// Called when all items have come to rest. Steps then do nothing until something moves an item.
  func dynamicAnimatorDidPause(_ animator: DynamicAnimator)
}

extension DynamicAnimatorDelegate {
  public func dynamicAnimatorWillResume(_ animator: DynamicAnimator) {}
  public func dynamicAnimatorDidPause(_ animator: DynamicAnimator) {}
}
