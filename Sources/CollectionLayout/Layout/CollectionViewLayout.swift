import Dynamics

/// Places the items of a collection view (UIKit: `UICollectionViewLayout`). The collection view calls the layout in the
/// same order as UIKit: change of bounds, animation step, `prepare()` if the layout is invalid, query.
///
/// Unlike UIKit's methods, the methods of this class take the index of an item in the whole list and return structs, so
/// that frames do not allocate. Methods that take index paths and return objects are in the module `UIKit`.
open class CollectionViewLayout {
  /// The state is behind a pointer, because every access to a property of a class is checked for exclusivity at run
  /// time. About thirty checks per frame would cost more than everything else in a frame of `TiledSpringLayout`.
  let view: UnsafeMutablePointer<ViewState>

  /// What the layout knows about its view.
  struct ViewState {
    var bounds = Rect(x: 0, y: 0, width: 0, height: 0)
    /// The last touch, points from the corner of the view.
    var touchOnScreen = Point.zero
    var itemCount = 0
    var isInvalid = true
    var contentInset = EdgeInsets(all: 0)
    /// The error that `prepare()` reported by `fail(_:)`; otherwise nil. `prepareIfInvalid()` throws it.
    var failure: LayoutError?
  }

  /// The index map of the batch of updates that is being applied; nil at other times.
  package final var listChange: IndexMap?

  /// Creates a layout that no view uses yet.
  public init() { view = .holding(ViewState()) }
  deinit { view.release() }

  /// The part of the content that the view shows, points.
  public final var bounds: Rect { view.pointee.bounds }
  /// The last touch, in the coordinates of the content. After the finger has lifted, the touch keeps its place on the
  /// screen.
  ///
  /// The value depends on the bounds, like a gesture recognizer's `location(in:)`. It refers to the old bounds in
  /// `shouldInvalidateLayout(forBoundsChange:)`, and to the new ones in `prepare()`.
  public final var touch: Point {
    let (origin, touch) = (view.pointee.bounds.origin, view.pointee.touchOnScreen)
    return Point(x: origin.x + touch.x, y: origin.y + touch.y)
  }
  /// The number of items of the view. It includes items that are not placed yet because the layout is invalid.
  public final var itemCount: Int { view.pointee.itemCount }
  /// Whether `prepare()` must be called before the next query.
  public final var isInvalid: Bool { view.pointee.isInvalid }
  /// The direction in which the content scrolls.
  open var scrollDirection: Axis { .vertical }
  /// The size of the whole content, points. By default it is the size of the view.
  open var collectionViewContentSize: Size { bounds.size }

  /// Updates the layout for the view's size, bounds and number of items. It is called before the first query and
  /// whenever the layout is invalid. A layout that cannot be prepared calls `fail(_:)` with the reason.
  open func prepare() {}

  /// Called when the bounds are about to change. `bounds` still returns the old ones.
  /// - Returns: Whether the layout must be prepared again for the new bounds.
  open func shouldInvalidateLayout(forBoundsChange newBounds: Rect) -> Bool { false }

  /// Called instead of `shouldInvalidateLayout(forBoundsChange:)` if the size changes too. Returns true by default,
  /// because the places of all built-in layouts depend on the size.
  open func shouldInvalidateLayout(forSizeChange newBounds: Rect) -> Bool {
    _ = shouldInvalidateLayout(forBoundsChange: newBounds)
    return true
  }

  /// Called after the bounds have changed, if the layout was invalidated because of this change.
  open func boundsChanged() {}

  /// Returns the offset to which the view scrolls when a batch of updates is applied, or when the view changes to this
  /// layout. The layout has been prepared before this call.
  open func targetContentOffset(forProposedContentOffset proposed: Point) -> Point { proposed }

  /// Advances the layout's animations by this many seconds. It may call `invalidateLayout()`.
  open func step(by timestep: Double) {}

  /// Returns the items that overlap the rectangle by more than `visibilityTolerance`, in ascending order.
  ///
  /// If nothing holds the array any longer, the next query may reuse its memory.
  open func layoutAttributes(in rect: Rect) -> [LayoutAttributes] { [] }

  /// Returns deleted items that the layout itself moves off the screen; see `animatesChangesItself`.
  open func layoutAttributesForLeavingElements(in rect: Rect) -> [LayoutAttributes] { [] }

  /// Returns the place of an item. Nil if there is no such item, or the layout does not show it.
  open func layoutAttributesForItem(at index: Int) -> LayoutAttributes? { nil }

  /// Whether some items are faded or transformed. If true, the view calls `look(of:)` for each item.
  open var hasLooks: Bool { false }

  /// Returns the look of an item, given the place that a query has just returned.
  open func look(of place: LayoutAttributes) -> AnimatedAttributes { AnimatedAttributes(place) }

  /// The animations of the view, which know where moving items are shown; nil if there is no view. The view sets this
  /// to nil when it no longer uses the layout. The reference is not weak, because a weak reference would make every
  /// retain of the animations four times as slow.
  final unowned(unsafe) var presenter: (any ItemPresenter)?

  // MARK: Updates, changes of the view's size, transitions

  /// Called after the layout has been prepared for these insertions, deletions and moves, and before the initial and
  /// final attributes are requested.
  open func prepare(forCollectionViewUpdates updates: [CollectionViewUpdate]) {}

  /// Called after the animations of a batch of updates have been set up.
  open func finalizeCollectionViewUpdates() {}

  /// Called after the bounds of the view have changed, if the change will be animated. As in UIKit, the view then
  /// requests final and initial attributes as if all items disappeared and appeared again.
  open func prepare(forAnimatedBoundsChange oldBounds: Rect) {}

  /// Called after the animations of a change of bounds have been set up.
  open func finalizeAnimatedBoundsChange() {}

  /// Returns the look from which an item starts if it is on the screen after a change but was not before. If nil, an
  /// item that was in the list before starts from its old place, and a new item fades in.
  ///
  /// The method is called for every item on the screen after the change. The result is ignored for an item that was on
  /// the screen before, unless `showsCopies` is true.
  /// - Parameter index: The index after the change.
  open func initialLayoutAttributesForAppearingItem(at index: Int) -> AnimatedAttributes? { nil }

  /// Returns the look at which an item ends if it was on the screen before a change but is not after it. If nil, an
  /// item that is still in the list moves to its new place, and a deleted item fades out.
  ///
  /// The method is called for every item on the screen before the change. The result is ignored for an item that stays
  /// on the screen, unless `showsCopies` is true.
  /// - Parameter index: The index before the change.
  open func finalLayoutAttributesForDisappearingItem(at index: Int) -> AnimatedAttributes? { nil }

  /// Whether an item that stays on the screen is shown as two copies, as in UIKit: one disappears and the other
  /// appears. This concerns only items for which the layout returns initial or final attributes.
  open var showsCopies: Bool { false }

  /// Returns the place of an item before the last batch of updates or the last change of the view's size, given its
  /// index at that time. Nil if the layout does not know the place.
  open func layoutAttributesBeforeChange(ofItemAt oldIndex: Int) -> LayoutAttributes? { nil }

  /// Called on the old layout, which is prepared, when a transition to another layout begins.
  open func prepareForTransition(to newLayout: CollectionViewLayout) {}
  /// Called on the new layout, which is prepared, when a transition to it begins.
  open func prepareForTransition(from oldLayout: CollectionViewLayout) {}
  /// Called on both layouts when a transition has finished or was canceled.
  open func finalizeLayoutTransition() {}

  /// Whether the layout itself moves items to their new places, so that the view must not animate them.
  open var animatesChangesItself: Bool { false }

  /// Returns whether the layout itself is moving an item, so that the view must not animate the place of that item.
  func movesItem(at index: Int) -> Bool { false }

  /// Returns the place at which an item comes to rest, even if the layout does not show the item, or shows it elsewhere
  /// now.
  func placeForItem(at index: Int) -> LayoutAttributes? { layoutAttributesForItem(at: index) }

  /// Returns a closure that restores the present options; nil if the layout has no options.
  func optionsUndo() -> (() -> Void)? { nil }

  /// Applies a batch of updates.
  /// - Throws: If the items cannot be laid out. In that case the layout stays unchanged.
  func apply(_ map: IndexMap) throws(LayoutError) {
    view.pointee.itemCount = map.newCount
    invalidateLayout()
    do throws(LayoutError) { try prepareIfInvalid() } catch {
      view.pointee.itemCount = map.oldCount
      throw error
    }
  }

  /// Called when a view begins to use this layout, when the view reloads its items, and when the options of a flow
  /// layout change.
  open func contentChanged() { invalidateLayout() }

  /// The overlap above which an item counts as visible, points. It keeps rounding errors at the edge of the view from
  /// affecting which items are shown.
  public static var visibilityTolerance: Double { 1e-6 }

  /// Makes the view call `prepare()` before the next query.
  public final func invalidateLayout() { view.pointee.isInvalid = true }

  /// Reports from `prepare()` that the layout cannot be prepared. The view's `prepareLayout()` then throws this error.
  public final func fail(_ error: LayoutError) { view.pointee.failure = error }

  final func prepareIfInvalid() throws(LayoutError) {
    guard isInvalid else { return }
    view.pointee.isInvalid = false
    prepare()
    guard let failure = view.pointee.failure else { return }
    view.pointee.failure = nil
    invalidateLayout()
    throw failure
  }
}

/// Knows how the items of a layout look while they move. `ItemAnimations` is the only implementation.
protocol ItemPresenter: AnyObject {
  /// Returns how an item looks at this moment of its animation. Nil if the item rests where the layout placed it.
  func look(ofItemAt index: Int) -> AnimatedAttributes?

  /// Called when the layout itself starts to move an item.
  func handOver(itemAt index: Int)
}
