/// Bodies that touch or are attached to each other, directly or through others, fall asleep together, when
/// none of them has moved for a while.
struct Islands: ~Copyable {
  /// Below this speed a body counts as still, points per second.
  static let stillSpeed = 0.1
  /// What hangs on a spring creeps to where it will be, or stands still at the end of each swing.
  private static let stillSpeedOnSprings = 0.02
  /// Seconds for which an island must be still.
  private static let patience = 0.5

  /// Of slots.
  private var sets = DisjointSets()
  /// By slot of such a body: how long the whole island has been still, and who fell asleep of it last.
  private var stillTimes = Buffer<Double>()
  private var lastAsleep = Buffer<Int32>()

  init() {}
}

extension Islands {
  /// Sees how long each body has been still.
  mutating func begin(_ bodies: borrowing RigidBodies, _ timestep: Double) {
    if sets.count != bodies.count {
      sets.reset(bodies.count)
      stillTimes.fill(bodies.count, with: 0)
      lastAsleep.fill(bodies.count, with: 0)
    }
    for index in 0..<bodies.awake.count {
      let slot = bodies.awake[index]
      sets.separate(slot)
      let motion = bodies.motions[slot]
      let extent = bodies.traits[slot].extent
      let speed = max(abs(motion.vx), abs(motion.vy)) + abs(motion.spin) * extent
      let moved = max(abs(motion.dx), abs(motion.dy)) + abs(motion.turn) * extent
      let stillSpeed =
        bodies.traits[slot].attachmentCount > 0 ? Self.stillSpeedOnSprings : Self.stillSpeed
      let isStill = speed < stillSpeed && moved < stillSpeed * timestep
      bodies.traits[slot].justWoke = false
      bodies.traits[slot].stillTime = isStill ? bodies.traits[slot].stillTime + timestep : 0
    }
  }

  /// Makes one island of two, unless a body is one that never moves.
  func join(_ a: Int32, _ b: Int32, _ bodies: borrowing RigidBodies) {
    guard bodies.traits[a].kind == .moving, bodies.traits[b].kind == .moving else { return }
    sets.join(a, b)
  }

  /// - Returns: Whether all bodies sleep now.
  func letSleep(_ bodies: borrowing RigidBodies) -> Bool {
    for index in 0..<bodies.awake.count {
      let slot = bodies.awake[index]
      // A root has the smallest slot of its island, so that it comes first.
      let root = sets.root(slot)
      let stillTime = bodies.traits[slot].stillTime
      stillTimes[root] = root == slot ? stillTime : min(stillTimes[root], stillTime)
    }
    var allSleep = true
    for index in 0..<bodies.awake.count {
      let slot = bodies.awake[index]
      let root = sets.root(slot)
      guard stillTimes[root] >= Self.patience else {
        allSleep = false
        continue
      }
      bodies.traits[slot].isAwake = false
      (bodies.motions[slot].vx, bodies.motions[slot].vy, bodies.motions[slot].spin) = (0, 0, 0)
      bodies.traits[slot].ringNext = root
      if slot != root { bodies.traits[lastAsleep[root]].ringNext = slot }
      lastAsleep[root] = slot
    }
    return allSleep
  }
}
