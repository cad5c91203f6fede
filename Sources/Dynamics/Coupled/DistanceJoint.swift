/// A joint that holds two bodies, or a body and an anchor, at a distance: a spring where it has a frequency, a rod
/// where it has none.
struct DistanceJoint: BitwiseCopyable {
  let a: Int32
  /// The ground for an anchor.
  let b: Int32
  /// From the centre of the second body, in its own directions; of the ground's centre that is the anchor itself.
  var offsetB: Vector
  let length: Double
  var gains = SpringGains()
  let offsetA: Vector
  let frequency: Double
  let damping: Double
  /// Whether the bodies touch nothing, so that the frame begins and ends with half a kick.
  var isFree = false
  /// What a soft joint pulls along its direction, or one of no length along both axes, over a sub-step.
  var impulse = Vector.zero

  init(
    a: Int32, b: Int32, offsetA: Vector, offsetB: Vector, length: Double, frequency: Double, damping: Double
  ) {
    (self.a, self.b, self.offsetA, self.offsetB) = (a, b, offsetA, offsetB)
    (self.length, self.frequency, self.damping) = (length, frequency, damping)
  }

  var isRigid: Bool { frequency == 0 }
  /// Whether it is a spring that is solved with the contacts.
  var isStiff: Bool { gains.kind == .soft && !isRigid }
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

  func apply(_ impulse: Vector) { apply(impulse, to: a, b) }

  /// Adds what an impulse changes to these velocities, which need not be those of the bodies.
  @inline(__always)
  func apply(
    _ impulse: Vector, to motionA: UnsafeMutablePointer<Motion>, _ motionB: UnsafeMutablePointer<Motion>
  ) {
    let (x, y) = (impulse.dx, impulse.dy)
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

  /// The impulse j for which `share·K·j + compliance·j` is this velocity, K being the inverse effective mass.
  func impulse(changing velocity: Vector, share: Double = 1, compliance: Double) -> Vector {
    let mass = share * (a.pointee.inverseMass + b.pointee.inverseMass) + compliance
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

// MARK: - What joints do

extension UnsafeMutablePointer<DistanceJoint> {
  /// Changes the velocity of a spring's ends, and pulls them to their length; less where they resist more than their
  /// mass does.
  func apply(_ kick: SpringKick, _ bodies: borrowing RigidBodies) {
    if kick.keep == 1, kick.pull == 0 { return }
    let ends = Ends(pointee, bodies)
    let acceleration =
      bodies.definitions[pointee.b].acceleration - bodies.definitions[pointee.a].acceleration
    let (mass, share) = (pointee.gains.mass, pointee.gains.mass * (1 - kick.keep))
    let change = (ends.velocity.times(kick.keep - 1) + acceleration.times(kick.lift)).times(mass)
    if pointee.length == 0 {
      let impulse = ends.impulse(
        changing: change - ends.gap.times(mass * kick.pull), share: share, compliance: kick.keep)
      ends.apply(impulse)
    } else {
      let (distance, direction) = ends.distance
      let impulse =
        (change.along(direction) - mass * kick.pull * (distance - pointee.length))
        / (kick.keep + share * ends.inverseMass(along: direction))
      ends.apply(direction.times(impulse))
    }
  }

  func warmStart(_ bodies: borrowing RigidBodies) {
    let ends = Ends(pointee, bodies)
    if pointee.length == 0 {
      ends.apply(pointee.impulse)
    } else {
      let direction = ends.distance.direction
      ends.apply(direction.times(pointee.impulse.dx))
    }
  }

  /// Stops the ends of a soft joint from leaving its length, or those of one without length each other.
  /// - Parameter usesBias: Whether a rod undoes what they have left, too.
  /// - Returns: By how much the speed of the ends changed at most.
  func solve(_ bodies: borrowing RigidBodies, usesBias: Bool) -> Double {
    let ends = Ends(pointee, bodies)
    let velocity = ends.velocity
    let isSoft = usesBias || !pointee.isRigid
    let (rate, compliance) = isSoft ? (pointee.gains.biasRate, pointee.gains.compliance) : (0, 0)
    if pointee.length == 0 {
      let missing = velocity + ends.gap.times(rate) + pointee.impulse.times(compliance)
      let impulse = ends.impulse(changing: missing.times(-1), compliance: compliance)
      pointee.impulse = pointee.impulse + impulse
      ends.apply(impulse)
      return (ends.velocity - velocity).squared.squareRoot()
    } else {
      let (distance, direction) = ends.distance
      let inverseMass = ends.inverseMass(along: direction)
      let missing =
        velocity.along(direction) + rate * (distance - pointee.length) + compliance * pointee.impulse.dx
      let impulse = -missing / (inverseMass + compliance)
      pointee.impulse.dx += impulse
      ends.apply(direction.times(impulse))
      return abs(impulse) * inverseMass
    }
  }
}

// MARK: - What `SpringEnergy` needs to know

extension DistanceJoint {
  /// That it holds, mass·points²/seconds²; a soft spring loses what it holds.
  func energy(_ bodies: borrowing RigidBodies) -> Double {
    if gains.kind == .soft { return 0 }
    let stretch = 2 * .pi * frequency * (Ends(self, bodies).distance.length - length)
    return 0.5 * gains.mass * stretch * stretch
  }

  /// Adds to the changes how the spring accelerates its bodies.
  func pull(_ changes: borrowing Buffer<Motion>, _ bodies: borrowing RigidBodies) {
    if gains.kind == .soft { return }
    let ends = Ends(self, bodies)
    let (distance, direction) = ends.distance
    let ω = 2 * .pi * frequency
    let force = direction.times(-ω * ω * gains.mass * (distance - length))
    ends.apply(force, to: changes.base + Int(a), changes.base + Int(b))
  }

  /// Adds to the changes what it would take for the ends to move twice as fast along the spring, or across the rod.
  func stretch(_ changes: borrowing Buffer<Motion>, _ bodies: borrowing RigidBodies) {
    let ends = Ends(self, bodies)
    let (velocity, direction) = (ends.velocity, ends.distance.direction)
    let along = length == 0 || isRigid ? velocity : direction.times(velocity.along(direction))
    ends.apply(along.times(gains.mass), to: changes.base + Int(a), changes.base + Int(b))
  }
}
