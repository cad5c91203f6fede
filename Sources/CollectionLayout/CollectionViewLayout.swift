import Dynamics

/// What places the items of a collection view (UIKit: `UICollectionViewLayout`). The collection view calls
/// it in UIKit's order: bounds change, animation step, `prepare()` where invalid, query.
open class CollectionViewLayout {
  /// Behind a pointer, because each access to a variable of a class is checked for exclusivity at run time:
  /// some thirty checks a frame would cost more than all else that a tiled frame does.
  let view: UnsafeMutablePointer<ViewState>

  /// What the layout knows of its view.
  struct ViewState {
    var bounds = Rect(x: 0, y: 0, width: 0, height: 0)
    var touch = Point.zero
    var itemCount = 0
    var isInvalid = true
  }

  public init() {
    view = .allocate(capacity: 1)
    view.initialize(to: ViewState())
  }

  deinit { view.deallocate() }

  /// The part of the content that the view shows, points.
  public final var bounds: Rect { view.pointee.bounds }
  /// The last touch, in the coordinates of the content; it stays where it was on the screen when the
  /// finger has lifted.
  public final var touch: Point { view.pointee.touch }
  public final var itemCount: Int { view.pointee.itemCount }
  /// Whether the next query needs a `prepare()` before.
  public final var isInvalid: Bool { view.pointee.isInvalid }

  /// The direction in which the content scrolls.
  open var scrollDirection: Axis { .vertical }

  open var collectionViewContentSize: Size { bounds.size }

  /// Brings the layout up to date with the view's size, bounds and number of items. Called before the
  /// first query and whenever the layout is invalid.
  open func prepare() throws(LayoutError) {}

  /// Tells that the bounds are about to change; `bounds` are still the old ones.
  /// - Returns: Whether the layout must be prepared anew for them.
  open func shouldInvalidateLayout(forBoundsChange newBounds: Rect) -> Bool { false }

  /// Advances what is animated by so many seconds; it may call `invalidateLayout()`.
  open func step(by timestep: Double) {}

  /// The items that share more than an edge with the rectangle, in ascending order.
  ///
  /// The array's memory may be used again by the next query, if nobody holds the array any more by then.
  open func layoutAttributesForElements(in rect: Rect) -> [LayoutAttributes] { [] }

  /// Nil for an index that has no item, or whose item the layout does not show.
  open func layoutAttributesForItem(at index: Int) -> LayoutAttributes? { nil }

  /// Asks for `prepare()` before the next query.
  public final func invalidateLayout() { view.pointee.isInvalid = true }

  final func prepareIfInvalid() throws(LayoutError) {
    guard isInvalid else { return }
    view.pointee.isInvalid = false
    try prepare()
  }
}
