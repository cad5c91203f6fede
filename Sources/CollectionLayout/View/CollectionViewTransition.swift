import Dynamics

/// The transition between two collection views of any layouts, in different places of a container (objc.io's
/// "Animating Collection Views", issue 12, 2014, "General Transitions"). Both views stay as they are; until
/// the transition ends, the container shows `items` instead.
public final class CollectionViewTransition {
  /// The items that move, and their starts.
  public enum Method: Hashable, Sendable, CaseIterable {
    /// Snapshots of the items in the first view fly to their places in the second. Items of only the second
    /// view appear at the end.
    case snapshots
    /// The first layout's places are the initial attributes of the second view's items, while its frame
    /// grows from that of the first view: the items of either view move, and nothing outside the frame is
    /// seen.
    case layoutAttributes
    /// The same for all items of the lists, wherever they are.
    case allLayoutAttributes
  }

  /// The view that the container shows.
  public enum Stage: Hashable, Sendable {
    case source
    case underWay
    case target
  }

  /// Also determines the visible area of the items: the whole container for snapshots, else only `frame`.
  public let method: Method
  /// 0 shows the source, 1 the target.
  public private(set) var progress = 0.0
  private let duration: Double
  private let frames: (source: Rect, target: Rect)
  private var paths: [LookPath] = []
  private var answer: [AnimatedAttributes] = []
  private var end: Double?
  private let container: Rect

  /// - Parameters:
  ///   - source: The view at the beginning.
  ///   - sourceFrame: Frame of the source view in the container, points; as large as its bounds.
  ///   - target: The view at the end.
  ///   - targetFrame: Frame of the target view in the container, points; as large as its bounds.
  ///   - container: Visible part of the container, points.
  ///   - method: The items that move.
  ///   - duration: Duration of the whole way, seconds.
  ///   - items: Maps items of the target to those of the source with the same content: these fly, the
  ///   others fade. Nil:
  ///     items of the same index fly.
  public init(
    from source: CollectionView, at sourceFrame: Rect, to target: CollectionView, at targetFrame: Rect,
    in container: Rect, method: Method, duration: Double, items: IndexMap? = nil
  ) throws(LayoutError) {
    guard duration >= 0, duration.isFinite else { throw .invalidOption(name: "duration", value: duration) }
    for (view, frame) in [(source, sourceFrame), (target, targetFrame)] {
      guard frame.size == view.bounds.size, frame.origin.isFinite else { throw .invalidViewSize(frame.size) }
    }
    guard source.transition == nil, target.transition == nil else { throw .transitionUnderWay }
    try source.prepareLayout()
    try target.prepareLayout()
    self.method = method
    self.duration = duration
    self.container = container
    frames = (sourceFrame, targetFrame)
    let sides = (Side(view: source, frame: sourceFrame), Side(view: target, frame: targetFrame))
    collectPaths(sides, items ?? IndexMap(oldCount: source.itemCount, newCount: target.itemCount))
  }

  /// Depends only on `progress`: an end is reached at exactly 0 or 1, interactively too.
  public var stage: Stage {
    switch progress {
    case 0: .source
    case 1: .target
    default: .underWay
    }
  }

  /// The frame of the view that the items move in, points of the container.
  public var frame: Rect {
    func between(_ a: Double, _ b: Double) -> Double { a * (1 - progress) + b * progress }
    let (a, b) = frames
    return Rect(
      x: between(a.minX, b.minX), y: between(a.minY, b.minY), width: between(a.size.width, b.size.width),
      height: between(a.size.height, b.size.height))
  }

  /// Items that move.
  public var itemCount: Int { paths.count }

  /// The visible moving items, in the container's coordinates; those that only the source has keep its
  /// indices, all others have the target's.
  ///
  /// The next query may reuse the array's memory if nothing holds the array any more.
  public func items() -> [AnimatedAttributes] {
    var shown: [AnimatedAttributes] = []
    swap(&shown, &answer)
    shown.removeAll(keepingCapacity: true)
    let window = method == .snapshots ? container : frame
    let progress = progress
    paths.withUnsafeBufferPointer { paths in
      guard var path = paths.baseAddress else { return }
      for _ in 0..<paths.count {
        path.append(at: progress, to: &shown, ifIn: window)
        path += 1
      }
    }
    answer = shown
    return shown
  }
}

// MARK: - Time

extension CollectionViewTransition {
  /// Lets it run to the target from where it is.
  public func finish() { run(to: 1) }

  /// Lets it run back to the source from where it is.
  public func cancel() { run(to: 0) }

  /// Moves it interactively; if it runs on its own, it stops.
  public func update(progress: Double) throws(LayoutError) {
    guard (0...1).contains(progress) else { throw .invalidProgress(progress) }
    end = nil
    self.progress = progress
  }

  /// Lets this many seconds pass.
  public func step(by timestep: Double) {
    guard let end else { return }
    let next = progress + (end > progress ? timestep : -timestep) / duration
    // Slightly early, because sums of timesteps hardly ever reach the end exactly.
    if abs(next - end) < 1e-9 || (next - end) * (progress - end) < 0 {
      progress = end
      self.end = nil
    } else {
      progress = next
    }
  }

  private func run(to end: Double) {
    guard duration > 0, progress != end else {
      (progress, self.end) = (end, nil)
      return
    }
    self.end = end
  }
}

// MARK: - Paths

extension CollectionViewTransition {
  /// A view in its place in the container.
  private struct Side {
    let view: CollectionView
    let layout: CollectionViewLayout
    /// Offset from the content to the container, points.
    let offset: Point

    init(view: CollectionView, frame: Rect) {
      (self.view, layout) = (view, view.layout)
      offset = Point(x: frame.minX - view.bounds.minX, y: frame.minY - view.bounds.minY)
    }

    func place(of index: Int) -> AnimatedAttributes? {
      guard var place = layout.layoutAttributesForItem(at: index) else { return nil }
      place.center.x += offset.x
      place.center.y += offset.y
      return layout.look(of: place)
    }

    /// Indices of the items that the view shows.
    var shown: [Int] { view.visibleAttributes().map(\.index) }
  }

  private func collectPaths(_ sides: (source: Side, target: Side), _ items: IndexMap) {
    let before = sides.source.shown
    switch method {
    case .snapshots:
      paths.reserveCapacity(before.count)
      answer.reserveCapacity(before.count)
      for index in before { addItem(ofSource: index, sides, items) }
    case .layoutAttributes: collectShown(before, sides.target.shown, sides, items)
    case .allLayoutAttributes:
      paths.reserveCapacity(max(sides.source.view.itemCount, sides.target.view.itemCount))
      answer.reserveCapacity(max(before.count, sides.target.shown.count))
      for index in 0..<sides.source.view.itemCount { addItem(ofSource: index, sides, items) }
      guard items.keptCount < sides.target.view.itemCount else { return }
      for index in 0..<sides.target.view.itemCount { addItem(ofTargetAlone: index, sides, items) }
    }
  }

  /// - Parameters:
  ///   - before: Indices of the items that the source shows, ascending.
  ///   - after: Indices of the items that the target shows, ascending.
  private func collectShown(_ before: [Int], _ after: [Int], _ sides: (source: Side, target: Side), _ items: IndexMap) {
    var fromSource = before
    fromSource.reserveCapacity(before.count + after.count)
    for index in after { if let old = items.oldIndex(ofItemAt: index) { fromSource.append(old) } }
    let newCount = before.count + after.count - fromSource.count
    fromSource.sort()
    var kept = 0
    for position in fromSource.indices where kept == 0 || fromSource[kept - 1] != fromSource[position] {
      fromSource[kept] = fromSource[position]
      kept += 1
    }
    paths.reserveCapacity(kept + newCount)
    answer.reserveCapacity(max(before.count, after.count))
    for index in fromSource[..<kept] { addItem(ofSource: index, sides, items) }
    for index in after { addItem(ofTargetAlone: index, sides, items) }
  }

  /// Lets an item fly to its place in the target, or fade out without one.
  private func addItem(ofSource index: Int, _ sides: (source: Side, target: Side), _ items: IndexMap) {
    guard let from = sides.source.place(of: index) else { return }
    guard let new = items.newIndex(ofItemAt: index), let to = sides.target.place(of: new) else {
      return paths.append(LookPath(from: from, to: from.faded))
    }
    paths.append(LookPath(from: from, to: to))
  }

  /// Lets an item fade in that the source does not have.
  private func addItem(ofTargetAlone index: Int, _ sides: (source: Side, target: Side), _ items: IndexMap) {
    guard items.oldIndex(ofItemAt: index) == nil, let place = sides.target.place(of: index) else { return }
    paths.append(LookPath(from: place.faded, to: place))
  }
}
