import Dynamics

extension CollectionView {
  /// Progress of the transition between layouts; nil if there is none.
  public var transitionProgress: Double? { transitionLayout?.transitionProgress }

  /// Changes to another layout of the same items, or of some of them (UIKit: `setCollectionViewLayout(_:animated:)` and
  /// `startInteractiveTransition(to:completion:)`). It can be stopped, moved interactively, and reversed at any time.
  /// - Parameters:
  ///   - next: A layout that no view uses.
  ///   - dataSource: Fills the cells once the transition has ended; the previous one does so until then, and stays if
  ///     the transition is cancelled. Nil keeps the data source. (UIKit leaves the hand-over to the caller, which is
  ///     easily forgotten.)
  ///   - items: Maps items of the next layout to those of this one; the others fade. Nil: the first ones are the same,
  ///     as many as both data sources have.
  ///   - item: The item, by its present index, to which the next layout is scrolled, in the middle of the view; nil: of
  ///     those that the next layout has, the one nearest to the middle now.
  ///   - options: `duration` is that of the whole transition; the curve is not used, since only a linear motion can be
  ///     reversed half-way.
  ///   - isInteractive: Whether to wait for `updateTransition(progress:)`.
  /// - Throws: If the transition is impossible; then the view is unchanged.
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
    next.view.pointee = current.view.pointee
    next.view.pointee.itemCount = map.newCount
    next.contentChanged()
    do throws(LayoutError) {
      try next.prepareIfInvalid()
      try scroll(next, toShow: (item ?? middleItem(of: map)).flatMap(map.newIndex))
    } catch {
      next.presenter = nil
      throw error
    }
    animations.removeAll()
    current.prepareForTransition(to: next)
    next.prepareForTransition(from: current)
    install(TransitionLayout(from: current, to: next, map, dataSource, options))
    if !isInteractive { try finishTransition() }
  }

  /// Moves the transition interactively; one that runs on its own stops.
  /// - Parameter progress: From 0, the layout before, to 1.
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
    winner.view.pointee.touchOnScreen = touchOnScreen
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

  /// The kept item nearest to the middle of the view; nil if none is shown.
  private func middleItem(of map: IndexMap) -> Int? {
    let middle = bounds.center
    func distance(_ item: LayoutAttributes) -> Double { abs(item.center.x - middle.x) + abs(item.center.y - middle.y) }
    return visibleAttributes().filter { map.newIndex(ofItemAt: $0.index) != nil }.min { distance($0) < distance($1) }?
      .index
  }

  /// Scrolls a layout that is not in use yet.
  private func scroll(_ next: CollectionViewLayout, toShow item: Int?) throws(LayoutError) {
    let offset = item.map { next.contentOffset(showing: $0) } ?? 0
    let proposed = MainCross(main: offset, cross: 0).point(next.scrollDirection)
    let target = next.targetContentOffset(forProposedContentOffset: proposed)
    let newBounds = Rect(origin: target.isFinite ? target : proposed, size: next.bounds.size)
    guard newBounds != next.bounds else { return }
    // Springs are attached where the view will be, and not moved by this.
    if next.animatesChangesItself || next.shouldInvalidateLayout(forBoundsChange: newBounds) { next.invalidateLayout() }
    next.view.pointee.bounds = newBounds
    try next.prepareIfInvalid()
  }
}

extension CollectionViewLayout {
  /// The range of scroll offsets at which the view shows nothing beyond the content and its inset, points.
  var scrollLimits: ClosedRange<Double> {
    let (axis, inset) = (scrollDirection, view.pointee.contentInset)
    let start = MainCross(Point(x: inset.left, y: inset.top), axis).main
    let end = MainCross(Point(x: inset.right, y: inset.bottom), axis).main
    let content = MainCross(collectionViewContentSize, axis).main
    return -start...max(-start, content - MainCross(bounds.size, axis).main + end)
  }

  /// The offset at which an item is in the middle of the view, as far as the ends of the content allow, points.
  func contentOffset(showing item: Int) -> Double {
    let axis = scrollDirection
    let view = MainCross(bounds.size, axis).main
    let limits = scrollLimits
    let place = placeForItem(at: item).map { MainCross($0.center, axis).main } ?? 0
    return min(max(limits.lowerBound, place - view / 2), limits.upperBound)
  }
}
