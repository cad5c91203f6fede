import Dynamics

/// What places the items of a collection view (UIKit: `UICollectionViewLayout`). The collection view calls
/// it in UIKit's order: bounds change, animation step, `prepare()` where invalid, query.
///
/// A layout answers in one of two ways. It overrides UIKit's calls, which take index paths and return
/// `CollectionViewLayoutAttributes`; or, as the ready layouts do, so that no frame allocates, those that take an
/// index in the whole list and return values. The view asks for values: unless they are overridden, they are
/// taken from what UIKit's calls return.
open class CollectionViewLayout {
  /// Behind a pointer, because each access to a variable of a class is checked for exclusivity at run time:
  /// some thirty checks a frame would cost more than all else that a tiled frame does.
  let view: UnsafeMutablePointer<ViewState>

  /// What the layout knows of its view.
  struct ViewState {
    var bounds = Rect(x: 0, y: 0, width: 0, height: 0)
    /// From the view's corner, points.
    var touchOnScreen = Point.zero
    var itemCount = 0
    var isInvalid = true
    /// Nil: all items are in one section.
    var sections: Sections?
    var contentInset = EdgeInsets(all: 0)
    /// Why the layout could not be prepared.
    var failure: LayoutError?
  }

  /// The collection view, which this part of the module does not know.
  final weak var owner: AnyObject?
  /// The change of the list that is being animated.
  final var listChange: ListChange?
  private var animators: [WeakAnimator] = []
  /// Looks, from the last query, of items that are not plain, by index.
  final var looks: [Int: AnimatedAttributes] = [:]

  /// A layout of no view yet: its bounds are empty, it has no items, and it is invalid.
  public init() {
    view = .allocate(capacity: 1)
    view.initialize(to: ViewState())
  }

  deinit {
    view.deinitialize(count: 1)
    view.deallocate()
  }

  /// The part of the content that the view shows, points.
  public final var bounds: Rect { view.pointee.bounds }
  /// The last touch, in the coordinates of the content; it stays where it was on the screen when the
  /// finger has lifted.
  ///
  /// Like a gesture recognizer's `location(in:)` it depends on the bounds: in
  /// `shouldInvalidateLayout(forBoundsChange:)` they are still the old ones, in `prepare()` the new ones.
  public final var touch: Point {
    let (origin, touch) = (view.pointee.bounds.origin, view.pointee.touchOnScreen)
    return Point(x: origin.x + touch.x, y: origin.y + touch.y)
  }
  /// Items of the view, those too that are not placed yet because the layout is invalid.
  public final var itemCount: Int { view.pointee.itemCount }
  /// Whether the next query needs a `prepare()` before.
  public final var isInvalid: Bool { view.pointee.isInvalid }

  /// The direction in which the content scrolls.
  open var scrollDirection: Axis { .vertical }

  /// Size of the whole content, points; as large as the view unless a subclass says otherwise.
  open var collectionViewContentSize: Size { bounds.size }

  /// Brings the layout up to date with the view's size, bounds and number of items. Called before the
  /// first query and whenever the layout is invalid. A layout that cannot be prepared says why by `fail(_:)`.
  open func prepare() {}

  /// Tells that the bounds are about to change; `bounds` are still the old ones.
  /// - Returns: Whether the layout must be prepared anew for them.
  open func shouldInvalidateLayout(forBoundsChange newBounds: Rect) -> Bool { false }

  /// Advances what is animated by this many seconds: the animators that were made for the layout, unless a
  /// subclass says otherwise. It may call `invalidateLayout()`.
  open func step(by timestep: Double) {
    guard !animators.isEmpty else { return }
    animators.removeAll { $0.animator == nil }
    for animator in animators.compactMap(\.animator) where animator.isRunning {
      animator.step(by: timestep)
      invalidateLayout()
    }
  }

  final func stepsAnimator(_ animator: DynamicAnimator) { animators.append(WeakAnimator(animator: animator)) }

  // MARK: Queries

  /// At least the items that share more than an edge with the rectangle, in any order. Nil: there are none.
  open func layoutAttributesForElements(in rect: Rect) -> [CollectionViewLayoutAttributes]? {
    answersWithValues ? layoutAttributes(in: rect).map(object) : nil
  }

  /// Nil for a path that has no item, or whose item the layout does not show.
  open func layoutAttributesForItem(at indexPath: IndexPath) -> CollectionViewLayoutAttributes? {
    guard answersWithValues, let index = index(at: indexPath) else { return nil }
    return layoutAttributesForItem(at: index).map(object)
  }

  /// The items that share more than an edge with the rectangle, in ascending order.
  ///
  /// The array's memory may be used again by the next query, if nobody holds the array any more by then.
  open func layoutAttributes(in rect: Rect) -> [LayoutAttributes] { values(in: rect) }

  /// Deleted items that the layout itself moves off the screen; see `animatesChangesItself`.
  open func layoutAttributesForLeavingElements(in rect: Rect) -> [LayoutAttributes] { [] }

  /// Nil for an index that has no item, or whose item the layout does not show.
  open func layoutAttributesForItem(at index: Int) -> LayoutAttributes? { value(at: index) }

  /// Whether the layout overrides the queries for values rather than UIKit's.
  var answersWithValues: Bool { false }

  /// Shows the items while it animates them; nil: no view does.
  final weak var presenter: (any ItemPresenter)?

  // MARK: Updates, changes of the view's size, transitions

  /// The items were inserted, deleted, moved and reloaded so, and the layout is prepared for it. Called before
  /// the initial and final attributes are asked for.
  open func prepare(forCollectionViewUpdates updateItems: [CollectionViewUpdateItem]) {}

  /// The same, by indices in the whole list; without those that were reloaded.
  open func prepare(forCollectionViewUpdates updates: [CollectionViewUpdate]) {
    guard !answersWithValues else { return }
    prepare(forCollectionViewUpdates: updateItems(updates))
  }

  /// The animations of a batch have been set up.
  open func finalizeCollectionViewUpdates() {}

  /// The view's bounds have changed, and the change is going to be animated. As in UIKit the initial and final
  /// attributes are then asked for as if all items went and came again.
  open func prepare(forAnimatedBoundsChange oldBounds: Rect) {}

  /// The animations of a change of bounds have been set up.
  open func finalizeAnimatedBoundsChange() {}

  /// What an item comes from that is on the screen after a change and was not before. Nil: one that the list
  /// had before comes from where it was, and a new one fades in. As in UIKit, `super` answers for a new item
  /// with its attributes made invisible.
  ///
  /// It is asked for every item that is on the screen after the change. One that was there before comes from
  /// where it was seen, whatever the answer.
  /// - Parameter indexPath: After the change.
  open func initialLayoutAttributesForAppearingItem(
    at indexPath: IndexPath
  ) -> CollectionViewLayoutAttributes? { faded(appearing: indexPath) }

  /// What an item ends as that was on the screen before a change and is not after it. Nil: one that the list
  /// still has goes to its new place, and a deleted one fades out. As in UIKit, `super` answers for a deleted
  /// item with what its attributes were, made invisible, if the layout knows them.
  ///
  /// It is asked for every item that was on the screen before the change. One that stays there goes to its
  /// new place, whatever the answer.
  /// - Parameter indexPath: Before the change.
  open func finalLayoutAttributesForDisappearingItem(
    at indexPath: IndexPath
  ) -> CollectionViewLayoutAttributes? { faded(disappearing: indexPath) }

  /// The same as for an index path.
  /// - Parameter index: After the change.
  open func initialLayoutAttributesForAppearingItem(at index: Int) -> AnimatedAttributes? {
    guard !answersWithValues else { return nil }
    return initialLayoutAttributesForAppearingItem(at: indexPath(at: index))?.look(at: index)
  }

  /// The same as for an index path.
  /// - Parameter index: Before the change.
  open func finalLayoutAttributesForDisappearingItem(at index: Int) -> AnimatedAttributes? {
    guard !answersWithValues else { return nil }
    return finalLayoutAttributesForDisappearingItem(at: indexPathBeforeChange(at: index))?.look(at: index)
  }

  /// Where an item was before the last batch of updates or change of the view's size, by its index then; nil
  /// where the layout does not know.
  open func layoutAttributesBeforeChange(ofItemAt oldIndex: Int) -> LayoutAttributes? { nil }

  /// A transition to another layout begins; this one is prepared.
  open func prepareForTransition(to newLayout: CollectionViewLayout) {}
  /// A transition to this layout begins, and it is prepared.
  open func prepareForTransition(from oldLayout: CollectionViewLayout) {}
  /// A transition has ended, here or back where it began.
  open func finalizeLayoutTransition() {}

  /// Whether items move to new places by what the layout does, so that the view must not animate them.
  open var animatesChangesItself: Bool { false }

  /// Whether the layout moves an item itself now, so that the view must not animate its place.
  func movesItem(at index: Int) -> Bool { false }

  /// Where an item belongs, whether or not the layout shows it, and wherever it is on its way there.
  func placeForItem(at index: Int) -> LayoutAttributes? { layoutAttributesForItem(at: index) }

  /// Takes over a batch of updates.
  /// - Throws: Where the items cannot be laid out; the layout is then as it was.
  func apply(_ map: IndexMap, sizeForItem: (@Sendable (Int) -> Size)?) throws(LayoutError) {
    view.pointee.itemCount = map.newCount
    invalidateLayout()
    do throws(LayoutError) {
      try prepareIfInvalid()
    } catch {
      view.pointee.itemCount = map.oldCount
      throw error
    }
  }

  /// Something else that places depend on has changed: the sections, or the view's content inset.
  func contentChanged() { invalidateLayout() }

  /// Parts of an item no thinner than this count as visible, points. An edge that rounding puts a hair
  /// across the edge of the view must not decide what is shown.
  public static var visibilityTolerance: Double { 1e-6 }

  /// Asks for `prepare()` before the next query.
  public final func invalidateLayout() { view.pointee.isInvalid = true }

  /// Says in `prepare()` why the layout cannot be prepared: the view's `prepareLayout()` throws it.
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

/// What shows a layout's items on their way (the view's animations).
protocol ItemPresenter: AnyObject {
  /// How an item of the list looks now; nil: it rests where the layout has it.
  func look(ofItemAt index: Int) -> AnimatedAttributes?

  /// Tells that the layout moves an item itself from now on.
  func handOver(itemAt index: Int)
}
