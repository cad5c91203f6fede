import Dynamics

/// The layout of a view during a transition between two layouts (UIKit:
/// `UICollectionViewTransitionLayout`): each item is on the straight path between its places on the screen
/// in both layouts. Items of only the current layout fade out at their places, and those of only the next
/// fade in.
public final class TransitionLayout: CollectionViewLayout {
  /// The layout at the beginning. Its items, content size and scroll direction hold until the end.
  public let currentLayout: CollectionViewLayout
  /// The layout at the end; already scrolled to its final offset.
  public let nextLayout: CollectionViewLayout
  /// 0 shows the current layout, 1 the next.
  public var transitionProgress = 0.0
  private let map: IndexMap
  private var paths: [LookPath] = []
  /// Whether each is on the screen at either end; the others are not shown when their way crosses it.
  private var areSeen: [Bool] = []
  private var answer: [LayoutAttributes] = []
  /// Offset to add to the next layout's coordinates for the same place on the screen, points.
  private let offset: Point
  /// Speed of the progress, 1/s; 0 during interactive moves.
  private var speed = 0.0

  /// - Parameters: Both layouts are prepared for the bounds that they show at their ends.
  init(from current: CollectionViewLayout, to next: CollectionViewLayout, _ map: IndexMap, scope: AnimationScope) {
    currentLayout = current
    nextLayout = next
    self.map = map
    let (old, new) = (current.bounds.origin, next.bounds.origin)
    offset = Point(x: old.x - new.x, y: old.y - new.y)
    super.init()
    view.pointee = current.view.pointee
    view.pointee.isInvalid = false
    collectPaths(scope)
  }

  public override var scrollDirection: Axis { currentLayout.scrollDirection }
  public override var collectionViewContentSize: Size { currentLayout.collectionViewContentSize }

  /// The index in the next layout of a visible item; nil: the next layout does not have it.
  /// - Parameter index: Index in the current layout; those of only the next layout follow its last item.
  public func nextIndex(ofItemAt index: Int) -> Int? {
    index < itemCount ? map.newIndex(ofItemAt: index) : index - itemCount
  }

  /// Items that the transition moves.
  var itemsOnTheirWay: Int { paths.count }

  /// Moves the items by hand, or stops them where they are.
  func setProgress(_ progress: Double) {
    transitionProgress = progress
    speed = 0
  }

  /// Lets the progress run to an end, 0 or 1.
  /// - Parameter duration: Duration of the whole way, seconds; the rest takes its share of it.
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
    let progress = transitionProgress
    forEachSeenPath { path in
      let place = path.place(at: progress)
      if place.index < itemCount, place.frame.intersects(rect) { shown.append(place) }
    }
    answer = shown
    return shown
  }

  /// Adds the items of both layouts as they look now; those that only the next layout has come last.
  func addLooks(in rect: Rect, to shown: inout [AnimatedAttributes]) {
    let progress = transitionProgress
    forEachSeenPath { $0.append(at: progress, to: &shown, ifIn: rect) }
  }

  @inline(__always) private func forEachSeenPath(_ body: (UnsafePointer<LookPath>) -> Void) {
    paths.withUnsafeBufferPointer { paths in
      guard let first = paths.baseAddress else { return }
      for index in 0..<paths.count where areSeen[index] { body(first + index) }
    }
  }

  /// Nil if the current layout has no item for the index.
  public override func layoutAttributesForItem(at index: Int) -> LayoutAttributes? {
    guard (0..<itemCount).contains(index) else { return nil }
    return path(ofItemAt: index)?.look(at: transitionProgress).attributes
  }
}

// MARK: - Paths

extension TransitionLayout {
  /// Nil if neither layout shows the item.
  private func path(ofItemAt index: Int) -> LookPath? {
    let from = currentLayout.layoutAttributesForItem(at: index).map(currentLayout.look(of:))
    let to = map.newIndex(ofItemAt: index).flatMap { placeInNext(ofItemAt: $0, as: index) }
    switch (from, to) {
    case (let from?, let to?): return LookPath(from: from, to: to)
    case (let from?, nil): return LookPath(from: from, to: from.faded)
    case (nil, let to?): return LookPath(from: to.faded, to: to)
    case (nil, nil): return nil
    }
  }

  /// Nil if the next layout does not show the item.
  private func path(ofItemOnlyInNext next: Int) -> LookPath? {
    placeInNext(ofItemAt: next, as: itemCount + next).map { LookPath(from: $0.faded, to: $0) }
  }

  private func placeInNext(ofItemAt next: Int, as index: Int) -> AnimatedAttributes? {
    guard let place = nextLayout.layoutAttributesForItem(at: next) else { return nil }
    var look = nextLayout.look(of: place)
    look.attributes.index = index
    return look.moved(by: offset)
  }

  private func collectPaths(_ scope: AnimationScope) {
    let shown = currentLayout.layoutAttributes(in: currentLayout.bounds)
    let coming = nextLayout.layoutAttributes(in: nextLayout.bounds)
    var (seen, seenAlone): ([Int], [Int]) = ([], [])
    seen.reserveCapacity(shown.count + coming.count)
    for item in shown { seen.append(item.index) }
    for item in coming {
      if let index = map.oldIndex(ofItemAt: item.index) { seen.append(index) } else { seenAlone.append(item.index) }
    }
    seen.sort()
    switch scope {
    case .visible:
      reserve(seen.count + seenAlone.count)
      add(seen, path(ofItemAt:))
      add(seenAlone, path(ofItemOnlyInNext:))
    case .everything:
      reserve(max(itemCount, map.newCount))
      add(0..<itemCount, seen, path(ofItemAt:))
      let onlyInNext = (0..<map.newCount).lazy.filter { [map] in map.oldIndex(ofItemAt: $0) == nil }
      add(onlyInNext, seenAlone, path(ofItemOnlyInNext:))
    }
  }

  private func reserve(_ count: Int) {
    paths.reserveCapacity(count)
    areSeen.reserveCapacity(count)
  }

  /// - Parameter seen: Ascending; an index may stand there twice.
  private func add(_ seen: [Int], _ path: (Int) -> LookPath?) {
    for position in seen.indices where position == 0 || seen[position - 1] != seen[position] {
      add(path(seen[position]), isSeen: true)
    }
  }

  /// - Parameters:
  ///   - indices: Ascending.
  ///   - seen: Those of them that are seen, as above.
  private func add(_ indices: some Sequence<Int>, _ seen: [Int], _ path: (Int) -> LookPath?) {
    var next = 0
    for index in indices {
      while next < seen.count, seen[next] < index { next += 1 }
      add(path(index), isSeen: next < seen.count && seen[next] == index)
    }
  }

  private func add(_ path: LookPath?, isSeen: Bool) {
    guard let path else { return }
    paths.append(path)
    areSeen.append(isSeen)
  }
}
