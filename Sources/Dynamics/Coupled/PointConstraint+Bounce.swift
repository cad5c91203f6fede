/// Blows.
extension UnsafeMutablePointer<PointConstraint> {
  /// Throws the bodies back from each other if they are about to meet. A blow is over when it is done: no impulse is
  /// left of it.
  /// - Returns: Whether they were.
  func bounce(_ motions: UnsafeMutablePointer<Motion>, _ seconds: Double) -> Bool {
    guard pointee.surface.restitution > 0, pointee.count > 0 else { return false }
    var pairing = Pairing(self, motions)
    let first = meets(pointee.first, pairing, seconds)
    let second = pointee.count == 2 && meets(pointee.second, pairing, seconds)
    guard first || second else { return false }
    let point =
      first && second
      ? PointConstraint.Point(
        between: pointee.first, pointee.second, pairing.a.pointee, pairing.b.pointee)
      : first ? pointee.first : pointee.second
    guard pairing.normalSpeed(point) < -pointee.surface.threshold else { return false }
    let speed = (1 + pointee.surface.restitution) * (pairing.normalSpeed(point) - pointee.surface.lead)
    let impulse = -speed * point.normalMass
    pairing.apply(impulse, 0, point)
    let most = pointee.surface.friction * impulse
    let stopping = -pairing.tangentSpeed(point) * point.tangentMass
    pairing.apply(0, Swift.min(Swift.max(stopping, -most), most), point)
    (pointee.first.normalImpulse, pointee.first.tangentImpulse) = (0, 0)
    (pointee.second.normalImpulse, pointee.second.tangentImpulse) = (0, 0)
    pairing.store()
    return true
  }

  private func meets(_ point: PointConstraint.Point, _ pairing: Pairing, _ seconds: Double) -> Bool {
    let speed = pairing.normalSpeed(point)
    return speed < -pointee.surface.threshold
      && pairing.separation(point) + speed * seconds <= 0
  }
}
