import Dynamics
import Foundation

/// A method that a gesture calls. Without Objective-C a name finds no method: a file of an app has `Selector(method(_:))`
/// in place of `#selector(method(_:))`.
public struct Selector {
  /// Called with the target and the sender.
  let send: (AnyObject?, UIGestureRecognizer) -> Void

  /// A method of an object, which stays alive as long as the selector.
  public init<Sender>(_ method: @escaping (Sender) -> Void) {
    send = { _, sender in
      guard let sender = sender as? Sender else { raise("a gesture calls a method that takes \(Sender.self)") }
      method(sender)
    }
  }

  /// A method of an object, which stays alive as long as the selector.
  public init(_ method: @escaping () -> Void) { send = { _, _ in method() } }

  /// A method of the class of the target.
  public init<Target: AnyObject, Sender>(_ method: @escaping (Target) -> (Sender) -> Void) {
    send = { target, sender in
      guard let target = target as? Target else { return }
      Selector(method(target)).send(target, sender)
    }
  }

  /// A method of the class of the target.
  public init<Target: AnyObject>(_ method: @escaping (Target) -> () -> Void) {
    send = { target, _ in (target as? Target).map { method($0)() } }
  }

  /// A name, which compiles; the program ends with a message when a gesture would call it.
  public init(_ name: String) {
    send = { _, _ in raise("a selector without Objective-C needs its method: Selector(\(name)), not a name") }
  }
}

public protocol UIGestureRecognizerDelegate: NSObjectProtocol {
  func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool
  func gestureRecognizer(
    _ gestureRecognizer: UIGestureRecognizer,
    shouldRecognizeSimultaneouslyWith otherGestureRecognizer: UIGestureRecognizer
  ) -> Bool
}

extension UIGestureRecognizerDelegate {
  public func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool { true }
  public func gestureRecognizer(
    _ gestureRecognizer: UIGestureRecognizer,
    shouldRecognizeSimultaneouslyWith otherGestureRecognizer: UIGestureRecognizer
  ) -> Bool { false }
}

/// A gesture of the fingers that the driver of a view puts down.
open class UIGestureRecognizer: NSObject {
  public enum State: Int, Sendable {
    case possible, began, changed, ended, cancelled, failed
    public static let recognized = State.ended
  }

  open var state = State.possible
  /// Setting it to false cancels a gesture that is under way.
  open var isEnabled = true { didSet { if !isEnabled, isUnderWay { become(.cancelled) } } }
  open var cancelsTouchesInView = true
  open weak var delegate: (any UIGestureRecognizerDelegate)?
  public internal(set) final weak var view: UIView?
  private final var actions: [(target: () -> AnyObject?, action: Selector)] = []
  final weak var touches: Touches?

  public init(target: Any?, action: Selector?) {
    super.init()
    if let target, let action { addTarget(target, action: action) }
  }

  public convenience override init() { self.init(target: nil, action: nil) }

  /// The target is not retained.
  open func addTarget(_ target: Any, action: Selector) {
    let object = target as AnyObject
    actions.append(({ [weak object] in object }, action))
  }

  /// Removes all actions of the target, whatever the action: functions cannot be compared.
  open func removeTarget(_ target: Any?, action: Selector?) {
    let object = target as AnyObject?
    actions.removeAll { object == nil || $0.target() === object }
  }

  open var numberOfTouches: Int { fingers.count }

  /// Raises for a finger that is not there.
  open func location(ofTouch touchIndex: Int, in view: UIView?) -> CGPoint {
    guard fingers.indices.contains(touchIndex) else { raise("touch \(touchIndex), of \(fingers.count)") }
    return view?.convert(fingers[touchIndex], from: nil) ?? fingers[touchIndex]
  }

  /// The middle of the fingers. Without any, the last touch on a collection view, in the coordinates of the view's
  /// content; for a nil view, points from the view's corner. After the finger has lifted it stays where it was on the
  /// screen.
  open func location(in view: UIView?) -> CGPoint {
    if let fingers = touches?.middle { return view?.convert(fingers, from: nil) ?? fingers }
    guard let own = self.view as? UICollectionView else { return .zero }
    let touch = own.touchOnScreen
    guard let view else { return touch }
    let onContent = CGPoint(x: touch.x + own.bounds.minX, y: touch.y + own.bounds.minY)
    return view === own ? onContent : own.convert(onContent, to: view)
  }

  // MARK: Recognition

  /// Places on the topmost view.
  final var fingers: [CGPoint] { touches?.fingers ?? [] }
  final var isUnderWay: Bool { state == .began || state == .changed }
  /// Whether the gesture begins, as the fingers are now.
  var begins: Bool { false }
  /// Whether the gesture is recognized when the fingers lift as they are now.
  var isRecognizedByLifting: Bool { false }

  /// Called when one finger more is down.
  func fingerCameDown() {}

  /// Moves to a state, and tells the targets about it.
  final func become(_ next: State) {
    state = next
    tellTargets()
  }

  final func tellTargets() {
    guard state != .failed, state != .possible else { return }
    for (target, action) in actions { if let target = target() { action.send(target, self) } }
  }

  final func beginIfReady() { if state == .possible, begins { become(mayBegin ? .began : .failed) } }

  final func lift() { if isUnderWay || state == .possible && isRecognizedByLifting && mayBegin { become(.ended) } }

  /// One gesture at a time, unless a delegate allows more.
  private var mayBegin: Bool {
    guard isEnabled, delegate?.gestureRecognizerShouldBegin(self) != false else { return false }
    return touches?.recognizers.allSatisfy {
      $0 === self || !$0.isUnderWay && $0.state != .ended
        || delegate?.gestureRecognizer(self, shouldRecognizeSimultaneouslyWith: $0) == true
        || $0.delegate?.gestureRecognizer($0, shouldRecognizeSimultaneouslyWith: self) == true
    } ?? false
  }
}

/// A touch that stays where it is.
open class UITapGestureRecognizer: UIGestureRecognizer {
  open var numberOfTouchesRequired = 1

  override var isRecognizedByLifting: Bool {
    touches.map { $0.isPress() && $0.starts.count == numberOfTouchesRequired } == true
  }
}

/// Fingers that stay where they are for a while, and may move then.
open class UILongPressGestureRecognizer: UIGestureRecognizer {
  /// Seconds.
  open var minimumPressDuration = 0.5
  open var numberOfTouchesRequired = 1
  /// Points that a finger may move before the gesture begins.
  open var allowableMovement: CGFloat = 10

  override var begins: Bool {
    guard let touches, touches.isPress(allowance: allowableMovement) else { return false }
    // Slightly early, because sums of timesteps hardly ever equal a duration.
    return touches.fingers.count == numberOfTouchesRequired && touches.elapsed >= minimumPressDuration - 1e-9
  }
}

/// Two fingers whose distance changes. It ends when both have lifted.
open class UIPinchGestureRecognizer: UIGestureRecognizer {
  private final var base: (scale: CGFloat, spread: CGFloat) = (1, 0)

  /// The distance of the fingers, in parts of what it was when they came down, or when the scale was set to 1.
  open var scale: CGFloat {
    get { base.spread > 0 && fingers.count == 2 ? base.scale * spread / base.spread : base.scale }
    set { base = (newValue, spread) }
  }

  private var spread: CGFloat { fingers.count == 2 ? distance(fingers[0], fingers[1]) : 0 }

  override var begins: Bool { fingers.count == 2 && abs(spread - base.spread) > Touches.allowance }

  override func fingerCameDown() { scale = 1 }
}

/// The finger on a scroll view, or fingers that move on another view.
open class UIPanGestureRecognizer: UIGestureRecognizer {
  open var minimumNumberOfTouches = 1
  open var maximumNumberOfTouches = Int.max
  private final var start = CGPoint.zero

  override var begins: Bool {
    guard let touches, !touches.isPress(), touches.fingers.count >= minimumNumberOfTouches else { return false }
    // What scrolls a view is the driver's `scroll(to:touch:)`.
    return touches.fingers.count <= maximumNumberOfTouches && (view as? UIScrollView)?.panGestureRecognizer !== self
  }

  override func fingerCameDown() { setTranslation(.zero, in: nil) }

  /// Distance since the finger came down, points.
  open func translation(in view: UIView?) -> CGPoint {
    if let middle = touches?.middle { return CGPoint(x: middle.x - start.x, y: middle.y - start.y) }
    guard let own = self.view as? UICollectionView else { return .zero }
    let (touch, start) = (own.touchOnScreen, own.touchStart ?? own.touchOnScreen)
    return CGPoint(x: touch.x - start.x, y: touch.y - start.y)
  }

  /// Sets the distance of fingers that do not scroll.
  open func setTranslation(_ translation: CGPoint, in view: UIView?) {
    guard let middle = touches?.middle else { return }
    start = CGPoint(x: middle.x - translation.x, y: middle.y - translation.y)
  }

  /// Points per second: as the finger moved in the last step.
  open func velocity(in view: UIView?) -> CGPoint {
    touches?.velocity ?? (self.view as? UICollectionView)?.touchVelocity ?? .zero
  }
}

/// Fingers on a view, from the first that comes down until all have lifted.
final class Touches {
  /// Points that a finger may move in a press.
  static let allowance: CGFloat = 10
  let recognizers: [UIGestureRecognizer]
  /// Places on the topmost view.
  private(set) var fingers: [CGPoint] = []
  /// Where they were when the last one came down.
  private(set) var starts: [CGPoint] = []
  /// Seconds since then.
  private(set) var elapsed = 0.0
  /// How far a finger has moved since then, points.
  private var farthest: CGFloat = 0
  private var middleBefore: CGPoint?
  /// Points per second, in the last step.
  private(set) var velocity = CGPoint.zero

  init(on view: UIView) {
    recognizers = sequence(first: view, next: \.superview).flatMap { $0.gestureRecognizers ?? [] }.filter(\.isEnabled)
    for recognizer in recognizers { recognizer.touches = self }
  }

  var middle: CGPoint? {
    guard !fingers.isEmpty else { return nil }
    let (x, y) = fingers.reduce((0, 0)) { ($0.0 + $1.x, $0.1 + $1.y) }
    return CGPoint(x: x / CGFloat(fingers.count), y: y / CGFloat(fingers.count))
  }

  /// Whether the fingers have stayed where they came down.
  func isPress(allowance: CGFloat = allowance) -> Bool { farthest <= allowance }

  func move(to places: [CGPoint]) {
    guard places != fingers else { return }
    let isMore = places.count > fingers.count
    if isMore { (starts, elapsed, farthest, middleBefore) = (places, 0, 0, nil) }
    fingers = places
    if places.count == starts.count {
      farthest = zip(places, starts).reduce(farthest) { max($0, distance($1.0, $1.1)) }
    }
    for recognizer in recognizers {
      if isMore { recognizer.fingerCameDown() }
      if recognizer.isUnderWay { recognizer.become(.changed) } else { recognizer.beginIfReady() }
    }
  }

  func wait(_ timestep: Double) {
    guard timestep > 0, let now = middle else { return }
    elapsed += timestep
    let before = middleBefore ?? now
    (velocity, middleBefore) = (CGPoint(x: (now.x - before.x) / timestep, y: (now.y - before.y) / timestep), now)
    for recognizer in recognizers { recognizer.beginIfReady() }
  }

  /// Ends all gestures; the fingers are where they were last.
  /// - Returns: Whether the view has been tapped.
  func lift() -> Bool {
    for recognizer in recognizers { recognizer.lift() }
    let isTaken = recognizers.contains { $0.state == .ended && $0.cancelsTouchesInView }
    for recognizer in recognizers { (recognizer.state, recognizer.touches) = (.possible, nil) }
    return !isTaken && starts.count == 1 && isPress()
  }
}

extension UIView {
  /// Puts fingers down, moves them, or lifts all if none is given; in points from the view's corner. The recognizers of
  /// the view and of those around it follow, while time passes by `step(by:)`. Fingers that scroll are those of
  /// `scroll(to:touch:)`.
  public final func touch(_ places: CGPoint...) {
    guard places.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return }
    let collectionView = self as? UICollectionView
    if places.isEmpty, let ended = touches {
      let isTap = ended.lift()
      touches = nil
      if isTap, let place = ended.fingers.first { collectionView?.tap(at: convert(place, from: nil)) }
    } else if let finger = places.first {
      let current = touches ?? Touches(on: self)
      touches = current
      collectionView?.engine.moveTouch(to: Point(finger))
      current.move(to: places.map { convert(CGPoint(x: bounds.minX + $0.x, y: bounds.minY + $0.y), to: nil) })
    }
  }
}

private func distance(_ a: CGPoint, _ b: CGPoint) -> CGFloat { hypot(a.x - b.x, a.y - b.y) }
