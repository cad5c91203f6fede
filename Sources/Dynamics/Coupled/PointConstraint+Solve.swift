/// By how much the speed at a point must change, and how much more softly than by a rigid contact.
private struct Demand {
  let speed: Double
  /// By what an impulse is weaker, as a share of what it gives.
  let compliance: Double

  @inline(__always)
  init(
    _ point: PointConstraint.Point, _ pairing: Pairing, _ softness: Softness, _ step: SubStep,
    _ usesBias: Bool
  ) {
    let (speed, separation) = (pairing.normalSpeed(point), pairing.separation(point))
    if separation > 0 {
      self.speed = -speed - separation * step.inverse
      compliance = 0
    } else if usesBias, separation < -SolverConstants.linearSlop {
      compliance = softness.compliance
      self.speed =
        -speed - step.bias(separation, softness)
        - point.inverseNormalMass * compliance * point.normalImpulse
    } else {
      self.speed = -speed
      compliance = 0
    }
  }
}

extension UnsafeMutablePointer<PointConstraint> {
  @inline(__always)
  func warmStart(_ motions: UnsafeMutablePointer<Motion>) {
    if pointee.count == 0 { return }
    var pairing = Pairing(self, motions)
    pairing.apply(pointee.first.normalImpulse, pointee.first.tangentImpulse, pointee.first)
    if pointee.count == 2 {
      pairing.apply(pointee.second.normalImpulse, pointee.second.tangentImpulse, pointee.second)
    }
    pairing.store()
  }

  /// Changes the velocities so that the bodies do not meet within the sub-step, and rub against each other.
  /// - Parameter usesBias: Whether an overlap is undone, too.
  /// - Returns: By how much their speed along the normal changed at most.
  @inline(__always)
  func solve(_ motions: UnsafeMutablePointer<Motion>, _ step: SubStep, usesBias: Bool) -> Double {
    if pointee.count == 0 { return 0 }
    // There is nothing to relax where nothing pressed.
    if !usesBias, pointee.first.normalImpulse == 0, pointee.second.normalImpulse == 0 { return 0 }
    let (oldFirst, oldSecond) = (pointee.first.normalImpulse, pointee.second.normalImpulse)
    var pairing = Pairing(self, motions)
    // A blow is left to the next sub-step, which returns it.
    if !usesBias, isBlow(pairing) { return 0 }
    let softness = pointee.isStatic ? step.staticSoftness : step.softness
    let first = Demand(pointee.first, pairing, softness, step, usesBias)
    if pointee.count == 1 {
      Self.press(&pointee.first, &pairing, first)
      if pointee.surface.friction > 0 { Self.rub(&pointee.first, &pairing, pointee.surface.friction) }
      pairing.store()
      return abs(pointee.first.normalImpulse - oldFirst) * pointee.first.inverseNormalMass
    }
    let second = Demand(pointee.second, pairing, softness, step, usesBias)
    if !pointee.isBlock || !pressBoth(&pairing, first, second) {
      Self.press(&pointee.first, &pairing, first)
      Self.press(
        &pointee.second, &pairing,
        Demand(pointee.second, pairing, softness, step, usesBias))
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

  @inline(__always)
  private func isBlow(_ pairing: Pairing) -> Bool {
    pairing.normalSpeed(pointee.first) < -pointee.surface.threshold
      || pointee.count == 2 && pairing.normalSpeed(pointee.second) < -pointee.surface.threshold
  }

  @inline(__always)
  private static func press(_ point: inout PointConstraint.Point, _ pairing: inout Pairing, _ demand: Demand)
  {
    let total = Swift.max(
      point.normalImpulse + demand.speed * point.normalMass / (1 + demand.compliance), 0)
    pairing.apply(total - point.normalImpulse, 0, point)
    point.normalImpulse = total
  }

  @inline(__always)
  private static func rub(_ point: inout PointConstraint.Point, _ pairing: inout Pairing, _ friction: Double)
  {
    let most = friction * point.normalImpulse
    let total = Swift.min(
      Swift.max(point.tangentImpulse - point.tangentMass * pairing.tangentSpeed(point), -most), most)
    pairing.apply(0, total - point.tangentImpulse, point)
    point.tangentImpulse = total
  }

  /// Solves both points at once, so that neither comes first and turns the bodies: towers stay upright.
  /// - Returns: Whether it could; not if one point alone lets go.
  @inline(__always)
  private func pressBoth(_ pairing: inout Pairing, _ first: Demand, _ second: Demand) -> Bool {
    let coupling = pointee.coupling
    let firstInverse = pointee.first.inverseNormalMass * (1 + first.compliance)
    let secondInverse = pointee.second.inverseNormalMass * (1 + second.compliance)
    let scale = 1 / (firstInverse * secondInverse - coupling * coupling)
    var firstImpulse = scale * (secondInverse * first.speed - coupling * second.speed)
    var secondImpulse = scale * (firstInverse * second.speed - coupling * first.speed)
    let (oldFirst, oldSecond) = (pointee.first.normalImpulse, pointee.second.normalImpulse)
    if oldFirst + firstImpulse < 0 || oldSecond + secondImpulse < 0 {
      guard first.speed + firstInverse * oldFirst + coupling * oldSecond <= 0,
        second.speed + secondInverse * oldSecond + coupling * oldFirst <= 0
      else { return false }
      // Both let go.
      (firstImpulse, secondImpulse) = (-oldFirst, -oldSecond)
    }
    pointee.first.normalImpulse = oldFirst + firstImpulse
    pointee.second.normalImpulse = oldSecond + secondImpulse
    pairing.apply(firstImpulse, 0, pointee.first)
    pairing.apply(secondImpulse, 0, pointee.second)
    return true
  }
}
