/// An attachment of a body to another or to the ground, as the coupled solver sees it: a spring where it has
/// a frequency, a rod where it has none.
struct Attachment: BitwiseCopyable {
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
  /// What a spring does in half a sub-step.
  var gains = SpringGains.none
  /// Of the energy of a spring that is not split.
  var account = EnergyAccount()
  /// The `SpringGroup` of a spring that is split; -1 for none.
  var group: Int32 = -1
  /// What a rod pulls along its direction, or a pin (a rod of no length) along both axes, over a sub-step
  /// so far; and half of what it did over the one before. Of a spring, what it did before the move, and the
  /// velocity of its ends then.
  var impulse = Vector.zero
  var guess = Vector.zero

  var isRigid: Bool { frequency == 0 }
  /// Whether it ties the centre of a body to an anchor, so that the body's mass does not matter.
  var isCentral: Bool { b == RigidBodies.ground && offsetA == .zero }
}

// MARK: - The solver

/// The ends of an attachment while the solver changes the velocities of its bodies.
struct Ends {
  let a: UnsafeMutablePointer<Motion>
  let b: UnsafeMutablePointer<Motion>
  let leverA: Vector
  let leverB: Vector
  /// From the end at a to the end at b, points.
  let gap: Vector

  @inline(__always)
  init(_ attachment: Attachment, _ bodies: borrowing RigidBodies) {
    a = bodies.motions.base + Int(attachment.a)
    b = bodies.motions.base + Int(attachment.b)
    let poseA = bodies.poses.base + Int(attachment.a)
    let poseB = bodies.poses.base + Int(attachment.b)
    leverA = poseA.pointee.turned(attachment.offsetA)
    leverB = poseB.pointee.turned(attachment.offsetB)
    gap = Vector(
      dx: poseB.pointee.x + leverB.dx - poseA.pointee.x - leverA.dx,
      dy: poseB.pointee.y + leverB.dy - poseA.pointee.y - leverA.dy)
  }

  /// Of the end at b seen from the one at a, points per second.
  @inline(__always)
  var velocity: Vector {
    Vector(
      dx: b.pointee.vx - b.pointee.spin * leverB.dy - a.pointee.vx + a.pointee.spin * leverA.dy,
      dy: b.pointee.vy + b.pointee.spin * leverB.dx - a.pointee.vy - a.pointee.spin * leverA.dx)
  }

  @inline(__always)
  func apply(_ x: Double, _ y: Double) {
    a.pointee.vx -= a.pointee.inverseMass * x
    a.pointee.vy -= a.pointee.inverseMass * y
    a.pointee.spin -= a.pointee.inverseInertia * (leverA.dx * y - leverA.dy * x)
    b.pointee.vx += b.pointee.inverseMass * x
    b.pointee.vy += b.pointee.inverseMass * y
    b.pointee.spin += b.pointee.inverseInertia * (leverB.dx * y - leverB.dy * x)
  }

  /// The inverse of the mass that the ends resist with along the direction.
  @inline(__always)
  func inverseMass(along direction: Vector) -> Double {
    let crossA = leverA.dx * direction.dy - leverA.dy * direction.dx
    let crossB = leverB.dx * direction.dy - leverB.dy * direction.dx
    return a.pointee.inverseMass + b.pointee.inverseMass + a.pointee.inverseInertia * crossA * crossA
      + b.pointee.inverseInertia * crossB * crossB
  }

  /// The impulse that changes the velocity by so much along both axes.
  /// - Parameter give: How much more the ends give way, 1/mass: the change is less then.
  @inline(__always)
  func impulse(changing velocity: Vector, give: Double = 0) -> Vector {
    let mass = a.pointee.inverseMass + b.pointee.inverseMass + give
    let (inertiaA, inertiaB) = (a.pointee.inverseInertia, b.pointee.inverseInertia)
    let xx = mass + inertiaA * leverA.dy * leverA.dy + inertiaB * leverB.dy * leverB.dy
    let xy = -inertiaA * leverA.dx * leverA.dy - inertiaB * leverB.dx * leverB.dy
    let yy = mass + inertiaA * leverA.dx * leverA.dx + inertiaB * leverB.dx * leverB.dx
    let scale = 1 / (xx * yy - xy * xy)
    return Vector(
      dx: scale * (yy * velocity.dx - xy * velocity.dy), dy: scale * (xx * velocity.dy - xy * velocity.dx))
  }

  /// How far the ends are apart, and in which direction; downwards where they are in one place.
  @inline(__always)
  var distance: (length: Double, direction: Vector) {
    let length = (gap.dx * gap.dx + gap.dy * gap.dy).squareRoot()
    guard length > 1e-9 else { return (length, Vector(dx: 0, dy: -1)) }
    let inverse = 1 / length
    return (length, Vector(dx: gap.dx * inverse, dy: gap.dy * inverse))
  }
}

/// Rods.
extension UnsafeMutablePointer<Attachment> {
  /// The first half of a sub-step: starts from half of a rod's impulse of the one before.
  func warmStart(_ bodies: borrowing RigidBodies, scale: Double) {
    pointee.guess = Vector(dx: 0.5 * scale * pointee.impulse.dx, dy: 0.5 * scale * pointee.impulse.dy)
    pointee.impulse = .zero
    warmStartAgain(bodies)
  }

  /// The second half: adds the other half of it.
  func warmStartAgain(_ bodies: borrowing RigidBodies) {
    let ends = Ends(pointee, bodies)
    pointee.impulse.dx += pointee.guess.dx
    pointee.impulse.dy += pointee.guess.dy
    if pointee.length == 0 {
      ends.apply(pointee.guess.dx, pointee.guess.dy)
    } else {
      let direction = ends.distance.direction
      ends.apply(pointee.guess.dx * direction.dx, pointee.guess.dx * direction.dy)
    }
  }

  /// Stops the ends of a rod from leaving its length, or those of a pin each other.
  /// - Parameter pullsBack: Whether what they have left is undone, too.
  func solve(_ bodies: borrowing RigidBodies, _ softness: Softness, pullsBack: Bool) {
    let soft = pullsBack ? softness : .rigid
    let ends = Ends(pointee, bodies)
    let velocity = ends.velocity
    if pointee.length == 0 {
      let rigid = ends.impulse(
        changing: Vector(
          dx: -velocity.dx - soft.biasRate * ends.gap.dx, dy: -velocity.dy - soft.biasRate * ends.gap.dy))
      let impulse = Vector(
        dx: soft.massScale * rigid.dx - soft.impulseScale * pointee.impulse.dx,
        dy: soft.massScale * rigid.dy - soft.impulseScale * pointee.impulse.dy)
      pointee.impulse.dx += impulse.dx
      pointee.impulse.dy += impulse.dy
      ends.apply(impulse.dx, impulse.dy)
    } else {
      let (distance, direction) = ends.distance
      let speed = velocity.dx * direction.dx + velocity.dy * direction.dy
      let rigid =
        (-speed - soft.biasRate * (distance - pointee.length)) / ends.inverseMass(along: direction)
      let impulse = soft.massScale * rigid - soft.impulseScale * pointee.impulse.dx
      pointee.impulse.dx += impulse
      ends.apply(impulse * direction.dx, impulse * direction.dy)
    }
  }
}
