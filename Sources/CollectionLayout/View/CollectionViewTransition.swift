import Dynamics

/// A transition between two collection views, each with any layout and its own place in a container (objc.io's
/// "Animating Collection Views", issue 12, 2014, "General Transitions"). The transition changes neither view. Until it
/// ends, the container shows `items()` instead of the views.
public final class CollectionViewTransition {
  /// Specifies which items move, and where they start.
  public enum Method: Hashable, Sendable, CaseIterable {
    /// Snapshots of the visible items of the first view fly to their places in the second. All other items of the
    /// second view appear at the end.
    case snapshots
    /// The visible items of both views move from their places in the first layout to those in the second. The frame of
    /// the second view grows from that of the first, and nothing outside this frame is visible.
    case layoutAttributes
    /// The same as `layoutAttributes`, but for all items of the lists, even off the screen.
    case allLayoutAttributes
  }

  /// What the container shows: one of the views, or the items on their way.
  public enum Stage: Hashable, Sendable {
    case source
    case underWay
    case target
  }

  /// How items move. The method also determines where items are visible: in the whole container for snapshots,
  /// otherwise only in `frame`.
  public let method: Method
  /// The progress, from 0 for the source to 1 for the target.
  public private(set) var progress = 0.0
  private let duration: Double
  private let frames: (source: Rect, target: Rect)
  private let paths: [LookPath]
  private var answer: [AnimatedAttributes] = []
  private var end: Double?
  private let container: Rect

  /// Creates a transition at progress 0.
  /// - Parameters:
  ///   - sourceFrame, targetFrame: The frames of the views in the container, points. Their sizes must equal the sizes
  ///     of the views' bounds.
  ///   - container: The visible part of the container, points.
  ///   - duration: The duration of the whole transition, seconds.
  ///   - items: Maps items of the source to items of the target with the same content. These items move, and all others
  ///     fade. If nil, items with equal indices move.
  /// - Throws: If an argument is invalid, or if one of the views is in a transition between layouts.
  public init(
    from source: CollectionView, at sourceFrame: Rect, to target: CollectionView, at targetFrame: Rect,
    in container: Rect, method: Method, duration: Double, items: IndexMap? = nil
  ) throws(LayoutError) {
    guard duration >= 0, duration.isFinite else { throw .invalidOption(name: "duration", value: duration) }
    for (view, frame) in [(source, sourceFrame), (target, targetFrame)] {
      guard frame.size == view.bounds.size, frame.origin.isFinite else {
        throw .invalidFrame(frame, viewSize: view.bounds.size)
      }
    }
    guard source.transitionLayout == nil, target.transitionLayout == nil else { throw .transitionUnderWay }
    try source.prepareLayout()
    try target.prepareLayout()
    (self.method, self.duration, self.container) = (method, duration, container)
    frames = (sourceFrame, targetFrame)
    func end(_ view: CollectionView, _ frame: Rect) -> LayoutPaths.End {
      (view.layout, Point(x: frame.minX - view.bounds.minX, y: frame.minY - view.bounds.minY))
    }
    let items = items ?? IndexMap(oldCount: source.itemCount, newCount: target.itemCount)
    let ways = LayoutPaths(
      from: end(source, sourceFrame), to: end(target, targetFrame), items: items, keepsIndices: false)
    let before = source.visibleAttributes()
    let after = method == .snapshots ? [] : target.visibleAttributes()
    var areSeen: [Bool]?
    paths = ways.collect(before: before, after: after, all: method == .allLayoutAttributes, areSeen: &areSeen)
    answer.reserveCapacity(max(before.count, after.count))
  }

  /// What the container shows now. It depends only on `progress`: a view is shown only at exactly 0 or 1, even in an
  /// interactive transition.
  public var stage: Stage {
    switch progress {
    case 0: .source
    case 1: .target
    default: .underWay
    }
  }

  /// The frame in which the items move, points in the container.
  public var frame: Rect {
    func between(_ a: Double, _ b: Double) -> Double { a * (1 - progress) + b * progress }
    let (a, b) = frames
    return Rect(
      x: between(a.minX, b.minX), y: between(a.minY, b.minY), width: between(a.size.width, b.size.width),
      height: between(a.size.height, b.size.height))
  }

  /// The number of moving items.
  public var itemCount: Int { paths.count }

  /// Returns the visible moving items, in the coordinates of the container. Items that only the source has are numbered
  /// as in the source. All others are numbered as in the target.
  public func items() -> [AnimatedAttributes] {
    var shown: [AnimatedAttributes] = []
    swap(&shown, &answer)
    shown.removeAll(keepingCapacity: true)
    let (window, progress) = (method == .snapshots ? container : frame, progress)
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

  public func finish() { run(to: 1) }
  public func cancel() { run(to: 0) }

  /// Moves the transition interactively. A transition that runs by itself stops.
  /// - Throws: If the progress is not between 0 and 1.
  public func update(progress: Double) throws(LayoutError) {
    guard (0...1).contains(progress) else { throw .invalidProgress(progress) }
    end = nil
    self.progress = progress
  }

  /// Advances the transition by this many seconds.
  public func step(by timestep: Double) {
    guard let end, timestep >= 0 else { return }
    let next = progress + (end > progress ? timestep : -timestep) / duration
    // The comparison with the end has a tolerance, because sums of timesteps are hardly ever exact.
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
