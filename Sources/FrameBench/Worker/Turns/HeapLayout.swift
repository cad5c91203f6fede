import Statistics

/// Moves the next set-up to another place of the heap, at random. Addresses of arrays, relative to each other and to
/// the cache sets, change a loop by a few percent, and a process keeps them until it ends, so that their effect would
/// look like a property of its build. If they are random, it is noise that averages out (Curtsinger and Berger,
/// "Stabilizer", ASPLOS 2013).
struct HeapLayout: ~Copyable {
  private var random: SplitMix64
  private var blocks: [UnsafeMutableRawPointer] = []

  /// Sizes of small blocks: four to each power of two, as allocators round up.
  private static let sizes = (1...8).map { 16 * $0 } + [160, 192, 224, 256, 320, 384, 448, 512]

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  deinit { for block in blocks { block.deallocate() } }

  /// Replaces the blocks in between by others: some small ones, one up to 64 KiB.
  ///
  /// An allocator fetches memory for a size once in some calls, and tidies up once in some ten kilobytes, and the frame
  /// in which it does takes longer. Which frames these are depends on every allocation of the set-up, so they must not
  /// be the same in all processes of a build: each size gets some more blocks, and some kilobytes come and go.
  mutating func shift() {
    for block in blocks { block.deallocate() }
    blocks.removeAll(keepingCapacity: true)
    for size in Self.sizes {
      for _ in 0..<random.next() % 8 { blocks.append(.allocate(byteCount: size, alignment: 16)) }
    }
    for _ in 0..<random.next() % 64 { UnsafeMutableRawPointer.allocate(byteCount: 1_024, alignment: 16).deallocate() }
    for power in 4..<16 {
      let count = Int(random.next() % 4)
      for _ in 0..<(power < 12 ? count : count / 3) { blocks.append(.allocate(byteCount: 1 << power, alignment: 16)) }
    }
  }
}
