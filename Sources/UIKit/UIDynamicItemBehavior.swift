import Dynamics
import Foundation

/// Sets properties of items, and reads and changes their velocities. If several behaviors of this class contain an
/// item, the properties of the behavior that was added last apply.
open class UIDynamicItemBehavior: UIGroupBehavior {
  private final var engine: DynamicItemBehavior? { group as? DynamicItemBehavior }

  public init(items: [any UIDynamicItem] = []) { super.init(members: items) }

  /// The elasticity, from 0 (no bounce) to 1 (a bounce without a loss of energy).
  open var elasticity: CGFloat = 0 { didSet { changed() } }
  /// The friction. 0 means that items slide freely.
  open var friction: CGFloat = 0 { didSet { changed() } }
  /// The mass per area. At 1, a push of 1 has the effect that `UIPushBehavior` documents.
  open var density: CGFloat = 1 { didSet { changed() } }
  /// The rate at which items lose speed, 1/seconds.
  open var resistance: CGFloat = 0 { didSet { changed() } }
  /// The rate at which items lose spin, 1/seconds.
  open var angularResistance: CGFloat = 0 { didSet { changed() } }
  /// Whether items may rotate. Setting it to false also ends their spin.
  open var allowsRotation = true { didSet { changed() } }
  /// The charge, on which electric and magnetic fields act.
  open var charge: CGFloat = 0 { didSet { changed() } }
  /// Whether the items stay where they are, like boundaries.
  open var isAnchored = false { didSet { changed() } }

  /// The properties for the engine. An elasticity above 1 counts as 1, as in UIKit.
  final var properties: ItemProperties {
    ItemProperties(
      density: density.usable(1e-9...1e9), elasticity: elasticity.usable(0...1), friction: friction.usable(),
      resistance: resistance.usable(), angularResistance: angularResistance.usable(), allowsRotation: allowsRotation,
      isAnchored: isAnchored)
  }

  private func changed() { engine?.properties = properties }

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
    guard let engine, let body = dynamicAnimator?.engineItem(item) else {
      return waiting.append { $0.addLinearVelocity(velocity, for: item) }
    }
    try? engine.addLinearVelocity(Vector(dx: Double(velocity.x), dy: Double(velocity.y)), for: body)
  }

  /// Adds to the spin of an item, radians per second. Does nothing if the item may not rotate.
  open func addAngularVelocity(_ velocity: CGFloat, for item: any UIDynamicItem) {
    guard let engine, let body = dynamicAnimator?.engineItem(item) else {
      return waiting.append { $0.addAngularVelocity(velocity, for: item) }
    }
    try? engine.addAngularVelocity(Double(velocity), for: body)
  }

  /// The velocities to add as soon as the behavior runs.
  private final var waiting: [(UIDynamicItemBehavior) -> Void] = []

  override final func makeGroup() -> GroupBehavior { DynamicItemBehavior(properties: properties) }

  override final func join(_ animator: UIDynamicAnimator) {
    super.join(animator)
    let waiting = waiting
    self.waiting = []
    for change in waiting { change(self) }
  }
}
