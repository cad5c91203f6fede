/// The speed along the normal that a contact point must get, and the effective mass: the ratio of an impulse to the
/// change of speed that it causes.
///
/// In a row of bodies, a contact must wait until the contact before it has changed the velocities. The values here do
/// not depend on velocities, so the processor can compute them during this wait.
private struct Demand {
  var speed = 0.0
  var mass: Double
  var compliance = 0.0

  @inline(__always) init(
    _ point: ContactConstraint.Point, _ pairing: Pairing, _ softness: Softness, _ step: SubStep, _ usesBias: Bool
  ) {
    mass = point.normalMass
    let separation = pairing.separation(point)
    if separation > 0 {
      speed = -separation * step.inverse
    } else if usesBias, separation < -SolverConstants.linearSlop {
      (mass, compliance) = (mass * softness.massScale, softness.compliance)
      speed = -step.bias(separation, softness) - point.inverseNormalMass * compliance * point.normalImpulse
    }
  }
}

extension UnsafeMutablePointer<ContactConstraint> {
  @inline(__always) func warmStart(_ motions: UnsafeMutablePointer<Motion>) {
    if !isPressed { return }
    var pairing = Pairing(self, motions)
    pairing.push(pointee.first.normalImpulse, pointee.first)
    if pointee.surface.friction > 0 { pairing.rub(pointee.first.tangentImpulse, pointee.first) }
    if pointee.count == 2 {
      pairing.push(pointee.second.normalImpulse, pointee.second)
      pairing.rub(pointee.second.tangentImpulse, pointee.second)
    }
    pairing.store()
  }

  @inline(__always) private var isPressed: Bool {
    pointee.first.normalImpulse != 0 || pointee.count == 2 && pointee.second.normalImpulse != 0
  }

  /// Returns the relative speed of the centers along the normal, points per second. If the contact is round
  /// (`isRound`), this is also the relative speed of the surfaces along the normal, regardless of spin.
  @inline(__always) private func centreSpeed(_ motions: UnsafeMutablePointer<Motion>) -> Double {
    let (a, b) = (motions + Int(pointee.a), motions + Int(pointee.b))
    return pointee.normalX * (b.pointee.vx - a.pointee.vx) + pointee.normalY * (b.pointee.vy - a.pointee.vy)
  }

  /// Returns whether the bodies of a round contact will not meet within the sub-step.
  @inline(__always) private func staysApart(_ motions: UnsafeMutablePointer<Motion>, _ step: SubStep) -> Bool {
    let (a, b) = (motions + Int(pointee.a), motions + Int(pointee.b))
    let distance = pointee.normalX * (b.pointee.x - a.pointee.x) + pointee.normalY * (b.pointee.y - a.pointee.y)
    let separation = pointee.first.baseSeparation + distance
    return separation > -SolverConstants.linearSlop
      && centreSpeed(motions) + Swift.max(separation, 0) * step.inverse >= 0
  }

  /// Changes the velocities so that the bodies may meet within the sub-step but not overlap, and applies friction.
  /// - Parameter usesBias: Whether bodies that overlap are also moved apart.
  /// - Returns: The largest change of the speed along the normal, points per second.
  @inline(__always) func solve(_ motions: UnsafeMutablePointer<Motion>, _ step: SubStep, usesBias: Bool) -> Double {
    if pointee.count == 0 { return 0 }
    // If overlaps are not to be corrected, only contacts that already have an impulse are solved (Box2D: relax).
    if !usesBias, !isPressed { return 0 }
    if pointee.isRound, !isPressed, staysApart(motions, step) { return 0 }
    let oldFirst = pointee.first.normalImpulse
    var pairing = Pairing(self, motions)
    // Keeps the speed of bodies that hit each other, so that the next sub-step makes them bounce.
    if !usesBias, isBlow(pointee.first, pairing) || pointee.count == 2 && isBlow(pointee.second, pairing) { return 0 }
    let softness = pointee.isStatic ? step.staticSoftness : step.softness
    let first = Demand(pointee.first, pairing, softness, step, usesBias)
    let second = pointee.count == 1 ? first : Demand(pointee.second, pairing, softness, step, usesBias)
    // Bodies that do not press against each other, and will not meet within the sub-step, get no impulse.
    if !isPressed, pairing.normalSpeed(pointee.first) >= first.speed,
      pointee.count == 1 || pairing.normalSpeed(pointee.second) >= second.speed
    {
      return 0
    }
    pointee.isPushed = Swift.max(first.compliance, second.compliance) > 0
    if pointee.count == 1 {
      Self.press(&pointee.first, &pairing, first)
      if pointee.surface.friction > 0 { Self.rub(&pointee.first, &pairing, pointee.surface.friction) }
      pairing.store()
      return abs(pointee.first.normalImpulse - oldFirst) * pointee.first.inverseNormalMass
    }
    let oldSecond = pointee.second.normalImpulse
    if !pointee.isBlock || !pressBoth(&pairing, first, second) {
      Self.press(&pointee.first, &pairing, first)
      Self.press(&pointee.second, &pairing, second)
    }
    if pointee.surface.friction > 0 {
      Self.rub(&pointee.first, &pairing, pointee.surface.friction)
      Self.rub(&pointee.second, &pairing, pointee.surface.friction)
    }
    pairing.store()
    return Swift.max(
      abs(pointee.first.normalImpulse - oldFirst) * pointee.first.inverseNormalMass,
      abs(pointee.second.normalImpulse - oldSecond) * pointee.second.inverseNormalMass)
  }

  @inline(__always) private func isBlow(_ point: ContactConstraint.Point, _ pairing: Pairing) -> Bool {
    pairing.normalSpeed(point) < -pointee.surface.threshold
  }

  @inline(__always) private static func press(
    _ point: inout ContactConstraint.Point, _ pairing: inout Pairing, _ demand: Demand
  ) {
    let change = Swift.max((demand.speed - pairing.normalSpeed(point)) * demand.mass, -point.normalImpulse)
    pairing.push(change, point)
    point.normalImpulse += change
  }

  @inline(__always) private static func rub(
    _ point: inout ContactConstraint.Point, _ pairing: inout Pairing, _ friction: Double
  ) {
    let most = friction * point.normalImpulse
    let total = Swift.min(
      Swift.max(point.tangentImpulse - point.tangentMass * pairing.tangentSpeed(point), -most), most)
    pairing.rub(total - point.tangentImpulse, point)
    point.tangentImpulse = total
  }

  /// Solves both points at once. Solving one point first would turn the bodies, and towers would not stay upright.
  /// - Returns: False if exactly one of the points loses contact. Nothing changes in that case.
  @inline(__always) private func pressBoth(_ pairing: inout Pairing, _ first: Demand, _ second: Demand) -> Bool {
    let coupling = pointee.coupling
    let firstInverse = pointee.first.inverseNormalMass * (1 + first.compliance)
    let secondInverse = pointee.second.inverseNormalMass * (1 + second.compliance)
    let scale = 1 / (firstInverse * secondInverse - coupling * coupling)
    let firstSpeed = first.speed - pairing.normalSpeed(pointee.first)
    let secondSpeed = second.speed - pairing.normalSpeed(pointee.second)
    var firstImpulse = scale * (secondInverse * firstSpeed - coupling * secondSpeed)
    var secondImpulse = scale * (firstInverse * secondSpeed - coupling * firstSpeed)
    let (oldFirst, oldSecond) = (pointee.first.normalImpulse, pointee.second.normalImpulse)
    if oldFirst + firstImpulse < 0 || oldSecond + secondImpulse < 0 {
      guard firstSpeed + firstInverse * oldFirst + coupling * oldSecond <= 0,
        secondSpeed + secondInverse * oldSecond + coupling * oldFirst <= 0
      else { return false }
      // Both points lose contact.
      (firstImpulse, secondImpulse) = (-oldFirst, -oldSecond)
    }
    pointee.first.normalImpulse = oldFirst + firstImpulse
    pointee.second.normalImpulse = oldSecond + secondImpulse
    pairing.push(firstImpulse, pointee.first)
    pairing.push(secondImpulse, pointee.second)
    return true
  }

  /// Makes the bodies bounce if they are about to meet. Clears the stored impulses of bodies that bounce, so the next
  /// sub-step does not start with them.
  /// - Returns: Whether the bodies bounced.
  @inline(__always) func bounce(_ motions: UnsafeMutablePointer<Motion>, _ step: SubStep) -> Bool {
    if pointee.count == 0 || pointee.isRound && centreSpeed(motions) >= -pointee.surface.threshold { return false }
    var pairing = Pairing(self, motions)
    let first = meets(pointee.first, pairing, step)
    let second = pointee.count == 2 && meets(pointee.second, pairing, step)
    guard first || second else { return false }
    let point =
      first && second
      ? ContactConstraint.Point(between: pointee.first, pointee.second, pairing.a.pointee, pairing.b.pointee)
      : first ? pointee.first : pointee.second
    let speed = pairing.normalSpeed(point)
    guard speed < -pointee.surface.threshold else { return false }
    let impulse = -(1 + pointee.surface.restitution) * (speed - pointee.surface.lead) * point.normalMass
    pairing.push(impulse, point)
    let most = pointee.surface.friction * impulse
    let stopping = -pairing.tangentSpeed(point) * point.tangentMass
    pairing.rub(Swift.min(Swift.max(stopping, -most), most), point)
    (pointee.first.normalImpulse, pointee.first.tangentImpulse) = (0, 0)
    (pointee.second.normalImpulse, pointee.second.tangentImpulse) = (0, 0)
    pairing.store()
    return true
  }

  @inline(__always) private func meets(_ point: ContactConstraint.Point, _ pairing: Pairing, _ step: SubStep) -> Bool {
    isBlow(point, pairing) && pairing.separation(point) + pairing.normalSpeed(point) * step.duration <= 0
  }
}
