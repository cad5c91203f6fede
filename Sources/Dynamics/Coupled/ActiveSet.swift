/// The constraints that must be solved again, because the velocity of one of their bodies has changed.
struct ActiveSet: ~Copyable {
  /// The bodies of each constraint, in the order in which the constraints are solved.
  var pairs = Buffer<BroadPhase.Pair>()
  /// The indices of the constraints that must be solved again.
  var bits = BitSet()
  /// The indices of the constraints of each movable body, grouped by body in the order of the bodies' slots.
  /// `ends[slot]` is the position in `neighbors` after the last index of the body in that slot.
  private var neighbors = Buffer<Int32>()
  private var ends = Buffer<Int32>()

  mutating func reserve(_ count: Int) {
    pairs.reserve(count)
    neighbors.reserve(2 * count)
    bits.reserve(count)
  }

  /// Collects the constraints of each body, after all pairs have been added.
  mutating func connect(_ bodies: borrowing RigidBodies) {
    ends.fill(bodies.count + 1, with: 0)
    for index in 0..<pairs.count {
      ends[Int(pairs[index].a) + 1] += 1
      ends[Int(pairs[index].b) + 1] += 1
    }
    for slot in 0..<bodies.count {
      // Bodies that cannot move get no place in `neighbors`, because two bodies that touch the same wall do not affect
      // each other.
      ends[slot + 1] = ends[slot] + (bodies.motions[slot].inverseMass > 0 ? ends[slot + 1] : 0)
    }
    neighbors.removeAll()
    neighbors.extend(by: Int(ends[bodies.count]))
    for index in 0..<pairs.count {
      connect(index, pairs[index].a, bodies)
      connect(index, pairs[index].b, bodies)
    }
  }

  @inline(__always) private func connect(_ index: Int, _ slot: Int32, _ bodies: borrowing RigidBodies) {
    guard bodies.motions[slot].inverseMass > 0 else { return }
    neighbors[ends[slot]] = Int32(index)
    ends[slot] += 1
  }

  @inline(__always) func insertNeighbors(of index: Int) {
    insertNeighbors(of: index, pairs[index].a)
    insertNeighbors(of: index, pairs[index].b)
  }

  @inline(__always) private func insertNeighbors(of index: Int, _ slot: Int32) {
    for position in Int(slot == 0 ? 0 : ends[slot - 1])..<Int(ends[slot]) where neighbors[position] != Int32(index) {
      bits.insert(Int(neighbors[position]))
    }
  }
}
