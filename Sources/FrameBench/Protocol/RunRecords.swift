/// The clock that timed the frames.
public struct ClockRecord: Codable, Sendable, Hashable {
  /// `tsc` or `clock_gettime(CLOCK_MONOTONIC_RAW)`.
  public var source: String
  /// Time that an empty pair of reads shows, nanoseconds; subtracted from every sample.
  public var pairCostNanoseconds: Double
  /// Smallest step between two different reads, nanoseconds.
  public var resolutionNanoseconds: Double
}

/// Heap allocations, one value per recorded frame.
public struct AllocationSeries: Codable, Sendable, Equatable {
  /// Allocations; a `realloc` is one.
  public var count: CountSeries
  /// Bytes requested, not the size classes that the allocator rounds up to.
  public var bytes: CountSeries
  /// Blocks freed; a `realloc` frees the block that it is given. Absent: not counted, or an earlier version wrote it.
  public var freeCount: CountSeries?
  /// Bytes freed, in the size classes of the allocator. Absent: not counted, or an earlier version wrote it.
  public var freedBytes: CountSeries?
  /// Bytes allocated less bytes freed, both in size classes. Absent: not counted, or an earlier version wrote it.
  public var netBytes: CountSeries?
}

/// Heap allocations of whole frames.
public struct AllocationRecord: Codable, Sendable, Equatable {
  /// The allocations on the thread that runs the frame.
  public var frameThread: AllocationSeries
  /// The allocations on all other threads while the frame ran.
  public var otherThreads: AllocationSeries
  /// Allocations of the set-up, on the frame's thread.
  public var setUpCount: Int
  /// Bytes that the set-up requested, on the frame's thread.
  public var setUpBytes: Int
  /// Allocations of all warm-up frames together, on the frame's thread.
  public var warmUpCount: Int
  /// Bytes that all warm-up frames together requested, on the frame's thread.
  public var warmUpBytes: Int
  /// Bytes by which each frame had enlarged the live heap when it returned: all threads together, including what
  /// follows the measured part. Absent: not counted, or an earlier version wrote it.
  public var netBytes: CountSeries?
  /// The most that set-up, warm-up and frames held on the heap at once, minimum over runs, all threads together, bytes.
  /// Absent: not counted, or an earlier version wrote it.
  public var peakHeapBytes: Int?

  /// Index of the first recorded frame in which the frame's own thread allocated.
  public var firstAllocatingFrame: Int? { frameThread.count.firstIndex { $0 != 0 } }
}

/// System resources used by a run's process.
public struct MemoryRecord: Codable, Sendable, Equatable {
  /// Peak resident set of a run's process, minimum over runs, bytes. Absent: the system did not report it.
  public var peakResidentBytes: Int?
  /// Bytes that the run's state holds on the heap after the last frame. Absent: jemalloc is not linked in.
  public var liveHeapBytes: Int?
  /// Page faults from set-up to the last frame, whether or not they read from a disk, minimum over runs. Absent: the
  /// system did not report them.
  public var pageFaultCount: Int?
  /// How often the process gave up its core or lost it from set-up to the last frame, minimum over runs. Absent: the
  /// system did not report it.
  public var contextSwitchCount: Int?
  /// CPU time of all threads outside the kernel from set-up to the last frame, minimum over runs, nanoseconds. Absent:
  /// the system did not report it.
  public var cpuUserNanoseconds: Int?
  /// CPU time of all threads in the kernel from set-up to the last frame, minimum over runs, nanoseconds. Absent: the
  /// system did not report it.
  public var cpuSystemNanoseconds: Int?
  /// System calls that read, from set-up to the last frame, minimum over runs. Absent: the system did not report them.
  public var readCallCount: Int?
  /// System calls that write, from set-up to the last frame, minimum over runs. Absent: the system did not report them.
  public var writeCallCount: Int?
  /// Time of the set-up, minimum over runs, nanoseconds. Absent: an earlier version wrote it.
  public var setUpNanoseconds: Int?
  /// CPU time of all threads but the one that runs the frames, from set-up to the last frame, minimum over runs,
  /// nanoseconds. Absent: an earlier version wrote it.
  public var otherThreadCPUNanoseconds: Int?

  /// The smaller value of each figure.
  package func least(_ other: MemoryRecord) -> MemoryRecord {
    let figures: [WritableKeyPath<MemoryRecord, Int?>] = [
      \.peakResidentBytes, \.liveHeapBytes, \.pageFaultCount, \.contextSwitchCount, \.cpuUserNanoseconds,
      \.cpuSystemNanoseconds, \.readCallCount, \.writeCallCount, \.setUpNanoseconds, \.otherThreadCPUNanoseconds,
    ]
    var least = self
    for figure in figures { least[keyPath: figure] = [self, other].compactMap { $0[keyPath: figure] }.min() }
    return least
  }
}

/// How far the output of one strategy strays from that of another, over all recorded frames.
public struct DeviationRecord: Codable, Sendable, Equatable {
  /// The strategy that this one is compared with.
  public var reference: String
  /// Largest distance of an item from the reference's place for it in the same frame, in the scenario's unit of length.
  /// Absent: no item is shown by both.
  public var largestDistance: Double?
  /// Mean of these distances, in the same unit. Absent: no item is shown by both.
  public var meanDistance: Double?
  /// Index of the first recorded frame of the largest distance. Absent: no item is shown by both.
  public var largestDistanceFrame: Int?
  /// Items shown by the reference alone, summed over frames.
  public var missingCount: Int
  /// Items shown by this strategy alone, summed over frames.
  public var extraCount: Int
  /// Frames in which the two show different items.
  public var differingFrameCount: Int
  /// Frames that were compared.
  public var frameCount: Int
}

/// A scenario's declaration of a counter, besides its name.
public struct CounterKind: Codable, Sendable, Hashable {
  /// Unit of the counter's values.
  public var unit: Counter.Unit
  /// The better direction.
  public var direction: Counter.Direction

  public init(unit: Counter.Unit = .count, direction: Counter.Direction = .lowerIsBetter) {
    self.unit = unit
    self.direction = direction
  }
}
