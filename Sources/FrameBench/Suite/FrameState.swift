import Glibc

/// The state of the frame that is running. It stays at the same address during a run, so all copies of a timer can
/// point to it.
@usableFromInline package struct FrameState {
  /// The maximum number of phases, and also of counters, in a benchmark.
  @usableFromInline package static var capacity: Int { 16 }

  @usableFromInline package var isEnded = false
  /// Whether a frame has called `startFrame()`, so that only a part of the frame is measured.
  package var measuresPart = false
  /// Whether a frame has called `startFrame()` after `endFrame()`, so that only the last of its parts is measured.
  package var measuresSeveralParts = false
  @usableFromInline package var startTicks: UInt64 = 0
  @usableFromInline package var endTicks: UInt64 = 0
  /// Positions of the items that the frame has shown so far. They are recorded only in the pass that observes output.
  @usableFromInline package var observations: [Observation] = []
  package var observer: (any FrameObserver)?
  @usableFromInline package var repetitionCount = 1
  @usableFromInline package var planting = Planting()
  @usableFromInline package var phaseCount = 0
  @usableFromInline package var counterCount = 0
  @usableFromInline package let phases: UnsafeMutablePointer<PhaseSlot>
  @usableFromInline package let counters: UnsafeMutablePointer<CounterSlot>

  package init() {
    phases = .allocate(capacity: FrameState.capacity)
    phases.initialize(repeating: PhaseSlot(), count: FrameState.capacity)
    counters = .allocate(capacity: FrameState.capacity)
    counters.initialize(repeating: CounterSlot(), count: FrameState.capacity)
  }

  /// A phase whose measurement has begun and not yet ended. Only runs that measure phases know it.
  var openPhase: StaticString? { (0..<phaseCount).first { phases[$0].openCount != 0 }.map { phases[$0].name } }

  package var phaseNames: [String] { (0..<phaseCount).map { phases[$0].name.description } }

  /// Clears the measurements of the frame but keeps the names of phases and counters.
  package mutating func reset() {
    isEnded = false
    observations.removeAll(keepingCapacity: true)
    discardPhases()
    for index in 0..<phaseCount { phases[index].openCount = 0 }
    for index in 0..<counterCount { counters[index].value = 0 }
  }

  mutating func discardPhases() {
    for index in 0..<phaseCount {
      phases[index].ticks = 0
      phases[index].pairCount = 0
    }
  }
}

@usableFromInline package struct PhaseSlot {
  @usableFromInline package var name: StaticString = ""
  @usableFromInline package var ticks: UInt64 = 0
  /// How often the phase ran in this frame, which is also the number of pairs of clock reads in `ticks`.
  @usableFromInline package var pairCount: UInt64 = 0
  /// How many measurements of the phase have begun and not yet ended.
  @usableFromInline package var openCount = 0
  /// The thread that began the last measurement of the phase.
  @usableFromInline package var thread: UInt = 0
}

@usableFromInline package struct CounterSlot {
  @usableFromInline package var counter = Counter("")
  @usableFromInline package var value = 0
}

/// The position of a visible item, in points or in another unit of length that the scenario uses.
@usableFromInline package struct Observation: Equatable, Sendable {
  package var item: Int
  package var x: Double
  package var y: Double

  @usableFromInline package init(item: Int, x: Double, y: Double) {
    self.item = item
    self.x = x
    self.y = y
  }
}

extension UnsafeMutablePointer<FrameState> {
  package static func made() -> Self {
    let state = allocate(capacity: 1)
    state.initialize(to: FrameState())
    return state
  }

  package func destroy() {
    pointee.phases.deallocate()
    pointee.counters.deallocate()
    deinitialize(count: 1)
    deallocate()
  }
}

extension StaticString {
  func hasSameBytes(as other: StaticString) -> Bool {
    utf8CodeUnitCount == other.utf8CodeUnitCount && memcmp(utf8Start, other.utf8Start, utf8CodeUnitCount) == 0
  }
}
