import Dynamics
import Foundation

/// Pushes items: a magnitude of 1 accelerates an item of 100×100 points and a density of 1 by 100 points per second².
open class UIPushBehavior: UIGroupBehavior {
  public enum Mode: Int, Sendable {
    case continuous
    /// Once, as if the force had acted for a second.
    case instantaneous
  }

  public final let mode: Mode
  private final var engines: [ObjectIdentifier: GravityBehavior] = [:]
  private final var hasPushed = false

  public init(items: [any UIDynamicItem], mode: Mode) {
    self.mode = mode
    super.init(members: items)
  }

  /// Whether it pushes. An instantaneous push is inactive once it has pushed; activating it pushes again.
  open var active: Bool = true {
    didSet {
      hasPushed = false
      refresh()
    }
  }

  /// Direction and strength.
  open var pushDirection = CGVector.zero { didSet { refresh() } }

  /// Radians, clockwise from the right.
  open var angle: CGFloat {
    get { CGFloat(atan2(Double(pushDirection.dy), Double(pushDirection.dx))) }
    set { setAngle(newValue, magnitude: magnitude) }
  }

  open var magnitude: CGFloat {
    get { (pushDirection.dx * pushDirection.dx + pushDirection.dy * pushDirection.dy).squareRoot() }
    set { setAngle(angle, magnitude: newValue) }
  }

  open func setAngle(_ angle: CGFloat, magnitude: CGFloat) {
    pushDirection = CGVector(angle: angle, magnitude: magnitude)
  }

  private func refresh() {
    for item in items { engines[ObjectIdentifier(item)]?.gravityDirection = acceleration(of: item) }
  }

  /// The effect on an item, as a gravity.
  private func acceleration(of item: any UIDynamicItem) -> Vector {
    guard active, mode == .continuous else { return .zero }
    let (push, share) = (pushDirection, acceleration(on: item) / GravityBehavior.accelerationOfOne)
    return Vector(dx: Double(push.dx) * share, dy: Double(push.dy) * share)
  }

  /// The acceleration by a magnitude of 1, points per second².
  private func acceleration(on item: any UIDynamicItem) -> Double {
    let density = dynamicAnimator?.density(of: item) ?? 1
    let area = Double(item.bounds.width * item.bounds.height)
    return 100 * 100 * 100 / (density * max(area, 1e-9))
  }

  override final func joined(_ item: EngineItem, _ animator: UIDynamicAnimator) {
    let engine = GravityBehavior(items: [item], gravityDirection: acceleration(of: item.item))
    animator.run(engine)
    engines[ObjectIdentifier(item.item)] = engine
  }

  override final func left(_ item: EngineItem, _ animator: UIDynamicAnimator) {
    if let engine = engines.removeValue(forKey: ObjectIdentifier(item.item)) { animator.end(engine) }
  }

  override final func forget() { engines = [:] }

  override final func willStep(by timestep: Double, _ animator: UIDynamicAnimator) {
    // A density may have been set since.
    if mode == .continuous { return refresh() }
    guard active, !hasPushed else { return }
    for item in items {
      let share = acceleration(on: item)
      animator.push(
        item, by: Vector(dx: Double(pushDirection.dx) * share, dy: Double(pushDirection.dy) * share))
    }
    active = false
    hasPushed = true
  }
}

extension UIDynamicAnimator {
  /// The properties that the last behavior gives an item; nil if none does.
  private func properties(of item: any UIDynamicItem) -> ItemProperties? {
    func last(_ behaviors: [UIDynamicBehavior]) -> ItemProperties? {
      for behavior in behaviors.reversed() {
        if let found = last(behavior.childBehaviors) { return found }
        if let behavior = behavior as? UIDynamicItemBehavior, behavior.contains(item) {
          return behavior.properties
        }
      }
      return nil
    }
    return last(behaviors)
  }

  final func density(of item: any UIDynamicItem) -> Double { properties(of: item)?.density ?? 1 }

  /// Changes the velocity of an item of a running behavior, points per second.
  final func push(_ item: any UIDynamicItem, by velocity: Vector) {
    guard let body = engineItem(item) else { return }
    // The engine changes velocities through a group with the item.
    let group = DynamicItemBehavior(items: [body], properties: properties(of: item) ?? .unconfigured)
    run(group)
    mustSucceed { () throws(DynamicsError) in try group.addLinearVelocity(velocity, for: body) }
    end(group)
  }
}

/// Pulls an item to a point, where it comes to rest upright.
open class UISnapBehavior: UIDynamicBehavior {
  private final let item: any UIDynamicItem
  private final var spring: RectangleAttachmentBehavior?
  /// From 0, which swings much, to 1, which does not swing. The engine's springs at the corners of the item have the same
  /// damping for all values.
  open var damping: CGFloat = 0.5
  open var snapPoint: CGPoint {
    didSet { mustSucceed { () throws(DynamicsError) in try spring?.pullItem(to: Point(snapPoint)) } }
  }

  public init(item: any UIDynamicItem, snapTo point: CGPoint) {
    (self.item, snapPoint) = (item, point)
    super.init()
  }

  override final func join(_ animator: UIDynamicAnimator) {
    let spring = RectangleAttachmentBehavior(item: animator.retain(item), point: Point(item.center))
    animator.run(spring)
    self.spring = spring
    mustSucceed { () throws(DynamicsError) in try spring.pullItem(to: Point(snapPoint)) }
  }

  override final func leave(_ animator: UIDynamicAnimator) {
    if let spring { animator.end(spring) }
    spring = nil
    animator.release(item)
  }

  override final func forget() { spring = nil }
}
