/// Accelerates each item by an acceleration of its own, as a push or a force field does.
package final class ForceBehavior: GroupBehavior {
  private var accelerations: [ObjectIdentifier: Vector] = [:]

  package init() { super.init(items: []) }

  override func apply(to body: inout BodyDefinition, of item: any DynamicItem) {
    guard let acceleration = accelerations[ObjectIdentifier(item)] else { return }
    body.acceleration.dx += acceleration.dx
    body.acceleration.dy += acceleration.dy
  }

  public override func removeItem(_ item: any DynamicItem) throws(DynamicsError) {
    try super.removeItem(item)
    accelerations[ObjectIdentifier(item)] = nil
  }

  /// Sets the acceleration of an item, points per second². It acts until it is set again. A sleeping item wakes only if
  /// its acceleration was 0 before, or if the change is large enough to be visible. Otherwise the tiny changes of a
  /// force field would keep all items awake.
  package func setAcceleration(_ acceleration: Vector, of item: any DynamicItem) throws(DynamicsError) {
    guard acceleration.isFinite else { throw .gravityNotFinite(direction: acceleration) }
    let old = accelerations.updateValue(acceleration, forKey: ObjectIdentifier(item)) ?? .zero
    guard acceleration != old, let animator else { return }
    let visible = 1.0
    animator.coupled.pointee.refresh(item, wakes: old == .zero || (acceleration - old).squared > visible * visible)
    animator.resumeIfAwake()
  }

  /// Returns the item's charge, or 0 if the item has no body.
  package func charge(of item: any DynamicItem) -> Double {
    guard let coupled = animator?.coupled, let slot = coupled.pointee.slot(of: item) else { return 0 }
    return coupled.pointee.world.bodies.definitions[slot].properties.charge
  }

  /// Returns the item's mass, density times area. It is infinite if the item is anchored.
  package func mass(of item: any DynamicItem) throws(DynamicsError) -> Double {
    1 / (try motion(of: item).pointee.inverseMass)
  }

  /// Returns the moment of inertia about the item's center, mass·points². It is infinite if the item does not turn.
  package func inertia(of item: any DynamicItem) throws(DynamicsError) -> Double {
    1 / (try motion(of: item).pointee.inverseInertia)
  }
}
