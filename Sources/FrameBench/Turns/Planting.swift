import CFrameClock

/// Extra work at the end of one phase of every frame: a slow-down of known size, to find out whether a
/// comparison sees it.
///
/// It is real work on the path of a real slow-down: it runs inside the phase, between the clock reads
/// that time it. A fraction of a short phase is less than the shortest work that can be done, so the
/// share of each frame adds up until a whole batch is due; over many frames the sum is exact.
@usableFromInline
struct Planting {
  /// Dependent multiplications of one batch, the least that is done at once: some 20 ns.
  @usableFromInline static var batchLength: Int { 16 }

  /// Index of the phase; -1: none.
  @usableFromInline var slot = -1
  /// Batches of one frame, whole ones and a fraction.
  @usableFromInline var batchesPerFrame = 0.0
  /// What a batch costs.
  @usableFromInline var batchNanoseconds = 0.0
  @usableFromInline var due = 0.0
  @usableFromInline var value: UInt64 = 1

  @usableFromInline
  init() {}

  /// Waits for the phase first, in the build that nothing is planted in too: otherwise the work would hide
  /// behind what the phase has still in flight, and cost next to nothing.
  @inlinable @inline(__always)
  mutating func work(inPhase index: Int) {
    guard index == slot else { return }
    frame_clock_settle()
    due += batchesPerFrame
    if due >= 1 { runBatches() }
  }

  @usableFromInline @inline(never)
  mutating func runBatches() {
    let count = Int(due * Double(Planting.batchLength))
    due -= Double(count) / Double(Planting.batchLength)
    var x = value
    for _ in 0..<count {
      // Knuth's generator; each step waits for the one before.
      x = x &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    }
    value = x
  }
}
