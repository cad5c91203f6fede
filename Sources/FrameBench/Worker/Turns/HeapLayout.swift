import Statistics

/// Moves the next set-up to another place of the heap, at random. Addresses of arrays, relative to each other and to
/// the cache sets, change a loop by a few percent, and a process keeps them for life: their luck would look like a
/// property of its build. So it is noise that averages out (Curtsinger and Berger, "Stabilizer", ASPLOS 2013).
struct HeapLayout: ~Copyable {
  private var random: SplitMix64
  private var blocks: [UnsafeMutableRawPointer] = []

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  deinit { for block in blocks { block.deallocate() } }

  /// Replaces the blocks in between by others: some small ones, one up to 64 KiB.
  mutating func shift() {
    for block in blocks { block.deallocate() }
    blocks.removeAll(keepingCapacity: true)
    for power in 4..<16 {
      let count = Int(random.next() % 4)
      for _ in 0..<(power < 12 ? count : count / 3) { blocks.append(.allocate(byteCount: 1 << power, alignment: 16)) }
    }
  }
}
