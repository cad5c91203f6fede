import Dynamics
import Foundation

/// Sets properties of items, and reads and changes their velocities. As in UIKit, a property applies only if it
/// was set to a value that differs from the one before. If several behaviors of this class contain an item, the last one
/// that sets the property in this way determines it. Children count as later than their parent. If no behavior sets it,
/// the item has the default.
open class UIDynamicItemBehavior: UIGroupBehavior {
  final var engine: DynamicItemBehavior? { group as? DynamicItemBehavior }
  /// The properties that apply, with the nearest values that the engine can use.
  private final var changes: [PartialKeyPath<ItemProperties>: (inout ItemProperties) -> Void] = [:] {
    didSet { engine?.changes = changes }
  }

  public init(items: [any UIDynamicItem] = []) { super.init(members: items) }

  private func change<Value>(_ property: WritableKeyPath<ItemProperties, Value>, to value: Value) {
    changes[property] = { $0[keyPath: property] = value }
  }

  /// The elasticity, from 0 (no bounce) to 1 (a bounce without a loss of energy). Larger values count as 1.
  open var elasticity: CGFloat = 0.2 {
    didSet { if elasticity != oldValue { change(\.elasticity, to: elasticity.usable(0...1)) } }
  }
  /// The friction. 0 means that items slide freely.
  open var friction: CGFloat = 0.2 { didSet { if friction != oldValue { change(\.friction, to: friction.usable()) } } }
  /// The mass per area. At 1, a push of 1 has the effect that `UIPushBehavior` documents.
  open var density: CGFloat = 1 {
    didSet { if density != oldValue { change(\.density, to: density.usable(1e-9...1e9)) } }
  }
  /// The rate at which items lose speed, 1/seconds.
  open var resistance: CGFloat = 0.1 {
    didSet { if resistance != oldValue { change(\.resistance, to: resistance.usable()) } }
  }
  /// The rate at which items lose spin, 1/seconds.
  open var angularResistance: CGFloat = 0.1 {
    didSet { if angularResistance != oldValue { change(\.angularResistance, to: angularResistance.usable()) } }
  }
  /// Whether items may rotate. Setting it to false also ends their spin.
  open var allowsRotation = true {
    didSet { if allowsRotation != oldValue { change(\.allowsRotation, to: allowsRotation) } }
  }
  /// The charge, on which electric fields act. Magnetic fields act if the charge is not 0.
  open var charge: CGFloat = 0 { didSet { if charge != oldValue { change(\.charge, to: Double(charge)) } } }
  /// Whether the items stay where they are, like boundaries.
  open var isAnchored = false { didSet { if isAnchored != oldValue { change(\.isAnchored, to: isAnchored) } } }

  /// The velocity of an item, points per second. Zero if the behavior does not contain the item, or is not running.
  open func linearVelocity(for item: any UIDynamicItem) -> CGPoint {
    guard let engine, let body = dynamicAnimator?.engineItem(item), let velocity = try? engine.linearVelocity(for: body)
    else { return .zero }
    return CGPoint(x: velocity.dx, y: velocity.dy)
  }

  /// The spin of an item, radians per second. Zero if the behavior does not contain the item, or is not running.
  open func angularVelocity(for item: any UIDynamicItem) -> CGFloat {
    guard let engine, let body = dynamicAnimator?.engineItem(item) else { return 0 }
    return CGFloat((try? engine.angularVelocity(for: body)) ?? 0)
  }

  /// Adds to the velocity of an item, points per second. If the behavior is not running yet, the velocity is added when
  /// it starts. A velocity that is not finite is ignored.
  open func addLinearVelocity(_ velocity: CGPoint, for item: any UIDynamicItem) {
    guard let engine else { return waiting.append { $0.addLinearVelocity(velocity, for: item) } }
    guard let body = dynamicAnimator?.engineItem(item) else { return }
    try? engine.addLinearVelocity(Vector(velocity), for: body)
  }

  /// Adds to the spin of an item, radians per second. Does nothing if the item may not rotate.
  open func addAngularVelocity(_ velocity: CGFloat, for item: any UIDynamicItem) {
    guard let engine else { return waiting.append { $0.addAngularVelocity(velocity, for: item) } }
    guard let body = dynamicAnimator?.engineItem(item) else { return }
    try? engine.addAngularVelocity(Double(velocity), for: body)
  }

  /// The velocities to add as soon as the behavior runs.
  private final var waiting: [(UIDynamicItemBehavior) -> Void] = []

  override final func makeGroup(in animator: UIDynamicAnimator) -> GroupBehavior {
    let group = DynamicItemBehavior()
    group.changes = changes
    return group
  }

  override final func join(_ animator: UIDynamicAnimator) {
    super.join(animator)
    if parent != nil { animator.isOutOfOrder = true }
    let waiting = waiting
    self.waiting = []
    for change in waiting { change(self) }
  }
}
