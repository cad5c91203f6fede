/// The clock that timed the frames.
public struct ClockRecord: Codable, Sendable, Hashable {
  /// `tsc` or `clock_gettime(CLOCK_MONOTONIC_RAW)`.
  public var source: String
  /// Time in nanoseconds between two reads of the clock with no work between them. The times in run documents do not
  /// include it.
  public var pairCostNanoseconds: Double
  /// Smallest usual step of the clock, from one reading to the next different one, nanoseconds. Rare smaller steps are
  /// ignored.
  public var resolutionNanoseconds: Double
}

/// Heap allocations, one value per recorded frame.
public struct AllocationSeries: Codable, Sendable, Equatable {
  /// The number of allocations. A `realloc` counts as one.
  public var count: CountSeries
  /// Bytes requested, before the allocator rounds them up to its size classes.
  public var bytes: CountSeries
  /// The number of blocks freed. A `realloc` frees its old block. Absent: frees were not counted, or an earlier version
  /// wrote the document.
  public var freeCount: CountSeries?
  /// Bytes freed, rounded up to the size classes of the allocator. Absent: frees were not counted, or an earlier
  /// version wrote the document.
  public var freedBytes: CountSeries?
  /// Bytes allocated minus bytes freed on the threads of this series, both rounded up to size classes. Absent: frees
  /// were not counted, or an earlier version wrote the document.
  public var netBytes: CountSeries?
}

/// Heap allocations of whole frames.
public struct AllocationRecord: Codable, Sendable, Equatable {
  /// The allocations on the thread that runs the frame.
  public var frameThread: AllocationSeries
  /// The allocations on all other threads while the frame ran.
  public var otherThreads: AllocationSeries
  /// The number of allocations of the set-up, on the frame's thread.
  public var setUpCount: Int
  /// Bytes that the set-up requested, on the frame's thread.
  public var setUpBytes: Int
  /// The number of allocations of all warm-up frames together, on the frame's thread.
  public var warmUpCount: Int
  /// Bytes that all warm-up frames together requested, on the frame's thread.
  public var warmUpBytes: Int
  /// Bytes by which the live heap grew in each frame until its body returned, all threads together. Code after the
  /// measured part is included. Absent: the heap was not tracked, or an earlier version wrote the document.
  public var netBytes: CountSeries?
  /// The largest size in bytes that the heap reached during set-up, warm-up and frames, all threads together, minimum
  /// over runs. Absent: the heap was not tracked, or an earlier version wrote the document.
  public var peakHeapBytes: Int?
  /// Bytes that set-up, frames and tear-down left on the heap, all threads together, minimum over runs. Absent: the
  /// heap was not tracked, or an earlier version wrote the document.
  public var leftHeapBytes: Int?

  /// Index of the first recorded frame in which the frame's own thread allocated; nil if there is none.
  public var firstAllocatingFrame: Int? { frameThread.count.firstIndex { $0 != 0 } }
}

/// System resources used by a run's process.
public struct MemoryRecord: Codable, Sendable, Equatable {
  /// Peak resident set of a run's process in bytes, minimum over runs. Absent: the system did not report it.
  public var peakResidentBytes: Int?
  /// Bytes that the run's state holds on the heap after the last frame. Absent: jemalloc is not linked in.
  public var liveHeapBytes: Int?
  /// The number of page faults, with or without a read from disk, from set-up to the last frame, minimum over runs.
  /// Absent: the system did not report it.
  public var pageFaultCount: Int?
  /// The number of times that the process gave up or lost its core from set-up to the last frame, minimum over runs.
  /// Absent: the system did not report it.
  public var contextSwitchCount: Int?
  /// CPU time of all threads outside the kernel from set-up to the last frame in nanoseconds, in the run with the least
  /// CPU time. Absent: the system did not report it.
  public var cpuUserNanoseconds: Int?
  /// CPU time of all threads in the kernel from set-up to the last frame in nanoseconds, in the run with the least CPU
  /// time. Absent: the system did not report it.
  public var cpuSystemNanoseconds: Int?
  /// The number of system calls that read, from set-up to the last frame, minimum over runs. Absent: the system did not
  /// report it.
  public var readCallCount: Int?
  /// The number of system calls that write, from set-up to the last frame, minimum over runs. Absent: the system did
  /// not report it.
  public var writeCallCount: Int?
  /// CPU time in nanoseconds that the process of a run uses before the run begins, minimum over runs. It includes
  /// loading the program and its libraries, and code before `suite.main()`. Absent: an earlier version wrote the
  /// document.
  public var startNanoseconds: Int?
  /// Time of the set-up in nanoseconds, minimum over runs. Absent: an earlier version wrote the document.
  public var setUpNanoseconds: Int?
  /// Time of the first warm-up frame in nanoseconds, minimum over runs. Absent: there is no warm-up, or an earlier
  /// version wrote the document.
  public var firstFrameNanoseconds: Int?
  /// Time of all warm-up frames after the first, together, in nanoseconds, minimum over runs. Absent: there is no
  /// second warm-up frame, or calls of a function are measured, or an earlier version wrote the document.
  public var warmUpNanoseconds: Int?
  /// Time in nanoseconds that the tear-down took, including the time to free the state, minimum over runs. Absent: an
  /// earlier version wrote the document.
  public var tearDownNanoseconds: Int?
  /// CPU time in nanoseconds that the process of a run uses after the run, minimum over runs. It includes functions
  /// registered with `atexit`, destructors of libraries, and freeing the memory of the process. Absent: an earlier
  /// version wrote the document.
  public var exitNanoseconds: Int?
  /// The number of file descriptors that set-up, frames and tear-down left open, minimum over runs. Absent: the system
  /// did not report it, or an earlier version wrote the document.
  public var leftFileCount: Int?
  /// CPU time of child processes and of all threads except the one that runs the frames, from set-up to the last frame,
  /// in nanoseconds, minimum over runs. Absent: an earlier version wrote the document.
  public var otherThreadCPUNanoseconds: Int?

  private var cpuNanoseconds: Int? { cpuUserNanoseconds.flatMap { user in cpuSystemNanoseconds.map { user + $0 } } }

  /// Returns the smaller value of each figure. If one of the two values is nil, returns the other value. The CPU times in
  /// user mode and in the kernel are those of the run with the smaller sum.
  package func least(_ other: MemoryRecord) -> MemoryRecord {
    let figures: [WritableKeyPath<MemoryRecord, Int?>] = [
      \.peakResidentBytes, \.liveHeapBytes, \.pageFaultCount, \.contextSwitchCount, \.cpuUserNanoseconds,
      \.cpuSystemNanoseconds, \.readCallCount, \.writeCallCount, \.startNanoseconds, \.setUpNanoseconds,
      \.firstFrameNanoseconds, \.warmUpNanoseconds, \.tearDownNanoseconds, \.exitNanoseconds, \.leftFileCount,
      \.otherThreadCPUNanoseconds,
    ]
    var least = self
    for figure in figures { least[keyPath: figure] = [self, other].compactMap { $0[keyPath: figure] }.min() }
    if let own = cpuNanoseconds, let others = other.cpuNanoseconds {
      let run = own <= others ? self : other
      (least.cpuUserNanoseconds, least.cpuSystemNanoseconds) = (run.cpuUserNanoseconds, run.cpuSystemNanoseconds)
    }
    return least
  }
}

/// How much the output of one strategy differs from that of another, over all recorded frames.
public struct DeviationRecord: Codable, Sendable, Equatable {
  /// The reference strategy, with which this strategy is compared.
  public var reference: String
  /// Largest distance between an item's places in the two strategies, in one frame and in the scenario's unit of
  /// length. Absent: no item is shown by both strategies.
  public var largestDistance: Double?
  /// Mean distance between an item's places in the two strategies, over all items and frames, in the scenario's unit of
  /// length. Absent: no item is shown by both strategies.
  public var meanDistance: Double?
  /// Index of the first recorded frame that has the largest distance. Absent: no item is shown by both strategies.
  public var largestDistanceFrame: Int?
  /// The number of items shown only by the reference, summed over frames.
  public var missingCount: Int
  /// The number of items shown only by this strategy, summed over frames.
  public var extraCount: Int
  /// The number of frames in which the two strategies show different items.
  public var differingFrameCount: Int
  /// The number of compared frames.
  public var frameCount: Int
}

/// The unit and the direction that a scenario declares for a counter.
public struct CounterKind: Codable, Sendable, Hashable {
  /// Unit of the counter's values.
  public var unit: Counter.Unit
  /// Whether lower or higher values are better.
  public var direction: Counter.Direction

  public init(unit: Counter.Unit = .count, direction: Counter.Direction = .lowerIsBetter) {
    (self.unit, self.direction) = (unit, direction)
  }
}
