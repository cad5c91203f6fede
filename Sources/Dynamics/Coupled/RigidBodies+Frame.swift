/// What happens to bodies in a frame.
extension RigidBodies {
  /// Notes which bodies are awake, and where they set out from.
  mutating func beginFrame() {
    awake.removeAll()
    for slot in 0..<traits.count where traits[slot].kind == .moving && traits[slot].isAwake {
      awake.append(Int32(slot))
      if motions[slot].turn != 0 {
        poses[slot].cosine = PortableMath.cos(poses[slot].angle)
        poses[slot].sine = PortableMath.sin(poses[slot].angle)
      }
      brace(Int32(slot))
      motions[slot].dx = 0
      motions[slot].dy = 0
      motions[slot].turn = 0
    }
  }

  /// The halves of a sub-step, before and after the bodies move.
  enum Half { case early, late }

  /// Gravity and resistance over half a sub-step; over all of it, early, for what rests on something.
  func accelerate(_ half: Half, step: Double) {
    for index in 0..<awake.count {
      let slot = awake[index]
      if half == .late, traits[slot].isCarried { continue }
      let duration = traits[slot].isCarried ? step : step / 2
      let acceleration = traits[slot].acceleration
      let properties = traits[slot].properties
      motions[slot].vx += acceleration.dx * duration
      motions[slot].vy += acceleration.dy * duration
      if half == .early, traits[slot].isCarried { settle(slot, step) }
      if properties.resistance > 0 {
        let kept = 1 / (1 + properties.resistance * duration)
        motions[slot].vx *= kept
        motions[slot].vy *= kept
      }
      if properties.angularResistance > 0 {
        motions[slot].spin /= 1 + properties.angularResistance * duration
      }
    }
  }

  /// Slows the swing of a body that hangs on a damped spring, across that spring; a wide swing by next to nothing.
  func calm(_ slot: Int32, across direction: Vector, _ seconds: Double) {
    let motion = motions.base + Int(slot)
    let across = motion.pointee.vy * direction.dx - motion.pointee.vx * direction.dy
    let share = 1 - abs(across) / Self.fastestCalmedSwing
    guard share > 0 else { return }
    let lost = across * min(Self.calmingRate * share * seconds, 1)
    motion.pointee.vx += lost * direction.dy
    motion.pointee.vy -= lost * direction.dx
  }

  /// Points per second.
  private static var fastestCalmedSwing: Double { 100 }
  /// Of what hardly swings, 1/seconds. Bodies of SpriteKit, which come from the same engine as UIKit's, lose 0.1 of
  /// their velocity a second by default, whatever they do.
  private static var calmingRate: Double { 0.2 }

  /// How gravity accelerates the body after a move, points per second².
  @inline(__always)
  func lateAcceleration(_ slot: Int32) -> Vector {
    traits[slot].isCarried ? .zero : traits[slot].acceleration
  }

  /// The velocity that the body will have when gravity has acted after a move, too, points per second.
  @inline(__always)
  func finalVelocity(_ slot: Int32, _ halfStep: Double) -> Vector {
    motions[slot].velocity + lateAcceleration(slot).times(halfStep)
  }

  /// How it accelerates one that rests on something, before a move, points per second².
  @inline(__always)
  func carriedAcceleration(_ slot: Int32) -> Vector {
    traits[slot].isCarried ? traits[slot].acceleration : .zero
  }

  /// Lets velocities move the bodies for this many seconds.
  func move(for duration: Double) {
    for index in 0..<awake.count {
      let slot = Int(awake[index])
      let motion = motions.base + slot
      let pose = poses.base + slot
      let (dx, dy) = (motion.pointee.vx * duration, motion.pointee.vy * duration)
      motion.pointee.dx += dx
      motion.pointee.dy += dy
      pose.pointee.x += dx
      pose.pointee.y += dy
      guard motion.pointee.spin != 0 else { continue }
      let turn = motion.pointee.spin * duration
      motion.pointee.turn += turn
      pose.pointee.turn(by: turn)
    }
  }

  /// Moves the body by this many points, whatever its velocity.
  func shift(_ slot: Int32, _ dx: Double, _ dy: Double) {
    motions[slot].dx += dx
    motions[slot].dy += dy
    poses[slot].x += dx
    poses[slot].y += dy
  }

  /// Wakes the body and those that fell asleep together with it.
  func wake(_ slot: Int32) {
    guard traits[slot].kind == .moving else { return }
    traits[slot].stillTime = 0
    guard !traits[slot].isAwake else { return }
    var next = slot
    repeat {
      traits[next].isAwake = true
      traits[next].justWoke = true
      traits[next].stillTime = 0
      next = traits[next].ringNext
    } while next != slot
  }
}
