import CAllocationCounter

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What is measured in the frame that runs now. Lies at one place during a run, so that the timer can be
/// handed about as a plain value.
@usableFromInline
struct FrameState {
  /// Phases, and counters, of a benchmark.
  @usableFromInline static var capacity: Int { 16 }

  @usableFromInline var isEnded = false
  @usableFromInline var startTicks: UInt64 = 0
  @usableFromInline var endTicks: UInt64 = 0
  @usableFromInline var startAllocations = FrameAllocations()
  @usableFromInline var endAllocations = FrameAllocations()
  /// What the frame has shown so far, in the pass that looks at it.
  @usableFromInline var observations: [Observation] = []
  /// What callgrind is told of the frame; nil: nothing, since it is not counted.
  var markedKind: InstructionMark.Kind?
  var hardware = HardwareReads()
  var profiler = FrameProfiler()
  /// Extra work, in the modes that plant some.
  @usableFromInline var planting = Planting()
  @usableFromInline var phaseCount = 0
  @usableFromInline var counterCount = 0
  @usableFromInline let phases: UnsafeMutablePointer<PhaseSlot>
  @usableFromInline let counters: UnsafeMutablePointer<CounterSlot>

  init() {
    phases = .allocate(capacity: FrameState.capacity)
    phases.initialize(repeating: PhaseSlot(), count: FrameState.capacity)
    counters = .allocate(capacity: FrameState.capacity)
    counters.initialize(repeating: CounterSlot(), count: FrameState.capacity)
  }

  mutating func deallocate() {
    observations = []
    phases.deallocate()
    counters.deallocate()
  }

  /// Forgets what the frame measured; the names stay.
  mutating func reset() {
    isEnded = false
    observations.removeAll(keepingCapacity: true)
    for index in 0..<phaseCount {
      phases[index].ticks = 0
      phases[index].pairCount = 0
      phases[index].allocationCount = 0
      phases[index].allocationBytes = 0
    }
    for index in 0..<counterCount { counters[index].value = 0 }
  }
}

@usableFromInline
struct PhaseSlot {
  @usableFromInline var name: StaticString = ""
  @usableFromInline var ticks: UInt64 = 0
  /// How often the phase ran in this frame: as many pairs of clock reads are in its ticks.
  @usableFromInline var pairCount: UInt64 = 0
  @usableFromInline var allocationCount: UInt64 = 0
  @usableFromInline var allocationBytes: UInt64 = 0
}

@usableFromInline
struct CounterSlot {
  @usableFromInline var name: StaticString = ""
  @usableFromInline var value = 0
}

/// The allocation counters at one moment.
@usableFromInline
struct FrameAllocations {
  @usableFromInline var thisThread = AllocationTotals()
  @usableFromInline var allThreads = AllocationTotals()

  init() {}

  @usableFromInline @inline(never)
  static func read() -> FrameAllocations {
    var now = FrameAllocations()
    now.thisThread = allocation_counter_this_thread()
    now.allThreads = allocation_counter_all_threads()
    return now
  }
}

extension StaticString {
  func hasSameBytes(as other: StaticString) -> Bool {
    utf8CodeUnitCount == other.utf8CodeUnitCount
      && memcmp(utf8Start, other.utf8Start, utf8CodeUnitCount) == 0
  }
}
