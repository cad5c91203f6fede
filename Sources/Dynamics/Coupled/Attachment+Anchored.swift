/// Where an anchored spring pulls at its body, and what an impulse there does.
struct Grip: BitwiseCopyable {
  /// From the centre of the body.
  let lever: Vector
  /// From the anchor, points.
  let gap: Vector
  /// The impulse that changes the velocity there by 1 along an axis: a symmetric matrix.
  let xx: Double
  let xy: Double
  let yy: Double

  static let none = Grip(lever: .zero, gap: .zero, xx: 0, xy: 0, yy: 0)
}

/// A spring by whose length the centre of a body hangs from an anchor, with nothing else attached to the body: all
/// that a frame needs of it, side by side, at a fraction of what `kick` costs.
struct Hanger: BitwiseCopyable {
  let a: Int32
  let anchor: Vector
  let length: Double
  let acceleration: Vector
  let early: SpringGains
  let late: SpringGains
  /// From the anchor to the body, since the last move; how far the spring is stretched, and how the body
  /// accelerates that way.
  var direction = Vector.zero
  var stretch = 0.0
  var acceleratingAway = 0.0

  init(_ attachment: Attachment, _ acceleration: Vector) {
    (a, anchor, length) = (attachment.a, attachment.offsetB, attachment.length)
    (early, late) = (attachment.early, attachment.late)
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
  func kick(_ bodies: borrowing RigidBodies, _ gains: SpringGains) {
    let motion = bodies.motions.base + Int(pointee.a)
    let (x, y) = (pointee.direction.dx, pointee.direction.dy)
    let change =
      (gains.keep - 1) * (motion.pointee.vx * x + motion.pointee.vy * y) - gains.pull * pointee.stretch
      + gains.lift * pointee.acceleratingAway
    motion.pointee.vx += change * x
    motion.pointee.vy += change * y
  }
}

extension Attachment {
  /// Whether nothing else is attached to the body that hangs by its length.
  var isHanger: Bool { isCentral && length > 0 && !isShared }
  /// Whether it is one of several that hold a body by its corners.
  var isCorner: Bool { isShared && length == 0 && b == RigidBodies.ground }
}

/// Springs to anchors, at a fraction of what `kick` costs.
extension UnsafeMutablePointer<Attachment> {
  /// Half a sub-step of a hanger that is shared.
  @inline(__always)
  func kickCentre(_ bodies: borrowing RigidBodies, _ gains: SpringGains) {
    var hanger = Hanger(pointee, (bodies.traits.base + Int(pointee.a)).pointee.acceleration)
    withUnsafeMutablePointer(to: &hanger) { hanger in
      hanger.locate(bodies)
      hanger.kick(bodies, gains)
    }
  }

  /// Sees where a corner is after a move.
  @inline(__always)
  func locateCorner(_ bodies: borrowing RigidBodies) {
    let motion = bodies.motions.base + Int(pointee.a)
    let pose = bodies.poses.base + Int(pointee.a)
    let lever = pose.pointee.turned(pointee.offsetA)
    let (mass, inertia) = (motion.pointee.inverseMass, motion.pointee.inverseInertia)
    let xx = mass + inertia * lever.dy * lever.dy
    let xy = -inertia * lever.dx * lever.dy
    let yy = mass + inertia * lever.dx * lever.dx
    let scale = 1 / (xx * yy - xy * xy)
    pointee.grip = Grip(
      lever: lever,
      gap: Vector(
        dx: pose.pointee.x + lever.dx - pointee.offsetB.dx, dy: pose.pointee.y + lever.dy - pointee.offsetB.dy
      ),
      xx: scale * yy, xy: -scale * xy, yy: scale * xx)
  }

  /// Damps the motion of a corner.
  @inline(__always)
  func dampCorner(_ bodies: borrowing RigidBodies, _ gains: SpringGains) {
    let motion = bodies.motions.base + Int(pointee.a)
    let lever = pointee.grip.lever
    changeVelocity(
      motion, (gains.keep - 1) * (motion.pointee.vx - motion.pointee.spin * lever.dy),
      (gains.keep - 1) * (motion.pointee.vy + motion.pointee.spin * lever.dx))
  }

  /// Pulls a corner to its anchor.
  @inline(__always)
  func pullCorner(_ bodies: borrowing RigidBodies, _ gains: SpringGains) {
    let force = (bodies.traits.base + Int(pointee.a)).pointee.acceleration
    let gap = pointee.grip.gap
    changeVelocity(
      bodies.motions.base + Int(pointee.a), gains.lift * force.dx - gains.pull * gap.dx,
      gains.lift * force.dy - gains.pull * gap.dy)
  }

  /// Changes the velocity of the corner by so much, and that of the body accordingly.
  @inline(__always)
  private func changeVelocity(_ motion: UnsafeMutablePointer<Motion>, _ vx: Double, _ vy: Double) {
    let grip = pointee.grip
    let (x, y) = (grip.xx * vx + grip.xy * vy, grip.xy * vx + grip.yy * vy)
    motion.pointee.vx += motion.pointee.inverseMass * x
    motion.pointee.vy += motion.pointee.inverseMass * y
    motion.pointee.spin += motion.pointee.inverseInertia * (grip.lever.dx * y - grip.lever.dy * x)
  }
}
