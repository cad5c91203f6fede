import CAllocationCounter
import Glibc

/// Counts the allocations of frames and their phases, on the frame's own thread and on all other threads while the
/// frame runs. Also measures which fraction of the frames' CPU time other threads use.
final class AllocationKeeper: FrameObserver {
  private var start = AllocationKeeper.read()
  private var end = AllocationKeeper.read()
  private var setUp = AllocationTotals()
  private var warmUp = AllocationTotals()
  private(set) var otherThreads = OtherThreads()
  private(set) var warmUpNanoseconds = 0
  private var stopwatch = ThreadStopwatch()
  /// Nanoseconds of the last frame's measured part, without the time during which other processes had the core.
  private var frameNanoseconds = 0
  /// Nanoseconds of the measured part of the first frame, warm-up included. Nil before it has run.
  private(set) var firstNanoseconds: Double?
  /// Nanoseconds of the measured parts of the recorded frames.
  let nanoseconds: FrameTable
  /// These five tables have a column for each phase, then one for the whole frame on its own thread, and one for other
  /// threads.
  private let counts: FrameTable
  private let bytes: FrameTable
  private let freeCounts: FrameTable
  private let freedBytes: FrameTable
  private let netBytes: FrameTable
  /// Bytes by which the heap grew in each frame, until the body of the frame returned.
  private let growth: FrameTable
  private var phases = [Phase](repeating: Phase(), count: FrameState.capacity)
  private var openPhaseCount = 0
  /// Whether each phase has run outside all other phases.
  private(set) var isOuter = [Bool](repeating: false, count: FrameState.capacity)
  private var tracksHeap = false
  /// Whether frames run on several threads. Then the allocations of all threads count as the frame's own.
  private let countsAllThreads: Bool
  /// Bytes allocated minus bytes freed, all threads together, when the previous frame returned or the first one began.
  /// Nil before the first frame.
  private var heapBefore: Int64?
  private var highestHeapBytes: Int64 = 0
  /// Bytes allocated minus bytes freed in set-up, frames and tear-down, all threads together. Until `endTearDown()` has
  /// run, it is only an intermediate sum.
  private var leftHeapBytes: Int64 = 0
  /// Index of the recorded frame that runs; 0 in the warm-up.
  private var frame = 0

  private static let frameThread = FrameState.capacity
  private static let otherThreads = FrameState.capacity + 1

  private struct Totals {
    var allocated = AllocationTotals()
    var heap = HeapTotals()

    static func - (after: Totals, before: Totals) -> Totals {
      let (new, old) = (after.heap, before.heap)
      return Totals(
        allocated: after.allocated - before.allocated,
        heap: HeapTotals(
          free_count: new.free_count &- old.free_count, freed_bytes: new.freed_bytes &- old.freed_bytes,
          net_bytes: new.net_bytes &- old.net_bytes))
    }

    static func -= (sum: inout Totals, other: Totals) { sum = sum - other }
    static func += (sum: inout Totals, other: Totals) { sum = sum - (Totals() - other) }
  }

  /// What a phase allocates in the current frame.
  private struct Phase {
    /// Totals of the thread that runs the phase.
    var own = Totals()
    var all = Totals()
    /// Whether one thread began the phase and another ended it. Then `own` is meaningless.
    var changesThread = false
    /// How many measurements of the phase are open, each inside another. Only the outermost counts.
    var openCount = 0
  }

  private typealias Reading = (thisThread: Totals, allThreads: Totals, thread: pthread_t)

  init(frameCount: Int, countsAllThreads: Bool = false) {
    self.countsAllThreads = countsAllThreads
    let columnCount = FrameState.capacity + 2
    counts = FrameTable(frameCount, columnCount: columnCount)
    bytes = FrameTable(frameCount, columnCount: columnCount)
    freeCounts = FrameTable(frameCount, columnCount: columnCount)
    freedBytes = FrameTable(frameCount, columnCount: columnCount)
    netBytes = FrameTable(frameCount, columnCount: columnCount)
    growth = FrameTable(frameCount)
    nanoseconds = FrameTable(frameCount)
  }

  deinit { if tracksHeap { allocation_counter_stop_tracking_heap() } }

  func beginSetUp() {
    tracksHeap = allocation_counter_track_heap()
    leftHeapBytes = -allocation_counter_heap_all_threads().net_bytes
    setUp = allocation_counter_this_thread()
  }

  func endSetUp() { setUp = allocation_counter_this_thread() - setUp }

  /// Called before the tear-down. Memory that FrameBench allocated after the last frame does not count.
  func beginTearDown() { leftHeapBytes += (heapBefore ?? 0) - allocation_counter_heap_all_threads().net_bytes }

  func endTearDown() { leftHeapBytes += allocation_counter_heap_all_threads().net_bytes }

  func beginFrame() {
    otherThreads.beginFrame()
    start = Self.read()
    heapBefore = heapBefore ?? start.allThreads.heap.net_bytes
    stopwatch = ThreadStopwatch()
  }

  func restartFrame() {
    for slot in phases.indices where phases[slot].openCount == 0 { phases[slot] = Phase() }
    beginFrame()
  }

  func endFrame() {
    frameNanoseconds = stopwatch.ownNanoseconds()
    end = Self.read()
    otherThreads.endFrame()
  }

  func beginPhase(_ slot: Int) -> PhaseStart {
    let now = Self.read()
    phases[slot].openCount += 1
    openPhaseCount += 1
    guard phases[slot].openCount == 1 else { return (UInt64(now.thread), 0) }
    if openPhaseCount == 1 { isOuter[slot] = true }
    phases[slot].own -= now.thisThread
    phases[slot].all -= now.allThreads
    return (UInt64(now.thread), 0)
  }

  func endPhase(_ slot: Int, _ start: PhaseStart) {
    let now = Self.read()
    phases[slot].openCount -= 1
    openPhaseCount -= 1
    guard phases[slot].openCount == 0 else { return }
    phases[slot].own += now.thisThread
    phases[slot].all += now.allThreads
    if UInt64(now.thread) != start.first { phases[slot].changesThread = true }
  }

  func keepFrame(at index: Int?) {
    let heap = allocation_counter_heap_all_threads().net_bytes
    growth[frame] = UInt64(bitPattern: heap - (heapBefore ?? heap))
    heapBefore = heap
    highestHeapBytes = allocation_counter_highest_heap_bytes()
    firstNanoseconds = firstNanoseconds ?? Double(frameNanoseconds)
    let all = end.allThreads - start.allThreads
    // If one thread begins a measured part and another ends it, the difference of their totals means nothing.
    let own = end.thread == start.thread && !countsAllThreads ? end.thisThread - start.thisThread : all
    defer {
      for slot in 0..<FrameState.capacity { phases[slot] = Phase() }
      openPhaseCount = 0
    }
    guard index != nil else {
      let totals = own.allocated
      warmUpNanoseconds += frameNanoseconds
      warmUp = AllocationTotals(count: warmUp.count + totals.count, bytes: warmUp.bytes + totals.bytes)
      return
    }
    for slot in 0..<FrameState.capacity { keep(phases[slot].changesThread ? phases[slot].all : phases[slot].own, slot) }
    keep(own, Self.frameThread)
    // The two totals are not read at the same moment, so `all` may miss allocations. The difference must not be
    // negative.
    var others = all - own
    let counted = (own.allocated, all.allocated)
    others.allocated = AllocationTotals(
      count: counted.1.count - min(counted.0.count, counted.1.count),
      bytes: counted.1.bytes - min(counted.0.bytes, counted.1.bytes))
    keep(others, Self.otherThreads)
    otherThreads.keepFrame()
    nanoseconds[frame] = UInt64(max(0, frameNanoseconds))
    frame += 1
  }

  private func keep(_ totals: Totals, _ column: Int) {
    counts[frame, column] = totals.allocated.count
    bytes[frame, column] = totals.allocated.bytes
    freeCounts[frame, column] = totals.heap.free_count
    freedBytes[frame, column] = totals.heap.freed_bytes
    netBytes[frame, column] = UInt64(bitPattern: totals.heap.net_bytes)
  }

  private static func read() -> Reading {
    (
      Totals(allocated: allocation_counter_this_thread(), heap: allocation_counter_heap_this_thread()),
      Totals(allocated: allocation_counter_all_threads(), heap: allocation_counter_heap_all_threads()), pthread_self()
    )
  }

  var record: AllocationRecord {
    AllocationRecord(
      frameThread: series(Self.frameThread), otherThreads: series(Self.otherThreads), setUpCount: Int(setUp.count),
      setUpBytes: Int(setUp.bytes), warmUpCount: Int(warmUp.count), warmUpBytes: Int(warmUp.bytes),
      netBytes: tracksHeap ? growth.series(column: 0) : nil, peakHeapBytes: tracksHeap ? Int(highestHeapBytes) : nil,
      leftHeapBytes: tracksHeap ? Int(max(0, leftHeapBytes)) : nil)
  }

  /// - Parameter column: The index of a phase.
  func series(_ column: Int) -> AllocationSeries {
    var series = AllocationSeries(count: counts.series(column: column), bytes: bytes.series(column: column))
    guard tracksHeap else { return series }
    series.freeCount = freeCounts.series(column: column)
    series.freedBytes = freedBytes.series(column: column)
    series.netBytes = netBytes.series(column: column)
    return series
  }
}

extension AllocationTotals {
  static func - (after: AllocationTotals, before: AllocationTotals) -> AllocationTotals {
    AllocationTotals(count: after.count &- before.count, bytes: after.bytes &- before.bytes)
  }
}
