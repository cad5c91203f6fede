import CollectionLayout
import Dynamics
import Foundation

extension UICollectionView {
  /// Moves the bounds at once, as a finger or a deceleration does. The bounds may extend beyond the content.
  /// - Parameters:
  ///   - contentOffset: The new offset, points.
  ///   - touch: The position of the finger, points from the view's corner. If no finger is down, a finger comes down
  ///     there. Nil keeps the last touch. As in UIKit, `shouldInvalidateLayout(forBoundsChange:)` sees the new touch
  ///     and the old bounds.
  public final func scroll(to contentOffset: CGPoint, touch: CGPoint? = nil) {
    layoutIfNeeded()
    stopScrolling()
    if let touch, touchStart == nil, touch.x.isFinite, touch.y.isFinite {
      touchStart = touch
      (isTracking, isDragging) = (true, true)
      panGestureRecognizer.state = .began
      scrollDelegate?.scrollViewWillBeginDragging(self)
    } else if touchStart != nil {
      panGestureRecognizer.state = .changed
    }
    moveBounds(to: contentOffset, touch: touch)
    if touchStart != nil { panGestureRecognizer.tellTargets() }
  }

  /// Lifts the finger. The layout and the delegate choose the offset where the scroll ends. `step(by:)` moves the view
  /// there in 0.3 seconds.
  /// - Parameter velocity: The velocity of the scroll, points per millisecond.
  public final func endDragging(withVelocity velocity: CGPoint) {
    stopScrolling()
    if touchStart != nil { panGestureRecognizer.state = .ended }
    defer {
      panGestureRecognizer.tellTargets()
      panGestureRecognizer.state = .possible
      touchStart = nil
    }
    isTracking = false
    var target = proposedOffset(velocity)
    // UIScrollView.h says that the delegate is not asked while paging is enabled.
    if !isPagingEnabled {
      target = current.targetContentOffset(forProposedContentOffset: target, withScrollingVelocity: velocity)
      scrollDelegate?.scrollViewWillEndDragging(self, withVelocity: velocity, targetContentOffset: &target)
    }
    isDragging = false
    let decelerates = target != contentOffset && target.x.isFinite && target.y.isFinite
    if decelerates { scrollAnimation = ScrollAnimation(from: contentOffset, to: target, isDeceleration: true) }
    scrollDelegate?.scrollViewDidEndDragging(self, willDecelerate: decelerates)
    // The delegate may have scrolled elsewhere.
    guard scrollAnimation?.isDeceleration == true else { return }
    isDecelerating = true
    scrollDelegate?.scrollViewWillBeginDecelerating(self)
  }

  /// Stops an animated scroll. Notifies the delegate only if the scroll was a deceleration.
  final func stopScrolling() {
    guard scrollAnimation != nil else { return }
    scrollAnimation = nil
    if isDecelerating { endDecelerating() }
  }

  private func endDecelerating() {
    isDecelerating = false
    scrollDelegate?.scrollViewDidEndDecelerating(self)
  }

  /// Returns the offset at which a scroll with this velocity comes to rest by itself.
  private func proposedOffset(_ velocity: CGPoint) -> CGPoint {
    let rate = decelerationRate.rawValue
    let reach = rate / (1 - rate)
    let (limits, size) = (scrollLimits(of: contentSize), bounds.size)
    func end(_ now: CGFloat, _ velocity: CGFloat, _ page: CGFloat, _ limits: (low: CGFloat, high: CGFloat)) -> CGFloat {
      var end = velocity.isNaN ? now : now + velocity * reach
      if isPagingEnabled, page > 0 {
        let present = (now / page).rounded(velocity > 0 ? .down : velocity < 0 ? .up : .toNearestOrAwayFromZero)
        end = (present + (velocity > 0 ? 1 : velocity < 0 ? -1 : 0)) * page
      }
      return min(max(limits.low, end), limits.high)
    }
    return CGPoint(
      x: end(contentOffset.x, velocity.x, size.width, limits.x),
      y: end(contentOffset.y, velocity.y, size.height, limits.y))
  }

  /// The last touch, points from the view's corner.
  public final var touchOnScreen: CGPoint { CGPoint(engine.touchOnScreen) }

  /// The place in the view to which an item is scrolled.
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

  /// Scrolls an item to a place in the view, within the limits of the content and its inset.
  /// - Parameters:
  ///   - indexPath: The path of the item. If there is no such item, the program ends with a message. If the layout has
  ///     no attributes for the item, nothing happens.
  ///   - position: At most one place for each axis. If empty, the view scrolls just far enough to show the item.
  ///   - animated: Whether the scroll takes 0.3 seconds, instead of happening at once.
  public func scrollToItem(at indexPath: IndexPath, at position: ScrollPosition, animated: Bool) {
    layoutIfNeeded()
    guard sections.contains(indexPath) else { raise("there is no item at the index path \(Array(indexPath))") }
    guard let item = current.layoutAttributesForItem(at: indexPath)?.frame else { return }
    setContentOffset(offset(showing: item, x: position.horizontal, y: position.vertical), animated: animated)
  }

  final func stepScrolling(by timestep: Double) {
    guard var animation = scrollAnimation else { return }
    // If something else has moved the view since the last step, the rest of the animation moves by the same distance.
    let (now, expected) = (contentOffset, animation.offset)
    if now != expected { animation.move(by: CGVector(dx: now.x - expected.x, dy: now.y - expected.y)) }
    animation.elapsed += timestep
    scrollAnimation = animation.hasEnded ? nil : animation
    moveBounds(to: animation.offset)
    guard animation.hasEnded else { return }
    guard animation.isDeceleration else {
      scrollDelegate?.scrollViewDidEndScrollingAnimation(self)
      return
    }
    mayBeBeyondContent = true
    endDecelerating()
  }
}

struct ScrollAnimation {
  var from: CGPoint
  var to: CGPoint
  /// Whether the scroll continues the movement of a lifted finger.
  let isDeceleration: Bool
  /// Seconds since the scroll began.
  var elapsed = 0.0
  private static let duration = 0.3

  init(from: CGPoint, to: CGPoint, isDeceleration: Bool = false) {
    (self.from, self.to, self.isDeceleration) = (from, to, isDeceleration)
  }

  /// Whether the duration has passed. Tolerates rounding errors: sums of timesteps hardly ever equal a duration.
  var hasEnded: Bool { elapsed >= Self.duration - 1e-9 }

  mutating func move(by shift: CGVector) {
    from = CGPoint(x: from.x + shift.dx, y: from.y + shift.dy)
    to = CGPoint(x: to.x + shift.dx, y: to.y + shift.dy)
  }

  var offset: CGPoint {
    guard !hasEnded else { return to }
    let share = CGFloat(AnimationCurve.easeInOut.share(at: elapsed / Self.duration))
    return CGPoint(x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share)
  }
}
