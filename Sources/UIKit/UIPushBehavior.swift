import Dynamics
import Foundation

/// Pushes items: a magnitude of 1 accelerates an item of 100×100 points with a density of 1 by 100 points per second².
open class UIPushBehavior: UIGroupBehavior {
  public enum Mode: Int, Sendable {
    case continuous
    /// Pushes once, as if the force had acted for one second.
    case instantaneous
  }

  public final let mode: Mode
  private final var engine: ForceBehavior? { group as? ForceBehavior }
  private final var offsets: [ObjectIdentifier: UIOffset] = [:]

  public init(items: [any UIDynamicItem], mode: Mode) {
    self.mode = mode
    super.init(members: items)
  }

  /// Whether the behavior pushes. An instantaneous push becomes inactive after one step. Activating it pushes again.
  open var active: Bool = true { didSet { changed() } }

  /// The direction and strength of the push.
  open var pushDirection = CGVector.zero {
    didSet {
      if pushDirection != .zero { lastAngle = pushDirection.angle }
      changed()
    }
  }
  /// The latest angle, radians. It is stored because a push with a magnitude of 0 has no direction.
  private final var lastAngle: CGFloat = 0

  /// The direction of the push, radians clockwise from the right.
  open var angle: CGFloat {
    get { lastAngle }
    set { setAngle(newValue, magnitude: magnitude) }
  }

  open var magnitude: CGFloat {
    get { pushDirection.length }
    set { setAngle(angle, magnitude: newValue) }
  }

  open func setAngle(_ angle: CGFloat, magnitude: CGFloat) {
    lastAngle = angle
    pushDirection = CGVector(angle: angle, magnitude: magnitude)
  }

  /// Returns where the force acts, in points from the item's center. The offset does not rotate with the item. The
  /// default is zero.
  open func targetOffsetFromCenter(for item: any UIDynamicItem) -> UIOffset { offsets[ObjectIdentifier(item)] ?? .zero }

  /// Sets the point where the force acts. A force that acts off the center also rotates the item.
  open func setTargetOffsetFromCenter(_ o: UIOffset, for item: any UIDynamicItem) {
    offsets[ObjectIdentifier(item)] = o
    dynamicAnimator?.updateItem(usingCurrentState: item)
  }

  open override func removeItem(_ item: any UIDynamicItem) {
    super.removeItem(item)
    offsets[ObjectIdentifier(item)] = nil
  }

  /// Returns by how much one second of the force changes the velocity (points/second) and the spin (radians/second).
  private func effect(on item: EngineItem, _ engine: ForceBehavior) throws(DynamicsError) -> (
    velocity: Vector, spin: Double
  ) {
    let force = Vector(pushDirection).times(ForceBehavior.newton)
    let lever = Vector(targetOffsetFromCenter(for: item.item))
    return (force.times(1 / (try engine.mass(of: item))), lever.cross(force) / (try engine.inertia(of: item)))
  }

  override final func willStep(by timestep: Double, _ animator: UIDynamicAnimator) {
    guard let engine else { return }
    for case let item as EngineItem in engine.items { try? push(item, engine, by: timestep) }
    if mode == .instantaneous, active { active = false }
  }

  /// Pushes an item. Throws if the engine rejects the force, for example because it is not finite.
  private func push(_ item: EngineItem, _ engine: ForceBehavior, by timestep: Double) throws(DynamicsError) {
    let (velocity, spin) = try active ? effect(on: item, engine) : (.zero, 0)
    switch mode {
    case .continuous:
      try engine.setAcceleration(velocity, of: item)
      if spin != 0 { try engine.addAngularVelocity(spin * timestep / 2, for: item) }
    case .instantaneous where active:
      try engine.addLinearVelocity(velocity, for: item)
      try engine.addAngularVelocity(spin, for: item)
    case .instantaneous: break
    }
  }

  /// Applies the second half of the torque after the step. `willStep` applied the first half before the step.
  override final func didStep(by timestep: Double, _ animator: UIDynamicAnimator) {
    guard let engine, active, mode == .continuous, !offsets.isEmpty else { return }
    for case let item as EngineItem in engine.items {
      guard let spin = try? effect(on: item, engine).spin, spin != 0 else { continue }
      try? engine.addAngularVelocity(spin * timestep / 2, for: item)
    }
  }

  override final func makeGroup(in animator: UIDynamicAnimator) -> GroupBehavior { ForceBehavior() }
}

extension ForceBehavior {
  /// UIKit's unit of force in the unit of the module Dynamics, where mass is density times area (in square points).
  static var newton: Double { 1e6 }
}
