import Dynamics

/// A collection view without a screen: it holds the bounds and the touch, and calls its layout in the order
/// in which UIKit does.
///
/// A frame is `scroll(to:touch:)`, `step(by:)`, `prepareLayout()`, `visibleAttributes()`.
public final class CollectionView {
  public let layout: CollectionViewLayout
  /// The last touch on the screen, points from the view's corner.
  public var touchOnScreen: Point { lastTouch }
  private var lastTouch: Point

  /// - Parameters:
  ///   - itemCount: Rows of the data source.
  ///   - size: Of the view, points.
  ///   - contentOffset: Where the view opens, points along the scroll direction.
  public init(
    layout: CollectionViewLayout, itemCount: Int, size: Size, contentOffset: Double = 0
  ) throws(LayoutError) {
    guard size.isPositive else { throw .invalidViewSize(size) }
    guard itemCount >= 0 else { throw .negativeItemCount(itemCount) }
    self.layout = layout
    lastTouch = Point(x: size.width / 2, y: size.height / 2)
    let origin = MainCross(main: contentOffset, cross: 0).point(layout.scrollDirection)
    layout.view.pointee.bounds = Rect(origin: origin, size: size)
    layout.view.pointee.touch = Point(x: origin.x + lastTouch.x, y: origin.y + lastTouch.y)
    layout.view.pointee.itemCount = itemCount
    layout.invalidateLayout()
    try layout.prepareIfInvalid()
  }

  public var bounds: Rect { layout.bounds }
  public var itemCount: Int { layout.itemCount }
  /// Offset of the bounds along the scroll direction, points.
  public var contentOffset: Double { MainCross(bounds.origin, layout.scrollDirection).main }
  /// The largest offset at which the view shows nothing behind the content, points.
  public var maximumContentOffset: Double {
    let axis = layout.scrollDirection
    return max(
      0, MainCross(layout.collectionViewContentSize, axis).main - MainCross(bounds.size, axis).main)
  }

  /// Moves the bounds along the scroll direction.
  ///
  /// - Parameters:
  ///   - contentOffset: Points; beyond the content too, as when a scroll view bounces.
  ///   - touch: Where the finger is, points from the view's corner; nil keeps the last.
  public func scroll(to contentOffset: Double, touch: Point? = nil) {
    if let touch { lastTouch = touch }
    let axis = layout.scrollDirection
    let old = layout.bounds
    let origin = MainCross(main: contentOffset, cross: MainCross(old.origin, axis).cross).point(axis)
    let newBounds = Rect(origin: origin, size: old.size)
    layout.view.pointee.touch = Point(x: origin.x + lastTouch.x, y: origin.y + lastTouch.y)
    if newBounds != old, layout.shouldInvalidateLayout(forBoundsChange: newBounds) {
      layout.invalidateLayout()
    }
    layout.view.pointee.bounds = newBounds
  }

  /// Advances the layout's animation by so many seconds.
  public func step(by timestep: Double) {
    layout.step(by: timestep)
  }

  /// Lets the layout prepare where it is invalid.
  public func prepareLayout() throws(LayoutError) {
    try layout.prepareIfInvalid()
  }

  /// The items that the view shows now.
  public func visibleAttributes() -> [LayoutAttributes] {
    layout.layoutAttributesForElements(in: layout.bounds)
  }

  /// Adds rows behind the last, at any time; they appear with the next `prepareLayout()`.
  public func appendItems(_ count: Int) throws(LayoutError) {
    guard count >= 0 else { throw .negativeItemCount(count) }
    layout.view.pointee.itemCount += count
    layout.invalidateLayout()
  }
}
