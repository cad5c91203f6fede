extension UnsafeMutablePointer<Contact> {
  /// Throws the bodies back from each other if they are about to meet within the sub-step, faster than they
  /// would by resting on each other, or stops them where they meet if they are not elastic. Each blow keeps
  /// momentum and gains no energy.
  /// - Returns: Whether they did.
  func bounce(_ motions: UnsafeMutablePointer<Motion>, step: Double) -> Bool {
    if pointee.isRound, approachSpeed(motions) >= -pointee.slowestBounce { return false }
    var pairing = Pairing(self, motions)
    let first = Self.meets(pointee.first, pairing, step)
    let second = pointee.count == 2 && Self.meets(pointee.second, pairing, step)
    guard first || second else { return false }
    let point = Self.middle(self, first, second)
    let speed = pairing.normalSpeed(point)
    guard speed < -pointee.slowestBounce else { return false }
    let (inertiaA, inertiaB) = (pairing.a.pointee.inverseInertia, pairing.b.pointee.inverseInertia)
    let inverseMass = pairing.a.pointee.inverseMass + pairing.b.pointee.inverseMass
    let wanted =
      pointee.elasticity > 0 ? -pointee.elasticity * speed : -Swift.max(0, pointee.separation) / step
    // They stop where they meet already, but for rounding.
    guard wanted - speed > 1e-6 else { return false }
    let impulse =
      (wanted - speed)
      / (inverseMass + inertiaA * point.normalLeverA * point.normalLeverA
        + inertiaB * point.normalLeverB * point.normalLeverB)
    pairing.pushNormal(impulse, point)
    if pointee.friction > 0 {
      let slide = pairing.tangentSpeed(point)
      let most = pointee.friction * impulse
      let stopping =
        -slide
        / (inverseMass + inertiaA * point.tangentLeverA * point.tangentLeverA
          + inertiaB * point.tangentLeverB * point.tangentLeverB)
      pairing.pushTangent(min(max(stopping, -most), most), point)
    }
    pairing.store()
    return true
  }

  @inline(__always)
  private static func meets(_ point: Contact.Point, _ pairing: Pairing, _ step: Double) -> Bool {
    let speed = pairing.normalSpeed(point)
    // The hundredth is for what forces will add.
    return speed < -pairing.slowestBounce && point.separation + step * speed - 0.01 <= 0
  }

  /// Where they will meet: half-way between the points if both do, so that a flat blow does not turn them.
  private static func middle(_ contact: Self, _ first: Bool, _ second: Bool) -> Contact.Point {
    guard first && second else { return first ? contact.pointee.first : contact.pointee.second }
    var middle = contact.pointee.first
    let other = contact.pointee.second
    middle.normalLeverA = (middle.normalLeverA + other.normalLeverA) / 2
    middle.normalLeverB = (middle.normalLeverB + other.normalLeverB) / 2
    middle.tangentLeverA = (middle.tangentLeverA + other.tangentLeverA) / 2
    middle.tangentLeverB = (middle.tangentLeverB + other.tangentLeverB) / 2
    return middle
  }
}
