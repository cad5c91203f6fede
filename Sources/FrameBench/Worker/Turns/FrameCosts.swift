/// Costs of each frame of the scroll, over all its runs in one process, for one timed subject. A preempted
/// frame must not weigh, so values far above the minimum are left out.
struct FrameCosts {
  private let least: Column
  private let sums: Column
  private let counts: Column
  private let frameCount: Int

  init(frameCount: Int) {
    self.frameCount = frameCount
    least = Column(frameCount)
    sums = Column(frameCount)
    counts = Column(frameCount)
  }

  func deallocate() { for column in [least, sums, counts] { column.deallocate() } }

  /// - Parameter slack: Ticks above one and a half times the minimum that still count.
  @inline(__always) func add(_ ticks: UInt64, frame: Int, slack: UInt64) {
    let known = least[frame]
    if counts[frame] == 0 || ticks < known { least[frame] = ticks }
    guard counts[frame] == 0 || ticks <= known + known / 2 + slack else { return }
    sums[frame] &+= ticks
    counts[frame] &+= 1
  }

  /// Mean ticks of each frame; NaN for a frame that never ran.
  var means: [Double] { (0..<frameCount).map { counts[$0] == 0 ? .nan : Double(sums[$0]) / Double(counts[$0]) } }
}
