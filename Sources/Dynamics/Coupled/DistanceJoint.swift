/// A joint that holds two bodies, or a body and an anchor, at a distance: a spring where it has a frequency, a rod
/// where it has none.
struct DistanceJoint: BitwiseCopyable {
  let a: Int32
  /// The ground for an anchor.
  let b: Int32
  /// From the centre of the body, in its own directions.
  let offsetA: Vector
  /// Of the ground's centre that is the anchor itself.
  var offsetB: Vector
  let length: Double
  let frequency: Double
  let damping: Double
  /// What a spring does in a sub-step.
  var gains = SpringGains()
  /// Whether the bodies touch nothing, so that the frame begins and ends with half a kick.
  var isFree = false
  /// What a rod pulls along its direction, or a pin (a rod of no length) along both axes, over a sub-step.
  var impulse = Vector.zero

  init(
    a: Int32, b: Int32, offsetA: Vector, offsetB: Vector, length: Double, frequency: Double, damping: Double
  ) {
    (self.a, self.b, self.offsetA, self.offsetB) = (a, b, offsetA, offsetB)
    (self.length, self.frequency, self.damping) = (length, frequency, damping)
  }

  var isRigid: Bool { frequency == 0 }
  /// Whether it ties the centre of a body to an anchor by a spring.
  var isAnchored: Bool { b == RigidBodies.ground && offsetA == .zero && !isRigid }
}

/// The part of a sub-step that forces act for.
enum Kick {
  /// Half of one before the first move of what touches nothing, all of it otherwise.
  case first
  case middle
  /// The other half, after the last move.
  case last
}

/// The ends of a joint while the solver changes the velocities of its bodies.
struct Ends {
  let a: UnsafeMutablePointer<Motion>
  let b: UnsafeMutablePointer<Motion>
  let leverA: Vector
  let leverB: Vector
  /// From the end at a to the end at b, points.
  let gap: Vector

  @inline(__always)
  init(_ joint: DistanceJoint, _ bodies: borrowing RigidBodies) {
    a = bodies.motions.base + Int(joint.a)
    b = bodies.motions.base + Int(joint.b)
    leverA = Self.lever(joint.offsetA, a, bodies.poses.base + Int(joint.a))
    leverB = Self.lever(joint.offsetB, b, bodies.poses.base + Int(joint.b))
    gap = Vector(
      dx: b.pointee.x + leverB.dx - a.pointee.x - leverA.dx,
      dy: b.pointee.y + leverB.dy - a.pointee.y - leverA.dy)
  }

  private static func lever(
    _ offset: Vector, _ motion: UnsafeMutablePointer<Motion>, _ pose: UnsafeMutablePointer<Pose>
  ) -> Vector {
    let lever = pose.pointee.turned(offset)
    let turn = motion.pointee.turn
    guard turn != 0, offset != .zero else { return lever }
    let (c, s) = (PortableMath.cos(turn), PortableMath.sin(turn))
    return Vector(dx: c * lever.dx - s * lever.dy, dy: s * lever.dx + c * lever.dy)
  }

  /// Of the end at b seen from the one at a, points per second.
  var velocity: Vector {
    Vector(
      dx: b.pointee.vx - b.pointee.spin * leverB.dy - a.pointee.vx + a.pointee.spin * leverA.dy,
      dy: b.pointee.vy + b.pointee.spin * leverB.dx - a.pointee.vy - a.pointee.spin * leverA.dx)
  }

  @inline(__always)
  func apply(_ x: Double, _ y: Double) { apply(x, y, to: a, b) }

  /// Adds what an impulse changes to these velocities, which need not be those of the bodies.
  @inline(__always)
  func apply(
    _ x: Double, _ y: Double, to motionA: UnsafeMutablePointer<Motion>,
    _ motionB: UnsafeMutablePointer<Motion>
  ) {
    motionA.pointee.vx -= a.pointee.inverseMass * x
    motionA.pointee.vy -= a.pointee.inverseMass * y
    motionA.pointee.spin -= a.pointee.inverseInertia * (leverA.dx * y - leverA.dy * x)
    motionB.pointee.vx += b.pointee.inverseMass * x
    motionB.pointee.vy += b.pointee.inverseMass * y
    motionB.pointee.spin += b.pointee.inverseInertia * (leverB.dx * y - leverB.dy * x)
  }

  /// Speed that an impulse of 1 gives along the direction.
  func inverseMass(along direction: Vector) -> Double {
    let crossA = leverA.dx * direction.dy - leverA.dy * direction.dx
    let crossB = leverB.dx * direction.dy - leverB.dy * direction.dx
    return a.pointee.inverseMass + b.pointee.inverseMass + a.pointee.inverseInertia * crossA * crossA
      + b.pointee.inverseInertia * crossB * crossB
  }

  /// The impulse j for which `scale·j + share·K·j` is this velocity, K being the inverse effective mass.
  func impulse(changing velocity: Vector, share: Double = 1, scale: Double = 0) -> Vector {
    let mass = share * (a.pointee.inverseMass + b.pointee.inverseMass) + scale
    let (inertiaA, inertiaB) = (share * a.pointee.inverseInertia, share * b.pointee.inverseInertia)
    let xx = mass + inertiaA * leverA.dy * leverA.dy + inertiaB * leverB.dy * leverB.dy
    let xy = -inertiaA * leverA.dx * leverA.dy - inertiaB * leverB.dx * leverB.dy
    let yy = mass + inertiaA * leverA.dx * leverA.dx + inertiaB * leverB.dx * leverB.dx
    let inverse = 1 / (xx * yy - xy * xy)
    return Vector(
      dx: inverse * (yy * velocity.dx - xy * velocity.dy),
      dy: inverse * (xx * velocity.dy - xy * velocity.dx))
  }

  /// How far the ends are apart, and in which direction; downwards where they are in one place.
  var distance: (length: Double, direction: Vector) {
    let length = gap.squared.squareRoot()
    guard length > 1e-9 else { return (length, Vector(dx: 0, dy: -1)) }
    return (length, gap.times(1 / length))
  }
}

// MARK: - Rods

extension UnsafeMutablePointer<DistanceJoint> {
  func warmStart(_ bodies: borrowing RigidBodies) {
    let ends = Ends(pointee, bodies)
    if pointee.length == 0 {
      ends.apply(pointee.impulse.dx, pointee.impulse.dy)
    } else {
      let direction = ends.distance.direction
      ends.apply(pointee.impulse.dx * direction.dx, pointee.impulse.dx * direction.dy)
    }
  }

  /// Stops the ends of a rod from leaving its length, or those of a pin each other.
  /// - Parameter softness: How what they have left is undone; `Softness.rigid` for not at all.
  /// - Returns: By how much the speed of the ends changed at most.
  func solve(_ bodies: borrowing RigidBodies, _ softness: Softness) -> Double {
    let ends = Ends(pointee, bodies)
    let velocity = ends.velocity
    if pointee.length == 0 {
      let rigid = ends.impulse(changing: (velocity + ends.gap.times(softness.biasRate)).times(-1))
      let impulse = rigid.times(softness.massScale) - pointee.impulse.times(softness.impulseScale)
      pointee.impulse = pointee.impulse + impulse
      ends.apply(impulse.dx, impulse.dy)
      return (ends.velocity - velocity).squared.squareRoot()
    } else {
      let (distance, direction) = ends.distance
      let rigid =
        (-velocity.along(direction) - softness.biasRate * (distance - pointee.length))
        / ends.inverseMass(along: direction)
      let impulse = softness.massScale * rigid - softness.impulseScale * pointee.impulse.dx
      pointee.impulse.dx += impulse
      ends.apply(impulse * direction.dx, impulse * direction.dy)
      return abs(impulse) * ends.inverseMass(along: direction)
    }
  }
}
