import Dynamics
import Foundation

/// Something that a behavior can move. The animator reads the state of the item when the item is added and in
/// `updateItem(usingCurrentState:)`. In every step, the animator writes the center and the rotation.
public protocol UIDynamicItem: NSObjectProtocol {
  /// The center of the item, points in the coordinates of the reference view or of the layout's content.
  var center: CGPoint { get set }
  /// The rectangle of the item, points; only its size counts.
  var bounds: CGRect { get }
  /// The transform of the item; only its rotation counts.
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
  /// The position among the animator's items, in the order in which they were added.
  let order: Int
  /// The number of the animator's behaviors that contain the item.
  var uses = 0
  /// The element that the item represented when it was added. Nil if the item is not layout attributes.
  var element: UICollectionView.Element?

  init(_ item: any UIDynamicItem, order: Int) { (self.item, self.order) = (item, order) }

  var center: Point {
    get { Point(item.center) }
    set { item.center = CGPoint(newValue) }
  }
  /// The width and the height are at least 1e-9 points, because an item without an area would have no mass.
  var size: Size {
    let size = item.collisionBoundsType == .path ? item.collisionBoundingPath.bounds.size : item.bounds.size
    return Size(width: size.width.usable(1e-9...1e9), height: size.height.usable(1e-9...1e9))
  }
  var uprightSize: Size {
    let (size, transform) = (size, item.transform)
    guard !transform.isIdentity else { return size }
    return Size(
      width: abs(Double(transform.a)) * size.width + abs(Double(transform.c)) * size.height,
      height: abs(Double(transform.b)) * size.width + abs(Double(transform.d)) * size.height)
  }
  var angle: Double {
    get { item.transform.angle }
    set { item.transform.angle = newValue }
  }
  var collisionBoundsType: CollisionBoundsType {
    switch item.collisionBoundsType {
    case .rectangle, .path: .rectangle
    case .ellipse: .ellipse
    }
  }
  var dynamicItemName: String {
    guard let attributes = item as? UICollectionViewLayoutAttributes, attributes.indexPath.count == 2 else {
      return "\(type(of: item)) at \(center)"
    }
    return "item \(attributes.indexPath.item) of section \(attributes.indexPath.section)"
  }
}
