import Statistics

/// Moves the next set-up to another place of the heap, at random. Addresses of arrays, relative to each other and to
/// the cache sets, change a loop by a few percent, and a process keeps them for life: their luck would look like a
/// property of its build. So it is noise that averages out (Curtsinger and Berger, "Stabilizer", ASPLOS 2013).
struct HeapLayout: ~Copyable {
  private var random: SplitMix64
  private var blocks: [UnsafeMutableRawPointer] = []

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  deinit { for block in blocks { block.deallocate() } }

  /// Replaces the blocks in between by others: some small ones, one up to 64 KiB. Many small ones of any size come first:
  /// an allocator gets or returns memory once in some hundred calls or some ten kilobytes, and the frame in which it does
  /// takes longer. Which frames these are must not be the same in all processes of a build: one allocation more or less
  /// in its set-up moves them.
  mutating func shift() {
    for block in blocks { block.deallocate() }
    blocks.removeAll(keepingCapacity: true)
    for _ in 0..<random.next() % 512 {
      blocks.append(.allocate(byteCount: 1 + Int(random.next() % 1_024), alignment: 16))
    }
    for power in 4..<16 {
      let count = Int(random.next() % 4)
      for _ in 0..<(power < 12 ? count : count / 3) { blocks.append(.allocate(byteCount: 1 << power, alignment: 16)) }
    }
  }
}
