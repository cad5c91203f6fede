import Statistics

/// The clock that timed the frames.
public struct ClockRecord: Codable, Sendable, Hashable {
  /// `tsc` or `clock_gettime(CLOCK_MONOTONIC_RAW)`.
  public var source: String
  /// Time that an empty pair of reads shows, nanoseconds; subtracted from every sample.
  public var pairCostNanoseconds: Double
  /// Smallest step between two different reads, nanoseconds.
  public var resolutionNanoseconds: Double

  public init(source: String, pairCostNanoseconds: Double, resolutionNanoseconds: Double) {
    self.source = source
    self.pairCostNanoseconds = pairCostNanoseconds
    self.resolutionNanoseconds = resolutionNanoseconds
  }
}

/// Heap allocations, one value per recorded frame.
public struct AllocationSeries: Codable, Sendable, Equatable {
  /// Allocations; a `realloc` is one.
  public var count: CountSeries
  /// Bytes requested, not the size classes that the allocator rounds up to.
  public var bytes: CountSeries

  public init(count: CountSeries, bytes: CountSeries) {
    self.count = count
    self.bytes = bytes
  }
}

/// Heap allocations of whole frames.
public struct AllocationRecord: Codable, Sendable, Equatable {
  /// On the thread that runs the frame.
  public var frameThread: AllocationSeries
  /// On all other threads while the frame ran.
  public var otherThreads: AllocationSeries
  /// Allocations of the set-up, on the frame's thread.
  public var setUpCount: Int
  /// Bytes that the set-up requested, on the frame's thread.
  public var setUpBytes: Int
  /// Allocations of all warm-up frames together, on the frame's thread.
  public var warmUpCount: Int
  /// Bytes that all warm-up frames together requested, on the frame's thread.
  public var warmUpBytes: Int

  public init(
    frameThread: AllocationSeries, otherThreads: AllocationSeries, setUpCount: Int, setUpBytes: Int,
    warmUpCount: Int, warmUpBytes: Int
  ) {
    self.frameThread = frameThread
    self.otherThreads = otherThreads
    self.setUpCount = setUpCount
    self.setUpBytes = setUpBytes
    self.warmUpCount = warmUpCount
    self.warmUpBytes = warmUpBytes
  }

  /// Index of the first recorded frame in which the frame's own thread allocated.
  public var firstAllocatingFrame: Int? { frameThread.count.firstIndex { $0 != 0 } }
}

/// System resources used by a run's process.
public struct MemoryRecord: Codable, Sendable, Equatable {
  /// Peak resident set of a run's process, minimum over runs, bytes. Absent: the system did not report it.
  public var peakResidentBytes: Int?
  /// Bytes that the run's state holds on the heap after the last frame. Absent: jemalloc is not linked in.
  public var liveHeapBytes: Int?
  /// Page faults from set-up to the last frame, those that read from a disk or not, minimum over runs. Absent: the system
  /// did not report them.
  public var pageFaultCount: Int?
  /// How often the process gave up its core or lost it from set-up to the last frame, minimum over runs. Absent: the
  /// system did not report it.
  public var contextSwitchCount: Int?

  public init(
    peakResidentBytes: Int? = nil, liveHeapBytes: Int? = nil, pageFaultCount: Int? = nil,
    contextSwitchCount: Int? = nil
  ) {
    self.peakResidentBytes = peakResidentBytes
    self.liveHeapBytes = liveHeapBytes
    self.pageFaultCount = pageFaultCount
    self.contextSwitchCount = contextSwitchCount
  }

  /// The smaller of each figure.
  package func least(_ other: MemoryRecord) -> MemoryRecord {
    let figures: [WritableKeyPath<MemoryRecord, Int?>] = [
      \.peakResidentBytes, \.liveHeapBytes, \.pageFaultCount, \.contextSwitchCount,
    ]
    var least = self
    for figure in figures { least[keyPath: figure] = [self, other].compactMap { $0[keyPath: figure] }.min() }
    return least
  }
}

/// Samples of the kernel, nanoseconds.
public struct KernelTimes: Codable, Sendable, Equatable {
  /// Repetitions of the kernel; at least 100 from `CalibrationKernel`.
  public var sampleCount: Int
  /// The shortest sample, nanoseconds in tenths; scores and drift are computed from it.
  public var fastest: Double
  /// Median, nanoseconds in tenths.
  public var p50: Double
  /// 90th percentile, nanoseconds in tenths.
  public var p90: Double
  /// 99th percentile, nanoseconds in tenths.
  public var p99: Double
  /// The longest sample, nanoseconds in tenths.
  public var slowest: Double

  /// Nil without samples, or if one has no length.
  public init?(samples: [Double]) {
    guard let summary = Summary(samples), summary.min > 0 else { return nil }
    sampleCount = summary.count
    fastest = inTenths(summary.min)
    p50 = inTenths(summary.p50)
    p90 = inTenths(summary.p90)
    p99 = inTenths(summary.p99)
    slowest = inTenths(summary.max)
  }

  /// How much longer the p99 sample took than the fastest, as a fraction.
  public var spread: Double { p99 / fastest - 1 }
  /// The same for the median sample.
  public var typicalExcess: Double { p50 / fastest - 1 }
}
