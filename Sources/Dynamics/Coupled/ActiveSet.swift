/// The constraints that must be solved again, as the velocity of one of their bodies has changed since they were.
struct ActiveSet: ~Copyable {
  /// The bodies of each constraint.
  private(set) var pairs = Buffer<BroadPhase.Pair>()
  /// The constraints of each body that can move, side by side and in order; by slot, where they end.
  private var neighbors = Buffer<Int32>()
  private var ends = Buffer<Int32>()
  /// A bit for each constraint.
  private var words = Buffer<UInt64>()

  var count: Int { pairs.count }

  mutating func reserve(_ count: Int) {
    pairs.reserve(count)
    neighbors.reserve(2 * count)
    words.reserve(count / 64 + 1)
  }

  mutating func removeAll() { pairs.removeAll() }

  /// Adds a constraint, the last in order.
  @inline(__always) mutating func append(_ a: Int32, _ b: Int32) { pairs.append(BroadPhase.Pair(a: a, b: b)) }

  /// Finds the constraints of each body, when all have been added.
  mutating func connect(_ bodies: borrowing RigidBodies) {
    words.fill(pairs.count / 64 + 1, with: 0)
    ends.fill(bodies.count + 1, with: 0)
    for index in 0..<pairs.count {
      ends[Int(pairs[index].a) + 1] += 1
      ends[Int(pairs[index].b) + 1] += 1
    }
    for slot in 0..<bodies.count {
      // Strangers that touch the same wall are no neighbors.
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

  @inline(__always) func contains(_ index: Int) -> Bool { words[index >> 6] >> UInt64(index & 63) & 1 == 1 }

  @inline(__always) func insert(_ index: Int) { words[index >> 6] |= 1 << UInt64(index & 63) }

  @inline(__always) func remove(_ index: Int) { words[index >> 6] &= ~(1 << UInt64(index & 63)) }

  func clear() { for index in 0..<words.count { words[index] = 0 } }

  /// - Parameter end: Only those before this one.
  @inline(__always) func insertNeighbors(of index: Int, before end: Int) {
    insertNeighbors(of: index, pairs[index].a, before: end)
    insertNeighbors(of: index, pairs[index].b, before: end)
  }

  @inline(__always) private func insertNeighbors(of index: Int, _ slot: Int32, before end: Int) {
    for position in Int(slot == 0 ? 0 : ends[slot - 1])..<Int(ends[slot]) {
      let neighbor = Int(neighbors[position])
      if neighbor >= end { return }
      if neighbor != index { insert(neighbor) }
    }
  }

  /// The first from this one on.
  @inline(__always) func first(from index: Int) -> Int? {
    guard index < count else { return nil }
    var word = index >> 6
    var bits = words[word] & (~0 << UInt64(index & 63))
    while bits == 0 {
      word += 1
      guard word < words.count else { return nil }
      bits = words[word]
    }
    return word << 6 + bits.trailingZeroBitCount
  }

  /// The last up to this one.
  @inline(__always) func last(to index: Int) -> Int? {
    guard index >= 0 else { return nil }
    var word = index >> 6
    var bits = words[word] & (~0 >> UInt64(63 - index & 63))
    while bits == 0 {
      guard word > 0 else { return nil }
      word -= 1
      bits = words[word]
    }
    return word << 6 + 63 - bits.leadingZeroBitCount
  }
}
