import Dynamics

/// A collection view without a screen: it holds the bounds and the touch, and calls its layout in UIKit's order.
///
/// A frame is `scroll(to:touch:)`, `step(by:)`, `prepareLayout()`, `visibleAttributes()`.
public final class CollectionView {
  /// The current layout: a `TransitionLayout` while a transition between layouts is in progress.
  public var layout: CollectionViewLayout { current.takeUnretainedValue() }
  /// Retained manually, because retaining and releasing it each time would cost a tenth of a tiled frame.
  private var current: Unmanaged<CollectionViewLayout>
  /// The last touch on the screen, points from the view's corner.
  public var touchOnScreen: Point { layout.view.pointee.touchOnScreen }
  /// Whether the view, rather than its layout, animates anything.
  private var isAnimating = false
  let animations = ItemAnimations()
  /// The layout of the current transition between layouts; nil if there is none.
  package private(set) var transitionLayout: TransitionLayout?
  /// Fills the cells; not retained.
  public internal(set) weak var dataSource: (any ListDataSource)?

  /// - Parameters:
  ///   - layout: Belongs to this view from now on.
  ///   - size: Points.
  ///   - contentOffset: Points along the scroll direction.
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

  /// The part of the content that the view shows, points; its size is the view's.
  public var bounds: Rect { layout.bounds }
  /// Rows of the data source; appended ones count before `prepareLayout()` places them.
  public var itemCount: Int { layout.itemCount }
  /// Offset of the bounds along the scroll direction, points.
  public var scrollOffset: Double { MainCross(bounds.origin, layout.scrollDirection).main }
  /// The largest scroll offset at which the view shows nothing beyond the content and its inset, points.
  public var maximumContentOffset: Double { layout.scrollLimits.upperBound }

  /// Moves the bounds along the scroll direction.
  /// - Parameters:
  ///   - contentOffset: Points; may be beyond the content, as when a scroll view bounces.
  ///   - touch: Position of the finger, points from the view's corner; nil keeps the last touch. The layout reads it
  ///     while the bounds are still the old ones, as in UIKit.
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
    if newBounds != old, layout.shouldInvalidateLayout(forBoundsChange: newBounds) {
      invalidate(layout, from: old, to: &newBounds)
    }
    layout.view.pointee.bounds = newBounds
  }

  /// A layout may have adjusted the offset when it was asked about a change of the bounds.
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

  /// The items that the view shows, at the layout's places. Animated items may still be on their way there: see
  /// `presentedAttributes()`.
  public func visibleAttributes() -> [LayoutAttributes] {
    current._withUnsafeGuaranteedRef { $0.layoutAttributes(in: $0.bounds) }
  }

  /// Appends rows, at any time; they appear with the next `prepareLayout()`.
  public func appendItems(_ count: Int) throws(LayoutError) {
    let (sum, isTooLarge) = itemCount.addingReportingOverflow(count)
    guard count >= 0, !isTooLarge else { throw .invalidItemCount(count) }
    guard transitionLayout == nil else { throw .transitionUnderWay }
    layout.view.pointee.itemCount = sum
    layout.invalidateLayout()
  }

  /// Sets a data source of the items that the view has already.
  /// - Throws: If its number of items differs from the view's.
  public func setDataSource(_ newSource: (any ListDataSource)?) throws(LayoutError) {
    if let newSource, newSource.itemCount != itemCount {
      throw .unequalItemCounts(current: itemCount, next: newSource.itemCount)
    }
    dataSource = newSource
  }

  /// Activates a layout, which may be that of a transition.
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

  /// Called when animations began or ended.
  func animationsChanged() { isAnimating = !animations.isEmpty || transitionLayout != nil }

  // MARK: For the module UIKit

  /// Moves the bounds along both axes, even beyond the content; see `scroll(to:touch:)`. A place that is not finite
  /// changes nothing.
  package func moveBounds(to origin: Point, touch: Point? = nil) {
    let touch = touch?.isFinite == true ? touch : nil
    current._withUnsafeGuaranteedRef { move($0, to: origin.isFinite ? origin : bounds.origin, touch) }
  }

  /// Moves the finger without scrolling; points from the view's corner.
  package func moveTouch(to touch: Point) { layout.view.pointee.touchOnScreen = touch }

  /// Uses another layout from now on, which is going to be prepared.
  package func replaceLayout(_ next: CollectionViewLayout) {
    next.view.pointee = layout.view.pointee
    install(next)
    next.contentChanged()
  }

  /// Changes the size without an animation; it may be zero, as that of a view before its first layout.
  package func resize(to wanted: Rect) {
    let old = bounds
    var newBounds = wanted
    if layout.shouldInvalidateLayout(forSizeChange: wanted) { invalidate(layout, from: old, to: &newBounds) }
    layout.view.pointee.bounds = newBounds
  }

  /// Moves the bounds at the layout's request, so the layout is not asked about it.
  package func adjustOffset(by shift: Vector) {
    layout.view.pointee.bounds.origin.x += shift.dx
    layout.view.pointee.bounds.origin.y += shift.dy
  }

  /// Distance that the view scrolls beyond the edges of the content. The layout stays valid after a change.
  package var contentInset: EdgeInsets {
    get { layout.view.pointee.contentInset }
    set { layout.view.pointee.contentInset = newValue }
  }

  /// Lays out other items without an animation.
  package func reload(itemCount: Int) {
    animations.removeAll()
    layout.view.pointee.itemCount = itemCount
    layout.contentChanged()
    animationsChanged()
  }
}
