/// A spring from the centre of a body to an anchor, as of each item of a cradle or a drag: all that a sub-step needs
/// of it, side by side.
struct AnchoredSpring: BitwiseCopyable {
  let slot: Int32
  let isFree: Bool
  let anchor: Vector
  let length: Double
  let acceleration: Vector
  let gains: SpringGains

  init(_ joint: DistanceJoint, _ bodies: borrowing RigidBodies) {
    (slot, anchor, length, gains) = (joint.a, joint.offsetB, joint.length, joint.gains)
    isFree = joint.isFree
    acceleration = bodies.definitions[joint.a].acceleration
  }
}

extension UnsafeMutablePointer<AnchoredSpring> {
  /// What it does alone.
  @inline(__always)
  func apply(_ motions: UnsafeMutablePointer<Motion>, _ part: Kick) {
    if part == .last, !pointee.isFree { return }
    let kick = pointee.gains.kick(part, isFree: pointee.isFree)
    push(motions + Int(pointee.slot), kick)
  }

  /// What it does with others.
  @inline(__always)
  func apply(_ pass: SpringPass, _ motions: UnsafeMutablePointer<Motion>, _ part: Kick) {
    if part == .last && !pointee.isFree || !pass.exists(part, isFree: pointee.isFree) { return }
    var kick = SpringKick()
    if pass == .damp {
      kick.keep = pointee.gains.keep(part, isFree: pointee.isFree)
      kick.lift = part == .last ? 0 : (1 - kick.keep) * pointee.gains.halfStep
    } else {
      kick.pull = pointee.gains.half.pull
    }
    push(motions + Int(pointee.slot), kick)
  }

  @inline(__always)
  private func push(_ motion: UnsafeMutablePointer<Motion>, _ kick: SpringKick) {
    let (dx, dy) = (motion.pointee.x - pointee.anchor.dx, motion.pointee.y - pointee.anchor.dy)
    let (vx, vy) = (motion.pointee.vx, motion.pointee.vy)
    let (gx, gy) = (pointee.acceleration.dx, pointee.acceleration.dy)
    if pointee.length == 0 {
      motion.pointee.vx = kick.keep * vx - kick.pull * dx + kick.lift * gx
      motion.pointee.vy = kick.keep * vy - kick.pull * dy + kick.lift * gy
      return
    }
    let distance = (dx * dx + dy * dy).squareRoot()
    let inverse = 1 / distance
    let (x, y) = distance > 1e-9 ? (dx * inverse, dy * inverse) : (0, 1)
    let change =
      (kick.keep - 1) * (vx * x + vy * y) - kick.pull * (distance - pointee.length)
      + kick.lift * (gx * x + gy * y)
    motion.pointee.vx = vx + change * x
    motion.pointee.vy = vy + change * y
  }
}
