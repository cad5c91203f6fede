import CAllocationCounter

/// Counts the allocations of frames and their phases: on the frame's own thread, and on all others
/// meanwhile.
final class AllocationKeeper: FrameKeeper {
  private var start = Reading()
  private var end = Reading()
  private var warmUp = AllocationTotals()
  private let frameThread: AllocationColumns
  private let otherThreads: AllocationColumns
  private let phases: (count: Table, bytes: Table)
  /// Totals of the frame that runs, by slot.
  private let phaseTotals = UnsafeMutableBufferPointer<AllocationTotals>.allocate(
    capacity: FrameState.capacity)

  private struct Reading {
    var thisThread = AllocationTotals()
    var allThreads = AllocationTotals()
  }

  init(frameCount: Int) {
    frameThread = AllocationColumns(frameCount)
    otherThreads = AllocationColumns(frameCount)
    phases = (Table(frameCount), Table(frameCount))
    phaseTotals.initialize(repeating: AllocationTotals())
  }

  deinit {
    frameThread.deallocate()
    otherThreads.deallocate()
    phases.count.deallocate()
    phases.bytes.deallocate()
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
    let own = end.thisThread - start.thisThread
    let all = end.allThreads - start.allThreads
    frameThread.keep(own, at: index)
    otherThreads.keep(
      AllocationTotals(
        count: all.count - min(own.count, all.count), bytes: all.bytes - min(own.bytes, all.bytes)),
      at: index)
    for slot in phaseTotals.indices {
      phases.count[slot, index] = phaseTotals[slot].count
      phases.bytes[slot, index] = phaseTotals[slot].bytes
      phaseTotals[slot] = AllocationTotals()
    }
  }

  func dropFrame() {
    let own = end.thisThread - start.thisThread
    warmUp.count += own.count
    warmUp.bytes += own.bytes
    for slot in phaseTotals.indices { phaseTotals[slot] = AllocationTotals() }
  }

  private static func read() -> Reading {
    Reading(thisThread: allocation_counter_this_thread(), allThreads: allocation_counter_all_threads())
  }
}

extension AllocationKeeper {
  func record(setUp: AllocationTotals, frameCount: Int) -> AllocationRecord {
    AllocationRecord(
      frameThread: frameThread.series(frameCount), otherThreads: otherThreads.series(frameCount),
      setUpCount: Int(setUp.count), setUpBytes: Int(setUp.bytes),
      warmUpCount: Int(warmUp.count), warmUpBytes: Int(warmUp.bytes))
  }

  func phase(_ slot: Int, frameCount: Int) -> AllocationSeries {
    AllocationSeries(
      count: phases.count.series(slot, frameCount), bytes: phases.bytes.series(slot, frameCount))
  }
}

private struct AllocationColumns {
  private let count: Column
  private let bytes: Column

  init(_ frameCount: Int) { (count, bytes) = (Column(frameCount), Column(frameCount)) }

  func deallocate() {
    count.deallocate()
    bytes.deallocate()
  }

  func keep(_ totals: AllocationTotals, at frame: Int) {
    count[frame] = totals.count
    bytes[frame] = totals.bytes
  }

  func series(_ frameCount: Int) -> AllocationSeries {
    AllocationSeries(count: count.series(frameCount), bytes: bytes.series(frameCount))
  }
}

extension AllocationTotals {
  static func - (after: AllocationTotals, before: AllocationTotals) -> AllocationTotals {
    AllocationTotals(count: after.count &- before.count, bytes: after.bytes &- before.bytes)
  }
}
