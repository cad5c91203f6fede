import Dynamics
import Foundation

/// What the behaviors of a group of items have in common; an app uses the subclasses.
open class UIGroupBehavior: UIDynamicBehavior {
  public private(set) final var items: [any UIDynamicItem] = []
  private final var members: Set<ObjectIdentifier> = []

  init(members: [any UIDynamicItem]) {
    super.init()
    for item in members where self.members.insert(ObjectIdentifier(item)).inserted { items.append(item) }
  }

  final func contains(_ item: any UIDynamicItem) -> Bool { members.contains(ObjectIdentifier(item)) }

  /// Does nothing if the item already belongs to the group.
  open func addItem(_ item: any UIDynamicItem) {
    guard members.insert(ObjectIdentifier(item)).inserted else { return }
    items.append(item)
    if let dynamicAnimator { joined(dynamicAnimator.retain(item), dynamicAnimator) }
  }

  /// Does nothing if the item does not belong to the group.
  /// - Complexity: O(items).
  open func removeItem(_ item: any UIDynamicItem) {
    guard members.remove(ObjectIdentifier(item)) != nil else { return }
    items.removeAll { $0 === item }
    guard let dynamicAnimator, let body = dynamicAnimator.engineItem(item) else { return }
    left(body, dynamicAnimator)
    dynamicAnimator.release(item)
  }

  /// Called with an item of the running behavior.
  func joined(_ item: EngineItem, _ animator: UIDynamicAnimator) {}
  func left(_ item: EngineItem, _ animator: UIDynamicAnimator) {}

  override func join(_ animator: UIDynamicAnimator) {
    for item in items { joined(animator.retain(item), animator) }
  }

  override func leave(_ animator: UIDynamicAnimator) {
    for item in items {
      if let body = animator.engineItem(item) { left(body, animator) }
      animator.release(item)
    }
  }

  /// Adds an item to the engine's group.
  final func add(_ item: EngineItem, to group: GroupBehavior?) {
    mustSucceed { () throws(DynamicsError) in try group?.addItem(item) }
  }

  final func remove(_ item: EngineItem, from group: GroupBehavior?) {
    mustSucceed { () throws(DynamicsError) in try group?.removeItem(item) }
  }
}

/// Accelerates items as if they fell.
open class UIGravityBehavior: UIGroupBehavior {
  private final var engine: GravityBehavior?
  /// Direction and strength; a length of 1 is 1,000 points per second².
  open var gravityDirection = CGVector(dx: 0, dy: 1) {
    didSet { engine?.gravityDirection = Vector(checked(gravityDirection)) }
  }

  public init(items: [any UIDynamicItem] = []) { super.init(members: items) }

  /// Radians, clockwise from the right.
  open var angle: CGFloat {
    get { CGFloat(atan2(Double(gravityDirection.dy), Double(gravityDirection.dx))) }
    set { setAngle(newValue, magnitude: magnitude) }
  }

  /// 1 is 1,000 points per second².
  open var magnitude: CGFloat {
    get {
      (gravityDirection.dx * gravityDirection.dx + gravityDirection.dy * gravityDirection.dy).squareRoot()
    }
    set { setAngle(angle, magnitude: newValue) }
  }

  open func setAngle(_ angle: CGFloat, magnitude: CGFloat) {
    gravityDirection = CGVector(angle: angle, magnitude: magnitude)
  }

  private func checked(_ direction: CGVector) -> CGVector {
    guard direction.dx.isFinite, direction.dy.isFinite else {
      raise(DynamicsError.gravityNotFinite(direction: Vector(direction)).description)
    }
    return direction
  }

  override final func join(_ animator: UIDynamicAnimator) {
    let engine = GravityBehavior(gravityDirection: Vector(gravityDirection))
    animator.run(engine)
    self.engine = engine
    super.join(animator)
  }

  override final func leave(_ animator: UIDynamicAnimator) {
    super.leave(animator)
    if let engine { animator.end(engine) }
    engine = nil
  }

  override final func forget() { engine = nil }
  override final func joined(_ item: EngineItem, _ animator: UIDynamicAnimator) { add(item, to: engine) }
  override final func left(_ item: EngineItem, _ animator: UIDynamicAnimator) { remove(item, from: engine) }
}

extension CGVector {
  /// - Parameter angle: Radians, clockwise from the right.
  init(angle: CGFloat, magnitude: CGFloat) {
    self.init(
      dx: magnitude * CGFloat(PortableMath.cos(Double(angle))),
      dy: magnitude * CGFloat(PortableMath.sin(Double(angle))))
  }
}
