/// Friction and restitution between two bodies.
struct Surface: BitwiseCopyable {
  let friction: Double
  let restitution: Double
  /// The approach speed below which bodies do not bounce, points per second.
  let threshold: Double
  /// The speed along the normal that weight and other fields cause in half a sub-step, points per second. The
  /// velocities already contain this speed when an impact is solved. It belongs to the time after the impact, so a
  /// bounce does not reverse it.
  let lead: Double

  @inline(__always) init(
    _ a: UnsafeMutablePointer<BodyDefinition>, _ b: UnsafeMutablePointer<BodyDefinition>, _ normal: Vector,
    timestep: Double, step: Double
  ) {
    let (pullA, pullB) = (a.pointee.acceleration, b.pointee.acceleration)
    lead = 0.5 * step * (pullB - pullA).along(normal)
    restitution = max(a.pointee.properties.elasticity, b.pointee.properties.elasticity)
    let pull = max(max(abs(pullA.dx), abs(pullA.dy)), max(abs(pullB.dx), abs(pullB.dy)))
    threshold = restitution > 0 ? max(SolverConstants.restitutionThreshold * pull * timestep, 1e-9) : .infinity
    // At a boundary, only the friction of the other body counts.
    let (frictionA, frictionB) = (a.pointee.properties.friction, b.pointee.properties.friction)
    friction =
      a.pointee.kind == .fixed ? frictionB : b.pointee.kind == .fixed ? frictionA : (frictionA * frictionB).squareRoot()
  }
}
