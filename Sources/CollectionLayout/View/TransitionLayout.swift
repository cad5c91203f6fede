import Dynamics

/// What a view shows between two layouts (UIKit: `UICollectionViewTransitionLayout`): each item on the
/// straight path between its places on the screen in both layouts. What only the current layout has fades out
/// at its place, and what only the next has fades in.
public final class TransitionLayout: CollectionViewLayout {
  /// Where the transition begins. Its items, content size and scroll direction hold until the end.
  public let currentLayout: CollectionViewLayout
  /// Where the transition leads; already scrolled to its final offset.
  public let nextLayout: CollectionViewLayout
  /// 0 shows the current layout, 1 the next.
  public var transitionProgress = 0.0
  private let map: IndexMap
  private var ways: [Way] = []
  private var answer: [LayoutAttributes] = []
  private var looksAnswer: [AnimatedAttributes] = []
  /// What has to be added to the next layout's coordinates for the same place on the screen, points.
  private let offset: Point
  /// Of the progress, 1/s; 0 while a hand moves it.
  private var speed = 0.0

  private struct Way {
    var from: AnimatedAttributes
    var to: AnimatedAttributes
    /// Whether it is on the screen at either end; else it is not shown where its way leads across it.
    var isSeen = true
  }

  /// - Parameters: Both layouts are prepared for the bounds that they show at their ends.
  init(
    from current: CollectionViewLayout, to next: CollectionViewLayout, _ map: IndexMap, scope: AnimationScope
  ) {
    currentLayout = current
    nextLayout = next
    self.map = map
    let (old, new) = (current.bounds.origin, next.bounds.origin)
    offset = Point(x: old.x - new.x, y: old.y - new.y)
    super.init()
    view.pointee = current.view.pointee
    view.pointee.isInvalid = false
    collectWays(scope)
  }

  public override var scrollDirection: Axis { currentLayout.scrollDirection }
  override var answersWithValues: Bool { true }
  public override var collectionViewContentSize: Size { currentLayout.collectionViewContentSize }

  /// The index in the next layout of an item that is shown; nil: the next layout does not have it.
  /// - Parameter index: In the current layout; those that only the next has count on from its last item.
  public func nextIndex(ofItemAt index: Int) -> Int? {
    index < itemCount ? map.newIndex(ofItemAt: index) : index - itemCount
  }

  /// Items that the transition moves.
  var itemsOnTheirWay: Int { ways.count }

  /// Moves the items by hand, or stops them where they are.
  func setProgress(_ progress: Double) {
    transitionProgress = progress
    speed = 0
  }

  /// Lets the progress run to an end, 0 or 1.
  /// - Parameter duration: Of the whole way, seconds; the rest takes its share of it.
  func run(to end: Double, duration: Double) {
    let sign: Double = end > transitionProgress ? 1 : -1
    if duration > 0 { speed = sign / duration } else { transitionProgress = end }
  }

  public override func step(by timestep: Double) {
    guard speed != 0 else { return }
    let progress = transitionProgress + speed * timestep
    // Slightly early, because sums of timesteps hardly ever reach the end exactly.
    transitionProgress = speed > 0 ? (progress > 1 - 1e-9 ? 1 : progress) : (progress < 1e-9 ? 0 : progress)
  }

  // MARK: Queries

  /// The items of the current layout, whether or not they fade out.
  public override func layoutAttributes(in rect: Rect) -> [LayoutAttributes] {
    var shown: [LayoutAttributes] = []
    swap(&shown, &answer)
    shown.removeAll(keepingCapacity: true)
    // By index: without optimisation, iterating over an array of large elements allocates.
    for index in ways.indices {
      let place = look(on: ways[index]).attributes
      if place.index < itemCount, isShown(ways[index], place.frame, in: rect) { shown.append(place) }
    }
    answer = shown
    return shown
  }

  /// The items of both layouts as they look now; those that only the next layout has come last.
  ///
  /// The next query may reuse the array's memory if nothing holds the array any more.
  func looks(in rect: Rect) -> [AnimatedAttributes] {
    var shown: [AnimatedAttributes] = []
    swap(&shown, &looksAnswer)
    shown.removeAll(keepingCapacity: true)
    for index in ways.indices {
      let look = look(on: ways[index])
      if isShown(ways[index], look.frame, in: rect) { shown.append(look) }
    }
    looksAnswer = shown
    return shown
  }

  /// Nil for an index that the current layout has no item for.
  public override func layoutAttributesForItem(at index: Int) -> LayoutAttributes? {
    guard (0..<itemCount).contains(index) else { return nil }
    return way(ofItemAt: index).map { look(on: $0).attributes }
  }

  private func isShown(_ way: Way, _ frame: Rect, in rect: Rect) -> Bool {
    frame.intersects(rect) && way.isSeen
  }

  private func look(on way: Way) -> AnimatedAttributes {
    way.from.interpolated(to: way.to, transitionProgress)
  }
}

// MARK: - Ways

extension TransitionLayout {
  /// Nil where neither layout shows the item.
  private func way(ofItemAt index: Int) -> Way? {
    let from = currentLayout.layoutAttributesForItem(at: index).map(currentLayout.look)
    let to = map.newIndex(ofItemAt: index).flatMap { placeInNext(ofItemAt: $0, as: index) }
    switch (from, to) {
    case (let from?, let to?): return Way(from: from, to: to)
    case (let from?, nil): return Way(from: from, to: from.faded)
    case (nil, let to?): return Way(from: to.faded, to: to)
    case (nil, nil): return nil
    }
  }

  /// Nil where the next layout does not show the item.
  private func way(ofItemOnlyInNext next: Int) -> Way? {
    placeInNext(ofItemAt: next, as: itemCount + next).map { Way(from: $0.faded, to: $0) }
  }

  private func placeInNext(ofItemAt next: Int, as index: Int) -> AnimatedAttributes? {
    guard let place = nextLayout.layoutAttributesForItem(at: next) else { return nil }
    var look = nextLayout.look(place)
    look.attributes.index = index
    return look.moved(by: offset)
  }

  private func collectWays(_ scope: AnimationScope) {
    var shown = Set(currentLayout.layoutAttributes(in: currentLayout.bounds).map(\.index))
    var comingAlone: [Int] = []
    for next in nextLayout.layoutAttributes(in: nextLayout.bounds).map(\.index) {
      if let index = map.oldIndex(ofItemAt: next) { shown.insert(index) } else { comingAlone.append(next) }
    }
    switch scope {
    case .visible:
      ways = shown.sorted().compactMap(way(ofItemAt:)) + comingAlone.compactMap(way(ofItemOnlyInNext:))
    case .everything:
      addWays(0..<itemCount, shown, way(ofItemAt:))
      addWays(
        (0..<map.newCount).filter { map.oldIndex(ofItemAt: $0) == nil }, Set(comingAlone),
        way(ofItemOnlyInNext:))
    }
  }

  private func addWays(_ indices: some Sequence<Int>, _ seen: Set<Int>, _ way: (Int) -> Way?) {
    for index in indices {
      guard var added = way(index) else { continue }
      added.isSeen = seen.contains(index)
      ways.append(added)
    }
  }
}
