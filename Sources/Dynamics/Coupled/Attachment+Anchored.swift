/// Where an anchored spring of length 0 pulls at its body, and what damps it there.
struct Grip: BitwiseCopyable {
  /// From the centre of the body.
  let lever: Vector
  /// From the anchor, points.
  let gap: Vector
  /// The impulse that damps a velocity of 1 along an axis: a symmetric matrix.
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
  let early: HalfKick
  let late: HalfKick
  /// By mass, 1/seconds².
  let halfStiffness: Double
  /// For which gravity acts after the second kick, seconds.
  let gravityTime: Double
  /// From the anchor to the body, since the last move; how far the spring is stretched, and how the body
  /// accelerates that way.
  var direction = Vector.zero
  var stretch = 0.0
  var acceleratingAway = 0.0
  /// What the kick before the move has changed, and the account of it; both by mass.
  var impulse = Vector.zero
  var account = EnergyAccount()

  init(_ attachment: Attachment, _ traits: Traits) {
    (a, anchor, length) = (attachment.a, attachment.offsetB, attachment.length)
    let gains = attachment.gains
    (early, late) = (gains.early, gains.late)
    halfStiffness = gains.isStiff ? 0 : 0.5 * gains.stiffness / gains.mass
    gravityTime = traits.isCarried ? 0 : gains.halfStep
    acceleration = traits.acceleration
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

  /// The kick before a move.
  @inline(__always)
  func kickEarly(_ bodies: borrowing RigidBodies) {
    let motion = bodies.motions.base + Int(pointee.a)
    let direction = pointee.direction
    let change = self.change(of: motion.pointee.velocity.along(direction), pointee.early)
    motion.pointee.vx += change * direction.dx
    motion.pointee.vy += change * direction.dy
    pointee.impulse = direction.times(change)
    pointee.account.surplus -=
      change * (0.5 * change + pointee.gravityTime * pointee.acceleratingAway)
      + pointee.halfStiffness * pointee.stretch * pointee.stretch
  }

  /// The kick after it.
  @inline(__always)
  func kickLate(_ bodies: borrowing RigidBodies) {
    let motion = bodies.motions.base + Int(pointee.a)
    let direction = pointee.direction
    let velocity = motion.pointee.velocity
    let speed = velocity.along(direction)
    let change = self.change(of: speed, pointee.late)
    let gain = pointee.gravityTime * pointee.acceleratingAway
    // The first kick has worked at the speed of the move, whatever stopped the body before it.
    let early = pointee.impulse.dx * velocity.dx + pointee.impulse.dy * velocity.dy
    pointee.account.surplus +=
      early + change * (speed + 0.5 * change + gain)
      + pointee.halfStiffness * pointee.stretch * pointee.stretch
    var (vx, vy) = (velocity.dx + change * direction.dx, velocity.dy + change * direction.dy)
    if pointee.account.surplus > 0 {
      let total = Vector(
        dx: vx + pointee.gravityTime * pointee.acceleration.dx,
        dy: vy + pointee.gravityTime * pointee.acceleration.dy)
      let less = pointee.account.settle(total, mass: 1, along: direction, restores: false)
      (vx, vy) = (vx + less.dx, vy + less.dy)
    } else {
      pointee.account.surplus = 0
    }
    motion.pointee.vx = vx
    motion.pointee.vy = vy
  }

  @inline(__always)
  private func change(of speed: Double, _ kick: HalfKick) -> Double {
    (kick.keep - 1) * speed - kick.pull * pointee.stretch + kick.lift * pointee.acceleratingAway
  }
}

extension Attachment {
  /// Whether nothing else is attached to the body that hangs by its length. A spring that keeps all of its
  /// energy has an account from frame to frame, which takes more than a hanger.
  var isHanger: Bool { isCentral && length > 0 && !gains.isSplit && !gains.isLossless }
  /// Whether it is one of several that hold a body by its corners.
  var isCorner: Bool { gains.isSplit && length == 0 && b == RigidBodies.ground }
}

/// Split springs of length 0 to anchors, at a fraction of what `pull` costs.
extension UnsafeMutablePointer<Attachment> {
  /// Sees where a corner is after a move.
  @inline(__always)
  func locateCorner(_ bodies: borrowing RigidBodies) {
    let motion = bodies.motions.base + Int(pointee.a)
    let pose = bodies.poses.base + Int(pointee.a)
    let lever = pose.pointee.turned(pointee.offsetA)
    let (mass, inertia) = (motion.pointee.inverseMass + pointee.gains.give, motion.pointee.inverseInertia)
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
  func dampCorner(_ bodies: borrowing RigidBodies, _ half: RigidBodies.Half) -> Double {
    pointee.impulse = .zero
    guard pointee.gains.damps else { return 0 }
    let velocity = pointee.grip.velocity(bodies.motions.base + Int(pointee.a))
    return kickCorner(pointee.grip.damping(velocity), bodies, half)
  }

  /// Pulls a corner to its anchor.
  @inline(__always)
  func pullCorner(_ bodies: borrowing RigidBodies, _ half: RigidBodies.Half) -> Double {
    guard !pointee.gains.isStiff else { return pullStiffCorner(bodies) }
    let gap = pointee.grip.gap
    let stored = 0.5 * pointee.gains.stiffness * gap.squared
    return kickCorner(gap.times(-pointee.gains.pull), bodies, half) + (half == .early ? -stored : stored)
  }

  private func pullStiffCorner(_ bodies: borrowing RigidBodies) -> Double {
    let (grip, gains) = (pointee.grip, pointee.gains)
    let force = bodies.traits[pointee.a].acceleration
    let pull = grip.damping(
      Vector(dx: grip.gap.dx - gains.sag * force.dx, dy: grip.gap.dy - gains.sag * force.dy))
    let impulse = Vector(
      dx: gains.pull * pull.dx - gains.hold * force.dx, dy: gains.pull * pull.dy - gains.hold * force.dy)
    grip.apply(impulse, bodies.motions.base + Int(pointee.a))
    return 0
  }

  /// - Returns: The work of the kick.
  @inline(__always)
  private func kickCorner(
    _ impulse: Vector, _ bodies: borrowing RigidBodies, _ half: RigidBodies.Half
  ) -> Double {
    let motion = bodies.motions.base + Int(pointee.a)
    let before = pointee.grip.velocity(motion)
    pointee.grip.apply(impulse, motion)
    guard !pointee.gains.isStiff else { return 0 }
    let after = pointee.grip.velocity(motion)
    let work = 0.5 * (impulse.dx * (before.dx + after.dx) + impulse.dy * (before.dy + after.dy))
    guard half == .late else {
      pointee.impulse.dx += impulse.dx
      pointee.impulse.dy += impulse.dy
      return work
    }
    let gain = bodies.lateAcceleration(pointee.a).times(pointee.gains.halfStep)
    return work + impulse.along(gain)
  }
}

extension Grip {
  /// Of the corner, points per second.
  @inline(__always)
  func velocity(_ motion: UnsafeMutablePointer<Motion>) -> Vector {
    Vector(
      dx: motion.pointee.vx - motion.pointee.spin * lever.dy,
      dy: motion.pointee.vy + motion.pointee.spin * lever.dx)
  }

  @inline(__always)
  func damping(_ velocity: Vector) -> Vector {
    Vector(dx: -xx * velocity.dx - xy * velocity.dy, dy: -xy * velocity.dx - yy * velocity.dy)
  }

  @inline(__always)
  func apply(_ impulse: Vector, _ motion: UnsafeMutablePointer<Motion>) {
    motion.pointee.vx += motion.pointee.inverseMass * impulse.dx
    motion.pointee.vy += motion.pointee.inverseMass * impulse.dy
    motion.pointee.spin += motion.pointee.inverseInertia * (lever.dx * impulse.dy - lever.dy * impulse.dx)
  }
}
