/// The motion of a body, which the solver's loops read and write. It fills one cache line.
struct Motion: BitwiseCopyable {
  /// The position of the center, points.
  var x = 0.0
  var y = 0.0
  /// The velocity, points per second.
  var vx = 0.0
  var vy = 0.0
  /// The angular velocity, radians per second.
  var spin = 0.0
  /// How far the body has turned since the frame began, radians.
  var turn = 0.0
  /// The inverse of the mass, or 0 for a body that does not move.
  var inverseMass = 0.0
  var inverseInertia = 0.0

  @inline(__always) var velocity: Vector { Vector(dx: vx, dy: vy) }
}

/// A box or a disc.
struct Shape: BitwiseCopyable {
  /// Half the width and half the height, points. For a circle, both are the radius.
  var halfWidth, halfHeight: Double
  var isCircle: Bool
  /// Whether the shape is a side of the reference bounds. Everything behind a wall, outside of the bounds, is solid.
  /// The wall's y axis points into the bounds.
  var isWall = false

  /// The radius of a circle about the center that contains the shape.
  var extent: Double { isCircle ? halfWidth : (halfWidth * halfWidth + halfHeight * halfHeight).squareRoot() }

  /// Returns half the width and half the height of the upright box around the shape.
  @inline(__always) func upright(at pose: Pose) -> (x: Double, y: Double) {
    guard !isCircle else { return (halfWidth, halfWidth) }
    let (c, s) = (abs(pose.cosine), abs(pose.sine))
    return (c * halfWidth + s * halfHeight, s * halfWidth + c * halfHeight)
  }
}

/// The properties of a body, most of which only change when behaviors change.
struct BodyDefinition: BitwiseCopyable {
  enum Kind: BitwiseCopyable {
    /// An item.
    case moving
    /// A boundary, the ground that anchors are fixed to, or an item that is anchored.
    case fixed
    /// A vacant slot, which the next body can use.
    case vacant
  }

  var kind: Kind
  var shape: Shape
  var properties = ItemProperties()
  /// The acceleration by gravity and other fields, points per second².
  var acceleration = Vector.zero
  /// A bit for each collision behavior. Only bodies that share a bit collide.
  var collisionMask: UInt64 = 0
  var attachmentCount = 0
  /// The number of damped springs of a nonzero length between the body and anchors.
  var dampedSpringCount = 0
  var isAwake = true
  /// For how many seconds the body has been slow enough to sleep.
  var sleepTime = 0.0
  /// The slot of the next body in a ring of bodies that fell asleep together and must wake together.
  var ringNext: Int32 = 0

  /// Whether the body falls unless something is below it.
  @inline(__always) var isLoose: Bool { kind == .moving && attachmentCount == 0 && acceleration != .zero }
}

/// The bodies, by slot (index). A body keeps its slot until it is removed; then the slot is reused. Slot 0 is the
/// ground, which never moves.
struct RigidBodies: ~Copyable {
  static let ground: Int32 = 0

  var motions = Buffer<Motion>()
  var poses = Buffer<Pose>()
  var definitions = Buffer<BodyDefinition>()
  private var vacant = Buffer<Int32>()
  /// The bodies that move and are awake, in the order of their slots.
  var awake = Buffer<Int32>()
  /// Whether any body, awake or asleep, falls unless something is below it (`isLoose`).
  private(set) var hasLoose = false

  init() {
    _ = add(
      BodyDefinition(kind: .fixed, shape: Shape(halfWidth: 0, halfHeight: 0, isCircle: false)),
      Pose(x: 0, y: 0, angle: 0))
  }

  var count: Int { definitions.count }

  @inline(__always) func isAwake(_ slot: Int32) -> Bool {
    definitions[slot].kind == .moving && definitions[slot].isAwake
  }

  @inline(__always) func isFixed(_ slot: Int32) -> Bool { definitions[slot].kind == .fixed }

  /// Returns where the body is now. During a frame, `poses` has only the poses at the start of the frame.
  func pose(_ slot: Int32) -> Pose {
    let motion = motions[slot]
    guard motion.turn == 0 else { return Pose(x: motion.x, y: motion.y, angle: poses[slot].angle + motion.turn) }
    var pose = poses[slot]
    (pose.x, pose.y) = (motion.x, motion.y)
    return pose
  }

  /// Returns an upper bound on the speed at which the surfaces of two bodies approach each other, points per second.
  @inline(__always) func relativeSpeed(_ a: Int32, _ b: Int32) -> Double {
    let (motionA, motionB) = (motions.base + Int(a), motions.base + Int(b))
    return abs(motionB.pointee.vx - motionA.pointee.vx) + abs(motionB.pointee.vy - motionA.pointee.vy) + cornerSpeed(a)
      + cornerSpeed(b)
  }

  /// Returns how fast a body's corners turn about its center, points per second. The result is 0 for a disc.
  @inline(__always) func cornerSpeed(_ slot: Int32) -> Double {
    let (spin, body) = (abs(motions[slot].spin), definitions.base + Int(slot))
    return spin == 0 || body.pointee.shape.isCircle ? 0 : spin * body.pointee.shape.extent
  }

  mutating func add(_ body: BodyDefinition, _ pose: Pose) -> Int32 {
    if vacant.count == 0 {
      vacant.append(Int32(count))
      motions.append(Motion())
      poses.append(pose)
      definitions.append(body)
      awake.reserve(count)
      vacant.reserve(count)
    }
    let slot = vacant[vacant.count - 1]
    vacant.truncate(to: vacant.count - 1)
    (motions[slot], definitions[slot]) = (Motion(), body)
    place(slot, at: pose)
    if body.kind == .moving { updateMass(slot) }
    return slot
  }

  /// Moves the body to another place. Its velocity stays the same.
  func place(_ slot: Int32, at pose: Pose) {
    poses[slot] = pose
    (motions[slot].x, motions[slot].y, motions[slot].turn) = (pose.x, pose.y, 0)
  }

  mutating func remove(_ slot: Int32) {
    wake(slot)
    definitions[slot].kind = .vacant
    definitions[slot].collisionMask = 0
    motions[slot] = Motion()
    vacant.append(slot)
  }

  /// Computes the mass (density times area) and the inertia of a body of uniform density.
  func updateMass(_ slot: Int32) {
    let (shape, properties) = (definitions[slot].shape, definitions[slot].properties)
    let (w, h) = (2 * shape.halfWidth, 2 * shape.halfHeight)
    let mass = properties.density * (shape.isCircle ? .pi / 4 : 1) * w * h
    let inertia = mass * (shape.isCircle ? w * w / 8 : (w * w + h * h) / 12)
    motions[slot].inverseMass = isFixed(slot) ? 0 : 1 / mass
    motions[slot].inverseInertia = isFixed(slot) || !properties.allowsRotation ? 0 : 1 / inertia
    if motions[slot].inverseInertia == 0 { motions[slot].spin = 0 }
  }

  /// Wakes the body and all bodies that fell asleep together with it.
  func wake(_ slot: Int32) {
    guard definitions[slot].kind == .moving else { return }
    definitions[slot].sleepTime = 0
    guard !definitions[slot].isAwake else { return }
    var next = slot
    repeat {
      definitions[next].isAwake = true
      definitions[next].sleepTime = 0
      next = definitions[next].ringNext
    } while next != slot
  }
}

// MARK: - The frame

extension RigidBodies {
  mutating func collectAwake() {
    awake.removeAll()
    hasLoose = false
    // Without optimization, a loop over a range of Int32 would allocate.
    for index in 0..<definitions.count {
      let slot = Int32(index)
      if definitions[slot].isLoose { hasLoose = true }
      guard isAwake(slot) else { continue }
      awake.append(slot)
      motions[slot].turn = 0
    }
  }

  /// Moves the bodies by their velocities for this many seconds.
  @inline(__always) func integratePositions(_ step: Double) {
    for index in 0..<awake.count {
      let motion = motions.base + Int(awake[index])
      motion.pointee.x += motion.pointee.vx * step
      motion.pointee.y += motion.pointee.vy * step
      motion.pointee.turn += motion.pointee.spin * step
    }
  }

  /// Stores the poses at the end of the frame, and records how long each body has been slow enough to sleep.
  func finish(_ timestep: Double) {
    for index in 0..<awake.count {
      let slot = Int(awake[index])
      let (motion, pose, body) = (motions.base + slot, poses.base + slot, definitions.base + slot)
      let (dx, dy) = (motion.pointee.x - pose.pointee.x, motion.pointee.y - pose.pointee.y)
      (pose.pointee.x, pose.pointee.y) = (motion.pointee.x, motion.pointee.y)
      var speed = max(abs(motion.pointee.vx), abs(motion.pointee.vy))
      // Corrections of the position also count as movement.
      var correction = max(abs(dx), abs(dy))
      if motion.pointee.turn != 0 || motion.pointee.spin != 0 {
        let extent = body.pointee.shape.extent
        speed += abs(motion.pointee.spin) * extent
        correction += abs(motion.pointee.turn) * extent
        pose.pointee.angle += motion.pointee.turn
        pose.pointee.cosine = PortableMath.cos(pose.pointee.angle)
        pose.pointee.sine = PortableMath.sin(pose.pointee.angle)
      }
      let threshold = body.pointee.isLoose ? SolverConstants.sleepThreshold : SolverConstants.jointSleepThreshold
      let isSlow = max(speed, correction / timestep) < threshold
      body.pointee.sleepTime = isSlow ? body.pointee.sleepTime + timestep : 0
    }
  }
}
