/// Bodies that touch or are attached to each other, directly or through others, fall asleep together, when
/// none of them has moved for a while.
struct Islands: ~Copyable {
  /// A body below this speed counts as still, points per second.
  static let stillSpeed = 0.1
  /// What hangs on a spring creeps to where it will be, or stands still at the end of each swing.
  private static let stillSpeedOnSprings = 0.02
  /// What something carries counts as still, too, while it moves no further than this within `patience`, points. At
  /// UIKit's 150 points a metre that is 0.013 metres per second; Box2D 2 takes 0.01, and 3 takes 0.05. A heap goes on
  /// trembling by less.
  private static let stillDistance = 1.0
  /// The same of what swings on springs under its weight, four times as long, as it stands still at the end of
  /// each swing: a pendulum that nothing damps would swing for ever.
  private static let stillDistanceOnSprings = 0.4
  /// Seconds for which an island must be still.
  private static let patience = 0.5

  /// Of slots.
  private var sets = DisjointSets()
  /// By slot of such a body: how long the whole island has been still, and who fell asleep of it last.
  private var stillTimes = Buffer<Double>()
  private var lastAsleep = Buffer<Int32>()
  /// By slot: where the body was when it was last seen to move, or `patience` ago.
  private var places = Buffer<Place>()
  /// By slot: where a body that is held began to tremble in place.
  private var homes = Buffer<Place>()

  // Not private, as the compiler (6.3.1) breaks on private types in the buffers of a struct that cannot be copied.
  struct Place: BitwiseCopyable {
    var x = 0.0
    var y = 0.0
    var angle = 0.0
    /// Seconds since then.
    var age = 0.0

    /// How far a body is from it, points at its rim.
    func distance(_ pose: Pose, _ extent: Double) -> Double {
      max(abs(pose.x - x), abs(pose.y - y)) + abs(pose.angle - angle) * extent
    }
  }

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
    while places.count < bodies.count {
      places.append(Place())
      homes.append(Place())
    }
    for index in 0..<bodies.awake.count {
      let slot = bodies.awake[index]
      sets.separate(slot)
      noteTrembling(slot, bodies, timestep)
      // Both, as one notes the place.
      let (isInPlace, isSlow) = (staysInPlace(slot, bodies, timestep), isSlow(slot, bodies, timestep))
      let swings = !isSlow && bodies.traits[slot].attachmentCount > 0
      bodies.traits[slot].justWoke = false
      bodies.traits[slot].stillTime =
        isSlow || isInPlace ? bodies.traits[slot].stillTime + (swings ? timestep / 4 : timestep) : 0
    }
  }

  private func isSlow(_ slot: Int32, _ bodies: borrowing RigidBodies, _ timestep: Double) -> Bool {
    let motion = bodies.motions[slot]
    let extent = bodies.traits[slot].extent
    let speed = max(abs(motion.vx), abs(motion.vy)) + abs(motion.spin) * extent
    let moved = max(abs(motion.dx), abs(motion.dy)) + abs(motion.turn) * extent
    let stillSpeed = bodies.traits[slot].attachmentCount > 0 ? Self.stillSpeedOnSprings : Self.stillSpeed
    // What is carried has been pulled for the sub-step to come already, and a spring counts on that.
    let isSlow =
      speed < stillSpeed || bodies.traits[slot].isCarried && bodies.traits[slot].attachmentCount > 0
    return isSlow && moved < stillSpeed * timestep
  }

  private func staysInPlace(
    _ slot: Int32, _ bodies: borrowing RigidBodies, _ timestep: Double
  ) -> Bool {
    let isOnSprings = bodies.traits[slot].attachmentCount > 0
    if isOnSprings, bodies.traits[slot].acceleration == .zero { return false }
    let (pose, place) = (bodies.poses[slot], places[slot])
    let moved = place.distance(pose, bodies.traits[slot].extent)
    // What falls would be further by now.
    let stillDistance = min(
      isOnSprings ? Self.stillDistanceOnSprings : Self.stillDistance,
      0.1 * bodies.traits[slot].fall(in: Self.patience))
    places[slot].age += timestep
    let hasMoved = moved > stillDistance
    // What creeps need not come back: a hundred bodies that creep would never all be where they were. What swings
    // on a spring must.
    if hasMoved || !isOnSprings && places[slot].age >= Self.patience {
      places[slot] = Place(x: pose.x, y: pose.y, angle: pose.angle)
    }
    return !hasMoved
  }

  /// Sees how long a body that is held has stayed where it is, but for half its size.
  private func noteTrembling(
    _ slot: Int32, _ bodies: borrowing RigidBodies, _ timestep: Double
  ) {
    let (pose, body) = (bodies.poses[slot], bodies.traits[slot])
    homes[slot].age += timestep
    if !body.isHeld || homes[slot].distance(pose, body.extent) > body.extent / 2 {
      homes[slot] = Place(x: pose.x, y: pose.y, angle: pose.angle)
    }
    bodies.traits[slot].trembleTime = homes[slot].age
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
      homes[slot].age = 0
      (bodies.motions[slot].vx, bodies.motions[slot].vy, bodies.motions[slot].spin) = (0, 0, 0)
      bodies.traits[slot].ringNext = root
      if slot != root { bodies.traits[lastAsleep[root]].ringNext = slot }
      lastAsleep[root] = slot
    }
    return allSleep
  }
}
