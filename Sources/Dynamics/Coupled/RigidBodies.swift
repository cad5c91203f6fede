/// What a body does in this frame: the cache line that the solver's loops read and write.
struct Motion: BitwiseCopyable {
  /// Points per second.
  var vx = 0.0
  var vy = 0.0
  /// Radians per second.
  var spin = 0.0
  /// Moved since the frame began, points and radians.
  var dx = 0.0
  var dy = 0.0
  var turn = 0.0
  /// 0 for what does not move.
  var inverseMass = 0.0
  var inverseInertia = 0.0

  @inline(__always) var velocity: Vector { Vector(dx: vx, dy: vy) }

  /// What the body would have of energy at this velocity and spin.
  @inline(__always)
  func energy(at velocity: Vector, spin: Double) -> Double {
    let energy = 0.5 * velocity.squared / inverseMass
    return inverseInertia > 0 ? energy + 0.5 * spin * spin / inverseInertia : energy
  }
}

/// Where a body is.
struct Pose: BitwiseCopyable {
  var x: Double
  var y: Double
  /// Radians.
  var angle: Double
  var cosine: Double
  var sine: Double

  init(x: Double, y: Double, angle: Double) {
    self.x = x
    self.y = y
    self.angle = angle
    cosine = PortableMath.cos(angle)
    sine = PortableMath.sin(angle)
  }

  /// Turns it by this many radians. Small turns go by the series, to within 1e-10, as the functions are slow;
  /// each frame begins with what they say of the angle.
  @inline(__always)
  mutating func turn(by turn: Double) {
    angle += turn
    guard abs(turn) < 0.2 else {
      (cosine, sine) = (PortableMath.cos(angle), PortableMath.sin(angle))
      return
    }
    let t = turn * turn
    let c = 1 - t / 2 * (1 - t / 12 * (1 - t / 30))
    let s = turn * (1 - t / 6 * (1 - t / 20 * (1 - t / 42)))
    (cosine, sine) = (c * cosine - s * sine, c * sine + s * cosine)
  }

  /// A vector of the body in the directions of the world.
  @inline(__always)
  func turned(_ vector: Vector) -> Vector {
    Vector(dx: cosine * vector.dx - sine * vector.dy, dy: sine * vector.dx + cosine * vector.dy)
  }
}

/// What a body is like; it changes when behaviors do.
struct Traits: BitwiseCopyable {
  enum Kind: BitwiseCopyable {
    /// An item.
    case moving
    /// A boundary, or the ground that anchors are fixed to.
    case fixed
    /// A slot that waits for the next body.
    case vacant
  }

  var kind: Kind
  /// Points; both are the radius of a circle.
  var halfWidth: Double
  var halfHeight: Double
  var isCircle: Bool
  /// Whether it is a side of the reference bounds: all that is not inside is in it. Its y axis points inside.
  var isWall = false
  var properties = ItemProperties()
  /// Points per second².
  var acceleration = Vector.zero
  /// A bit for each collision behavior; bodies collide that share one.
  var collisionMask: UInt64 = 0
  var attachmentCount = 0
  var isAwake = true
  /// Whether it woke in this frame.
  var justWoke = false
  /// Whether something pressed against it in the last frame.
  var isCarried = false
  /// Seconds for which it still counts as held: what is jammed between others trembles free of them in some frames.
  var heldTime = 0.0
  /// Whether it is jammed beside another; see `CoupledWorld.easeApart`.
  var isJammed = false
  /// Seconds for which it has been held, and stayed where it is but for half its size.
  var trembleTime = 0.0
  /// Impulses that pressed against it in the last sub-step, all together.
  var pressure = 0.0
  /// The most that they were of late, as a multiple of the impulse of its weight.
  var load = 0.0
  /// What it resists turning by, where nothing presses; see `RigidBodies.brace`.
  var inverseInertia = 0.0
  /// Seconds for which it has hardly moved.
  var stillTime = 0.0
  /// The next in the ring of bodies that fell asleep together.
  var ringNext: Int32 = 0

  /// Radius of a circle about the centre that contains it.
  var extent: Double {
    isCircle ? halfWidth : (halfWidth * halfWidth + halfHeight * halfHeight).squareRoot()
  }

  /// Whether several things press against it, or did just now.
  var isHeld: Bool { heldTime > 0 }

  /// What pulls it all the time, points per second².
  var pull: Double { max(abs(acceleration.dx), abs(acceleration.dy)) }

  /// How far it would fall from rest, if nothing carried it, points.
  func fall(in seconds: Double) -> Double {
    pull * seconds * seconds / (2 + properties.resistance * seconds)
  }

  /// Half the sides of the upright box around it.
  @inline(__always)
  func upright(at pose: Pose) -> (x: Double, y: Double) {
    guard !isCircle else { return (halfWidth, halfWidth) }
    let (c, s) = (abs(pose.cosine), abs(pose.sine))
    return (c * halfWidth + s * halfHeight, s * halfWidth + c * halfHeight)
  }
}

/// Bodies by slot. A slot stays with its body, and is used again when the body is gone. Slot 0 is the
/// ground, which never moves.
struct RigidBodies: ~Copyable {
  static let ground: Int32 = 0

  var motions = Buffer<Motion>()
  var poses = Buffer<Pose>()
  var traits = Buffer<Traits>()
  private var vacant = Buffer<Int32>()
  /// The bodies that move and are awake, in the order of their slots.
  var awake = Buffer<Int32>()

  init() {
    _ = add(Traits(kind: .fixed, halfWidth: 0, halfHeight: 0, isCircle: false), Pose(x: 0, y: 0, angle: 0))
  }

  var count: Int { traits.count }

  mutating func add(_ body: Traits, _ pose: Pose) -> Int32 {
    let slot: Int32
    if vacant.count > 0 {
      slot = vacant[vacant.count - 1]
      vacant.truncate(to: vacant.count - 1)
      motions[slot] = Motion()
      poses[slot] = pose
      traits[slot] = body
    } else {
      slot = Int32(traits.count)
      motions.append(Motion())
      poses.append(pose)
      traits.append(body)
      awake.reserve(traits.count)
      vacant.reserve(traits.count)
    }
    if body.kind == .moving { updateMass(slot) }
    return slot
  }

  mutating func remove(_ slot: Int32) {
    wake(slot)
    traits[slot].kind = .vacant
    traits[slot].collisionMask = 0
    motions[slot] = Motion()
    vacant.append(slot)
  }

  /// Mass is density times area, and as dense everywhere.
  func updateMass(_ slot: Int32) {
    let body = traits[slot]
    let (w, h) = (2 * body.halfWidth, 2 * body.halfHeight)
    let mass = body.properties.density * (body.isCircle ? .pi / 4 : 1) * w * h
    let inertia = mass * (body.isCircle ? w * w / 8 : (w * w + h * h) / 12)
    motions[slot].inverseMass = 1 / mass
    motions[slot].inverseInertia = body.properties.allowsRotation ? 1 / inertia : 0
    traits[slot].inverseInertia = motions[slot].inverseInertia
    if !body.properties.allowsRotation { motions[slot].spin = 0 }
  }
}
