/// Moves what is set up next to another place of the heap, at random.
///
/// Where arrays lie, relative to each other and to the sets of the caches, changes a loop by some percent.
/// One process keeps its places for life, and would take their luck for a property of its build. With
/// places drawn anew (as Curtsinger and Berger's "Stabilizer" does, ASPLOS 2013), luck becomes noise that
/// averages out.
struct HeapLayout: ~Copyable {
  private var random: UInt64
  private var blocks: [UnsafeMutableRawPointer] = []

  init(seed: UInt64) { random = seed }

  deinit {
    for block in blocks { block.deallocate() }
  }

  /// Frees the blocks that stand between, and puts others there: some small ones, one up to 64 KiB.
  mutating func shift() {
    for block in blocks { block.deallocate() }
    blocks.removeAll(keepingCapacity: true)
    for power in 4..<16 {
      let count = Int(next() % 4)
      for _ in 0..<(power < 12 ? count : count / 3) {
        let byteCount = 1 << power
        blocks.append(.allocate(byteCount: byteCount, alignment: 16))
      }
    }
  }

  /// Steele, Lea and Flood's SplitMix64.
  private mutating func next() -> UInt64 {
    random &+= 0x9e37_79b9_7f4a_7c15
    var z = random
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
