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
  /// What a spring does in the first and second half of a sub-step.
  var early = SpringGains.none
  var late = SpringGains.none
  /// Whether others pull at the same bodies.
  var isShared = false
  /// Where an anchored spring of length 0 that is shared pulls, since the last move.
  var grip = Grip.none
  /// What a rod pulls along its direction, or a pin (a rod of no length) along both axes, over a sub-step
  /// so far; and half of what it did over the one before.
  var impulse = Vector.zero
  var guess = Vector.zero

  var isRigid: Bool { frequency == 0 }
  /// Whether it ties the centre of a body to an anchor, so that the body's mass does not matter.
  var isCentral: Bool { b == RigidBodies.ground && offsetA == .zero }
}

/// How a spring changes the velocity v of its ends against each other in half a sub-step, d being how far it
/// is stretched and g the acceleration by other forces: `v′ = keep·v − pull·d + lift·g`.
struct SpringGains: BitwiseCopyable {
  let keep: Double
  /// 1/seconds.
  let pull: Double
  /// Seconds.
  let lift: Double

  static let none = SpringGains(keep: 1, pull: 0, lift: 0)

  var damping: SpringGains { SpringGains(keep: keep, pull: 0, lift: 0) }
  var pulling: SpringGains { SpringGains(keep: 1, pull: pull, lift: lift) }
}

extension Attachment {
  /// Works out the gains for sub-steps of so many seconds.
  ///
  /// Half a kick, a move by h and another half make a sub-step. The gains are such that it maps (d, v) as
  /// the exact solution (d′, v′) = M·(d, v) of a spring alone does: the velocity between is (d′ − d)/h,
  /// which gives the first half, and v′ as a function of it and d′ gives the second. Where springs are so
  /// stiff that several on a body could shake each other, an implicit kick takes its place, which is stable
  /// whatever they are.
  ///
  /// - Parameter count: Attachments that pull at the same bodies, this one included.
  mutating func prepare(step h: Double, count: Int) {
    let ω = 2 * .pi * frequency
    isShared = count > 1
    if ω * ω * h * h * Double(count) <= 0.25,
      let spring = try? SpringParameters(frequency: frequency, damping: damping, item: "attachment")
    {
      let m = SpringTransition(spring, duration: h)
      let determinant = m.m00 * m.m11 - m.m01 * m.m10
      early = gains(keep: m.m01 / h, pull: (1 - m.m00) / h, h, count)
      late = gains(keep: determinant * h / m.m01, pull: (determinant - m.m11) / m.m01, h, count)
    } else {
      let keep = 1 / (1 + damping * ω * h + Double(count) * ω * ω * h * h / 2)
      early = gains(keep: keep, pull: ω * ω * h / 2 * keep, h, count)
      late = early
    }
  }

  /// The lift makes a spring hang still where its pull holds the weight, or its share of it.
  private func gains(keep: Double, pull: Double, _ h: Double, _ count: Int) -> SpringGains {
    guard keep.isFinite, pull.isFinite else { return SpringGains(keep: 0, pull: 0, lift: 0) }
    let ω = 2 * .pi * frequency
    return SpringGains(keep: keep, pull: pull, lift: (pull / (ω * ω) - h / 2) / Double(count))
  }
}

// MARK: - The solver

/// The ends of an attachment while the solver changes the velocities of its bodies.
private struct Ends {
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

  /// The impulse that changes the velocity by so much along the direction.
  @inline(__always)
  func impulse(changing speed: Double, along direction: Vector) -> Double {
    let crossA = leverA.dx * direction.dy - leverA.dy * direction.dx
    let crossB = leverB.dx * direction.dy - leverB.dy * direction.dx
    return speed
      / (a.pointee.inverseMass + b.pointee.inverseMass + a.pointee.inverseInertia * crossA * crossA
        + b.pointee.inverseInertia * crossB * crossB)
  }

  /// The impulse that changes the velocity by so much along both axes.
  @inline(__always)
  func impulse(changing velocity: Vector) -> Vector {
    let mass = a.pointee.inverseMass + b.pointee.inverseMass
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

extension UnsafeMutablePointer<Attachment> {
  /// Half a sub-step of a spring's force.
  @inline(__always)
  func kick(_ bodies: borrowing RigidBodies, _ gains: SpringGains) {
    if pointee.isCentral, pointee.length > 0 { return kickCentre(bodies, gains) }
    let ends = Ends(pointee, bodies)
    let (velocity, gap) = (ends.velocity, ends.gap)
    let (forceA, forceB) = (
      bodies.traits[pointee.a].acceleration, bodies.traits[pointee.b].acceleration
    )
    let force = Vector(dx: forceB.dx - forceA.dx, dy: forceB.dy - forceA.dy)
    if pointee.length == 0 {
      let impulse = ends.impulse(
        changing: Vector(
          dx: (gains.keep - 1) * velocity.dx - gains.pull * gap.dx + gains.lift * force.dx,
          dy: (gains.keep - 1) * velocity.dy - gains.pull * gap.dy + gains.lift * force.dy))
      ends.apply(impulse.dx, impulse.dy)
    } else {
      let (distance, direction) = ends.distance
      let speed = velocity.dx * direction.dx + velocity.dy * direction.dy
      let lifting = gains.lift * (force.dx * direction.dx + force.dy * direction.dy)
      let impulse = ends.impulse(
        changing: (gains.keep - 1) * speed - gains.pull * (distance - pointee.length) + lifting,
        along: direction)
      ends.apply(impulse * direction.dx, impulse * direction.dy)
    }
  }

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
      let rigid = ends.impulse(
        changing: -speed - soft.biasRate * (distance - pointee.length), along: direction)
      let impulse = soft.massScale * rigid - soft.impulseScale * pointee.impulse.dx
      pointee.impulse.dx += impulse
      ends.apply(impulse * direction.dx, impulse * direction.dy)
    }
  }
}
