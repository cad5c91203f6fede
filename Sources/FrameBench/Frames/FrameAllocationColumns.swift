import CAllocationCounter

/// The allocations of whole frames: on the frame's own thread, and on all others meanwhile.
struct FrameAllocationColumns {
  private let frameThreadCount: Column
  private let frameThreadBytes: Column
  private let otherThreadsCount: Column
  private let otherThreadsBytes: Column

  init(_ frameCount: Int) {
    frameThreadCount = Column(frameCount)
    frameThreadBytes = Column(frameCount)
    otherThreadsCount = Column(frameCount)
    otherThreadsBytes = Column(frameCount)
  }

  func deallocate() {
    for column in [frameThreadCount, frameThreadBytes, otherThreadsCount, otherThreadsBytes] {
      column.deallocate()
    }
  }

  func keep(frameThread: AllocationTotals, all: AllocationTotals, at frame: Int) {
    frameThreadCount[frame] = frameThread.count
    frameThreadBytes[frame] = frameThread.bytes
    otherThreadsCount[frame] = all.count - min(frameThread.count, all.count)
    otherThreadsBytes[frame] = all.bytes - min(frameThread.bytes, all.bytes)
  }

  func frameThread(_ count: Int) -> AllocationSeries {
    AllocationSeries(count: frameThreadCount.series(count), bytes: frameThreadBytes.series(count))
  }

  func otherThreads(_ count: Int) -> AllocationSeries {
    AllocationSeries(count: otherThreadsCount.series(count), bytes: otherThreadsBytes.series(count))
  }
}
