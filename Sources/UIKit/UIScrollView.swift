import Foundation

/// A view that shows a part of its content.
open class UIScrollView: UIView {
  /// The factor by which the speed of a scroll is multiplied in each millisecond after the finger has lifted.
  public struct DecelerationRate: RawRepresentable, Hashable, Sendable {
    public let rawValue: CGFloat
    public init(rawValue: CGFloat) { self.rawValue = rawValue }

    public static let normal = DecelerationRate(rawValue: 0.998)
    public static let fast = DecelerationRate(rawValue: 0.99)
  }

  public enum ContentInsetAdjustmentBehavior: Int, Sendable { case automatic, scrollableAxes, never, always }

  public enum KeyboardDismissMode: Int, Sendable {
    case none, onDrag, interactive, onDragWithAccessory, interactiveWithAccessory
  }

  public enum IndexDisplayMode: Int, Sendable { case automatic, alwaysHidden }

  // This overload is disfavored, because a collection view also has a `delegate` of another type, as in UIKit.
  @_disfavoredOverload open weak var delegate: (any UIScrollViewDelegate)?
  open var contentSize = CGSize.zero
  /// The distances that the view can scroll beyond the edges of the content, points.
  open var contentInset = UIEdgeInsets.zero
  open var contentInsetAdjustmentBehavior = ContentInsetAdjustmentBehavior.automatic
  open var decelerationRate = DecelerationRate.normal
  open var isPagingEnabled = false
  open var isScrollEnabled = true
  open var bounces = true
  open var alwaysBounceVertical = false
  open var alwaysBounceHorizontal = false
  open var showsVerticalScrollIndicator = true
  open var showsHorizontalScrollIndicator = true
  open var scrollIndicatorInsets = UIEdgeInsets.zero
  open var isDirectionalLockEnabled = false
  open var scrollsToTop = true
  open var keyboardDismissMode = KeyboardDismissMode.none
  /// The control is only stored: no finger pulls it.
  open var refreshControl: UIRefreshControl?
  open internal(set) var isTracking = false
  open internal(set) var isDragging = false
  open internal(set) var isDecelerating = false
  public private(set) final lazy var panGestureRecognizer: UIPanGestureRecognizer = {
    let recognizer = UIPanGestureRecognizer()
    recognizer.view = self
    return recognizer
  }()
  /// The gesture recognizers, including `panGestureRecognizer`.
  open internal(set) override var gestureRecognizers: [UIGestureRecognizer]? {
    get { [panGestureRecognizer] + (super.gestureRecognizers ?? []) }
    set { super.gestureRecognizers = newValue?.filter { $0 !== panGestureRecognizer } }
  }

  /// The content inset plus the safe area. With the `contentInsetAdjustmentBehavior` `never`, the safe area does not
  /// count. With `always`, it counts on all sides. With `scrollableAxes`, it counts along axes in which the content
  /// scrolls. With `automatic`, it counts along these axes and always at the top and bottom, as in a navigation
  /// controller.
  open var adjustedContentInset: UIEdgeInsets {
    guard contentInsetAdjustmentBehavior != .never, safeAreaInsets != .zero else { return contentInset }
    var added = safeAreaInsets
    guard contentInsetAdjustmentBehavior != .always else { return contentInset + added }
    let (content, isAutomatic) = (laidOutSize, contentInsetAdjustmentBehavior == .automatic)
    if !alwaysBounceHorizontal, content.width <= bounds.width { (added.left, added.right) = (0, 0) }
    if !isAutomatic, !alwaysBounceVertical, content.height <= bounds.height { (added.top, added.bottom) = (0, 0) }
    return contentInset + added
  }

  open override var bounds: CGRect {
    didSet { if bounds.origin != oldValue.origin { delegate?.scrollViewDidScroll(self) } }
  }

  /// The content size that decides along which axes the content scrolls.
  var laidOutSize: CGSize { contentSize }

  /// The point of the content at the top left corner of the view, points.
  open var contentOffset: CGPoint {
    get { bounds.origin }
    set { bounds = CGRect(origin: newValue, size: bounds.size) }
  }

  open func setContentOffset(_ contentOffset: CGPoint, animated: Bool) { self.contentOffset = contentOffset }

  open func scrollRectToVisible(_ rect: CGRect, animated: Bool) {
    setContentOffset(offset(showing: rect), animated: animated)
  }

  /// The place in the view to which an area of the content is scrolled, along one axis.
  enum Place { case start, middle, end }

  /// Returns an offset, within the limits of the content and its inset, at which the view shows an area of the content.
  /// - Parameters:
  ///   - x: The place of the area. Nil means the offset that is nearest to the present one, and the same for `y`.
  final func offset(showing rect: CGRect, x: Place? = nil, y: Place? = nil) -> CGPoint {
    func offset(_ place: Place?, _ start: CGFloat, _ end: CGFloat, _ now: CGFloat, _ limits: (CGFloat, CGFloat))
      -> CGFloat
    {
      let wanted =
        switch place {
        case .start: start
        case .middle: (start + end) / 2
        case .end: end
        // If the area is shorter than the view, `end` lies before `start`.
        case nil: min(max(now, min(start, end)), max(start, end))
        }
      return min(max(limits.0, wanted), limits.1)
    }
    let (inset, limits) = (adjustedContentInset, scrollLimits(of: contentSize))
    return CGPoint(
      x: offset(x, rect.minX - inset.left, rect.maxX + inset.right - bounds.width, bounds.minX, limits.x),
      y: offset(y, rect.minY - inset.top, rect.maxY + inset.bottom - bounds.height, bounds.minY, limits.y))
  }

  /// Returns the range of offsets at which the view shows nothing beyond the content and its inset.
  final func scrollLimits(of content: CGSize) -> (x: (low: CGFloat, high: CGFloat), y: (low: CGFloat, high: CGFloat)) {
    let (size, inset) = (bounds.size, adjustedContentInset)
    return (
      (0 - inset.left, max(0 - inset.left, content.width - size.width + inset.right)),
      (0 - inset.top, max(0 - inset.top, content.height - size.height + inset.bottom))
    )
  }

  open func flashScrollIndicators() {}
}

/// A control that shows whether a list is being refreshed. It is not drawn.
open class UIRefreshControl: UIControl {
  open private(set) var isRefreshing = false
  open func beginRefreshing() { isRefreshing = true }
  open func endRefreshing() { isRefreshing = false }
}

/// An object that is notified when a view scrolls. All methods are optional.
public protocol UIScrollViewDelegate: NSObjectProtocol {
  func scrollViewDidScroll(_ scrollView: UIScrollView)
  func scrollViewWillBeginDragging(_ scrollView: UIScrollView)
  func scrollViewWillEndDragging(
    _ scrollView: UIScrollView, withVelocity velocity: CGPoint, targetContentOffset: UnsafeMutablePointer<CGPoint>)
  func scrollViewDidEndDragging(_ scrollView: UIScrollView, willDecelerate decelerate: Bool)
  func scrollViewWillBeginDecelerating(_ scrollView: UIScrollView)
  func scrollViewDidEndDecelerating(_ scrollView: UIScrollView)
  func scrollViewDidEndScrollingAnimation(_ scrollView: UIScrollView)
}

extension UIScrollViewDelegate {
  public func scrollViewDidScroll(_ scrollView: UIScrollView) {}
  public func scrollViewWillBeginDragging(_ scrollView: UIScrollView) {}
  public func scrollViewWillEndDragging(
    _ scrollView: UIScrollView, withVelocity velocity: CGPoint, targetContentOffset: UnsafeMutablePointer<CGPoint>
  ) {}
  public func scrollViewDidEndDragging(_ scrollView: UIScrollView, willDecelerate decelerate: Bool) {}
  public func scrollViewWillBeginDecelerating(_ scrollView: UIScrollView) {}
  public func scrollViewDidEndDecelerating(_ scrollView: UIScrollView) {}
  public func scrollViewDidEndScrollingAnimation(_ scrollView: UIScrollView) {}
}
