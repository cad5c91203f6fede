import Dynamics
import Foundation

/// A method that a gesture or a control calls. Without Objective-C, methods cannot be found by name, so app files use
/// `Selector(method(_:))` instead of `#selector(method(_:))`.
public struct Selector {
  /// Calls the method of the target (the first argument) with the gesture recognizer or the control.
  let send: (AnyObject?, AnyObject) -> Void

  /// Creates a selector for a method of an object, and keeps the object alive.
  public init<Sender>(_ method: @escaping (Sender) -> Void) {
    send = { _, sender in
      guard let sender = sender as? Sender else { raise("a gesture calls a method that takes \(Sender.self)") }
      method(sender)
    }
  }

  /// Creates a selector for a method of an object, and keeps the object alive.
  public init(_ method: @escaping () -> Void) { send = { _, _ in method() } }

  /// Creates a selector for a method of the target's class.
  public init<Target: AnyObject, Sender>(_ method: @escaping (Target) -> (Sender) -> Void) {
    send = { target, sender in
      guard let target = target as? Target else { return }
      Selector(method(target)).send(target, sender)
    }
  }

  /// Creates a selector for a method of the target's class.
  public init<Target: AnyObject>(_ method: @escaping (Target) -> () -> Void) {
    send = { target, _ in (target as? Target).map { method($0)() } }
  }

  /// Creates a selector with only a name. This compiles, but the program ends when a gesture calls the selector.
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

/// Recognizes a gesture of simulated fingers; see `UIView.touch(_:)`.
open class UIGestureRecognizer: NSObject {
  public enum State: Int, Sendable {
    case possible, began, changed, ended, cancelled, failed
    public static let recognized = State.ended
  }

  open var state = State.possible
  /// Whether the recognizer reacts to touches. Setting this to false cancels a gesture that is under way.
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

  /// Removes all actions of `target`, or of all targets if `target` is nil. Ignores `action`, because functions cannot
  /// be compared.
  open func removeTarget(_ target: Any?, action: Selector?) {
    let object = target as AnyObject?
    actions.removeAll { object == nil || $0.target() === object }
  }

  open var numberOfTouches: Int { fingers.count }

  /// Ends the program if there is no touch with this index.
  open func location(ofTouch touchIndex: Int, in view: UIView?) -> CGPoint {
    guard fingers.indices.contains(touchIndex) else { raise("touch \(touchIndex), of \(fingers.count)") }
    return view?.convert(fingers[touchIndex], from: nil) ?? fingers[touchIndex]
  }

  /// Returns the midpoint of the fingers that `touch(_:)` has put down, in the coordinates of `view`, or of the
  /// hierarchy's root if `view` is nil. During `scroll(to:touch:)` no such finger is down. Then a recognizer of a
  /// collection view returns the view's last touch, relative to the view's corner if `view` is nil. Any other recognizer
  /// returns zero.
  open func location(in view: UIView?) -> CGPoint {
    if let fingers = touches?.middle { return view?.convert(fingers, from: nil) ?? fingers }
    guard let own = self.view as? UICollectionView else { return .zero }
    let touch = own.touchOnScreen
    guard let view else { return touch }
    let onContent = CGPoint(x: touch.x + own.bounds.minX, y: touch.y + own.bounds.minY)
    return view === own ? onContent : own.convert(onContent, to: view)
  }

  // MARK: Recognition

  /// The places of the fingers, in the coordinates of the root of the view hierarchy.
  final var fingers: [CGPoint] { touches?.fingers ?? [] }
  final var isUnderWay: Bool { state == .began || state == .changed }
  /// Whether the present fingers can begin the gesture.
  var begins: Bool { false }
  /// Whether lifting the present fingers completes the gesture.
  var isRecognizedByLifting: Bool { false }

  /// Whether the gesture ends at once when it is recognized.
  var isDiscrete: Bool { false }

  func fingerCameDown() {}
  func fingersMoved() {}

  final func become(_ next: State) {
    state = next
    tellTargets()
  }

  final func tellTargets() {
    guard state != .failed, state != .possible else { return }
    for (target, action) in actions { if let target = target() { action.send(target, self) } }
  }

  final func beginIfReady() {
    if state == .possible, begins { become(mayBegin ? isDiscrete ? .ended : .began : .failed) }
  }

  final func lift() { if isUnderWay || state == .possible && isRecognizedByLifting && mayBegin { become(.ended) } }

  /// Whether the gesture may begin. Only one gesture begins at a time, unless a delegate allows more.
  private var mayBegin: Bool {
    guard isEnabled, delegate?.gestureRecognizerShouldBegin(self) != false else { return false }
    return touches?.recognizers.allSatisfy {
      $0 === self || !$0.isUnderWay && $0.state != .ended
        || delegate?.gestureRecognizer(self, shouldRecognizeSimultaneouslyWith: $0) == true
        || $0.delegate?.gestureRecognizer($0, shouldRecognizeSimultaneouslyWith: self) == true
    } ?? false
  }
}

/// Recognizes a touch without movement, however long it lasts.
open class UITapGestureRecognizer: UIGestureRecognizer {
  open var numberOfTouchesRequired = 1

  override var isRecognizedByLifting: Bool {
    touches.map { $0.isPress() && $0.starts.count == numberOfTouchesRequired } == true
  }
}

/// Recognizes fingers that stay in place for `minimumPressDuration`. Afterward they may move.
open class UILongPressGestureRecognizer: UIGestureRecognizer {
  /// How long the fingers must stay in place, seconds.
  open var minimumPressDuration = 0.5
  open var numberOfTouchesRequired = 1
  /// The distance that a finger may move before the gesture begins, points.
  open var allowableMovement: CGFloat = 10

  override var begins: Bool {
    guard let touches, touches.isPress(allowance: allowableMovement) else { return false }
    // Tolerates rounding errors, because sums of timesteps hardly ever equal a duration.
    return touches.fingers.count == numberOfTouchesRequired && touches.elapsed >= minimumPressDuration - 1e-9
  }
}

/// Recognizes two fingers whose distance changes. The gesture ends when all fingers are lifted.
open class UIPinchGestureRecognizer: UIGestureRecognizer {
  private final var base: (scale: CGFloat, spread: CGFloat) = (1, 0)

  /// The distance between the fingers, divided by their distance when they came down or when `scale` was last set to 1.
  open var scale: CGFloat {
    get { base.spread > 0 && fingers.count == 2 ? base.scale * spread / base.spread : base.scale }
    set { base = (newValue, spread) }
  }

  private var spread: CGFloat { fingers.count == 2 ? fingers[0].distance(to: fingers[1]) : 0 }

  override var begins: Bool { fingers.count == 2 && abs(spread - base.spread) > Touches.allowance }

  override func fingerCameDown() { scale = 1 }
}

/// Recognizes two fingers that rotate around each other. The gesture ends when all fingers are lifted.
open class UIRotationGestureRecognizer: UIGestureRecognizer {
  /// The angle by which the fingers have rotated clockwise, radians. It is 0 when they come down, and can be set.
  open var rotation: CGFloat = 0
  private final var angleBefore: CGFloat = 0

  private var way: CGVector { CGVector(dx: fingers[1].x - fingers[0].x, dy: fingers[1].y - fingers[0].y) }

  private func turn() {
    guard fingers.count == 2 else { return }
    let angle = CGFloat(atan2(Double(way.dy), Double(way.dx)))
    rotation += (angle - angleBefore).remainder(dividingBy: 2 * .pi)
    angleBefore = angle
  }

  override var begins: Bool { fingers.count == 2 && abs(rotation) * hypot(way.dx, way.dy) / 2 > Touches.allowance }

  override func fingerCameDown() {
    turn()
    rotation = 0
  }

  override func fingersMoved() { turn() }
}

/// Recognizes fingers that move 50 points in one direction within half a second, and at most 50 points sideways.
open class UISwipeGestureRecognizer: UIGestureRecognizer {
  public struct Direction: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let right = Direction(rawValue: 1)
    public static let left = Direction(rawValue: 2)
    public static let up = Direction(rawValue: 4)
    public static let down = Direction(rawValue: 8)
  }

  open var direction = Direction.right
  open var numberOfTouchesRequired = 1

  override var isDiscrete: Bool { true }

  override var begins: Bool {
    guard let touches, touches.fingers.count == numberOfTouchesRequired,
      touches.starts.count == numberOfTouchesRequired, touches.elapsed <= 0.5
    else { return false }
    let moves = zip(fingers, touches.starts).map { CGVector(dx: $0.x - $1.x, dy: $0.y - $1.y) }
    func agree(on way: Direction, _ x: CGFloat, _ y: CGFloat) -> Bool {
      guard direction.contains(way) else { return false }
      return moves.allSatisfy { move in
        let (along, across) = (move.dx * x + move.dy * y, move.dx * y + move.dy * x)
        return along >= 50 && abs(across) <= 50
      }
    }
    return agree(on: .right, 1, 0) || agree(on: .left, -1, 0) || agree(on: .down, 0, 1) || agree(on: .up, 0, -1)
  }
}

/// Recognizes moving fingers. A scroll view's own `panGestureRecognizer` follows only the finger that scrolls a
/// collection view (`scroll(to:touch:)`). All other pan recognizers follow the fingers of `UIView.touch(_:)`.
open class UIPanGestureRecognizer: UIGestureRecognizer {
  open var minimumNumberOfTouches = 1
  open var maximumNumberOfTouches = Int.max
  private final var start = CGPoint.zero

  override var begins: Bool {
    guard let touches, !touches.isPress(), touches.fingers.count >= minimumNumberOfTouches else { return false }
    // A scroll view's own pan recognizer never begins here: it follows `scroll(to:touch:)`, not `touch(_:)`.
    return touches.fingers.count <= maximumNumberOfTouches && (view as? UIScrollView)?.panGestureRecognizer !== self
  }

  override func fingerCameDown() { setTranslation(.zero, in: nil) }

  /// The movement of the finger since it came down, points of `view`. `setTranslation(_:in:)` changes where it began.
  open func translation(in view: UIView?) -> CGPoint {
    if let middle = touches?.middle { return way(from: start, to: middle, nil, view) }
    guard let own = self.view as? UICollectionView else { return .zero }
    return way(from: own.touchStart ?? own.touchOnScreen, to: own.touchOnScreen, own, view)
  }

  /// Sets the translation of the fingers. Does nothing while a finger scrolls the view.
  open func setTranslation(_ translation: CGPoint, in view: UIView?) {
    guard let middle = touches?.middle else { return }
    let back = way(from: translation, to: .zero, view, nil)
    start = CGPoint(x: middle.x + back.x, y: middle.y + back.y)
  }

  /// The velocity of the fingers in the last step, points of `view` per second.
  open func velocity(in view: UIView?) -> CGPoint {
    if let touches { return way(from: .zero, to: touches.velocity, nil, view) }
    guard let own = self.view as? UICollectionView else { return .zero }
    return way(from: .zero, to: own.touchVelocity, own, view)
  }

  /// Returns the way between two points of the view `old` in the coordinates of the view `new`. Nil means the root.
  private func way(from start: CGPoint, to end: CGPoint, _ old: UIView?, _ new: UIView?) -> CGPoint {
    // Without a transform, the way stays the same. Converting it would add rounding errors.
    guard old?.isTransformed == true || new?.isTransformed == true else {
      return CGPoint(x: end.x - start.x, y: end.y - start.y)
    }
    func place(_ point: CGPoint) -> CGPoint { old?.convert(point, to: new) ?? new?.convert(point, from: nil) ?? point }
    return way(from: place(start), to: place(end), nil, nil)
  }
}

/// A touch: the fingers on a view, from the moment when the first one comes down until all have lifted.
final class Touches {
  /// The distance that a finger may move during a press, points.
  static let allowance: CGFloat = 10
  let recognizers: [UIGestureRecognizer]
  /// The places of the fingers, in the coordinates of the root of the view hierarchy.
  private(set) var fingers: [CGPoint] = []
  /// The places of all fingers at the moment when the last finger came down.
  private(set) var starts: [CGPoint] = []
  /// The time since the last finger came down, seconds.
  private(set) var elapsed = 0.0
  /// The largest distance that any finger has moved since the last finger came down, points.
  private var farthest: CGFloat = 0
  private var middleBefore: CGPoint?
  /// The velocity of the midpoint of the fingers in the last step, points per second.
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

  /// Whether every finger has stayed within `allowance` points of where it was when the last finger came down.
  func isPress(allowance: CGFloat = allowance) -> Bool { farthest <= allowance }

  func move(to places: [CGPoint]) {
    guard places != fingers else { return }
    let isMore = places.count > fingers.count
    if isMore { (starts, elapsed, farthest, middleBefore) = (places, 0, 0, nil) }
    fingers = places
    if places.count == starts.count {
      farthest = zip(places, starts).reduce(farthest) { max($0, $1.0.distance(to: $1.1)) }
    }
    for recognizer in recognizers {
      if isMore { recognizer.fingerCameDown() } else { recognizer.fingersMoved() }
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

  /// Ends all gestures. `fingers` keeps the last places.
  /// - Returns: Whether the touch was a tap that no recognizer used.
  func lift() -> Bool {
    for recognizer in recognizers { recognizer.lift() }
    let isTaken = recognizers.contains { $0.state == .ended && $0.cancelsTouchesInView }
    for recognizer in recognizers { (recognizer.state, recognizer.touches) = (.possible, nil) }
    return !isTaken && mayBeTap
  }

  /// Whether one finger has stayed where it came down.
  var mayBeTap: Bool { starts.count == 1 && isPress() }
}

extension UIView {
  /// Puts fingers down, moves them, or lifts all of them if `places` is empty. The recognizers of the view and of its
  /// superviews react, and `step(by:)` advances their time. To scroll, call `scroll(to:touch:)` instead.
  /// - Parameter places: The places of the fingers, points from the view's corner.
  public final func touch(_ places: CGPoint...) {
    guard places.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return }
    let collectionView = self as? UICollectionView
    if places.isEmpty, let ended = touches {
      let isTap = ended.lift()
      touches = nil
      collectionView?.endTap(at: isTap ? ended.fingers.first.map { convert($0, from: nil) } : nil)
    } else if let finger = places.first {
      let isNew = touches == nil
      let current = touches ?? Touches(on: self)
      touches = current
      collectionView?.engine.moveTouch(to: Point(finger))
      current.move(to: places.map { convert(CGPoint(x: bounds.minX + $0.x, y: bounds.minY + $0.y), to: nil) })
      guard let collectionView else { return }
      if !current.mayBeTap {
        collectionView.endTap(at: nil)
      } else if isNew {
        collectionView.beginTap(at: convert(current.fingers[0], from: nil))
      }
    }
  }
}
