/// Costs of each frame of the scroll over all its runs, first of whole frames, then of phases, without preempted ones.
struct FrameCosts: ~Copyable {
  private let least: FrameTable
  private let sums: FrameTable
  private let counts: FrameTable

  init(frameCount: Int) {
    least = FrameTable(frameCount, columnCount: 1 + FrameState.capacity)
    sums = FrameTable(frameCount, columnCount: 1 + FrameState.capacity)
    counts = FrameTable(frameCount, columnCount: 1 + FrameState.capacity)
  }

  /// - Parameter slack: Ticks above one and a half times the minimum that still count.
  @inline(__always) func add(_ ticks: UInt64, frame: Int, column: Int = 0, slack: UInt64) {
    let known = least[frame, column]
    if counts[frame, column] == 0 || ticks < known { least[frame, column] = ticks }
    guard counts[frame, column] == 0 || ticks <= known + known / 2 + slack else { return }
    sums[frame, column] &+= ticks
    counts[frame, column] &+= 1
  }

  func means(column: Int = 0) -> [Double] {
    (0..<counts.frameCount).map {
      counts[$0, column] == 0 ? .nan : Double(sums[$0, column]) / Double(counts[$0, column])
    }
  }
}
