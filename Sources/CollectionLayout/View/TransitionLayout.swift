import Dynamics

/// What a view shows between two layouts of the same items (UIKit: `UICollectionViewTransitionLayout`): each item on
/// the straight way from its place in the one to its place in the other, as they are on the screen.
public final class TransitionLayout: CollectionViewLayout {
  /// Where the transition begins. Its content size and scroll direction hold until the end.
  public let currentLayout: CollectionViewLayout
  /// Where the transition leads; scrolled already to where it is to be seen.
  public let nextLayout: CollectionViewLayout
  /// 0 shows the current layout, 1 the next.
  public var transitionProgress = 0.0
  private var ways: [Way] = []
  private var answer: [LayoutAttributes] = []
  /// What has to be added to the next layout's coordinates for the same place on the screen, points.
  private let offset: Point
  /// Of the progress, 1/s; 0 while a hand moves it.
  private var speed = 0.0

  private struct Way {
    var from: LayoutAttributes
    var to: LayoutAttributes
  }

  /// - Parameters: Both layouts are prepared for the bounds that they show at their ends.
  init(from current: CollectionViewLayout, to next: CollectionViewLayout, scope: AnimationScope) {
    currentLayout = current
    nextLayout = next
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
    // A hair early, because sums of timesteps hardly ever meet the end.
    transitionProgress = speed > 0 ? (progress > 1 - 1e-9 ? 1 : progress) : (progress < 1e-9 ? 0 : progress)
  }

  public override func layoutAttributes(in rect: Rect) -> [LayoutAttributes] {
    var shown: [LayoutAttributes] = []
    swap(&shown, &answer)
    shown.removeAll(keepingCapacity: true)
    // By index: without optimisation, iterating over an array of large elements allocates.
    for index in ways.indices {
      let place = place(on: ways[index])
      if place.frame.intersects(rect) { shown.append(place) }
    }
    answer = shown
    return shown
  }

  public override func layoutAttributesForItem(at index: Int) -> LayoutAttributes? {
    way(of: index).map(place)
  }

  private func place(on way: Way) -> LayoutAttributes {
    AnimatedAttributes(way.from).interpolated(to: AnimatedAttributes(way.to), transitionProgress).attributes
  }

  /// Nil where neither layout shows the item.
  private func way(of index: Int) -> Way? {
    let from = currentLayout.layoutAttributesForItem(at: index)
    let to = nextLayout.layoutAttributesForItem(at: index).map(moved)
    guard let end = to ?? from, let start = from ?? to else { return nil }
    return Way(from: start, to: end)
  }

  private func moved(_ attributes: LayoutAttributes) -> LayoutAttributes {
    var moved = attributes
    moved.center.x += offset.x
    moved.center.y += offset.y
    return moved
  }

  private func collectWays(_ scope: AnimationScope) {
    switch scope {
    case .everything:
      ways = (0..<itemCount).compactMap { way(of: $0) }
    case .visible:
      let shown = currentLayout.layoutAttributes(in: currentLayout.bounds).map(\.index)
      let willBeShown = nextLayout.layoutAttributes(in: nextLayout.bounds).map(\.index)
      ways = Set(shown + willBeShown).sorted().compactMap { way(of: $0) }
    }
  }
}
