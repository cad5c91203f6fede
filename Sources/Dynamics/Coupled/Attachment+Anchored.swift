/// A spring by whose length the centre of a body hangs from an anchor, with nothing else attached to the body: all
/// that a frame needs of it, side by side, at a fraction of what `kick` costs.
struct Hanger: BitwiseCopyable {
  let a: Int32
  let anchor: Vector
  let length: Double
  let acceleration: Vector
  let early: HalfKick
  let late: HalfKick
  /// From the anchor to the body, since the last move; how far the spring is stretched, and how the body
  /// accelerates that way.
  var direction = Vector.zero
  var stretch = 0.0
  var acceleratingAway = 0.0

  init(_ attachment: Attachment, _ acceleration: Vector) {
    (a, anchor, length) = (attachment.a, attachment.offsetB, attachment.length)
    (early, late) = (attachment.gains.early, attachment.gains.late)
    self.acceleration = acceleration
  }
}

extension UnsafeMutablePointer<Hanger> {
  /// Sees where the body is after a move.
  @inline(__always)
  func locate(_ bodies: borrowing RigidBodies) {
    let pose = bodies.poses.base + Int(pointee.a)
    let (dx, dy) = (pose.pointee.x - pointee.anchor.dx, pose.pointee.y - pointee.anchor.dy)
    let distance = (dx * dx + dy * dy).squareRoot()
    let inverse = 1 / distance
    let (x, y) = distance > 1e-9 ? (dx * inverse, dy * inverse) : (0, 1)
    pointee.direction = Vector(dx: x, dy: y)
    pointee.stretch = distance - pointee.length
    pointee.acceleratingAway = pointee.acceleration.dx * x + pointee.acceleration.dy * y
  }

  /// Half a sub-step of its force.
  @inline(__always)
  func kick(_ bodies: borrowing RigidBodies, _ gains: HalfKick) {
    let motion = bodies.motions.base + Int(pointee.a)
    let (x, y) = (pointee.direction.dx, pointee.direction.dy)
    let change =
      (gains.keep - 1) * (motion.pointee.vx * x + motion.pointee.vy * y) - gains.pull * pointee.stretch
      + gains.lift * pointee.acceleratingAway
    motion.pointee.vx += change * x
    motion.pointee.vy += change * y
  }
}

/// A spring by whose length the centre of a body hangs from an anchor as one of several, as a dragged item does
/// on four, damped well enough to see to its energy.
struct Stay: BitwiseCopyable {
  let a: Int32
  let anchor: Vector
  let length: Double
  /// What half a sub-step takes of the velocity along the spring, a share of it, and what it adds by stretch,
  /// 1/seconds.
  let damping: Double
  let pull: Double
  /// From the anchor to the body, since the last move; and how far the spring is stretched.
  var direction = Vector.zero
  var stretch = 0.0

  init(_ attachment: Attachment, _ body: Motion) {
    (a, anchor, length) = (attachment.a, attachment.offsetB, attachment.length)
    damping = body.inverseMass / (body.inverseMass + attachment.gains.give)
    pull = body.inverseMass * attachment.gains.pull
  }
}

extension UnsafeMutablePointer<Stay> {
  /// Sees where the body is after a move.
  @inline(__always)
  func locate(_ bodies: borrowing RigidBodies) {
    let pose = bodies.poses.base + Int(pointee.a)
    let (dx, dy) = (pose.pointee.x - pointee.anchor.dx, pose.pointee.y - pointee.anchor.dy)
    let distance = (dx * dx + dy * dy).squareRoot()
    let inverse = 1 / distance
    pointee.direction =
      distance > 1e-9 ? Vector(dx: dx * inverse, dy: dy * inverse) : Vector(dx: 0, dy: 1)
    pointee.stretch = distance - pointee.length
  }

  /// Damps the motion of the body.
  @inline(__always)
  func damp(_ bodies: borrowing RigidBodies) {
    let motion = bodies.motions.base + Int(pointee.a)
    let (x, y) = (pointee.direction.dx, pointee.direction.dy)
    let change = pointee.damping * (motion.pointee.vx * x + motion.pointee.vy * y)
    motion.pointee.vx -= change * x
    motion.pointee.vy -= change * y
  }

  /// Pulls it to its length.
  @inline(__always)
  func kick(_ bodies: borrowing RigidBodies) {
    let motion = bodies.motions.base + Int(pointee.a)
    let change = pointee.pull * pointee.stretch
    motion.pointee.vx -= change * pointee.direction.dx
    motion.pointee.vy -= change * pointee.direction.dy
  }
}

/// A spring of length 0 that is one of several to hold a body by its corners, damped well enough to see to its
/// energy: all that a frame needs of it, too.
struct Corner: BitwiseCopyable {
  let a: Int32
  /// From the centre of the body, in its own directions.
  let offset: Vector
  let anchor: Vector
  /// See `SpringGains`.
  let isStiff: Bool
  let give: Double
  let pull: Double
  /// Stiff: how far from the anchor the weight lets it hang, points, and what holds the weight there, an
  /// impulse.
  let sag: Vector
  let hold: Vector
  /// Since the last move: from the centre of the body, and from the anchor, points.
  var lever = Vector.zero
  var gap = Vector.zero
  /// The impulse that damps a velocity of 1 along an axis: a symmetric matrix.
  var xx = 0.0
  var xy = 0.0
  var yy = 0.0

  init(_ attachment: Attachment, _ acceleration: Vector) {
    (a, offset, anchor) = (attachment.a, attachment.offsetA, attachment.offsetB)
    let gains = attachment.gains
    (isStiff, give, pull) = (gains.isStiff, gains.give, gains.pull)
    (sag, hold) = (acceleration.times(gains.sag), acceleration.times(gains.hold))
  }
}

extension UnsafeMutablePointer<Corner> {
  /// Sees where the corner is after a move.
  @inline(__always)
  func locate(_ bodies: borrowing RigidBodies) {
    let motion = bodies.motions.base + Int(pointee.a)
    let pose = bodies.poses.base + Int(pointee.a)
    let lever = pose.pointee.turned(pointee.offset)
    let (mass, inertia) = (motion.pointee.inverseMass + pointee.give, motion.pointee.inverseInertia)
    let xx = mass + inertia * lever.dy * lever.dy
    let xy = -inertia * lever.dx * lever.dy
    let yy = mass + inertia * lever.dx * lever.dx
    let scale = 1 / (xx * yy - xy * xy)
    pointee.lever = lever
    pointee.gap = Vector(
      dx: pose.pointee.x + lever.dx - pointee.anchor.dx, dy: pose.pointee.y + lever.dy - pointee.anchor.dy)
    (pointee.xx, pointee.xy, pointee.yy) = (scale * yy, -scale * xy, scale * xx)
  }

  /// Damps the motion of the corner.
  @inline(__always)
  func damp(_ bodies: borrowing RigidBodies) {
    let motion = bodies.motions.base + Int(pointee.a)
    let vx = motion.pointee.vx - motion.pointee.spin * pointee.lever.dy
    let vy = motion.pointee.vy + motion.pointee.spin * pointee.lever.dx
    apply(motion, -pointee.xx * vx - pointee.xy * vy, -pointee.xy * vx - pointee.yy * vy)
  }

  /// Pulls it to its anchor.
  @inline(__always)
  func kick(_ bodies: borrowing RigidBodies) {
    let motion = bodies.motions.base + Int(pointee.a)
    let (x, y) = (pointee.gap.dx - pointee.sag.dx, pointee.gap.dy - pointee.sag.dy)
    if pointee.isStiff {
      apply(
        motion, -pointee.pull * (pointee.xx * x + pointee.xy * y) - pointee.hold.dx,
        -pointee.pull * (pointee.xy * x + pointee.yy * y) - pointee.hold.dy)
    } else {
      apply(motion, -pointee.pull * x, -pointee.pull * y)
    }
  }

  @inline(__always)
  private func apply(_ motion: UnsafeMutablePointer<Motion>, _ x: Double, _ y: Double) {
    motion.pointee.vx += motion.pointee.inverseMass * x
    motion.pointee.vy += motion.pointee.inverseMass * y
    motion.pointee.spin += motion.pointee.inverseInertia * (pointee.lever.dx * y - pointee.lever.dy * x)
  }
}

extension Attachment {
  /// Whether nothing else is attached to the body that hangs by its length, and damping is enough to see to its
  /// energy.
  var isHanger: Bool { isCentral && length > 0 && !gains.isSplit && !gains.isBooked }
  var isStay: Bool {
    gains.isSplit && isCentral && length > 0 && !gains.isStiff && !gains.isBooked && gains.damps
  }
  var isCorner: Bool {
    gains.isSplit && length == 0 && b == RigidBodies.ground && !gains.isBooked && gains.damps
  }
}
