import Foundation

open class UIResponder: NSObject {}

/// A touch of the screen. Where UIKit passes an event, this module passes nil.
open class UIEvent: NSObject {}

/// A rectangle in a hierarchy of rectangles; nothing is drawn.
open class UIView: UIResponder, UIDynamicItem, NSCoding {
  /// The center of the view, points in the coordinates of the superview.
  open var center = CGPoint.zero
  /// The view's rectangle in its own coordinates, points.
  open var bounds = CGRect.zero {
    didSet {
      guard bounds.size != oldValue.size else { return }
      needsLayout = true
      let change = CGSize(width: bounds.width - oldValue.width, height: bounds.height - oldValue.height)
      for view in subviews { view.autoresize(by: change) }
    }
  }
  open var transform = CGAffineTransform.identity
  open var transform3D: CATransform3D {
    get { CATransform3DMakeAffineTransform(transform) }
    set { transform = CATransform3DGetAffineTransform(newValue) }
  }
  open var alpha: CGFloat = 1
  open var isHidden = false
  open var tag = 0
  open var clipsToBounds = false
  open var isUserInteractionEnabled = true
  open var isOpaque = true
  open var contentMode = ContentMode.scaleToFill
  open var backgroundColor: UIColor?
  private final var ownTintColor: UIColor?
  /// The tint color of the superview, unless the view has its own.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  open var tintColor: UIColor! {
    get { ownTintColor ?? superview?.tintColor ?? .systemBlue }
    set { ownTintColor = newValue }
  }
  open var layoutMargins = UIEdgeInsets(top: 8, left: 8, bottom: 8, right: 8)
  /// The layout margins, with a leading and a trailing edge instead of left and right ones.
  open var directionalLayoutMargins: NSDirectionalEdgeInsets {
    get {
      let (margins, isMirrored) = (layoutMargins, effectiveUserInterfaceLayoutDirection == .rightToLeft)
      let (leading, trailing) = isMirrored ? (margins.right, margins.left) : (margins.left, margins.right)
      return NSDirectionalEdgeInsets(top: margins.top, leading: leading, bottom: margins.bottom, trailing: trailing)
    }
    set {
      let isMirrored = effectiveUserInterfaceLayoutDirection == .rightToLeft
      let (left, right) = isMirrored ? (newValue.trailing, newValue.leading) : (newValue.leading, newValue.trailing)
      layoutMargins = UIEdgeInsets(top: newValue.top, left: left, bottom: newValue.bottom, right: right)
    }
  }
  /// Zero unless a test sets it, because in this module no bars cover a view.
  open var safeAreaInsets = UIEdgeInsets.zero { didSet { if safeAreaInsets != oldValue { safeAreaInsetsDidChange() } } }
  /// The attribute that determines `effectiveUserInterfaceLayoutDirection`.
  open var semanticContentAttribute = UISemanticContentAttribute.unspecified
  open var traitCollection: UITraitCollection { .current }
  public private(set) final weak var superview: UIView?
  // Every frame reads the subviews, so they do without Swift's checks of exclusive access, which take time.
  @exclusivity(unchecked) public private(set) final var subviews: [UIView] = []
  open internal(set) var gestureRecognizers: [UIGestureRecognizer]?
  public private(set) final lazy var layer = CALayer(of: self)
  open internal(set) var constraints: [NSLayoutConstraint] = [] { didSet { setNeedsLayout() } }
  open var translatesAutoresizingMaskIntoConstraints = true
  open var autoresizingMask: AutoresizingMask = []
  final weak var controller: UIViewController?
  final var touches: Touches?
  final var needsLayout = true
  final var isLayingOut = false
  private final var isStepping = false
  private final var animators: [WeakAnimator] = []

  public convenience override init() { self.init(frame: .zero) }

  public init(frame: CGRect) {
    super.init()
    (center, bounds) = (frame.center, CGRect(origin: .zero, size: frame.size))
  }

  public required init?(coder: NSCoder) { super.init() }

  open func encode(with coder: NSCoder) {}

  /// Never called, because nibs are not supported.
  open func awakeFromNib() {}

  open var collisionBoundsType: UIDynamicItemCollisionBoundsType { .rectangle }
  open var collisionBoundingPath: UIBezierPath { UIBezierPath(rect: CGRect(center: .zero, size: bounds.size)) }

  /// The smallest upright rectangle around the transformed view. Setting the frame ignores the transform.
  open var frame: CGRect {
    get {
      let (size, center, transform) = (bounds.standardized.size, center, transform)
      guard !transform.isIdentity else { return CGRect(center: center, size: size) }
      return CGRect(center: .zero, size: size).applying(transform).offsetBy(dx: center.x, dy: center.y)
    }
    set {
      center = newValue.center
      bounds = CGRect(origin: bounds.origin, size: newValue.size)
    }
  }

  open var intrinsicContentSize: CGSize { CGSize(width: UIView.noIntrinsicMetric, height: UIView.noIntrinsicMetric) }
  public static let noIntrinsicMetric: CGFloat = -1

  open var effectiveUserInterfaceLayoutDirection: UIUserInterfaceLayoutDirection {
    Self.userInterfaceLayoutDirection(for: semanticContentAttribute, relativeTo: traitCollection.layoutDirection)
  }

  open class func userInterfaceLayoutDirection(for attribute: UISemanticContentAttribute)
    -> UIUserInterfaceLayoutDirection
  { userInterfaceLayoutDirection(for: attribute, relativeTo: UITraitCollection.current.layoutDirection) }

  open class func userInterfaceLayoutDirection(
    for attribute: UISemanticContentAttribute, relativeTo layoutDirection: UIUserInterfaceLayoutDirection
  ) -> UIUserInterfaceLayoutDirection {
    switch attribute {
    case .unspecified: layoutDirection
    case .playback, .spatial, .forceLeftToRight: .leftToRight
    case .forceRightToLeft: .rightToLeft
    }
  }

  open func addSubview(_ view: UIView) { insertSubview(view, at: subviews.count) }

  open func insertSubview(_ view: UIView, at index: Int) {
    let (old, isNew) = (view.window, view.superview !== self)
    if isNew {
      view.willMove(toSuperview: self)
      view.dropConstraintsToSuperviews()
    }
    view.detach()
    view.superview = self
    subviews.insert(view, at: min(index, subviews.count))
    setNeedsLayout()
    view.moved(from: old)
    if isNew { view.didMoveToSuperview() }
  }

  /// Does nothing if `siblingSubview` is not a subview of this view.
  open func insertSubview(_ view: UIView, belowSubview siblingSubview: UIView) {
    insert(view, beside: siblingSubview, above: 0)
  }

  /// Does nothing if `siblingSubview` is not a subview of this view.
  open func insertSubview(_ view: UIView, aboveSubview siblingSubview: UIView) {
    insert(view, beside: siblingSubview, above: 1)
  }

  private func insert(_ view: UIView, beside sibling: UIView, above: Int) {
    guard view !== sibling, sibling.superview === self else { return }
    let others = subviews.filter { $0 !== view }
    guard let index = others.firstIndex(where: { $0 === sibling }) else { return }
    insertSubview(view, at: index + above)
  }

  open func bringSubviewToFront(_ view: UIView) {
    if view.superview === self { insertSubview(view, at: subviews.count) }
  }

  open func sendSubviewToBack(_ view: UIView) { if view.superview === self { insertSubview(view, at: 0) } }

  open func isDescendant(of view: UIView) -> Bool { self === view || superview?.isDescendant(of: view) == true }

  open func removeFromSuperview() {
    guard superview != nil else { return }
    let old = window
    willMove(toSuperview: nil)
    dropConstraintsToSuperviews()
    detach()
    moved(from: old)
    didMoveToSuperview()
  }

  open func willMove(toSuperview newSuperview: UIView?) {}
  open func didMoveToSuperview() {}
  open func safeAreaInsetsDidChange() {}

  /// Returns this view or a view inside it that has the tag, or nil if there is none.
  open func viewWithTag(_ tag: Int) -> UIView? {
    if self.tag == tag { return self }
    for view in subviews { if let found = view.viewWithTag(tag) { return found } }
    return nil
  }

  /// Returns whether a point, which is in this view's coordinates, lies within the view's bounds.
  open func point(inside point: CGPoint, with event: UIEvent?) -> Bool { bounds.contains(point) }

  /// Returns the frontmost view that receives a touch at a point, which is in this view's coordinates. As in UIKit,
  /// views that are hidden, nearly transparent or ignore touches are left out, with all views inside them.
  open func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
    guard !isHidden, isUserInteractionEnabled, alpha >= 0.01, self.point(inside: point, with: event) else { return nil }
    for view in subviews.reversed() { if let hit = view.hitTest(convert(point, to: view), with: event) { return hit } }
    return self
  }

  /// Returns a new view with the size and the background of this one, and without subviews.
  open func snapshotView(afterScreenUpdates afterUpdates: Bool) -> UIView? {
    let copy = UIView(frame: CGRect(origin: .zero, size: bounds.size))
    copy.backgroundColor = backgroundColor
    return copy
  }

  private func detach() {
    superview?.subviews.removeAll { $0 === self }
    superview = nil
  }

  open func addGestureRecognizer(_ gestureRecognizer: UIGestureRecognizer) {
    gestureRecognizers = (gestureRecognizers ?? []) + [gestureRecognizer]
    gestureRecognizer.view = self
  }

  open func removeGestureRecognizer(_ gestureRecognizer: UIGestureRecognizer) {
    gestureRecognizers?.removeAll { $0 === gestureRecognizer }
    if gestureRecognizer.view === self { gestureRecognizer.view = nil }
  }

  open func invalidateIntrinsicContentSize() { superview?.setNeedsLayout() }
  open func setNeedsLayout() { needsLayout = true }
  open func setNeedsDisplay() {}
  open func layoutSubviews() {}
  /// Lays out this view and all views inside it, each of them only if something in it has changed.
  open func layoutIfNeeded() {
    if superview?.isLayingOut != true { applyConstraints() }
    isLayingOut = true
    defer { isLayingOut = false }
    if needsLayout {
      needsLayout = false
      controller?.viewWillLayoutSubviews()
      layoutSubviews()
      controller?.viewDidLayoutSubviews()
    }
    for view in subviews { view.layoutIfNeeded() }
  }
  /// Resizes the view to the size that fits best, and keeps its top left corner in place.
  open func sizeToFit() {
    let size = sizeThatFits(bounds.size)
    if size != bounds.size { frame = CGRect(origin: frame.origin, size: size) }
  }
  open func sizeThatFits(_ size: CGSize) -> CGSize { bounds.size }

  /// The target sizes with which `systemLayoutSizeFitting(_:)` returns the smallest and the largest size.
  public static let layoutFittingCompressedSize = CGSize.zero
  public static let layoutFittingExpandedSize = CGSize(width: 10_000, height: 10_000)

  /// Returns the size that fits best. The constraints of the view are not considered.
  open func systemLayoutSizeFitting(_ targetSize: CGSize) -> CGSize {
    systemLayoutSizeFitting(
      targetSize, withHorizontalFittingPriority: .fittingSizeLevel, verticalFittingPriority: .fittingSizeLevel)
  }

  /// Returns the size that fits best. Along an axis whose priority is `required`, the result has the length of the
  /// target. The constraints of the view are not considered.
  open func systemLayoutSizeFitting(
    _ targetSize: CGSize, withHorizontalFittingPriority horizontalFittingPriority: UILayoutPriority,
    verticalFittingPriority: UILayoutPriority
  ) -> CGSize {
    let fitting = sizeThatFits(targetSize)
    return CGSize(
      width: horizontalFittingPriority == .required ? targetSize.width : fitting.width,
      height: verticalFittingPriority == .required ? targetSize.height : fitting.height)
  }

  /// Converts a point of this view to the coordinates of another view. Nil means the root of the view hierarchy.
  open func convert(_ point: CGPoint, to view: UIView?) -> CGPoint {
    let onTop = pointOnTop(point)
    return view?.pointBelow(onTop) ?? onTop
  }

  open func convert(_ point: CGPoint, from view: UIView?) -> CGPoint { pointBelow(view?.pointOnTop(point) ?? point) }

  /// Returns the smallest upright rectangle around the converted rectangle.
  open func convert(_ rect: CGRect, to view: UIView?) -> CGRect { convert(rect, view) { convert($0, to: view) } }

  open func convert(_ rect: CGRect, from view: UIView?) -> CGRect { convert(rect, view) { convert($0, from: view) } }

  private func convert(_ rect: CGRect, _ other: UIView?, by convert: (CGPoint) -> CGPoint) -> CGRect {
    let origin = convert(rect.origin)
    // Without a transform, the size stays the same. Computing it from the corners would add rounding errors.
    guard isTransformed || other?.isTransformed == true else { return CGRect(origin: origin, size: rect.size) }
    let others = [(rect.maxX, rect.minY), (rect.minX, rect.maxY), (rect.maxX, rect.maxY)]
    return CGRect(around: [origin] + others.map { convert(CGPoint(x: $0.0, y: $0.1)) })
  }

  /// Whether this view or one of its superviews has a transform.
  final var isTransformed: Bool { !transform.isIdentity || superview?.isTransformed == true }

  /// The transform in the coordinates of the superview, where it keeps the center in place.
  private var transformAroundCenter: CGAffineTransform {
    let moved = transform.translatedBy(x: -center.x, y: -center.y)
    return moved.concatenating(CGAffineTransform(translationX: center.x, y: center.y))
  }

  /// Converts a point of this view to the coordinates of the hierarchy's root.
  private func pointOnTop(_ point: CGPoint, isPlain: Bool = false) -> CGPoint {
    var place = CGPoint(
      x: center.x - bounds.width / 2 + point.x - bounds.minX, y: center.y - bounds.height / 2 + point.y - bounds.minY)
    if !isPlain, !transform.isIdentity { place = place.applying(transformAroundCenter) }
    return superview?.pointOnTop(place, isPlain: isPlain) ?? place
  }

  /// Converts a point of the hierarchy's root to the coordinates of this view.
  private func pointBelow(_ point: CGPoint) -> CGPoint {
    var place = superview?.pointBelow(point) ?? point
    if !transform.isIdentity { place = place.applying(transformAroundCenter.inverted()) }
    return CGPoint(
      x: place.x - (center.x - bounds.width / 2) + bounds.minX,
      y: place.y - (center.y - bounds.height / 2) + bounds.minY)
  }

  /// Converts a rectangle of this view to the coordinates of another view, as if no view had a transform.
  final func convertPlainly(_ rect: CGRect, to view: UIView) -> CGRect {
    let (place, origin) = (pointOnTop(rect.origin, isPlain: true), view.pointOnTop(.zero, isPlain: true))
    return CGRect(x: place.x - origin.x, y: place.y - origin.y, width: rect.width, height: rect.height)
  }

  final func stepsAnimator(_ animator: UIDynamicAnimator) { animators.append(WeakAnimator(animator: animator)) }

  /// Advances the time by this many seconds. The driver (the code that replaces the display) calls this once per frame.
  /// Steps the animators that use this view, or a view inside it, as their reference view.
  open func step(by timestep: TimeInterval) {
    touches?.wait(timestep)
    if !animators.isEmpty {
      animators.removeAll { $0.animator == nil }
      for animator in animators.compactMap(\.animator) { animator.step(by: timestep) }
    }
    if !subviews.isEmpty {
      isStepping = true
      for view in subviews { view.step(by: timestep) }
      isStepping = false
    }
    guard timestep >= 0, let state = Animating.present, superview?.isStepping != true else { return }
    for completion in state.completions.ended(after: timestep) { completion.body(true) }
  }
}

/// The base class of controls.
open class UIControl: UIView {
  public enum ContentHorizontalAlignment: Int, Sendable { case center, left, right, fill, leading, trailing }

  /// What happens to a control. Touches do not reach controls, so only `sendActions(for:)` reports events.
  public struct Event: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let touchUpInside = Event(rawValue: 1 << 6)
    public static let valueChanged = Event(rawValue: 1 << 12)
    public static let primaryActionTriggered = Event(rawValue: 1 << 13)
  }

  open var isEnabled = true
  open var isSelected = false
  open var isHighlighted = false
  private final var actions: [(events: Event, send: (UIControl) -> Void)] = []

  /// The target is not retained.
  open func addTarget(_ target: Any?, action: Selector, for controlEvents: Event) {
    let object = target as AnyObject?
    actions.append((controlEvents, { [weak object] in if let object { action.send(object, $0) } }))
  }

  /// Calls the targets of these events.
  open func sendActions(for controlEvents: Event) {
    for action in actions where !action.events.isDisjoint(with: controlEvents) { action.send(self) }
  }
}

extension UIView {
  /// How content is fitted into the view. It has no effect, because nothing is drawn.
  public enum ContentMode: Int, Sendable {
    case scaleToFill, scaleAspectFit, scaleAspectFill, redraw, center, top, bottom, left, right
    case topLeft, topRight, bottomLeft, bottomRight
  }

  /// Runs `animations` at once, because in this module only the items of a collection view are animated. `step(by:)`
  /// calls `completion` when the delay and the duration have passed. If two view hierarchies are stepped on one thread,
  /// their times add up, so that they pass twice as fast.
  public class func animate(
    withDuration duration: TimeInterval, delay: TimeInterval = 0, options: AnimationOptions = [],
    animations: () -> Void, completion: ((Bool) -> Void)? = nil
  ) {
    animations()
    guard let completion else { return }
    let time = areAnimationsEnabled ? max(0, duration) + max(0, delay) : 0
    Animating.ofThread.completions.append(AnimationCompletion(remaining: time, body: completion))
  }

  public class func animate(
    withDuration duration: TimeInterval, delay: TimeInterval, usingSpringWithDamping dampingRatio: CGFloat,
    initialSpringVelocity velocity: CGFloat, options: AnimationOptions = [], animations: () -> Void,
    completion: ((Bool) -> Void)? = nil
  ) { animate(withDuration: duration, delay: delay, animations: animations, completion: completion) }

  /// Options of an animation. They have no effect, because changes are made at once.
  public struct AnimationOptions: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let layoutSubviews = AnimationOptions(rawValue: 1 << 0)
    public static let allowUserInteraction = AnimationOptions(rawValue: 1 << 1)
    public static let beginFromCurrentState = AnimationOptions(rawValue: 1 << 2)
    public static let `repeat` = AnimationOptions(rawValue: 1 << 3)
    public static let autoreverse = AnimationOptions(rawValue: 1 << 4)
    public static let curveEaseInOut: AnimationOptions = []
    public static let curveEaseIn = AnimationOptions(rawValue: 1 << 16)
    public static let curveEaseOut = AnimationOptions(rawValue: 2 << 16)
    public static let curveLinear = AnimationOptions(rawValue: 3 << 16)
  }

  /// Runs `actions`. If they update a collection view, the update is shown at once.
  public class func performWithoutAnimation(_ actions: () -> Void) {
    let before = areAnimationsEnabled
    setAnimationsEnabled(false)
    defer { setAnimationsEnabled(before) }
    actions()
  }

  public class func setAnimationsEnabled(_ enabled: Bool) { Animating.ofThread.isEnabled = enabled }
  public class var areAnimationsEnabled: Bool { Animating.present?.isEnabled ?? true }
}

/// The state of the animations of a thread. Each thread has its own, because benchmarks and tests may run on several
/// threads, unlike an app's views.
private final class Animating {
  var isEnabled = true
  var completions: [AnimationCompletion] = []

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { if let state = $0 { Unmanaged<Animating>.fromOpaque(state).release() } }
    return key
  }()

  /// The state of this thread. Nil if the thread has not animated anything, because reading must not create a state.
  static var present: Animating? {
    pthread_getspecific(key).map { Unmanaged<Animating>.fromOpaque($0).takeUnretainedValue() }
  }

  static var ofThread: Animating {
    if let present { return present }
    let state = Animating()
    pthread_setspecific(key, Unmanaged.passRetained(state).toOpaque())
    return state
  }
}

public enum UISemanticContentAttribute: Int, Sendable {
  case unspecified, playback, spatial, forceLeftToRight, forceRightToLeft
}

public enum UIUserInterfaceLayoutDirection: Int, Sendable { case leftToRight, rightToLeft }
