import Dynamics

/// The layout of a view during a transition between two layouts (UIKit: `UICollectionViewTransitionLayout`): each item
/// is on the straight path between its places on the screen in both layouts. Items of only the current layout fade out
/// at their places, and those of only the next fade in.
public final class TransitionLayout: CollectionViewLayout {
  /// The layout at the beginning. Its items, content size and scroll direction hold until the end.
  public let currentLayout: CollectionViewLayout
  /// The layout at the end; already scrolled to its final offset.
  public let nextLayout: CollectionViewLayout
  /// 0 shows the current layout, 1 the next.
  public var transitionProgress = 0.0
  private let ways: LayoutPaths
  private let paths: [LookPath]
  /// Whether each item is on the screen at either end; empty if all are. The others are not shown when their path
  /// crosses the screen.
  private let areSeen: [Bool]
  private var answer: [LayoutAttributes] = []
  /// Fills the view's cells at the end.
  let dataSource: (any ListDataSource)?
  /// Duration of the whole way, seconds.
  private let duration: Double
  /// The end that it runs to on its own, 0 or 1; nil if it is interactive.
  package private(set) var end: Double?
  /// Speed of the progress, 1/s; 0 during interactive moves.
  private var speed = 0.0

  /// - Parameters: Both layouts must be prepared, each for the bounds that it shows at its end.
  init(
    from current: CollectionViewLayout, to next: CollectionViewLayout, _ items: IndexMap,
    _ dataSource: (any ListDataSource)?, _ options: AnimationOptions
  ) {
    (currentLayout, nextLayout, self.dataSource, duration) = (current, next, dataSource, options.duration)
    let (old, new) = (current.bounds.origin, next.bounds.origin)
    // The next layout's items, where they are on the screen.
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

  /// The index in the next layout of a visible item; nil: the next layout does not have it.
  /// - Parameter index: Index in the current layout; those of only the next layout follow its last item.
  public func nextIndex(ofItemAt index: Int) -> Int? {
    index < itemCount ? ways.items.newIndex(ofItemAt: index) : index - itemCount
  }

  /// Items that the transition moves.
  var itemsOnTheirWay: Int { paths.count }

  /// Moves the items by hand, or stops them where they are.
  func setProgress(_ progress: Double) { (transitionProgress, end, speed) = (progress, nil, 0) }

  /// Lets the progress run to an end, 0 or 1; the rest of the way takes its share of the duration.
  func run(to end: Double) {
    self.end = end
    let sign: Double = end > transitionProgress ? 1 : -1
    if duration > 0 { speed = sign / duration } else { transitionProgress = end }
  }

  public override func step(by timestep: Double) {
    guard speed != 0, timestep > 0 else { return }
    let progress = transitionProgress + speed * timestep
    // Slightly early, because sums of timesteps hardly ever reach the end exactly.
    transitionProgress = speed > 0 ? (progress > 1 - 1e-9 ? 1 : progress) : (progress < 1e-9 ? 0 : progress)
  }

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
      for index in 0..<paths.count where areSeen.isEmpty || areSeen[index] { body(first + index) }
    }
  }

  /// Nil if the current layout has no item for the index.
  public override func layoutAttributesForItem(at index: Int) -> LayoutAttributes? {
    guard (0..<itemCount).contains(index) else { return nil }
    return ways.path(ofItemAt: index)?.look(at: transitionProgress).attributes
  }
}
