import Dynamics

/// Options of an animated change of a collection view.
public struct AnimationOptions: Hashable, Sendable {
  /// Duration of the animation, seconds.
  public var duration = 0.25
  /// The curve of updates and of changes of size. A transition between layouts is always linear in time.
  public var curve = AnimationCurve.easeInOut
  /// The items that are animated. An update puts all others in their new places at once. A transition does not show the
  /// others.
  public var scope = AnimationScope.visible

  public init() {}
  func validate() throws(LayoutError) {
    guard duration >= 0, duration.isFinite else { throw .invalidOption(name: "duration", value: duration) }
  }
}

extension CollectionView {
  /// Inserts, deletes and moves items, and animates the change (UIKit: `performBatchUpdates(_:completion:)`).
  ///
  /// The layout's methods are called in the order of UIKit: `prepare()`, `prepare(forCollectionViewUpdates:)`, the
  /// final attributes of the items that were on the screen, the initial attributes of the items that are on the screen
  /// now, and `finalizeCollectionViewUpdates()`. In a layout of springs, items stay where they are, and springs pull
  /// them to their new places.
  /// - Parameters:
  ///   - itemCount: The number of items after the batch. If nil, the data source determines it, so change the data
  ///     source before the call. Without a data source, the number follows from the updates.
  ///   - changes: Changes options of the layout. These changes are made before the updates, and are animated together
  ///     with them. `updates` may be empty.
  /// - Throws: If the updates or the changes are impossible. Then the view, the layout and all animations stay
  ///   unchanged.
  public func performBatchUpdates(
    _ updates: [CollectionViewUpdate], itemCount: Int? = nil, options: AnimationOptions = AnimationOptions(),
    changes: (() -> Void)? = nil
  ) throws(LayoutError) {
    let undo = changes == nil ? nil : layout.optionsUndo()
    do throws(LayoutError) {
      try runBatch(options, updates) { () throws(LayoutError) -> IndexMap in
        let map = try IndexMap(updates, oldCount: self.itemCount, newCount: itemCount ?? self.dataSource?.itemCount)
        changes?()
        return map
      }
    } catch {
      undo?()
      throw error
    }
  }

  /// - Parameter collect: Returns the map of the batch. When it is called, the looks of the items before the batch have
  ///   been recorded, so it may change the layout and the data that the layout reads.
  package func runBatch(
    _ options: AnimationOptions, _ updates: [CollectionViewUpdate] = [],
    collecting collect: () throws(LayoutError) -> IndexMap
  ) throws(LayoutError) {
    try options.validate()
    guard transitionLayout == nil else { throw .transitionUnderWay }
    try prepareLayout()
    let (before, old) = (looks(in: bounds), bounds.origin)
    let map = try collect()
    let layout = layout
    layout.listChange = map
    defer { layout.listChange = nil }
    try layout.apply(map)
    try prepareLayout()
    layout.prepare(forCollectionViewUpdates: updates)
    let target = layout.targetContentOffset(forProposedContentOffset: bounds.origin)
    if target != bounds.origin { moveBounds(to: target) }
    try prepareLayout()
    let new = bounds.origin
    animate(
      ItemAnimations.Change(
        map: map, before: before, offset: Point(x: new.x - old.x, y: new.y - old.y), options: options), in: bounds)
    layout.finalizeCollectionViewUpdates()
  }

  /// Changes the size of the view, as a rotation of the device does, and animates the items from their old places to
  /// the new ones.
  ///
  /// `prepare(forAnimatedBoundsChange:)` is called at the moment that `announcement` specifies. Then final and initial
  /// attributes are requested as if all items disappeared and appeared again, as in UIKit. Nevertheless each item is
  /// shown only once. Items that are on the screen before and after the change go straight from their old place to
  /// their new one.
  /// - Parameters:
  ///   - size: The new size, points.
  ///   - item: The item to keep in the middle of the view, as far as the ends of the content allow. If nil, the content
  ///     offset is kept, as far as the content reaches.
  ///   - announcement: When `prepare(forAnimatedBoundsChange:)` is called.
  /// - Throws: If the size or the item is invalid. Then the view, the layout and all animations stay unchanged.
  public func rotate(
    to size: Size, showing item: Int? = nil, announcement: BoundsAnnouncement = .afterPreparation,
    options: AnimationOptions = AnimationOptions()
  ) throws(LayoutError) {
    try options.validate()
    guard size.isPositive else { throw .invalidViewSize(size) }
    if let item, !(0..<itemCount).contains(item) { throw .noSuchItem(index: item, count: itemCount) }
    guard transitionLayout == nil else { throw .transitionUnderWay }
    try prepareLayout()
    let layout = layout
    let old = layout.bounds
    // Also records items beside or below the screen. If a rotation is reversed halfway, items that are still moving
    // there come into view.
    let reach = Size(width: max(old.size.width, size.width), height: max(old.size.height, size.height))
    let before = looks(in: Rect(origin: old.origin, size: reach))
    let isInvalid = layout.shouldInvalidateLayout(forSizeChange: Rect(origin: old.origin, size: size))
    if isInvalid { layout.invalidateLayout() }
    layout.view.pointee.bounds.size = size
    if isInvalid { layout.boundsChanged() }
    if announcement == .beforePreparation { layout.prepare(forAnimatedBoundsChange: old) }
    do throws(LayoutError) {
      try prepareLayout()
      // In this call, layouts for UIKit choose the item that stays in view. `targetContentOffset` returns its offset.
      if announcement == .afterPreparation { layout.prepare(forAnimatedBoundsChange: old) }
      let axis = layout.scrollDirection
      let end = min(scrollOffset, maximumContentOffset)
      let kept = MainCross(main: end, cross: MainCross(layout.bounds.origin, axis).cross).point(axis)
      let proposed = item.map { layout.contentOffset(showing: $0) } ?? kept
      let target = layout.targetContentOffset(forProposedContentOffset: proposed)
      moveBounds(to: target.isFinite ? target : proposed)
      try prepareLayout()
    } catch {
      layout.view.pointee.bounds = old
      throw error
    }
    let new = layout.bounds.origin
    animate(
      ItemAnimations.Change(
        map: IndexMap(oldCount: itemCount, newCount: itemCount), before: before, keepsPlaces: size == old.size,
        offset: Point(x: new.x - old.origin.x, y: new.y - old.origin.y), options: options),
      in: Rect(origin: new, size: reach))
    layout.finalizeAnimatedBoundsChange()
  }

  /// The moment at which `prepare(forAnimatedBoundsChange:)` is called: before or after the layout's `prepare()`.
  public enum BoundsAnnouncement: Hashable, Sendable, CaseIterable { case beforePreparation, afterPreparation }

  /// Returns the items on the screen now. The items of the list come first, in ascending order, with their looks at
  /// this moment of their animations. Items that are leaving follow: first those that the view animates, with their
  /// former indices, then those that the layout itself moves.
  public func presentedAttributes() -> [AnimatedAttributes] {
    if let between = transitionLayout { return animations.collect { between.addLooks(in: bounds, to: &$0) } }
    let leaving = layout.layoutAttributesForLeavingElements(in: bounds)
    var shown = animations.presented(visibleAttributes(), of: layout, in: bounds)
    for attributes in leaving { shown.append(AnimatedAttributes(attributes)) }
    return shown
  }

  /// Returns `presentedAttributes()` without the items that are leaving.
  package func presentedItems() -> [AnimatedAttributes] {
    guard transitionLayout == nil else { return presentedAttributes() }
    return animations.presented(visibleAttributes(), of: layout, in: bounds, withLeaving: false)
  }

  /// Returns the visible items that the view animates as leaving, each with the number of the change that made it
  /// leave.
  package func leavingItems() -> [(look: AnimatedAttributes, change: Int)] { animations.leavingLooks(in: bounds) }

  /// The number of the latest animated change. A number is reused after the animations of its change have ended.
  package var latestChange: Int { animations.state.pointee.latestTiming }

  /// The number of items that animations or a transition are moving.
  public var animatedItemCount: Int { animations.count + (transitionLayout?.itemsOnTheirWay ?? 0) }

  /// Returns the index of the topmost item at a point of the content; nil if there is none.
  public func indexForItem(at point: Point) -> Int? {
    let hair = 1e-3
    return layout.layoutAttributes(in: Rect(x: point.x - hair, y: point.y - hair, width: 2 * hair, height: 2 * hair))
      .max { ($0.zIndex, $0.index) < ($1.zIndex, $1.index) }?.index
  }

  /// Returns how the items in a rectangle look at this moment of their animations, in ascending order. Empty if the
  /// layout itself animates changes.
  func looks(in rect: Rect) -> [AnimatedAttributes] {
    guard !layout.animatesChangesItself else { return [] }
    return animations.presented(layout.layoutAttributes(in: rect), of: layout, in: rect, withLeaving: false)
  }

  /// - Parameter rect: The rectangle in which to look for items that are on the screen after the change.
  func animate(_ change: ItemAnimations.Change, in rect: Rect) {
    guard !layout.animatesChangesItself else { return }
    var change = change
    change.after = layout.layoutAttributes(in: rect)
    animations.begin(change, in: layout)
    if change.options.duration == 0 { animations.step(by: 0) }
    animationsChanged()
  }
}
