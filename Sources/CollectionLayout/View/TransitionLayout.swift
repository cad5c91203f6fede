import Dynamics

/// The layout of a view during a transition between two layouts (UIKit: `UICollectionViewTransitionLayout`). Each item
/// is on the straight path between its places on the screen in the two layouts. Items that only the current layout has
/// fade out at their places. Items that only the next layout has fade in at theirs.
public final class TransitionLayout: CollectionViewLayout {
  /// The layout at the beginning. Its items, content size and scroll direction apply until the transition ends.
  public let currentLayout: CollectionViewLayout
  /// The layout at the end, which is already scrolled to its final offset.
  public let nextLayout: CollectionViewLayout
  /// The progress, from 0 for the current layout to 1 for the next one.
  public var transitionProgress = 0.0
  private let ways: LayoutPaths
  private let paths: [LookPath]
  /// For each path, whether its item is on the screen at one end of the path or both. All other items are not shown,
  /// even if their paths cross the screen. Empty if all items are shown.
  private let areSeen: [Bool]
  private var answer: [LayoutAttributes] = []
  /// The data source that the view gets when the transition finishes; nil if the view keeps its own.
  let dataSource: (any ListDataSource)?
  /// Duration of the whole transition, seconds.
  private let duration: Double
  /// The progress to which the transition runs by itself, 0 or 1; nil while the transition is interactive.
  package private(set) var end: Double?
  /// Change of the progress per second; 0 while the transition is interactive.
  private var speed = 0.0

  /// Creates the layout at progress 0.
  /// - Precondition: Both layouts are prepared, each for the bounds that it has at its end of the transition.
  init(
    from current: CollectionViewLayout, to next: CollectionViewLayout, _ items: IndexMap,
    _ dataSource: (any ListDataSource)?, _ options: AnimationOptions
  ) {
    (currentLayout, nextLayout, self.dataSource, duration) = (current, next, dataSource, options.duration)
    let (old, new) = (current.bounds.origin, next.bounds.origin)
    // Converts the next layout's coordinates to those of the current layout, so that its items appear at the right
    // places on the screen.
    let offset = Point(x: old.x - new.x, y: old.y - new.y)
    ways = LayoutPaths(from: (current, .zero), to: (next, offset), items: items, keepsIndices: true)
    var areSeen: [Bool]? = []
    paths = ways.collect(
      before: current.layoutAttributes(in: current.bounds), after: next.layoutAttributes(in: next.bounds),
      all: options.scope == .everything, areSeen: &areSeen)
    self.areSeen = areSeen ?? []
    super.init()
    view.pointee = current.view.pointee
    view.pointee.isInvalid = false
  }

  public override var scrollDirection: Axis { currentLayout.scrollDirection }
  public override var collectionViewContentSize: Size { currentLayout.collectionViewContentSize }

  /// Returns the index of a visible item in the next layout; nil if the next layout does not have the item.
  /// - Parameter index: The index in the current layout. An item that only the next layout has is given as `itemCount`
  ///   plus its index in the next layout.
  public func nextIndex(ofItemAt index: Int) -> Int? {
    index < itemCount ? ways.items.newIndex(ofItemAt: index) : index - itemCount
  }

  /// The number of items that the transition moves.
  var itemsOnTheirWay: Int { paths.count }

  /// Sets the progress interactively. A transition that runs by itself stops.
  func setProgress(_ progress: Double) { (transitionProgress, end, speed) = (progress, nil, 0) }

  /// Runs the transition by itself to progress 0 or 1. The time that this takes is proportional to the remaining
  /// progress.
  func run(to end: Double) {
    self.end = end
    let sign: Double = end > transitionProgress ? 1 : -1
    if duration > 0 { speed = sign / duration } else { transitionProgress = end }
  }

  public override func step(by timestep: Double) {
    guard speed != 0, timestep > 0 else { return }
    let progress = transitionProgress + speed * timestep
    // The comparison with the end has a tolerance, because sums of timesteps are hardly ever exact.
    transitionProgress = speed > 0 ? (progress > 1 - 1e-9 ? 1 : progress) : (progress < 1e-9 ? 0 : progress)
  }

  /// Returns the visible items of the current layout, including those that fade out.
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

  /// Adds the looks of the visible items at the current progress: first the items of the current layout, then those
  /// that exist only in the next layout.
  func addLooks(in rect: Rect, to shown: inout [AnimatedAttributes]) {
    let progress = transitionProgress
    forEachSeenPath { $0.append(at: progress, to: &shown, ifIn: rect) }
  }

  @inline(__always) private func forEachSeenPath(_ body: (UnsafePointer<LookPath>) -> Void) {
    paths.withUnsafeBufferPointer { paths in
      guard let first = paths.baseAddress else { return }
      for index in 0..<paths.count where areSeen.isEmpty || areSeen[index] { body(first + index) }
    }
  }

  /// Returns the present place of an item; nil if the current layout has no such item.
  public override func layoutAttributesForItem(at index: Int) -> LayoutAttributes? {
    guard (0..<itemCount).contains(index) else { return nil }
    return ways.path(ofItemAt: index)?.look(at: transitionProgress).attributes
  }
}
