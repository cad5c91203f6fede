/// What two bodies do to each other, whatever their shape.
struct Surface: BitwiseCopyable {
  let friction: Double
  let restitution: Double
  /// Points per second; slower approaches are not returned.
  let threshold: Double
  /// By how much the speed within a sub-step is ahead of that at its beginning, by the half of a kick, points per second.
  let lead: Double

  @inline(__always)
  init(
    _ a: UnsafeMutablePointer<BodyDefinition>, _ b: UnsafeMutablePointer<BodyDefinition>,
    _ manifold: Manifold,
    _ timestep: Double, _ step: Double
  ) {
    lead =
      0.5 * step
      * ((b.pointee.acceleration.dx - a.pointee.acceleration.dx) * manifold.normalX
        + (b.pointee.acceleration.dy - a.pointee.acceleration.dy) * manifold.normalY)
    restitution = max(a.pointee.properties.elasticity, b.pointee.properties.elasticity)
    let pull = max(
      max(abs(a.pointee.acceleration.dx), abs(a.pointee.acceleration.dy)),
      max(abs(b.pointee.acceleration.dx), abs(b.pointee.acceleration.dy))
    )
    threshold =
      restitution > 0 ? max(SolverConstants.restitutionThreshold * pull * timestep, 1e-9) : .infinity
    // A boundary is as rough as what touches it.
    friction =
      a.pointee.kind == .fixed
      ? b.pointee.properties.friction
      : b.pointee.kind == .fixed
        ? a.pointee.properties.friction
        : (a.pointee.properties.friction * b.pointee.properties.friction).squareRoot()
  }
}
