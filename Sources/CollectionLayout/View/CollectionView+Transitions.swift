import Dynamics

extension CollectionView {
  /// The progress of the transition between layouts, from 0 to 1; nil if there is none.
  public var transitionProgress: Double? { transitionLayout?.transitionProgress }

  /// Starts a transition to another layout, which lays out the same items or a list that contains some of them (UIKit:
  /// `setCollectionViewLayout(_:animated:)` and `startInteractiveTransition(to:completion:)`). The transition can be
  /// stopped, moved interactively, and reversed at any time.
  /// - Parameters:
  ///   - next: A layout that no view uses.
  ///   - dataSource: The data source that fills the cells after the transition has finished. It is not used if the
  ///     transition is canceled. Nil keeps the present one. (In UIKit, the caller must replace the data source, and
  ///     easily forgets to.)
  ///   - items: Maps indices in the present layout to indices in the next one. Items that only one of the layouts has
  ///     fade in or out. If nil, the items keep their indices.
  ///   - item: The present index of the item that the next layout shows in the middle of the view. If nil, the next
  ///     layout shows the item that is nearest to the middle now, among the items that both layouts have.
  ///   - options: `duration` applies to the whole transition. The curve is not used: the progress is linear in time, so
  ///     a transition that is reversed halfway keeps its speed.
  ///   - isInteractive: Whether the transition moves only by `updateTransition(progress:)`, instead of running by
  ///     itself.
  /// - Throws: If the transition is impossible. In that case the view stays unchanged.
  public func startTransition(
    to next: CollectionViewLayout, dataSource: (any ListDataSource)? = nil, items: IndexMap? = nil,
    showing item: Int? = nil, options: AnimationOptions = AnimationOptions(), isInteractive: Bool = false
  ) throws(LayoutError) {
    try options.validate()
    guard transitionLayout == nil else { throw .transitionUnderWay }
    let map = items ?? IndexMap(oldCount: itemCount, newCount: dataSource?.itemCount ?? itemCount)
    try check(map, dataSource, showing: item)
    precondition(next !== layout, "a transition from a layout to itself")
    try prepareLayout()
    let current = layout
    try open(next, map, showing: item)
    animations.removeAll()
    current.prepareForTransition(to: next)
    next.prepareForTransition(from: current)
    install(TransitionLayout(from: current, to: next, map, dataSource, options))
    if !isInteractive { try finishTransition() }
  }

  /// Replaces the layout with another one of the same items, and animates the items from their old places to the new ones.
  /// The layouts are not asked for initial and final attributes.
  package func changeLayout(to next: CollectionViewLayout, options: AnimationOptions) throws(LayoutError) {
    guard transitionLayout == nil else { throw .transitionUnderWay }
    try prepareLayout()
    let (current, before, old) = (layout, looks(in: bounds), bounds.origin)
    let map = IndexMap(oldCount: itemCount, newCount: itemCount)
    try open(next, map, showing: nil)
    current.prepareForTransition(to: next)
    next.prepareForTransition(from: current)
    install(next)
    let offset = Point(x: bounds.minX - old.x, y: bounds.minY - old.y)
    animate(ItemAnimations.Change(map: map, before: before, offset: offset, options: options), in: bounds)
    current.finalizeLayoutTransition()
    next.finalizeLayoutTransition()
  }

  /// Prepares a layout that no view uses yet, and scrolls it to an item.
  private func open(_ next: CollectionViewLayout, _ map: IndexMap, showing item: Int?) throws(LayoutError) {
    next.view.pointee = layout.view.pointee
    next.view.pointee.itemCount = map.newCount
    next.contentChanged()
    do throws(LayoutError) {
      try next.prepareIfInvalid()
      try scroll(next, toShow: (item ?? middleItem(of: map)).flatMap(map.newIndex))
    } catch {
      next.presenter = nil
      throw error
    }
  }

  /// Moves the transition interactively. A transition that runs by itself stops.
  /// - Parameter progress: The progress, from 0 for the old layout to 1 for the new one.
  /// - Throws: If there is no transition, or if the progress is not between 0 and 1.
  public func updateTransition(progress: Double) throws(LayoutError) {
    guard let transitionLayout else { throw .noTransition }
    guard (0...1).contains(progress) else { throw .invalidProgress(progress) }
    transitionLayout.setProgress(progress)
  }

  public func finishTransition() throws(LayoutError) { try run(to: 1) }
  public func cancelTransition() throws(LayoutError) { try run(to: 0) }

  private func run(to end: Double) throws(LayoutError) {
    guard let transitionLayout else { throw .noTransition }
    transitionLayout.run(to: end)
    endTransitionIfThere()
  }

  func endTransitionIfThere() {
    guard let transition = transitionLayout, let end = transition.end, transition.transitionProgress == end else {
      return
    }
    let (old, next) = (transition.currentLayout, transition.nextLayout)
    let (start, now) = (old.bounds.origin, bounds.origin)
    let winner = end == 1 ? next : old
    winner.view.pointee.bounds.origin.x += now.x - start.x
    winner.view.pointee.bounds.origin.y += now.y - start.y
    (winner.view.pointee.touchOnScreen, winner.view.pointee.contentInset) = (touchOnScreen, contentInset)
    install(winner)
    if end == 1, let source = transition.dataSource { dataSource = source }
    old.finalizeLayoutTransition()
    next.finalizeLayoutTransition()
    (winner === next ? old : next).presenter = nil
    transition.presenter = nil
  }

  private func check(_ map: IndexMap, _ dataSource: (any ListDataSource)?, showing item: Int?) throws(LayoutError) {
    guard map.oldCount == itemCount else { throw .unequalItemCounts(current: itemCount, next: map.oldCount) }
    if let dataSource, dataSource.itemCount != map.newCount {
      throw .unequalItemCounts(current: map.newCount, next: dataSource.itemCount)
    }
    guard let item else { return }
    guard (0..<itemCount).contains(item) else { throw .noSuchItem(index: item, count: itemCount) }
    guard map.newIndex(ofItemAt: item) != nil else { throw .noSuchItem(index: item, count: map.newCount) }
  }

  /// Returns the index of the visible item that is nearest to the middle of the view, among those that the next layout
  /// has. Nil if there is none.
  private func middleItem(of map: IndexMap) -> Int? {
    let middle = bounds.center
    func distance(_ item: LayoutAttributes) -> Double { abs(item.center.x - middle.x) + abs(item.center.y - middle.y) }
    return visibleAttributes().filter { map.newIndex(ofItemAt: $0.index) != nil }.min { distance($0) < distance($1) }?
      .index
  }

  /// Scrolls a layout that no view uses yet, so that an item is in the middle.
  private func scroll(_ next: CollectionViewLayout, toShow item: Int?) throws(LayoutError) {
    let proposed = item.map { next.contentOffset(showing: $0) } ?? .zero
    let target = next.targetContentOffset(forProposedContentOffset: proposed)
    let newBounds = Rect(origin: target.isFinite ? target : proposed, size: next.bounds.size)
    guard newBounds != next.bounds else { return }
    // A layout of springs is not asked about the new bounds, because `shouldInvalidateLayout` would shift its springs.
    // Preparing it again attaches springs where the view will be.
    let isInvalid = next.animatesChangesItself || next.shouldInvalidateLayout(forBoundsChange: newBounds)
    if isInvalid { next.invalidateLayout() }
    next.view.pointee.bounds = newBounds
    if isInvalid { next.boundsChanged() }
    try next.prepareIfInvalid()
  }
}

extension CollectionViewLayout {
  /// Returns the range of offsets along an axis at which the view shows nothing beyond content of this size and its
  /// inset, points.
  func scrollLimits(of content: Size, along axis: Axis) -> ClosedRange<Double> {
    let inset = view.pointee.contentInset
    let start = MainCross(Point(x: inset.left, y: inset.top), axis).main
    let end = MainCross(Point(x: inset.right, y: inset.bottom), axis).main
    return -start...max(-start, MainCross(content, axis).main - MainCross(bounds.size, axis).main + end)
  }

  /// Returns the offset, in points, at which an item is as near to the middle of the view as the content allows.
  func contentOffset(showing item: Int) -> Point {
    // The content size is read only once, because some layouts compute it at each call.
    let (center, content) = (placeForItem(at: item)?.center ?? .zero, collectionViewContentSize)
    func offset(along axis: Axis) -> Double {
      let (place, limits) = (MainCross(center, axis).main, scrollLimits(of: content, along: axis))
      return min(max(limits.lowerBound, place - MainCross(bounds.size, axis).main / 2), limits.upperBound)
    }
    return Point(x: offset(along: .horizontal), y: offset(along: .vertical))
  }
}
