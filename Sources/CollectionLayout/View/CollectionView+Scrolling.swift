import Dynamics

// UIKit's calls of a scroll view.
extension CollectionView {
  /// The beginning of the visible part of the content, points. Setting it moves the bounds at once, even
  /// beyond the content, as when a scroll view bounces.
  public var contentOffset: Point {
    get { bounds.origin }
    set { setContentOffset(newValue, animated: false) }
  }

  /// Points.
  public var contentSize: Size { layout.collectionViewContentSize }

  /// The view's rectangle on the screen, starting in the corner, points.
  public var frame: Rect { Rect(origin: .zero, size: bounds.size) }

  /// Distance that it scrolls beyond the edges of the content, points. Flow layouts place their items
  /// between the insets across the scroll direction. The content offset stays as it is.
  public var contentInset: EdgeInsets {
    get { layout.view.pointee.contentInset }
    set {
      layout.view.pointee.contentInset = newValue
      layout.contentChanged()
    }
  }

  /// The finger on the view.
  public var panGestureRecognizer: PanGestureRecognizer { PanGestureRecognizer(view: self) }

  /// Moves the bounds, at once or in 0.3 seconds of `step(by:)`, until `scroll(to:touch:)` takes over.
  /// - Precondition: The offset is finite.
  public func setContentOffset(_ contentOffset: Point, animated: Bool) {
    precondition(contentOffset.isFinite, "a content offset of \(contentOffset)")
    guard animated else {
      scrollingChanged(to: nil)
      return moveBounds(to: contentOffset)
    }
    scrollingChanged(to: ScrollAnimation(from: bounds.origin, to: contentOffset))
  }

  /// Scrolls an item to a place of the view, as far as the ends of the content and its inset allow.
  /// - Parameters:
  ///   - indexPath: Path of the item.
  ///   - position: At most one for each axis; if empty, scrolls just far enough to show the item.
  ///   - animated: Whether the scroll is animated.
  /// - Throws: If there is no such item, or the layout cannot be prepared.
  public func scrollToItem(
    at indexPath: IndexPath, at position: ScrollPosition, animated: Bool
  ) throws(LayoutError) {
    try prepareLayout()
    guard let index = layout.index(at: indexPath), let item = layout.placeForItem(at: index)?.frame else {
      throw .noItemAtIndexPath(indexPath)
    }
    let inset = contentInset
    let (content, size) = (contentSize, bounds.size)
    let x = Self.offset(
      position.horizontal, item: item.minX..<item.maxX, now: bounds.minX, view: size.width,
      content: content.width, insets: (inset.left, inset.right))
    let y = Self.offset(
      position.vertical, item: item.minY..<item.maxY, now: bounds.minY, view: size.height,
      content: content.height, insets: (inset.top, inset.bottom))
    setContentOffset(Point(x: x, y: y), animated: animated)
  }

  /// UIKit's name.
  public typealias ScrollDirection = Axis

  /// The place on the screen that an item is scrolled to (UIKit: `UICollectionView.ScrollPosition`).
  public struct ScrollPosition: OptionSet, Hashable, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let top = ScrollPosition(rawValue: 1)
    public static let centeredVertically = ScrollPosition(rawValue: 2)
    public static let bottom = ScrollPosition(rawValue: 4)
    public static let left = ScrollPosition(rawValue: 8)
    public static let centeredHorizontally = ScrollPosition(rawValue: 16)
    public static let right = ScrollPosition(rawValue: 32)

    fileprivate var vertical: Place? {
      contains(.top) ? .start : contains(.centeredVertically) ? .middle : contains(.bottom) ? .end : nil
    }

    fileprivate var horizontal: Place? {
      contains(.left) ? .start : contains(.centeredHorizontally) ? .middle : contains(.right) ? .end : nil
    }
  }

  fileprivate enum Place { case start, middle, end }

  private static func offset(
    _ place: Place?, item: Range<Double>, now: Double, view: Double, content: Double,
    insets: (start: Double, end: Double)
  ) -> Double {
    let start = item.lowerBound - insets.start
    let end = item.upperBound - view + insets.end
    let wanted =
      switch place {
      case .start: start
      case .middle: (start + end) / 2
      case .end: end
      case nil: now > start ? start : max(now, end)
      }
    let lowest = -insets.start
    return min(max(lowest, wanted), max(lowest, content - view + insets.end))
  }

  func stepScrolling(by timestep: Double) {
    guard var animation = scrollAnimation else { return }
    animation.elapsed += timestep
    scrollingChanged(to: animation.hasEnded ? nil : animation)
    moveBounds(to: animation.offset)
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
}

/// A scroll that the view animates.
struct ScrollAnimation {
  var from: Point
  var to: Point
  /// Seconds.
  var elapsed = 0.0
  private static let duration = 0.3

  init(from: Point, to: Point) {
    (self.from, self.to) = (from, to)
  }

  /// Slightly early, because sums of timesteps hardly ever equal a duration.
  var hasEnded: Bool { elapsed >= Self.duration - 1e-9 }

  var offset: Point {
    guard !hasEnded else { return to }
    let share = AnimationCurve.easeInOut.share(at: elapsed / Self.duration)
    return Point(x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share)
  }
}

/// The position of the finger (UIKit: `UIPanGestureRecognizer`).
public struct PanGestureRecognizer {
  let view: CollectionView

  /// The last touch, in the coordinates of the view's content; for nil, points from the view's corner. After
  /// the finger has lifted it stays where it was on the screen.
  public func location(in view: CollectionView?) -> Point {
    view.map(\.layout.touch) ?? self.view.touchOnScreen
  }
}
