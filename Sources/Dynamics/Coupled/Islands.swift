/// Groups of bodies that touch or are attached to each other, directly or through other bodies. The bodies of an island
/// fall asleep together, when all of them have been slow for a while.
struct Islands: ~Copyable {
  /// The islands, as sets of the slots (indices) of bodies. A root is the slot that represents its island.
  private var sets = DisjointSets()
  /// How many seconds all bodies of an island have been slow, at the slot of its root.
  private var sleepTimes = Buffer<Double>()
  /// The body that `letSleep` added last to the island's ring of sleeping bodies, at the slot of its root.
  private var lastAsleep = Buffer<Int32>()

  /// Makes each awake body an island of its own.
  mutating func begin(_ bodies: borrowing RigidBodies) {
    if sets.count != bodies.count {
      sets.reset(bodies.count)
      sleepTimes.fill(bodies.count, with: 0)
      lastAsleep.fill(bodies.count, with: 0)
    }
    for index in 0..<bodies.awake.count { sets.separate(bodies.awake[index]) }
  }

  /// Joins the islands of two bodies, unless one of the bodies never moves.
  @inline(__always) func join(_ a: Int32, _ b: Int32, _ bodies: borrowing RigidBodies) {
    if bodies.motions[a].inverseMass > 0, bodies.motions[b].inverseMass > 0 { sets.join(a, b) }
  }

  /// Puts islands to sleep if they have been slow for long enough.
  /// - Returns: Whether all bodies sleep now.
  func letSleep(_ bodies: borrowing RigidBodies) -> Bool {
    for index in 0..<bodies.awake.count {
      let slot = bodies.awake[index]
      // A root has the smallest slot of its island, so it comes first.
      let root = sets.root(slot)
      let sleepTime = bodies.definitions[slot].sleepTime
      sleepTimes[root] = root == slot ? sleepTime : min(sleepTimes[root], sleepTime)
    }
    var allSleep = true
    for index in 0..<bodies.awake.count {
      let slot = bodies.awake[index]
      let root = sets.root(slot)
      guard sleepTimes[root] >= SolverConstants.timeToSleep else {
        allSleep = false
        continue
      }
      bodies.definitions[slot].isAwake = false
      (bodies.motions[slot].vx, bodies.motions[slot].vy, bodies.motions[slot].spin) = (0, 0, 0)
      bodies.definitions[slot].ringNext = root
      if slot != root { bodies.definitions[lastAsleep[root]].ringNext = slot }
      lastAsleep[root] = slot
    }
    return allSleep
  }
}
