import Dynamics

/// The transition between two collection views of any layouts, in different places of a container (objc.io's "Animating
/// Collection Views", issue 12, 2014, "General Transitions"). Both views stay as they are; until the transition ends,
/// the container shows `items` instead.
public final class CollectionViewTransition {
  /// Which items move, and where they start.
  public enum Method: Hashable, Sendable, CaseIterable {
    /// Snapshots of the items in the first view fly to their places in the second. Items of only the second view appear
    /// at the end.
    case snapshots
    /// The first layout's places are the initial attributes of the second view's items, while its frame grows from that
    /// of the first view: the items of either view move, and nothing outside the frame is seen.
    case layoutAttributes
    /// Like `layoutAttributes`, but for all items of the lists, wherever they are.
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
  private let paths: [LookPath]
  private var answer: [AnimatedAttributes] = []
  private var end: Double?
  private let container: Rect

  /// - Parameters:
  ///   - sourceFrame, targetFrame: Frames of the views in the container, points; as large as their bounds.
  ///   - container: Visible part of the container, points.
  ///   - duration: Seconds of the whole transition.
  ///   - items: Maps items of the target to those of the source with the same content: these fly, the others fade. Nil:
  ///     items of the same index fly.
  public init(
    from source: CollectionView, at sourceFrame: Rect, to target: CollectionView, at targetFrame: Rect,
    in container: Rect, method: Method, duration: Double, items: IndexMap? = nil
  ) throws(LayoutError) {
    guard duration >= 0, duration.isFinite else { throw .invalidOption(name: "duration", value: duration) }
    for (view, frame) in [(source, sourceFrame), (target, targetFrame)] {
      guard frame.size == view.bounds.size, frame.origin.isFinite else { throw .invalidViewSize(frame.size) }
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

  /// The visible moving items, in the container's coordinates; those that only the source has keep its indices, all
  /// others have the target's.
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
