import Statistics

/// Moves the next set-up to a random place on the heap. The addresses of arrays, relative to each other and to the
/// cache sets, change the time of a loop by a few percent. A process keeps its addresses, so their effect would look
/// like a property of the build. If the addresses are random, their effect is noise that averages out (Curtsinger and
/// Berger, "Stabilizer", ASPLOS 2013).
struct HeapLayout: ~Copyable {
  private var random: SplitMix64
  private var blocks: [UnsafeMutableRawPointer] = []

  /// Sizes to which allocators round up small blocks: multiples of 16 bytes, and above 128 bytes four per power of two.
  private static let sizes = (1...8).map { 16 * $0 } + [160, 192, 224, 256, 320, 384, 448, 512]
  private static let largeSizes = [640, 768, 896, 1_024, 1_280, 1_536, 1_792, 2_048, 2_560, 3_072, 3_584, 4_096]

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  deinit { for block in blocks { block.deallocate() } }

  /// Frees the blocks that occupy parts of the heap, and allocates others. Most are small; a few have up to 32 KiB.
  mutating func shift() {
    for block in blocks { block.deallocate() }
    blocks.removeAll(keepingCapacity: true)
    for size in Self.sizes {
      for _ in 0..<random.next() % 8 { blocks.append(.allocate(byteCount: size, alignment: 16)) }
    }
    // A process that has run for a while has free blocks on its heap. Without them, frames that allocate much would
    // take longer than usual.
    stir()
    for power in 4..<16 {
      let count = Int(random.next() % 4)
      for _ in 0..<(power < 12 ? count : count / 3) { blocks.append(.allocate(byteCount: 1 << power, alignment: 16)) }
    }
  }
  /// Allocates and frees random numbers of blocks. Also called right before the first frame that is measured.
  ///
  /// Now and then, an allocator fetches more memory or tidies up its free blocks, and the current frame takes longer.
  /// All earlier allocations decide in which frames that happens. Without random allocations, the same frames would
  /// take longer in all processes of a build.
  mutating func stir() {
    var free: [UnsafeMutableRawPointer] = []
    for size in Self.sizes + Self.largeSizes {
      for _ in 0..<random.next() % 8 { free.append(.allocate(byteCount: size, alignment: 16)) }
    }
    for block in free { block.deallocate() }
    for _ in 0..<random.next() % 64 { UnsafeMutableRawPointer.allocate(byteCount: 1_024, alignment: 16).deallocate() }
  }
}
