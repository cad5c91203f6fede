/// Finds bodies that are near each other, by sorting them along the axis on which they are more spread out. Each body
/// has a box with a margin, so the work is only needed when a body leaves its box, or when its box is far too large.
struct BroadPhase: ~Copyable {
  /// The slots of two bodies, the smaller slot first.
  struct Pair: BitwiseCopyable, Equatable { var a, b: Int32 }

  /// The number of pairs for which memory is reserved, so frames do not allocate while bodies move around.
  var reserve: Int { 8 * entries.count }

  /// The margin of a body's box, points. A body can move this far before its box is updated.
  private static var margin: Double { 2 * SolverConstants.speculativeDistance }

  // Entry and Bounds are not private, because the compiler (6.3.1) fails on private types in the buffers of a struct
  // that cannot be copied.
  struct Entry: BitwiseCopyable {
    /// The bounds of a body's box along the direction of the sweep, and across it.
    var low, high, crossLow, crossHigh: Double
    var mask: UInt64
    var slot: Int32
    var isFixed: Bool
  }

  struct Bounds: BitwiseCopyable {
    var (minX, minY) = (0.0, 0.0)
    var (maxX, maxY) = (-1.0, -1.0)

    @inline(__always) func contains(_ other: Self) -> Bool {
      minX <= other.minX && minY <= other.minY && maxX >= other.maxX && maxY >= other.maxY
    }

    @inline(__always) func grown(by margin: Double) -> Self {
      Self(minX: minX - margin, minY: minY - margin, maxX: maxX + margin, maxY: maxY + margin)
    }
  }

  /// The bodies that can collide, sorted along the direction of the last sweep.
  private var entries = Buffer<Entry>()
  /// The box of each body, by the slot (index) of the body. The box of a new body is empty.
  private var bounds = Buffer<Bounds>()
  /// The slots of the walls, which are the sides of the reference bounds.
  private(set) var walls = Buffer<Int32>()
  /// The bits of collision masks that make two moving bodies collide. All other bits only make a moving body collide
  /// with a body that never moves.
  var itemBits = ~UInt64(0)
  private var sweepsAlongX = true
  private var unsorted = Buffer<Pair>()
  private var groupEnds = Buffer<Int32>()
  /// The pairs of bodies that may touch, sorted by the slots of the bodies regardless of the direction of the sweep.
  private(set) var pairs = Buffer<Pair>()
  /// Whether bodies were added or removed since the last update, or the rule for which pairs can collide changed.
  var membersChanged = false
}

extension BroadPhase {
  /// Forgets the box of a body that was removed, or of a fixed body that was changed.
  func forget(_ slot: Int32) { if slot < bounds.count { bounds[slot] = Bounds() } }

  /// - Returns: Whether the pairs may have changed.
  mutating func update(_ bodies: borrowing RigidBodies, _ reaches: borrowing Buffer<Double>, timestep: Double) -> Bool {
    while bounds.count < bodies.count { bounds.append(Bounds()) }
    var someoneLeft = membersChanged
    for index in 0..<bodies.awake.count {
      let slot = bodies.awake[index]
      if bodies.definitions[slot].collisionMask != 0, hasLeft(slot, bodies, reaches, timestep) { someoneLeft = true }
    }
    guard someoneLeft else { return false }
    if membersChanged { collectEntries(bodies, reaches, timestep) }
    // Bodies rarely overtake each other, so the entries are nearly sorted unless members or the direction changed.
    entries.sort(gap: refreshEntries() || membersChanged ? 1093 : 1) {
      $0.low != $1.low ? $0.low < $1.low : $0.slot < $1.slot
    }
    membersChanged = false
    sweep()
    groupBySlot(bodies.count)
    return true
  }

  /// Returns whether the body may leave its box within the frame, or has become so slow that its box is far too large.
  /// In both cases the body gets a new box.
  private func hasLeft(
    _ slot: Int32, _ bodies: borrowing RigidBodies, _ reaches: borrowing Buffer<Double>, _ timestep: Double
  ) -> Bool {
    let (pose, motion) = (bodies.poses[slot], bodies.motions[slot])
    let half = bodies.definitions[slot].shape.upright(at: pose)
    // The box extends in all directions, because the body may bounce within the frame.
    let turning = bodies.cornerSpeed(slot) * timestep + SolverConstants.speculativeDistance
    let reachX = half.x + max(abs(motion.vx) * timestep, reaches[slot]) + turning
    let reachY = half.y + max(abs(motion.vy) * timestep, reaches[slot]) + turning
    let tight = Bounds(minX: pose.x - reachX, minY: pose.y - reachY, maxX: pose.x + reachX, maxY: pose.y + reachY)
    if bounds[slot].contains(tight), tight.grown(by: 1.5 * Self.margin).contains(bounds[slot]) { return false }
    bounds[slot] = tight.grown(by: Self.margin)
    return true
  }

  /// Returns a box around everything that is near a vertical or horizontal wall, or behind it.
  private static func halfPlane(_ wall: Pose) -> Bounds {
    let (nx, ny) = (-wall.sine, wall.cosine)
    return Bounds(
      minX: nx < -0.5 ? wall.x - margin : -.infinity, minY: ny < -0.5 ? wall.y - margin : -.infinity,
      maxX: nx > 0.5 ? wall.x + margin : .infinity, maxY: ny > 0.5 ? wall.y + margin : .infinity)
  }

  private mutating func collectEntries(
    _ bodies: borrowing RigidBodies, _ reaches: borrowing Buffer<Double>, _ timestep: Double
  ) {
    entries.removeAll()
    walls.removeAll()
    for slot in 0..<Int32(bodies.count) where bodies.definitions[slot].collisionMask != 0 {
      if bodies.definitions[slot].shape.isWall {
        bounds[slot] = Self.halfPlane(bodies.poses[slot])
        walls.append(slot)
      } else if bounds[slot].minX > bounds[slot].maxX {
        _ = hasLeft(slot, bodies, reaches, timestep)
      }
      entries.append(
        Entry(
          low: 0, high: 0, crossLow: 0, crossHigh: 0, mask: bodies.definitions[slot].collisionMask, slot: slot,
          isFixed: bodies.definitions[slot].kind == .fixed))
    }
  }

  /// Chooses the direction of the sweep from the spread of the bodies, and copies their boxes to the entries.
  /// - Returns: Whether the direction changed.
  private mutating func refreshEntries() -> Bool {
    var (sumX, sumY, squaresX, squaresY) = (0.0, 0.0, 0.0, 0.0)
    for index in 0..<entries.count where !entries[index].isFixed {
      let box = bounds[entries[index].slot]
      let (x, y) = (box.minX + box.maxX, box.minY + box.maxY)
      sumX += x
      sumY += y
      squaresX += x * x
      squaresY += y * y
    }
    let count = Double(max(entries.count, 1))
    let (spreadX, spreadY) = (squaresX - sumX * sumX / count, squaresY - sumY * sumY / count)
    // Changes the direction only if the gain is worth the cost of sorting everything again.
    let turns = sweepsAlongX ? spreadY > 2 * spreadX : spreadX > 2 * spreadY
    if turns { sweepsAlongX.toggle() }
    for index in 0..<entries.count {
      let box = bounds[entries[index].slot]
      (entries[index].low, entries[index].high) = sweepsAlongX ? (box.minX, box.maxX) : (box.minY, box.maxY)
      (entries[index].crossLow, entries[index].crossHigh) = sweepsAlongX ? (box.minY, box.maxY) : (box.minX, box.maxX)
    }
    return turns
  }

  private mutating func sweep() {
    unsorted.reserve(reserve)
    pairs.reserve(reserve)
    unsorted.removeAll()
    for index in 0..<entries.count {
      let a = entries[index]
      var other = index + 1
      while other < entries.count, entries[other].low <= a.high {
        let b = entries.base + other
        if a.crossLow <= b.pointee.crossHigh, b.pointee.crossLow <= a.crossHigh,
          a.mask & b.pointee.mask & (a.isFixed || b.pointee.isFixed ? ~0 : itemBits) != 0,
          !(a.isFixed && b.pointee.isFixed)
        {
          unsorted.append(Pair(a: min(a.slot, b.pointee.slot), b: max(a.slot, b.pointee.slot)))
        }
        other += 1
      }
    }
  }

  /// Sorts the pairs by their first bodies with a counting sort, and by their second bodies with an insertion sort.
  private mutating func groupBySlot(_ bodyCount: Int) {
    groupEnds.fill(bodyCount + 1, with: 0)
    for index in 0..<unsorted.count { groupEnds[Int(unsorted[index].a) + 1] += 1 }
    for slot in 1...bodyCount { groupEnds[slot] += groupEnds[slot - 1] }
    pairs.fill(unsorted.count, with: Pair(a: 0, b: 0))
    for index in 0..<unsorted.count {
      let pair = unsorted[index]
      pairs[groupEnds[pair.a]] = pair
      groupEnds[pair.a] += 1
    }
    pairs.sort { $0.a == $1.a && $0.b < $1.b }
  }
}
