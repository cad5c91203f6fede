import CAllocationCounter
import Glibc

/// Counts the allocations of frames and their phases: on the frame's own thread, and on all others
/// meanwhile.
final class AllocationKeeper: FrameObserver {
  private var start = Reading()
  private var end = Reading()
  private var warmUp = AllocationTotals()
  /// Columns of the phases, and behind them two of whole frames.
  private let counts: Table
  private let bytes: Table
  /// Totals of the frame that runs, by slot.
  private let phaseTotals = UnsafeMutableBufferPointer<AllocationTotals>.allocate(capacity: FrameState.capacity)

  private static let frameThread = FrameState.capacity
  private static let otherThreads = FrameState.capacity + 1

  private struct Reading {
    var thisThread = AllocationTotals()
    var allThreads = AllocationTotals()
    var thread = pthread_t()
  }

  init(frameCount: Int) {
    counts = Table(frameCount, columnCount: FrameState.capacity + 2)
    bytes = Table(frameCount, columnCount: FrameState.capacity + 2)
    phaseTotals.initialize(repeating: AllocationTotals())
  }

  deinit {
    counts.deallocate()
    bytes.deallocate()
    phaseTotals.deallocate()
  }

  func beginFrame() { start = Self.read() }

  func endFrame() { end = Self.read() }

  func beginPhase(_ slot: Int) -> PhaseStart {
    let now = allocation_counter_this_thread()
    return PhaseStart(now.count, now.bytes)
  }

  func endPhase(_ slot: Int, _ start: PhaseStart) {
    let now = allocation_counter_this_thread()
    phaseTotals[slot].count += now.count - start.first
    phaseTotals[slot].bytes += now.bytes - start.second
  }

  func keepFrame(at index: Int) {
    let all = end.allThreads - start.allThreads
    // A measured part that two threads begin and end belongs to neither.
    let own = end.thread == start.thread ? end.thisThread - start.thisThread : all
    keep(own, Self.frameThread, index)
    keep(
      AllocationTotals(count: all.count - min(own.count, all.count), bytes: all.bytes - min(own.bytes, all.bytes)),
      Self.otherThreads, index)
    for slot in phaseTotals.indices {
      keep(phaseTotals[slot], slot, index)
      phaseTotals[slot] = AllocationTotals()
    }
  }

  private func keep(_ totals: AllocationTotals, _ column: Int, _ frame: Int) {
    counts[column, frame] = totals.count
    bytes[column, frame] = totals.bytes
  }

  func dropFrame() {
    let own = end.thisThread - start.thisThread
    warmUp.count += own.count
    warmUp.bytes += own.bytes
    for slot in phaseTotals.indices { phaseTotals[slot] = AllocationTotals() }
  }

  private static func read() -> Reading {
    Reading(
      thisThread: allocation_counter_this_thread(), allThreads: allocation_counter_all_threads(), thread: pthread_self()
    )
  }
}

extension AllocationKeeper {
  func record(setUp: AllocationTotals, frameCount: Int) -> AllocationRecord {
    AllocationRecord(
      frameThread: series(Self.frameThread, frameCount), otherThreads: series(Self.otherThreads, frameCount),
      setUpCount: Int(setUp.count), setUpBytes: Int(setUp.bytes), warmUpCount: Int(warmUp.count),
      warmUpBytes: Int(warmUp.bytes))
  }

  func phase(_ slot: Int, frameCount: Int) -> AllocationSeries { series(slot, frameCount) }

  private func series(_ column: Int, _ frameCount: Int) -> AllocationSeries {
    AllocationSeries(count: counts.series(column, frameCount), bytes: bytes.series(column, frameCount))
  }
}

extension AllocationTotals {
  static func - (after: AllocationTotals, before: AllocationTotals) -> AllocationTotals {
    AllocationTotals(count: after.count &- before.count, bytes: after.bytes &- before.bytes)
  }
}
