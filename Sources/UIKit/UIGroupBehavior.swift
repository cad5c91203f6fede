import Dynamics
import Foundation

/// The base of behaviors that act on a group of items; an app uses the subclasses.
open class UIGroupBehavior: UIDynamicBehavior {
  public private(set) final var items: [any UIDynamicItem] = []
  private final var members: Set<ObjectIdentifier> = []
  /// The objects that represent the items in the engine, in the same order. Empty unless an animator runs the behavior.
  private final var bodies: [EngineItem] = []
  /// The behavior of the module Dynamics that acts on the items while this behavior runs, otherwise nil.
  private(set) final var group: GroupBehavior?

  init(members: [any UIDynamicItem]) {
    super.init()
    for item in members where self.members.insert(ObjectIdentifier(item)).inserted { items.append(item) }
  }

  /// Does nothing if the item already belongs to the group.
  open func addItem(_ item: any UIDynamicItem) {
    guard members.insert(ObjectIdentifier(item)).inserted else { return }
    items.append(item)
    if let dynamicAnimator { dynamicAnimator.whole { add(item, in: dynamicAnimator) } }
  }

  /// Does nothing if the item does not belong to the group.
  /// - Complexity: O(items).
  open func removeItem(_ item: any UIDynamicItem) {
    guard members.remove(ObjectIdentifier(item)) != nil, let index = items.firstIndex(where: { $0 === item }) else {
      return
    }
    items.remove(at: index)
    if let dynamicAnimator { remove(bodies.remove(at: index), in: dynamicAnimator) }
  }

  func makeGroup(in animator: UIDynamicAnimator) -> GroupBehavior { fatalError("\(type(of: self)) has no group") }
  func end(_ group: GroupBehavior, in animator: UIDynamicAnimator) { animator.end(group) }

  override func join(_ animator: UIDynamicAnimator) {
    let group = makeGroup(in: animator)
    animator.run(group)
    self.group = group
    for item in items { add(item, in: animator) }
  }

  override final func leave(_ animator: UIDynamicAnimator) {
    for body in bodies { remove(body, in: animator) }
    if let group { end(group, in: animator) }
    forget()
  }

  override func forget() { (group, bodies) = (nil, []) }

  /// Wakes the items, because the animator skips items at rest.
  final func changed() {
    guard let dynamicAnimator else { return }
    for item in items { dynamicAnimator.updateItem(usingCurrentState: item) }
  }

  private func add(_ item: any UIDynamicItem, in animator: UIDynamicAnimator) {
    let body = animator.retain(item)
    bodies.append(body)
    // Several gravity behaviors share one group, and several attributes of one element share one body.
    try? group?.retainItem(body)
  }

  private func remove(_ body: EngineItem, in animator: UIDynamicAnimator) {
    try? group?.releaseItem(body)
    animator.release(body)
  }
}

/// Accelerates items in one direction, as gravity does. An animator has only one gravity, as in UIKit: of several
/// behaviors, the one that was added or changed last sets it for the items of all, and removing one of them ends it.
open class UIGravityBehavior: UIGroupBehavior {
  /// The direction and strength of the gravity. A length of 1 means 1,000 points per second².
  open var gravityDirection = CGVector(dx: 0, dy: 1) {
    didSet { if let dynamicAnimator { set(direction, in: dynamicAnimator) } }
  }

  public init(items: [any UIDynamicItem] = []) { super.init(members: items) }

  /// The direction of the gravity, radians clockwise from the right.
  open var angle: CGFloat {
    get { gravityDirection.angle }
    set { setAngle(newValue, magnitude: magnitude) }
  }

  /// The strength of the gravity. 1 means 1,000 points per second².
  open var magnitude: CGFloat {
    get { gravityDirection.length }
    set { setAngle(angle, magnitude: newValue) }
  }

  open func setAngle(_ angle: CGFloat, magnitude: CGFloat) {
    gravityDirection = CGVector(angle: angle, magnitude: magnitude)
  }

  private var direction: Vector { Vector(gravityDirection).isFinite ? Vector(gravityDirection) : .zero }

  override final func makeGroup(in animator: UIDynamicAnimator) -> GroupBehavior {
    set(direction, in: animator)
    return animator.gravity
  }

  override final func end(_ group: GroupBehavior, in animator: UIDynamicAnimator) { set(.zero, in: animator) }

  /// Does nothing if this is the direction already, because a change wakes all items.
  private func set(_ direction: Vector, in animator: UIDynamicAnimator) {
    if animator.gravity.gravityDirection != direction { animator.gravity.gravityDirection = direction }
  }
}
