import CAllocationCounter
import Glibc

/// Counts the allocations of frames and their phases: on the frame's own thread, and on all others meanwhile. Measures
/// how much of their work those others do.
final class AllocationKeeper: FrameObserver {
  private var start = AllocationKeeper.read()
  private var end = AllocationKeeper.read()
  var setUp = AllocationTotals()
  private var warmUp = AllocationTotals()
  private(set) var otherThreads = OtherThreads()
  /// Columns of the phases, and behind them two of whole frames.
  private let counts: FrameTable
  private let bytes: FrameTable
  /// Index of the recorded frame that runs, or of the first one in the warm-up.
  private var frame = 0

  private static let frameThread = FrameState.capacity
  private static let otherThreads = FrameState.capacity + 1

  private typealias Reading = (thisThread: AllocationTotals, allThreads: AllocationTotals, thread: pthread_t)

  init(frameCount: Int) {
    counts = FrameTable(frameCount, columnCount: FrameState.capacity + 2)
    bytes = FrameTable(frameCount, columnCount: FrameState.capacity + 2)
  }

  func beginFrame() {
    otherThreads.beginFrame()
    start = Self.read()
  }

  func endFrame() {
    end = Self.read()
    otherThreads.endFrame()
  }

  func beginPhase(_ slot: Int) -> PhaseStart {
    let now = allocation_counter_this_thread()
    return (now.count, now.bytes)
  }

  func endPhase(_ slot: Int, _ start: PhaseStart) {
    let now = allocation_counter_this_thread()
    counts[frame, slot] += now.count - start.first
    bytes[frame, slot] += now.bytes - start.second
  }

  func keepFrame(at index: Int?) {
    let all = end.allThreads - start.allThreads
    // A measured part that two threads begin and end belongs to neither.
    let own = end.thread == start.thread ? end.thisThread - start.thisThread : all
    let others = all - AllocationTotals(count: min(own.count, all.count), bytes: min(own.bytes, all.bytes))
    guard index != nil else {
      warmUp = AllocationTotals(count: warmUp.count + own.count, bytes: warmUp.bytes + own.bytes)
      for slot in 0..<FrameState.capacity { keep(AllocationTotals(), slot) }
      return
    }
    keep(own, Self.frameThread)
    keep(others, Self.otherThreads)
    otherThreads.keepFrame()
    frame += 1
  }

  private func keep(_ totals: AllocationTotals, _ column: Int) {
    counts[frame, column] = totals.count
    bytes[frame, column] = totals.bytes
  }

  private static func read() -> Reading {
    (allocation_counter_this_thread(), allocation_counter_all_threads(), pthread_self())
  }

  var record: AllocationRecord {
    AllocationRecord(
      frameThread: series(Self.frameThread), otherThreads: series(Self.otherThreads), setUpCount: Int(setUp.count),
      setUpBytes: Int(setUp.bytes), warmUpCount: Int(warmUp.count), warmUpBytes: Int(warmUp.bytes))
  }

  /// - Parameter column: The slot of a phase.
  func series(_ column: Int) -> AllocationSeries {
    AllocationSeries(count: counts.series(column: column), bytes: bytes.series(column: column))
  }
}

extension AllocationTotals {
  static func - (after: AllocationTotals, before: AllocationTotals) -> AllocationTotals {
    AllocationTotals(count: after.count &- before.count, bytes: after.bytes &- before.bytes)
  }
}
