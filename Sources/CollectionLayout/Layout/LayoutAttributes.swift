import Dynamics

/// The place of an item of a collection view (UIKit: `UICollectionViewLayoutAttributes`).
public struct LayoutAttributes: Hashable, Sendable {
  /// The item's index in the collection view.
  public var index: Int
  /// The center of the item, points in the coordinates of the content.
  public var center: Point
  /// The size of the item, points.
  public var size: Size
  /// The order of covering: items with a larger number cover items with a smaller one.
  public var zIndex = 0

  @inlinable public init(index: Int, center: Point, size: Size) {
    (self.index, self.center, self.size) = (index, center, size)
  }

  /// The rectangle of the item, points in the coordinates of the content.
  @inlinable public var frame: Rect { Rect(center: center, size: size) }
}

/// Distances inward from the four edges, points.
public struct EdgeInsets: Hashable, Sendable {
  public var top: Double
  public var left: Double
  public var bottom: Double
  public var right: Double

  public init(top: Double, left: Double, bottom: Double, right: Double) {
    (self.top, self.left, self.bottom, self.right) = (top, left, bottom, right)
  }

  /// Creates insets with the same distance from all four edges, points.
  public init(all inset: Double) { self.init(top: inset, left: inset, bottom: inset, right: inset) }
}
