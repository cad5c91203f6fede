/// The same for contacts that turn nothing and rub nothing, as those of a row of discs: a third of the work, to
/// the same bits. Most of them part or have parted, and then there is nothing to store.
extension UnsafeMutablePointer<Contact> {
  @inline(__always)
  func warmStartSmooth(_ motions: UnsafeMutablePointer<Motion>, scale: Double) {
    guard pointee.first.normalImpulse != 0 else { return }
    pointee.first.normalImpulse *= scale
    pushSmooth(motions, pointee.first.normalImpulse)
  }

  @inline(__always)
  func solveSmooth(
    _ motions: UnsafeMutablePointer<Motion>, _ softness: ContactSoftness, pushesApart: Bool
  ) {
    let speed = smoothSpeed(motions)
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
    pushSmooth(motions, impulse)
  }

  /// Of the surfaces from each other along the normal, points per second.
  @inline(__always)
  func smoothSpeed(_ motions: UnsafeMutablePointer<Motion>) -> Double {
    let (a, b) = (motions + Int(pointee.a), motions + Int(pointee.b))
    return pointee.normalX * (b.pointee.vx - a.pointee.vx) + pointee.normalY * (b.pointee.vy - a.pointee.vy)
  }

  @inline(__always)
  private func pushSmooth(_ motions: UnsafeMutablePointer<Motion>, _ impulse: Double) {
    let (a, b) = (motions + Int(pointee.a), motions + Int(pointee.b))
    let (x, y) = (impulse * pointee.normalX, impulse * pointee.normalY)
    a.pointee.vx -= a.pointee.inverseMass * x
    a.pointee.vy -= a.pointee.inverseMass * y
    b.pointee.vx += b.pointee.inverseMass * x
    b.pointee.vy += b.pointee.inverseMass * y
  }
}
