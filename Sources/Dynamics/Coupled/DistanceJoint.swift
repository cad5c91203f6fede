/// A joint that holds two bodies, or a body and an anchor, at a distance. With a frequency it is a spring, otherwise a
/// rod.
struct DistanceJoint: BitwiseCopyable {
  let a: Int32
  /// The second body. If the joint holds a body at an anchor, this is the ground.
  let b: Int32
  let offsetA: Vector
  /// The offset of the end from the center of the second body, in that body's coordinates. For the ground, it is the
  /// anchor.
  var offsetB: Vector
  let length: Double
  var gains = SpringGains()
  var kind = JointKind.distance
  /// Whether no contact and no stiff spring holds either body. If so, their frame begins and ends with half a `Kick`.
  var isFree = false
  let frequency: Double
  /// The damping ratio. For a joint without a frequency, this is the torque of its friction, mass·points²/seconds².
  let damping: Double
  /// The impulse in a sub-step, if the joint is soft (a rod or a stiff spring).
  var impulse = Vector.zero
  /// The angular impulse of the joint's friction in a sub-step.
  var turning = 0.0

  var pair: BroadPhase.Pair { BroadPhase.Pair(a: a, b: b) }
  var isRigid: Bool { frequency == 0 }
  /// Whether the joint is a spring that is too stiff for the sub-steps, so it is solved with the contacts.
  var isStiff: Bool { gains.kind == .soft && !isRigid }
}

/// The point in a frame at which the forces change velocities. A kick is the impulse of the forces in a sub-step. A
/// body is free if no contact and no stiff spring holds it.
enum Kick {
  /// The kick before the first move: half a kick for free bodies, and a whole one for all others.
  case first
  case middle
  /// The kick after the last move: the other half of a kick, for free bodies only.
  case last
}

/// The ends of a joint while the solver changes the velocities of its bodies.
struct Ends {
  let a, b: UnsafeMutablePointer<Motion>
  let leverA, leverB: Vector
  /// The direction from the end on a to the end on b, or upwards if the ends coincide. For a `line` or `lineLimit`, it
  /// is the direction along which the joint's length is measured. It is nil for any other joint of length 0.
  let direction: Vector?
  /// The distance between the ends minus the length of the joint, as a vector along the joint, points.
  let stretch: Vector

  @inline(__always) init(_ joint: DistanceJoint, _ bodies: borrowing RigidBodies) {
    a = bodies.motions.base + Int(joint.a)
    b = bodies.motions.base + Int(joint.b)
    let offset = Self.lever(joint.offsetA, joint.a, bodies)
    leverB = Self.lever(joint.offsetB, joint.b, bodies)
    let way = Vector(dx: b.pointee.x + leverB.dx - a.pointee.x, dy: b.pointee.y + leverB.dy - a.pointee.y)
    guard !joint.kind.isLine else {
      (leverA, direction, stretch) = (way, offset, offset.times(way.along(offset) - joint.length))
      return
    }
    leverA = offset
    let gap = way - offset
    guard joint.length > 0 else {
      (direction, stretch) = (nil, gap)
      return
    }
    let distance = gap.squared.squareRoot()
    let direction = distance > 1e-9 ? gap.times(1 / distance) : Vector(dx: 0, dy: -1)
    (self.direction, stretch) = (direction, direction.times(distance - joint.length))
  }

  private static func lever(_ offset: Vector, _ slot: Int32, _ bodies: borrowing RigidBodies) -> Vector {
    let (lever, turn) = (bodies.poses[slot].turned(offset), bodies.motions[slot].turn)
    return turn == 0 || offset == .zero ? lever : Pose(x: 0, y: 0, angle: turn).turned(lever)
  }

  /// The velocity of the end at b relative to the end at a, points per second.
  var velocity: Vector {
    Vector(
      dx: b.pointee.vx - b.pointee.spin * leverB.dy - a.pointee.vx + a.pointee.spin * leverA.dy,
      dy: b.pointee.vy + b.pointee.spin * leverB.dx - a.pointee.vy - a.pointee.spin * leverA.dx)
  }

  /// Returns the part of a vector along the joint, or the whole vector for a joint of length 0.
  @inline(__always) func along(_ vector: Vector) -> Vector { direction.map { $0.times(vector.along($0)) } ?? vector }

  func apply(_ impulse: Vector) { apply(impulse, to: a, b) }

  /// Changes the spins of the two bodies in opposite directions by an angular impulse.
  func turn(_ impulse: Double) {
    a.pointee.spin -= a.pointee.inverseInertia * impulse
    b.pointee.spin += b.pointee.inverseInertia * impulse
  }

  /// Adds the velocity changes of an impulse to two motions, which need not be the motions of the bodies.
  @inline(__always) func apply(
    _ impulse: Vector, to motionA: UnsafeMutablePointer<Motion>, _ motionB: UnsafeMutablePointer<Motion>
  ) {
    motionA.pointee.vx -= a.pointee.inverseMass * impulse.dx
    motionA.pointee.vy -= a.pointee.inverseMass * impulse.dy
    motionA.pointee.spin -= a.pointee.inverseInertia * leverA.cross(impulse)
    motionB.pointee.vx += b.pointee.inverseMass * impulse.dx
    motionB.pointee.vy += b.pointee.inverseMass * impulse.dy
    motionB.pointee.spin += b.pointee.inverseInertia * leverB.cross(impulse)
  }

  /// Returns the impulse j for which `share·K·j + compliance·j` equals `velocity`, where K is the inverse effective
  /// mass.
  func impulse(changing velocity: Vector, share: Double = 1, compliance: Double) -> Vector {
    let mass = share * (a.pointee.inverseMass + b.pointee.inverseMass) + compliance
    let (inertiaA, inertiaB) = (share * a.pointee.inverseInertia, share * b.pointee.inverseInertia)
    if let direction {
      let (crossA, crossB) = (leverA.cross(direction), leverB.cross(direction))
      return direction.times(
        velocity.along(direction) / (mass + inertiaA * crossA * crossA + inertiaB * crossB * crossB))
    }
    let xx = mass + inertiaA * leverA.dy * leverA.dy + inertiaB * leverB.dy * leverB.dy
    let xy = -inertiaA * leverA.dx * leverA.dy - inertiaB * leverB.dx * leverB.dy
    let yy = mass + inertiaA * leverA.dx * leverA.dx + inertiaB * leverB.dx * leverB.dx
    return Vector(dx: yy * velocity.dx - xy * velocity.dy, dy: xx * velocity.dy - xy * velocity.dx).times(
      1 / (xx * yy - xy * xy))
  }
}

extension UnsafeMutablePointer<DistanceJoint> {
  /// Applies a kick to the relative velocity of a spring's ends. If the bodies can turn, the ends yield more easily
  /// than the masses alone would, so the impulse is smaller.
  func apply(_ kick: SpringKick, _ bodies: borrowing RigidBodies) {
    if kick.keep == 1, kick.pull == 0 { return }
    let (ends, mass) = (Ends(pointee, bodies), pointee.gains.mass)
    let acceleration = bodies.definitions[pointee.b].acceleration - bodies.definitions[pointee.a].acceleration
    let change = ends.velocity.times(kick.keep - 1) + acceleration.times(kick.lift) - ends.stretch.times(kick.pull)
    ends.apply(ends.impulse(changing: change.times(mass), share: mass * (1 - kick.keep), compliance: kick.keep))
  }

  func warmStart(_ bodies: borrowing RigidBodies) {
    let ends = Ends(pointee, bodies)
    pointee.impulse = ends.along(pointee.impulse)
    ends.apply(pointee.impulse)
    if pointee.turning != 0 { ends.turn(pointee.turning) }
  }

  /// Changes the velocities so that the ends of a rod or a stiff spring keep their distance.
  /// - Parameter usesBias: Whether a rod that is too long or too short is also corrected.
  /// - Returns: The change of the relative velocity of the ends, points per second.
  func solve(_ bodies: borrowing RigidBodies, _ step: SubStep, usesBias: Bool) -> Double {
    let ends = Ends(pointee, bodies)
    let (velocity, old, gains) = (ends.velocity, pointee.impulse, pointee.gains)
    var (rate, compliance) = usesBias || !pointee.isRigid ? (gains.biasRate, gains.compliance) : (0, 0)
    let limit = pointee.kind.isLimit ? ends.direction : nil
    // Ends that are short of the limit may reach it but not pass it, just as contacts let bodies meet but not overlap.
    if let limit, ends.stretch.along(limit) < 0 { (rate, compliance) = (step.inverse, 0) }
    let missing = velocity + ends.stretch.times(rate) + old.times(compliance)
    var change = ends.impulse(changing: missing.times(-1), compliance: compliance)
    if let limit, (old + change).along(limit) > 0 { change = old.times(-1) }
    pointee.impulse = old + change
    ends.apply(change)
    if pointee.isRigid, pointee.damping > 0 { rub(ends, step) }
    return (ends.velocity - velocity).squared.squareRoot()
  }

  /// Applies friction against the relative spin of the bodies, with at most the friction torque of the joint.
  private func rub(_ ends: Ends, _ step: SubStep) {
    let (inertiaA, inertiaB) = (ends.a.pointee.inverseInertia, ends.b.pointee.inverseInertia)
    let lever = ends.leverA.times(inertiaA) + ends.leverB.times(inertiaB)
    // The ends stay together, so each body is harder to turn than it would be by itself.
    let answer = ends.impulse(changing: Vector(dx: lever.dy, dy: -lever.dx), compliance: 0)
    let inertia = Swift.max(inertiaA + inertiaB + lever.cross(answer), .leastNormalMagnitude)
    let (most, old) = (pointee.damping * step.duration, pointee.turning)
    let wanted = old + (ends.a.pointee.spin - ends.b.pointee.spin) / inertia
    pointee.turning = Swift.min(Swift.max(wanted, -most), most)
    ends.turn(pointee.turning - old)
    pointee.impulse = pointee.impulse + answer.times(pointee.turning - old)
    ends.apply(answer.times(pointee.turning - old))
  }
}
