/// A contact whose normal goes through both centres, as between discs, or between a disc and a wall: impulses along
/// it turn neither body.
struct DiscConstraint: BitwiseCopyable {
  let a: Int32
  let b: Int32
  /// Index of the contact.
  let contact: Int32
  let isStatic: Bool
  let normalX: Double
  let normalY: Double
  /// The separation where both centres were in one place, points.
  let baseSeparation: Double
  /// Inverse of the speed that an impulse of 1 gives along the normal, and along the tangent.
  let normalMass: Double
  let tangentMass: Double
  /// Levers of the tangent about the centres, points.
  let leverA: Double
  let leverB: Double
  let surface: Surface
  var normalImpulse: Double
  var tangentImpulse: Double
}

extension UnsafeMutablePointer<DiscConstraint> {
  @inline(__always)
  func warmStart(_ motions: UnsafeMutablePointer<Motion>) {
    let (normal, tangent) = (pointee.normalImpulse, pointee.tangentImpulse)
    if normal == 0, tangent == 0 { return }
    apply(normal, tangent, motions + Int(pointee.a), motions + Int(pointee.b))
  }

  /// Changes the velocities so that the bodies do not meet within the sub-step, and rub against each other.
  /// - Parameter usesBias: Whether an overlap is undone, too.
  /// - Returns: By how much their speed along the normal changed.
  @inline(__always)
  func solve(_ motions: UnsafeMutablePointer<Motion>, _ step: SubStep, usesBias: Bool) -> Double {
    // There is nothing to relax where nothing pressed.
    if !usesBias, pointee.normalImpulse == 0 { return 0 }
    let (a, b) = (motions + Int(pointee.a), motions + Int(pointee.b))
    let (nx, ny) = (pointee.normalX, pointee.normalY)
    let speed = nx * (b.pointee.vx - a.pointee.vx) + ny * (b.pointee.vy - a.pointee.vy)
    // A blow is left to the next sub-step, which returns it.
    if !usesBias, speed < -pointee.surface.threshold { return 0 }
    let separation =
      pointee.baseSeparation + nx * (b.pointee.x - a.pointee.x) + ny * (b.pointee.y - a.pointee.y)
    let old = pointee.normalImpulse
    let mass = pointee.normalMass
    var impulse: Double
    if separation > 0 {
      impulse = -mass * (speed + separation * step.inverse)
      if impulse <= 0, old == 0, pointee.tangentImpulse == 0 { return 0 }
    } else if usesBias, separation < -SolverConstants.linearSlop {
      let softness = pointee.isStatic ? step.staticSoftness : step.softness
      impulse =
        -mass * softness.massScale * (speed + step.bias(separation, softness)) - softness.impulseScale * old
    } else {
      impulse = -mass * speed
      if impulse <= 0, old == 0, pointee.tangentImpulse == 0 { return 0 }
    }
    let total = Swift.max(old + impulse, 0)
    pointee.normalImpulse = total
    var tangent = 0.0
    if pointee.surface.friction > 0 {
      let old = pointee.tangentImpulse
      let most = pointee.surface.friction * total
      pointee.tangentImpulse = Swift.min(
        Swift.max(old - pointee.tangentMass * slide(a, b), -most), most)
      tangent = pointee.tangentImpulse - old
    }
    apply(total - old, tangent, a, b)
    return abs(total - old) * (a.pointee.inverseMass + b.pointee.inverseMass)
  }

  /// Throws the bodies back from each other if they are about to meet. A blow is over when it is done: no impulse is
  /// left of it.
  /// - Returns: Whether they were.
  @inline(__always)
  func bounce(_ motions: UnsafeMutablePointer<Motion>, _ seconds: Double) -> Bool {
    let (a, b) = (motions + Int(pointee.a), motions + Int(pointee.b))
    let (nx, ny) = (pointee.normalX, pointee.normalY)
    let speed = nx * (b.pointee.vx - a.pointee.vx) + ny * (b.pointee.vy - a.pointee.vy)
    guard speed < -pointee.surface.threshold else { return false }
    let separation =
      pointee.baseSeparation + nx * (b.pointee.x - a.pointee.x) + ny * (b.pointee.y - a.pointee.y)
    guard separation + speed * seconds <= 0 else { return false }
    let impulse = -(1 + pointee.surface.restitution) * (speed - pointee.surface.lead) * pointee.normalMass
    let most = pointee.surface.friction * impulse
    let tangent = most > 0 ? Swift.min(Swift.max(-pointee.tangentMass * slide(a, b), -most), most) : 0
    (pointee.normalImpulse, pointee.tangentImpulse) = (0, 0)
    apply(impulse, tangent, a, b)
    return true
  }

  /// Of the surfaces against each other, points per second.
  @inline(__always)
  private func slide(_ a: UnsafeMutablePointer<Motion>, _ b: UnsafeMutablePointer<Motion>) -> Double {
    (pointee.normalX * (b.pointee.vy - a.pointee.vy) - pointee.normalY * (b.pointee.vx - a.pointee.vx))
      + (b.pointee.spin * pointee.leverB - a.pointee.spin * pointee.leverA)
  }

  @inline(__always)
  private func apply(
    _ normal: Double, _ tangent: Double, _ a: UnsafeMutablePointer<Motion>, _ b: UnsafeMutablePointer<Motion>
  ) {
    let x = normal * pointee.normalX - tangent * pointee.normalY
    let y = normal * pointee.normalY + tangent * pointee.normalX
    if a.pointee.inverseMass > 0 {
      a.pointee.vx -= a.pointee.inverseMass * x
      a.pointee.vy -= a.pointee.inverseMass * y
    }
    if b.pointee.inverseMass > 0 {
      b.pointee.vx += b.pointee.inverseMass * x
      b.pointee.vy += b.pointee.inverseMass * y
    }
    if tangent != 0 {
      a.pointee.spin -= a.pointee.inverseInertia * (tangent * pointee.leverA)
      b.pointee.spin += b.pointee.inverseInertia * (tangent * pointee.leverB)
    }
  }
}
