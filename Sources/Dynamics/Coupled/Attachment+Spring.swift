/// Springs of any kind.
extension UnsafeMutablePointer<Attachment> {
  /// Half a sub-step of a spring that is not split.
  func kick(_ bodies: borrowing RigidBodies, _ half: RigidBodies.Half) {
    let ends = Ends(pointee, bodies)
    let (velocity, force) = (ends.velocity, relativeAcceleration(bodies))
    let gains = half == .early ? pointee.gains.early : pointee.gains.late
    let mass = pointee.gains.mass
    if pointee.length == 0 {
      ends.apply(
        mass * ((gains.keep - 1) * velocity.dx - gains.pull * ends.gap.dx + gains.lift * force.dx),
        mass * ((gains.keep - 1) * velocity.dy - gains.pull * ends.gap.dy + gains.lift * force.dy))
    } else {
      let (distance, direction) = ends.distance
      let change =
        (gains.keep - 1) * velocity.along(direction) - gains.pull * (distance - pointee.length)
        + gains.lift * force.along(direction)
      let impulse = direction.times(mass * change)
      ends.apply(impulse.dx, impulse.dy)
      settle(half, ends, velocity, impulse, bodies)
    }
  }

  /// Books a kick, and settles the account if it is the second of a sub-step.
  private func settle(
    _ half: RigidBodies.Half, _ ends: Ends, _ before: Vector, _ impulse: Vector,
    _ bodies: borrowing RigidBodies
  ) {
    guard pointee.gains.isBooked else { return }
    let (gains, distance) = (pointee.gains, ends.distance)
    pointee.account.surplus += work(half, ends, before, impulse, bodies) + stored(half, distance.length)
    guard half == .late else {
      pointee.impulse = impulse
      return
    }
    // Along the spring, so that momentum and angular momentum stay what they are.
    let speed = (ends.velocity + lateGain(bodies)).along(distance.direction)
    let scale = pointee.account.settle(with: 0.5 * gains.mass * speed * speed, restores: gains.isLossless)
    if !gains.isLossless { pointee.account.surplus = max(0, pointee.account.surplus) }
    let push = distance.direction.times(gains.mass * speed * (scale - 1))
    ends.apply(push.dx, push.dy)
  }
}

/// Those that are split.
extension UnsafeMutablePointer<Attachment> {
  /// How it damps the motion in half a sub-step. What that takes does not count as credit, so it is not booked.
  func damp(_ bodies: borrowing RigidBodies) {
    guard pointee.gains.damps else { return }
    let ends = Ends(pointee, bodies)
    let velocity = ends.velocity
    let impulse: Vector
    if pointee.length == 0 {
      impulse = ends.impulse(changing: Vector(dx: -velocity.dx, dy: -velocity.dy), give: pointee.gains.give)
    } else {
      let direction = ends.distance.direction
      impulse = direction.times(
        -velocity.along(direction) / (ends.inverseMass(along: direction) + pointee.gains.give))
    }
    ends.apply(impulse.dx, impulse.dy)
  }

  /// How it pulls.
  /// - Returns: What the bodies got beyond what the spring has lost.
  func pull(_ bodies: borrowing RigidBodies, _ half: RigidBodies.Half) -> Double {
    let ends = Ends(pointee, bodies)
    let (velocity, gains) = (ends.velocity, pointee.gains)
    let (distance, direction) = ends.distance
    guard !gains.isStiff else {
      let impulse = stiffPull(ends, distance, direction, relativeAcceleration(bodies))
      ends.apply(impulse.dx, impulse.dy)
      return 0
    }
    let impulse = direction.times(-gains.pull * (distance - pointee.length))
    ends.apply(impulse.dx, impulse.dy)
    pointee.impulse = impulse
    return work(half, ends, velocity, impulse, bodies) + stored(half, distance)
  }

  private func stiffPull(_ ends: Ends, _ distance: Double, _ direction: Vector, _ force: Vector) -> Vector {
    let gains = pointee.gains
    guard pointee.length > 0 else {
      let pull = ends.impulse(
        changing: Vector(
          dx: -gains.pull * (ends.gap.dx - gains.sag * force.dx),
          dy: -gains.pull * (ends.gap.dy - gains.sag * force.dy)), give: gains.give)
      return Vector(dx: pull.dx - gains.hold * force.dx, dy: pull.dy - gains.hold * force.dy)
    }
    let along = force.along(direction)
    return direction.times(
      -gains.pull * (distance - pointee.length - gains.sag * along)
        / (ends.inverseMass(along: direction) + gains.give) - gains.hold * along)
  }
}

extension UnsafeMutablePointer<Attachment> {
  /// Slows the swing of what hangs from an anchor under its weight, but for springs that keep all of their energy.
  func calm(_ bodies: borrowing RigidBodies, _ seconds: Double) {
    guard pointee.b == RigidBodies.ground, pointee.length > 0, !pointee.gains.isLossless,
      bodies.traits[pointee.a].acceleration != .zero
    else { return }
    bodies.calm(pointee.a, across: Ends(pointee, bodies).distance.direction, seconds)
  }
}

/// What the work of a spring is.
extension UnsafeMutablePointer<Attachment> {
  /// Of a kick.
  /// - Parameter before: The velocity of the ends before it.
  @inline(__always)
  private func work(
    _ half: RigidBodies.Half, _ ends: Ends, _ before: Vector, _ impulse: Vector,
    _ bodies: borrowing RigidBodies
  ) -> Double {
    guard pointee.gains.isBooked else { return 0 }
    let work = 0.5 * impulse.along(before + ends.velocity)
    guard half == .late else { return work }
    let gain = lateGain(bodies)
    return work + impulse.dx * gain.dx + impulse.dy * gain.dy
  }

  /// What it held before the move, to be given, or holds after it.
  @inline(__always)
  private func stored(_ half: RigidBodies.Half, _ distance: Double) -> Double {
    guard pointee.gains.isBooked else { return 0 }
    let stretch = distance - pointee.length
    let energy = 0.5 * pointee.gains.stiffness * stretch * stretch
    return half == .early ? -energy : energy
  }

  /// Notes how fast the ends move before contacts and rods stop them.
  func noteVelocity(_ bodies: borrowing RigidBodies) {
    if pointee.gains.isBooked { pointee.guess = Ends(pointee, bodies).velocity }
  }

  /// What the kick before the move was booked for, but something else stopped: it has done no work. Nor has
  /// the weight that acted with it, if it rests on what stopped them.
  func stopped(_ bodies: borrowing RigidBodies) -> Double {
    guard pointee.gains.isBooked else { return 0 }
    let velocity = Ends(pointee, bodies).velocity
    guard velocity != pointee.guess else { return 0 }
    let weight = bodies.carriedAcceleration(pointee.b) - bodies.carriedAcceleration(pointee.a)
    return pointee.impulse.along(velocity - pointee.guess + weight.times(2 * pointee.gains.halfStep))
  }

  /// By other forces, of the end at b seen from the one at a, points per second².
  @inline(__always)
  private func relativeAcceleration(_ bodies: borrowing RigidBodies) -> Vector {
    bodies.traits[pointee.b].acceleration - bodies.traits[pointee.a].acceleration
  }

  /// What those forces add to its velocity after the second kick, points per second.
  @inline(__always)
  private func lateGain(_ bodies: borrowing RigidBodies) -> Vector {
    (bodies.lateAcceleration(pointee.b) - bodies.lateAcceleration(pointee.a))
      .times(pointee.gains.halfStep)
  }
}
