import Dynamics

/// A collection view without a screen. It keeps the bounds and the touch, and calls its layout in the order of UIKit.
///
/// A frame consists of `scroll(to:touch:)`, `step(by:)`, `prepareLayout()` and `visibleAttributes()`.
public final class CollectionView {
  /// The current layout, which is a `TransitionLayout` during a transition between layouts.
  public var layout: CollectionViewLayout { current.takeUnretainedValue() }
  /// The current layout, retained manually: automatic retains and releases would cost a tenth of a frame of
  /// `TiledSpringLayout`.
  private var current: Unmanaged<CollectionViewLayout>
  /// The last touch on the screen, points from the view's corner.
  public var touchOnScreen: Point { layout.view.pointee.touchOnScreen }
  /// Whether the view runs animations of items, or a transition. Animations that the layout runs itself do not count.
  private var isAnimating = false
  let animations = ItemAnimations()
  /// The layout of the current transition between layouts; nil if there is none.
  package private(set) var transitionLayout: TransitionLayout?
  /// The source of the contents of the cells. It is not retained.
  public internal(set) weak var dataSource: (any ListDataSource)?

  /// Creates a view and prepares its layout.
  /// - Parameters:
  ///   - layout: The layout, which must not be used by another view.
  ///   - size: The size of the view, points.
  ///   - contentOffset: The initial scroll offset, points along the scroll direction.
  /// - Throws: If an argument is invalid, or if the layout cannot be prepared.
  public init(layout: CollectionViewLayout, itemCount: Int, size: Size, contentOffset: Double = 0) throws(LayoutError) {
    guard size.isPositive else { throw .invalidViewSize(size) }
    guard itemCount >= 0 else { throw .invalidItemCount(itemCount) }
    guard contentOffset.isFinite else { throw .invalidContentOffset(contentOffset) }
    current = Unmanaged.passRetained(layout)
    let origin = MainCross(main: contentOffset, cross: 0).point(layout.scrollDirection)
    layout.view.pointee.bounds = Rect(origin: origin, size: size)
    layout.view.pointee.touchOnScreen = Point(x: size.width / 2, y: size.height / 2)
    layout.view.pointee.itemCount = itemCount
    layout.presenter = animations
    layout.contentChanged()
    try layout.prepareIfInvalid()
  }

  deinit {
    layout.presenter = nil
    current.release()
  }

  /// The part of the content that the view shows, points. Its size is the size of the view.
  public var bounds: Rect { current._withUnsafeGuaranteedRef { $0.bounds } }
  /// The number of items. It includes appended items that `prepareLayout()` has not placed yet.
  public var itemCount: Int { layout.itemCount }
  /// The scroll offset: the origin of the bounds along the scroll direction, points.
  public var scrollOffset: Double { MainCross(bounds.origin, layout.scrollDirection).main }
  /// The largest scroll offset at which the view shows nothing beyond the content and its inset, points.
  public var maximumContentOffset: Double {
    layout.scrollLimits(of: layout.collectionViewContentSize, along: layout.scrollDirection).upperBound
  }

  /// Scrolls the view along the scroll direction.
  /// - Parameters:
  ///   - contentOffset: The new scroll offset, points. It may be beyond the content, as when a scroll view bounces.
  ///   - touch: The position of the finger, points from the corner of the view. Nil keeps the last touch. As in UIKit,
  ///     the layout reads the touch before the bounds change.
  public func scroll(to contentOffset: Double, touch: Point? = nil) {
    current._withUnsafeGuaranteedRef { layout in
      let axis = layout.scrollDirection
      let origin = MainCross(main: contentOffset, cross: MainCross(layout.bounds.origin, axis).cross)
      move(layout, to: origin.point(axis), touch)
    }
  }

  @inline(__always) private func move(_ layout: CollectionViewLayout, to origin: Point, _ touch: Point?) {
    if let touch { layout.view.pointee.touchOnScreen = touch }
    let old = layout.bounds
    var newBounds = Rect(origin: origin, size: old.size)
    let isInvalid = newBounds != old && layout.shouldInvalidateLayout(forBoundsChange: newBounds)
    if isInvalid { invalidate(layout, from: old, to: &newBounds) }
    layout.view.pointee.bounds = newBounds
    if isInvalid { layout.boundsChanged() }
  }

  /// Invalidates the layout. If the layout adjusted the content offset when it was asked about the new bounds, the new
  /// bounds are shifted by the same amount.
  private func invalidate(_ layout: CollectionViewLayout, from old: Rect, to newBounds: inout Rect) {
    layout.invalidateLayout()
    newBounds.origin.x += layout.bounds.minX - old.minX
    newBounds.origin.y += layout.bounds.minY - old.minY
  }

  /// Advances the animations of the layout and of the view by this many seconds.
  public func step(by timestep: Double) {
    current._withUnsafeGuaranteedRef { $0.step(by: timestep) }
    if isAnimating { stepAnimations(by: timestep) }
  }

  /// Prepares the layout if it is invalid.
  public func prepareLayout() throws(LayoutError) {
    let failure: LayoutError? = current._withUnsafeGuaranteedRef { layout in
      do throws(LayoutError) {
        try layout.prepareIfInvalid()
        return nil
      } catch { return error }
    }
    if let failure { throw failure }
  }

  /// Returns the visible items at the places given by the layout. Animated items may still be on their way there; see
  /// `presentedAttributes()`.
  public func visibleAttributes() -> [LayoutAttributes] {
    current._withUnsafeGuaranteedRef { $0.layoutAttributes(in: $0.bounds) }
  }

  /// Appends items. They appear after the next `prepareLayout()`.
  /// - Throws: If the number is negative or too large, or during a transition.
  public func appendItems(_ count: Int) throws(LayoutError) {
    let (sum, isTooLarge) = itemCount.addingReportingOverflow(count)
    guard count >= 0, !isTooLarge else { throw .invalidItemCount(count) }
    guard transitionLayout == nil else { throw .transitionUnderWay }
    layout.view.pointee.itemCount = sum
    layout.invalidateLayout()
  }

  /// Sets the data source of the items that the view already has.
  /// - Throws: If the number of its items differs from that of the view.
  public func setDataSource(_ newSource: (any ListDataSource)?) throws(LayoutError) {
    if let newSource, newSource.itemCount != itemCount {
      throw .unequalItemCounts(current: itemCount, next: newSource.itemCount)
    }
    dataSource = newSource
  }

  /// Makes a layout the current one. It may be a `TransitionLayout`.
  func install(_ layout: CollectionViewLayout) {
    let old = current
    current = Unmanaged.passRetained(layout)
    old.takeUnretainedValue().presenter = nil
    layout.presenter = animations
    old.release()
    transitionLayout = layout as? TransitionLayout
    animationsChanged()
  }

  func stepAnimations(by timestep: Double) {
    guard timestep > 0 else { return }
    animations.step(by: timestep)
    endTransitionIfThere()
    animationsChanged()
  }

  /// Called when animations have begun or ended.
  func animationsChanged() { isAnimating = !animations.isEmpty || transitionLayout != nil }

  // MARK: For the module UIKit

  /// Moves the bounds along both axes, even beyond the content; see `scroll(to:touch:)`. An origin or a touch that is
  /// not finite is ignored.
  package func moveBounds(to origin: Point, touch: Point? = nil) {
    let touch = touch?.isFinite == true ? touch : nil
    current._withUnsafeGuaranteedRef { move($0, to: origin.isFinite ? origin : bounds.origin, touch) }
  }

  /// Moves the finger without scrolling.
  /// - Parameter touch: The new position of the finger, in points from the corner of the view.
  package func moveTouch(to touch: Point) { layout.view.pointee.touchOnScreen = touch }

  /// Replaces the layout. The caller must prepare the new one.
  package func replaceLayout(_ next: CollectionViewLayout) {
    next.view.pointee = layout.view.pointee
    install(next)
    next.contentChanged()
  }

  /// Changes the bounds without an animation. The size may be zero, as it is for a view before its first layout.
  package func resize(to wanted: Rect) {
    let old = bounds
    var newBounds = wanted
    let isInvalid = layout.shouldInvalidateLayout(forSizeChange: wanted)
    if isInvalid { invalidate(layout, from: old, to: &newBounds) }
    layout.view.pointee.bounds = newBounds
    if isInvalid { layout.boundsChanged() }
  }

  /// Moves the bounds because the layout requested it, without asking the layout about the change.
  package func adjustOffset(by shift: Vector) {
    layout.view.pointee.bounds.origin.x += shift.dx
    layout.view.pointee.bounds.origin.y += shift.dy
  }

  /// The distances by which the view can scroll beyond the edges of the content, points. Setting them does not
  /// invalidate the layout.
  package var contentInset: EdgeInsets {
    get { layout.view.pointee.contentInset }
    set { layout.view.pointee.contentInset = newValue }
  }

  /// Replaces all items without an animation. Their number may be set later, but before the layout is prepared.
  package func reload() {
    animations.removeAll()
    layout.contentChanged()
    animationsChanged()
  }

  /// Whether the next `prepareLayout()` prepares the layout.
  package var isInvalid: Bool { current._withUnsafeGuaranteedRef { $0.isInvalid } }

  package func setItemCount(_ count: Int) { layout.view.pointee.itemCount = count }
}
