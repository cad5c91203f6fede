/// Accelerates each of its items in its own way, as a push or a field of force does.
package final class ForceBehavior: GroupBehavior {
  private var accelerations: [ObjectIdentifier: Vector] = [:]

  package init() { super.init(items: []) }

  override func apply(to body: inout BodyDefinition, of item: any DynamicItem) {
    guard let acceleration = accelerations[ObjectIdentifier(item)] else { return }
    body.acceleration.dx += acceleration.dx
    body.acceleration.dy += acceleration.dy
  }

  /// Sets the acceleration of an item until it is set again, points per second². Wakes the item only if the change
  /// could be seen, so that items come to rest in a field.
  package func setAcceleration(_ acceleration: Vector, of item: any DynamicItem) throws(DynamicsError) {
    guard acceleration.isFinite else { throw .gravityNotFinite(direction: acceleration) }
    let old = accelerations.updateValue(acceleration, forKey: ObjectIdentifier(item)) ?? .zero
    guard acceleration != old, let animator else { return }
    let visible = 1.0
    animator.coupled.pointee.refresh(item, wakes: old == .zero || (acceleration - old).squared > visible * visible)
    animator.resumeIfAwake()
  }

  /// The item's mass: density times area; infinite if it is anchored.
  package func mass(of item: any DynamicItem) throws(DynamicsError) -> Double {
    1 / (try motion(of: item).pointee.inverseMass)
  }

  /// The moment of inertia about the item's centre, mass·points²; infinite if the item does not turn.
  package func inertia(of item: any DynamicItem) throws(DynamicsError) -> Double {
    1 / (try motion(of: item).pointee.inverseInertia)
  }
}
