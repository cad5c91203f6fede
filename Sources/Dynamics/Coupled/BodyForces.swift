/// The forces on a body in a frame, except contacts: weight, resistance and damping. If all attachments of the body are
/// springs from its center to anchors, as for a dragged item, the forces include these springs. Adding up the effects
/// of all springs costs a fraction of solving them as general joints.
struct BodyForces: BitwiseCopyable {
  let slot: Int32
  /// Whether no contact and no stiff spring holds the body. The frame of such a free body begins and ends with half a
  /// kick, where a kick is the impulse of the forces in a sub-step. So velocities and positions refer to the same
  /// moment, and free flight is exact ("leapfrog").
  let isFree: Bool
  /// The number of springs that the forces include. These springs are consecutive joints, the first one at the index
  /// `firstSpring`.
  let springCount: Int32
  let firstSpring: Int32
  /// The acceleration by weight and other fields, points per second².
  let acceleration: Vector
  /// The factors by which damping multiplies the velocity and the spin in a sub-step. The velocity is damped before
  /// forces change it.
  let damping: Double
  let angularDamping: Double
  /// The rates at which the velocity and the spin decrease by resistance, 1/seconds.
  let resistance: Double
  let angularResistance: Double
}

extension UnsafeMutablePointer<BodyForces> {
  /// - Parameter step: The length of a sub-step, seconds.
  @inline(__always) func apply(
    _ part: Kick, _ motions: UnsafeMutablePointer<Motion>, _ joints: UnsafeMutablePointer<DistanceJoint>, _ step: Double
  ) {
    if part == .last, !pointee.isFree { return }
    let motion = motions + Int(pointee.slot)
    let duration = pointee.isFree && part != .middle ? step / 2 : step
    let damping = part == .last ? 1 : pointee.damping
    motion.pointee.vx = damping * motion.pointee.vx + duration * pointee.acceleration.dx
    motion.pointee.vy = damping * motion.pointee.vy + duration * pointee.acceleration.dy
    if part != .last { motion.pointee.spin *= pointee.angularDamping }
    if pointee.resistance > 0 {
      let kept = 1 / (1 + pointee.resistance * duration)
      motion.pointee.vx *= kept
      motion.pointee.vy *= kept
    }
    if pointee.angularResistance > 0 { motion.pointee.spin /= 1 + pointee.angularResistance * duration }
    guard pointee.springCount > 0 else { return }
    let springs = joints + Int(pointee.firstSpring)
    if springs.pointee.gains.kind == .alone {
      pull(springs, springs.pointee.gains.kick(part, isFree: pointee.isFree), motion)
    } else {
      pull(springs, part, motion, step / 2)
    }
  }

  /// Applies the impulse of a single spring.
  @inline(__always) private func pull(
    _ spring: UnsafeMutablePointer<DistanceJoint>, _ kick: SpringKick, _ motion: UnsafeMutablePointer<Motion>
  ) {
    let (stretch, x, y) = spring.stretch(motion)
    let (vx, vy) = (motion.pointee.vx, motion.pointee.vy)
    let changeX = (kick.keep - 1) * vx + kick.lift * pointee.acceleration.dx
    let changeY = (kick.keep - 1) * vy + kick.lift * pointee.acceleration.dy
    if spring.pointee.length == 0 {
      motion.pointee.vx = vx + changeX - kick.pull * stretch * x
      motion.pointee.vy = vy + changeY - kick.pull * stretch * y
    } else {
      let change = changeX * x + changeY * y - kick.pull * stretch
      motion.pointee.vx = vx + change * x
      motion.pointee.vy = vy + change * y
    }
  }

  /// Applies the impulse of several springs. In a whole kick, the springs pull for half a sub-step, damp, and pull for
  /// the other half. The acceleration is split in the same way, so the damping acts on half of it.
  @inline(__always) private func pull(
    _ springs: UnsafeMutablePointer<DistanceJoint>, _ part: Kick, _ motion: UnsafeMutablePointer<Motion>,
    _ halfStep: Double
  ) {
    var pull = Vector.zero
    var (xx, xy, yy) = (0.0, 0.0, 0.0)
    for index in 0..<Int(pointee.springCount) {
      let spring = springs + index
      let (stretch, x, y) = spring.stretch(motion)
      pull.dx += spring.pointee.gains.pull * stretch * x
      pull.dy += spring.pointee.gains.pull * stretch * y
      let damping = spring.pointee.gains.damping
      let (across, along) = spring.pointee.length == 0 ? (damping, 0) : (0, damping)
      xx += across + along * x * x
      xy += along * x * y
      yy += across + along * y * y
    }
    // Damps by the implicit midpoint rule: v becomes 2w − v, where (1 + half·C)·w = v. To first order, the matrix C
    // (xx, xy, yy) gives the fraction of the velocity that damping removes in a whole sub-step.
    let half = pointee.isFree && part != .middle ? 0.25 : 0.5
    let (before, after) = (part == .first && pointee.isFree ? 0.0 : 1, part == .last ? 0.0 : 1)
    let lead = pointee.acceleration.times(after * halfStep)
    let vx = motion.pointee.vx - before * pull.dx - lead.dx
    let vy = motion.pointee.vy - before * pull.dy - lead.dy
    (xx, xy, yy) = (1 + half * xx, half * xy, 1 + half * yy)
    let scale = 2 / (xx * yy - xy * xy)
    motion.pointee.vx = scale * (yy * vx - xy * vy) - vx + lead.dx - after * pull.dx
    motion.pointee.vy = scale * (xx * vy - xy * vx) - vy + lead.dy - after * pull.dy
  }
}

extension UnsafeMutablePointer<DistanceJoint> {
  /// Returns the stretch of a spring between an anchor and the body's center, points, and the direction from the anchor
  /// to the body.
  @inline(__always) fileprivate func stretch(_ motion: UnsafeMutablePointer<Motion>) -> (Double, x: Double, y: Double) {
    let (dx, dy) = (motion.pointee.x - pointee.offsetB.dx, motion.pointee.y - pointee.offsetB.dy)
    let distance = (dx * dx + dy * dy).squareRoot()
    let inverse = 1 / distance
    let (x, y) = distance > 1e-9 ? (dx * inverse, dy * inverse) : (0, 1)
    return (distance - pointee.length, x, y)
  }
}
