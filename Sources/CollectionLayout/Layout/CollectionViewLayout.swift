import Dynamics

/// Places the items of a collection view (UIKit: `UICollectionViewLayout`). The collection view calls it in UIKit's
/// order: bounds change, animation step, `prepare()` if invalid, query.
///
/// Its calls take an index in the whole list and return values, so that no frame allocates. UIKit's own calls, which
/// take index paths and return objects, are in the module `UIKit`.
open class CollectionViewLayout {
  /// Behind a pointer, because each access to a variable of a class is checked for exclusivity at run time: some thirty
  /// checks per frame would cost more than everything else in a tiled frame.
  let view: UnsafeMutablePointer<ViewState>

  /// The layout's knowledge of its view.
  struct ViewState {
    var bounds = Rect(x: 0, y: 0, width: 0, height: 0)
    /// Distance from the view's corner, points.
    var touchOnScreen = Point.zero
    var itemCount = 0
    var isInvalid = true
    var contentInset = EdgeInsets(all: 0)
    /// Why the layout could not be prepared.
    var failure: LayoutError?
  }

  /// The change of the list that is being animated.
  package final var listChange: IndexMap?

  /// A layout that no view uses yet.
  public init() { view = .holding(ViewState()) }
  deinit { view.release() }

  /// The part of the content that the view shows, points.
  public final var bounds: Rect { view.pointee.bounds }
  /// The last touch, in the coordinates of the content; after the finger has lifted it stays where it was on the
  /// screen.
  ///
  /// Like a gesture recognizer's `location(in:)` it depends on the bounds: in
  /// `shouldInvalidateLayout(forBoundsChange:)` they are still the old ones, in `prepare()` the new ones.
  public final var touch: Point {
    let (origin, touch) = (view.pointee.bounds.origin, view.pointee.touchOnScreen)
    return Point(x: origin.x + touch.x, y: origin.y + touch.y)
  }
  /// Items of the view, including those that are not placed yet because the layout is invalid.
  public final var itemCount: Int { view.pointee.itemCount }
  /// Whether the next query needs a `prepare()` before.
  public final var isInvalid: Bool { view.pointee.isInvalid }
  /// The direction in which the content scrolls.
  open var scrollDirection: Axis { .vertical }
  /// Size of the whole content, points; as large as the view unless a subclass says otherwise.
  open var collectionViewContentSize: Size { bounds.size }

  /// Brings the layout up to date with the view's size, bounds and number of items. Called before the first query and
  /// whenever the layout is invalid. A layout that cannot be prepared says why by `fail(_:)`.
  open func prepare() {}

  /// Called when the bounds are about to change; `bounds` are still the old ones.
  /// - Returns: Whether the layout must be prepared again for them.
  open func shouldInvalidateLayout(forBoundsChange newBounds: Rect) -> Bool { false }

  /// Called instead if the size changes too, on which the places of all built-in layouts depend.
  open func shouldInvalidateLayout(forSizeChange newBounds: Rect) -> Bool {
    _ = shouldInvalidateLayout(forBoundsChange: newBounds)
    return true
  }

  /// Where the view is scrolled to in a batch of updates or a change to this layout, which is prepared.
  open func targetContentOffset(forProposedContentOffset proposed: Point) -> Point { proposed }

  /// Advances the layout's animations by this many seconds. It may call `invalidateLayout()`.
  open func step(by timestep: Double) {}

  /// The items that overlap the rectangle by more than an edge, in ascending order.
  ///
  /// The next query may reuse the array's memory if nothing holds the array any more.
  open func layoutAttributes(in rect: Rect) -> [LayoutAttributes] { [] }

  /// Deleted items that the layout itself moves off the screen; see `animatesChangesItself`.
  open func layoutAttributesForLeavingElements(in rect: Rect) -> [LayoutAttributes] { [] }

  /// Nil if the index has no item, or the layout does not show it.
  open func layoutAttributesForItem(at index: Int) -> LayoutAttributes? { nil }

  /// Whether some items look different from what their places say; see `look(of:)`.
  open var hasLooks: Bool { false }

  /// The look of an item at a place that a query has just returned.
  open func look(of place: LayoutAttributes) -> AnimatedAttributes { AnimatedAttributes(place) }

  /// The view that shows the items while it animates them; nil if there is none. The view clears it when it no longer
  /// uses the layout. Not a weak reference: one makes every retain of the view four times as slow.
  final unowned(unsafe) var presenter: (any ItemPresenter)?

  // MARK: Updates, changes of the view's size, transitions

  /// Called after the layout is prepared for these insertions, deletions and moves, and before the initial and final
  /// attributes are requested.
  open func prepare(forCollectionViewUpdates updates: [CollectionViewUpdate]) {}

  /// The animations of a batch have been set up.
  open func finalizeCollectionViewUpdates() {}

  /// The view's bounds have changed, and the change is going to be animated. As in UIKit, the initial and final
  /// attributes are then requested as if all items went and came again.
  open func prepare(forAnimatedBoundsChange oldBounds: Rect) {}

  /// The animations of a change of bounds have been set up.
  open func finalizeAnimatedBoundsChange() {}

  /// The start of an item that is on screen after a change and was not before. If nil, an item that the list had before
  /// starts from its old place, and a new one fades in.
  ///
  /// It is called for every item that is on screen after the change, and ignored for one that was there before unless
  /// `showsCopies`.
  /// - Parameter index: Index after the change.
  open func initialLayoutAttributesForAppearingItem(at index: Int) -> AnimatedAttributes? { nil }

  /// The end of an item that was on screen before a change and is not after it. If nil, an item that the list still has
  /// goes to its new place, and a deleted one fades out.
  ///
  /// It is called for every item that was on screen before the change, and ignored for one that stays there unless
  /// `showsCopies`.
  /// - Parameter index: Index before the change.
  open func finalLayoutAttributesForDisappearingItem(at index: Int) -> AnimatedAttributes? { nil }

  /// Whether an item that stays on screen is shown twice where the layout gives it attributes for appearing or
  /// disappearing items, as in UIKit: one copy comes, and another goes.
  open var showsCopies: Bool { false }

  /// The place of an item before the last batch of updates or change of the view's size, by its index then; nil if the
  /// layout does not know.
  open func layoutAttributesBeforeChange(ofItemAt oldIndex: Int) -> LayoutAttributes? { nil }

  /// A transition to another layout begins; this one is prepared.
  open func prepareForTransition(to newLayout: CollectionViewLayout) {}
  /// A transition to this layout begins, and it is prepared.
  open func prepareForTransition(from oldLayout: CollectionViewLayout) {}
  /// A transition has ended, at either end.
  open func finalizeLayoutTransition() {}

  /// Whether the layout itself moves items to new places, so that the view must not animate them.
  open var animatesChangesItself: Bool { false }

  /// Whether the layout itself moves an item now, so that the view must not animate its place.
  func movesItem(at index: Int) -> Bool { false }

  /// The resting place of an item, whether or not the layout shows it, and wherever it is now.
  func placeForItem(at index: Int) -> LayoutAttributes? { layoutAttributesForItem(at: index) }

  /// Returns a closure that undoes later changes of the options; nil if the layout has no options.
  func optionsUndo() -> (() -> Void)? { nil }

  /// Takes over a batch of updates.
  /// - Throws: If the items cannot be laid out; then the layout is unchanged.
  func apply(_ map: IndexMap, sizeForItem: (@Sendable (Int) -> Size)?) throws(LayoutError) {
    view.pointee.itemCount = map.newCount
    invalidateLayout()
    do throws(LayoutError) { try prepareIfInvalid() } catch {
      view.pointee.itemCount = map.oldCount
      throw error
    }
  }

  /// Called when anything else has changed that places depend on, such as the view's content inset.
  open func contentChanged() { invalidateLayout() }

  /// The thinnest part of an item that counts as visible, points. A rounding error at the edge of the view must not
  /// decide what is shown.
  public static var visibilityTolerance: Double { 1e-6 }

  /// Requests a `prepare()` before the next query.
  public final func invalidateLayout() { view.pointee.isInvalid = true }

  /// Reports from `prepare()` why the layout cannot be prepared: the view's `prepareLayout()` throws this.
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

/// Shows a layout's items on their way (the view's animations).
protocol ItemPresenter: AnyObject {
  /// The present look of an item; nil if it rests where the layout placed it.
  func look(ofItemAt index: Int) -> AnimatedAttributes?

  /// Called when the layout itself moves an item from now on.
  func handOver(itemAt index: Int)
}
