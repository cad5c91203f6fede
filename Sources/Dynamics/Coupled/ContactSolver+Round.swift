/// The same for contacts whose normal goes through both centres, as between discs: half of the work, to the same
/// bits. Most of them part or have parted, and then there is nothing to store.
extension UnsafeMutablePointer<Contact> {
  @inline(__always)
  func warmStartRound(_ motions: UnsafeMutablePointer<Motion>, scale: Double) {
    if pointee.first.normalImpulse != 0 {
      pointee.first.normalImpulse *= scale
      pushRound(motions, pointee.first.normalImpulse)
    }
    if pointee.first.tangentImpulse != 0 {
      pointee.first.tangentImpulse *= scale
      turnRound(motions, pointee.first.tangentImpulse)
    }
  }

  @inline(__always)
  func solveRound(
    _ motions: UnsafeMutablePointer<Motion>, _ softness: ContactSoftness, pushesApart: Bool
  ) {
    pressRound(motions, softness, pushesApart)
    if pointee.friction > 0 { rubRound(motions) }
  }

  @inline(__always)
  private func pressRound(
    _ motions: UnsafeMutablePointer<Motion>, _ softness: ContactSoftness, _ pushesApart: Bool
  ) {
    let speed = approachSpeed(motions)
    let separation = pointee.first.separation
    let old = pointee.first.normalImpulse
    let mass = pointee.first.normalMass
    var impulse: Double
    // A blow is left to `bounce`.
    pointee.isClosing = !pushesApart && speed < -pointee.slowestBounce
    if pointee.isClosing { return }
    if separation > 0 {
      impulse = (-speed - separation * softness.inverseStep) * mass
    } else if !pushesApart {
      impulse = (old > 0 ? ContactSoftness.overRelaxation * -speed : -speed) * mass
    } else {
      let yielding = softness.yielding(at: -separation)
      let push = softness.push(at: -separation)
      impulse =
        (push - speed - pointee.first.normalGive * yielding * old) * mass / (1 + yielding)
    }
    let total = Swift.max(old + impulse, 0)
    guard total != old else { return }
    impulse = total - old
    pointee.first.normalImpulse = total
    pushRound(motions, impulse)
  }

  @inline(__always)
  private func rubRound(_ motions: UnsafeMutablePointer<Motion>) {
    let old = pointee.first.tangentImpulse
    let most = pointee.friction * pointee.first.normalImpulse
    // Most discs of a heap do not press against each other.
    if most == 0, old == 0 { return }
    let (a, b) = (motions + Int(pointee.a), motions + Int(pointee.b))
    let slide =
      (pointee.normalX * (b.pointee.vy - a.pointee.vy) - pointee.normalY * (b.pointee.vx - a.pointee.vx))
      + (b.pointee.spin * pointee.first.tangentLeverB - a.pointee.spin * pointee.first.tangentLeverA)
    let total = Swift.min(Swift.max(old - slide / pointee.first.tangentGive, -most), most)
    guard total != old else { return }
    pointee.first.tangentImpulse = total
    turnRound(motions, total - old)
  }

  /// Of the surfaces from each other along the normal, points per second.
  @inline(__always)
  func approachSpeed(_ motions: UnsafeMutablePointer<Motion>) -> Double {
    let (a, b) = (motions + Int(pointee.a), motions + Int(pointee.b))
    return pointee.normalX * (b.pointee.vx - a.pointee.vx) + pointee.normalY * (b.pointee.vy - a.pointee.vy)
  }

  @inline(__always)
  private func pushRound(_ motions: UnsafeMutablePointer<Motion>, _ impulse: Double) {
    push(motions, impulse * pointee.normalX, impulse * pointee.normalY)
  }

  @inline(__always)
  private func turnRound(_ motions: UnsafeMutablePointer<Motion>, _ impulse: Double) {
    push(motions, -impulse * pointee.normalY, impulse * pointee.normalX)
    let (a, b) = (motions + Int(pointee.a), motions + Int(pointee.b))
    a.pointee.spin -= a.pointee.inverseInertia * (impulse * pointee.first.tangentLeverA)
    b.pointee.spin += b.pointee.inverseInertia * (impulse * pointee.first.tangentLeverB)
  }

  @inline(__always)
  private func push(_ motions: UnsafeMutablePointer<Motion>, _ x: Double, _ y: Double) {
    let (a, b) = (motions + Int(pointee.a), motions + Int(pointee.b))
    a.pointee.vx -= a.pointee.inverseMass * x
    a.pointee.vy -= a.pointee.inverseMass * y
    b.pointee.vx += b.pointee.inverseMass * x
    b.pointee.vy += b.pointee.inverseMass * y
  }
}
