import Dynamics
import Foundation

/// Sets properties of items, and reads and changes their velocities. If several apply to the same item, the one that
/// was added last counts.
open class UIDynamicItemBehavior: UIGroupBehavior {
  private final var engine: DynamicItemBehavior? { group as? DynamicItemBehavior }

  public init(items: [any UIDynamicItem] = []) { super.init(members: items) }

  /// 0 for items that do not bounce, 1 for items that lose nothing.
  open var elasticity: CGFloat = 0 { didSet { changed() } }
  /// 0 for smooth items.
  open var friction: CGFloat = 0 { didSet { changed() } }
  /// Mass is density times area; 1 is the mass on which a push of 1 has its documented effect.
  open var density: CGFloat = 1 { didSet { changed() } }
  /// Rate of losing speed, 1/seconds.
  open var resistance: CGFloat = 0 { didSet { changed() } }
  /// Rate of losing spin, 1/seconds.
  open var angularResistance: CGFloat = 0 { didSet { changed() } }
  /// If false, nothing turns the items, and any spin ends.
  open var allowsRotation = true { didSet { changed() } }
  /// The charge, on which electric and magnetic fields act.
  open var charge: CGFloat = 0
  /// Whether the items stay where they are, like boundaries.
  open var isAnchored = false { didSet { changed() } }

  /// An elasticity above 1 counts as 1: in UIKit, items bounce no higher than if they lose nothing.
  final var properties: ItemProperties {
    ItemProperties(
      density: density.usable(1e-9...1e9), elasticity: elasticity.usable(0...1), friction: friction.usable(),
      resistance: resistance.usable(), angularResistance: angularResistance.usable(), allowsRotation: allowsRotation,
      isAnchored: isAnchored)
  }

  private func changed() { engine?.properties = properties }

  /// The velocity of an item, points per second; zero for an item that the running behavior does not have.
  open func linearVelocity(for item: any UIDynamicItem) -> CGPoint {
    guard let engine, let body = dynamicAnimator?.engineItem(item), let velocity = try? engine.linearVelocity(for: body)
    else { return .zero }
    return CGPoint(x: velocity.dx, y: velocity.dy)
  }

  /// The spin of an item, radians per second; zero for an item that the running behavior does not have.
  open func angularVelocity(for item: any UIDynamicItem) -> CGFloat {
    guard let engine, let body = dynamicAnimator?.engineItem(item) else { return 0 }
    return CGFloat((try? engine.angularVelocity(for: body)) ?? 0)
  }

  /// Adds to an item's velocity, points per second. Before the behavior runs, the velocity is kept until it does. One
  /// that is not finite is ignored.
  open func addLinearVelocity(_ velocity: CGPoint, for item: any UIDynamicItem) {
    guard let engine, let body = dynamicAnimator?.engineItem(item) else {
      return waiting.append { $0.addLinearVelocity(velocity, for: item) }
    }
    try? engine.addLinearVelocity(Vector(dx: Double(velocity.x), dy: Double(velocity.y)), for: body)
  }

  /// Adds to an item's spin, radians per second; an item that may not rotate does not.
  open func addAngularVelocity(_ velocity: CGFloat, for item: any UIDynamicItem) {
    guard let engine, let body = dynamicAnimator?.engineItem(item) else {
      return waiting.append { $0.addAngularVelocity(velocity, for: item) }
    }
    try? engine.addAngularVelocity(Double(velocity), for: body)
  }

  /// Velocities that were added before the behavior ran.
  private final var waiting: [(UIDynamicItemBehavior) -> Void] = []

  override final func makeGroup() -> GroupBehavior { DynamicItemBehavior(properties: properties) }

  override final func join(_ animator: UIDynamicAnimator) {
    super.join(animator)
    let waiting = waiting
    self.waiting = []
    for change in waiting { change(self) }
  }
}
