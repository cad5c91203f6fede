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
    let point = pointBetween(first, second)
    guard pairing.normalSpeed(point) < -pointee.surface.threshold else { return false }
    let (a, b) = (pairing.a.pointee, pairing.b.pointee)
    let inverseMass =
      a.inverseMass + b.inverseMass + a.inverseInertia * point.normalLeverA * point.normalLeverA
      + b.inverseInertia * point.normalLeverB * point.normalLeverB
    let impulse =
      -(1 + pointee.surface.restitution) * (pairing.normalSpeed(point) - pointee.surface.lead) / inverseMass
    pairing.apply(impulse, 0, point)
    let inverseTangentMass =
      a.inverseMass + b.inverseMass + a.inverseInertia * point.tangentLeverA * point.tangentLeverA
      + b.inverseInertia * point.tangentLeverB * point.tangentLeverB
    let most = pointee.surface.friction * impulse
    let stopping = -pairing.tangentSpeed(point) / inverseTangentMass
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

  /// Where the bodies meet: half-way between the points if both do, so that a flat blow does not turn them.
  private func pointBetween(_ first: Bool, _ second: Bool) -> PointConstraint.Point {
    guard first && second else { return first ? pointee.first : pointee.second }
    var middle = pointee.first
    let other = pointee.second
    middle.normalLeverA = (middle.normalLeverA + other.normalLeverA) / 2
    middle.normalLeverB = (middle.normalLeverB + other.normalLeverB) / 2
    middle.tangentLeverA = (middle.tangentLeverA + other.tangentLeverA) / 2
    middle.tangentLeverB = (middle.tangentLeverB + other.tangentLeverB) / 2
    return middle
  }
}
