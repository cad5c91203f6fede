import Dynamics
import Foundation

/// Something that a behavior can move. The animator reads the state of the item when the item is added, and the center
/// and the rotation again in `updateItem(usingCurrentState:)`. In every step, the animator writes the center, and
/// replaces the transform by a rotation.
public protocol UIDynamicItem: NSObjectProtocol {
  /// The center of the item, points in the coordinates of a view's superview or of the layout's content.
  var center: CGPoint { get set }
  /// The rectangle of the item, points; only its size counts.
  var bounds: CGRect { get }
  /// The transform of the item; only its rotation counts, and the first step of an animator removes all else.
  var transform: CGAffineTransform { get set }
  /// The kind of outline that the item has in collisions; a rectangle by default.
  var collisionBoundsType: UIDynamicItemCollisionBoundsType { get }
  /// The outline for the type `.path`, points from the center of the item. In this module, only its bounds collide.
  var collisionBoundingPath: UIBezierPath { get }
}

extension UIDynamicItem {
  public var collisionBoundsType: UIDynamicItemCollisionBoundsType { .rectangle }
  public var collisionBoundingPath: UIBezierPath { UIBezierPath(rect: CGRect(center: .zero, size: bounds.size)) }
}

/// The outline by which an item collides.
public enum UIDynamicItemCollisionBoundsType: UInt, Sendable {
  case rectangle
  /// A circle around the center. Its diameter is the smaller of width and height.
  case ellipse
  /// In this module, a rectangle around the center that is as large as the bounds of the path.
  case path
}

/// Adapts an item to the module Dynamics. An animator has one such object for each of its items.
final class EngineItem: DynamicItem {
  let item: any UIDynamicItem
  /// The animator of a view, if it has a reference view, in whose coordinates the engine computes. The animator exists as
  /// long as its engine moves the item.
  private let viewAnimator: Unmanaged<UIDynamicAnimator>?
  /// The number of the animator's behaviors that contain the item.
  var uses = 0
  /// The element that the item represented when it was added. Nil if the item is not layout attributes.
  var element: UICollectionView.Element?
  /// The size and the outline that the item had when it was added. A body keeps them even if the item changes later, as in
  /// UIKit.
  let size: Size
  let collisionBoundsType: CollisionBoundsType

  init(_ item: any UIDynamicItem, of animator: UIDynamicAnimator) {
    (self.item, size) = (item, EngineItem.size(of: item))
    collisionBoundsType = item.collisionBoundsType == .ellipse ? .ellipse : .rectangle
    viewAnimator = animator.referenceView != nil && item is UIView ? .passUnretained(animator) : nil
  }

  var center: Point {
    get { viewAnimator == nil ? Point(item.center) : viewCenter }
    set { if viewAnimator == nil { item.center = CGPoint(newValue) } else { viewCenter = newValue } }
  }
  /// The center of a view in the coordinates of the reference view. It is not inlined, so that other items stay fast.
  private var viewCenter: Point {
    @inline(never) get {
      guard let (superview, referenceView) = nesting else { return Point(item.center) }
      return Point(referenceView.convert(item.center, from: superview))
    }
    @inline(never) set {
      guard let (superview, referenceView) = nesting else { return item.center = CGPoint(newValue) }
      item.center = superview.convert(CGPoint(newValue), from: referenceView)
    }
  }
  /// The superview and the reference view, if these are two views.
  private var nesting: (superview: UIView, referenceView: UIView)? {
    guard let referenceView = viewAnimator?.takeUnretainedValue().referenceView,
      let superview = (item as? UIView)?.superview, superview !== referenceView
    else { return nil }
    return (superview, referenceView)
  }
  /// Returns the present size of an item. The width and the height are at least 1e-9 points, because the engine accepts
  /// no others.
  private static func size(of item: any UIDynamicItem) -> Size {
    let size = item.collisionBoundsType == .path ? item.collisionBoundingPath.bounds.size : item.bounds.size
    return Size(width: size.width.usable(1e-9...1e9), height: size.height.usable(1e-9...1e9))
  }
  var uprightSize: Size {
    let (size, transform) = (Self.size(of: item), item.transform)
    guard !transform.isIdentity else { return size }
    return Size(
      width: abs(Double(transform.a)) * size.width + abs(Double(transform.c)) * size.height,
      height: abs(Double(transform.b)) * size.width + abs(Double(transform.d)) * size.height)
  }
  var angle: Double {
    get { item.transform.angle }
    set { item.transform = CGAffineTransform(rotationAngle: CGFloat(newValue)) }
  }
  var dynamicItemName: String {
    guard let attributes = item as? UICollectionViewLayoutAttributes, attributes.indexPath.count == 2 else {
      return "\(type(of: item)) at \(center)"
    }
    return "item \(attributes.indexPath.item) of section \(attributes.indexPath.section)"
  }
}
