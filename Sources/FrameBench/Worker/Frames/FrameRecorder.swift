import CFrameClock

/// Keeps the measurements of the frames of one run. All its memory is reserved before the first frame, so
/// that recording neither allocates nor shows up as memory of the scenario.
final class FrameRecorder {
  /// Subject of the recording.
  enum Subject {
    case frameTimes
    case phaseTimes
    case output
    /// Values that the keeper counts or samples, in whole frames or in phases, too.
    case observed(any FrameObserver, hasPhases: Bool)
  }

  let frameCount: Int
  let timer: FrameTimer
  private(set) var recordedFrameCount = 0
  /// Items that the last frame showed, if output is recorded.
  private(set) var lastShown: [Observation] = []

  /// Whether a frame left its end to the recorder.
  private var endsWithBody = false
  /// Calls of a function in a frame; nil for other scenarios.
  private var repetition: Repetition?
  private let subject: Subject
  private let clock: FrameClock
  private let state: UnsafeMutablePointer<FrameState>
  private let frameColumn: Column
  private let tickTable: Table
  private let pairTable: Table
  private let counterTable: Table

  init(_ subject: Subject, clock: FrameClock, frameCount: Int) {
    precondition(frameCount > 0, "a run of \(frameCount) frames")
    self.subject = subject
    self.clock = clock
    self.frameCount = frameCount
    state = .allocate(capacity: 1)
    state.initialize(to: FrameState())
    var (timedFrames, timedPhases) = (0, 0)
    let mode: TimerMode
    switch subject {
    case .frameTimes: (mode, timedFrames) = (.frames, frameCount)
    case .phaseTimes: (mode, timedPhases) = (.phases, frameCount)
    case .output: mode = .output
    case .observed(let keeper, let hasPhases):
      mode = hasPhases ? .observedPhases : .observedFrames
      state.pointee.observer = keeper
    }
    timer = FrameTimer(mode: mode, clock: clock, state: state)
    frameColumn = Column(timedFrames)
    tickTable = Table(timedPhases)
    pairTable = Table(timedPhases)
    counterTable = Table(frameCount)
  }

  deinit {
    state.pointee.deallocate()
    state.deallocate()
    frameColumn.deallocate()
    for table in [tickTable, pairTable, counterTable] { table.deallocate() }
  }

  /// Finds out how often a function is to be called in a frame. If time is not recorded, a frame is one
  /// call.
  func repeatCalls(of body: Scenario.FrameBody, _ context: ScenarioContext) throws(PassError) {
    guard case .frameTimes = subject else { return }
    let repetition = try Repetition.find(body, context, timer)
    self.repetition = repetition
    state.pointee.repetitionCount = repetition.count
  }

  @inline(__always) func beginFrame() {
    switch subject {
    case .frameTimes:
      frame_clock_settle()
      state.pointee.startTicks = clock.startTicks()
    case .phaseTimes: frame_clock_settle()
    case .output: break
    case .observed(let keeper, _): keeper.beginFrame()
    }
  }

  /// Ends the frame if its body did not, and keeps its measurements unless it was a warm-up.
  func finishFrame(isWarmUp: Bool) {
    if !state.pointee.isEnded {
      timer.endFrame()
      endsWithBody = true
    }
    if case .output = subject { lastShown = state.pointee.observations }
    if isWarmUp {
      if case .observed(let keeper, _) = subject { keeper.dropFrame() }
    } else {
      keepFrame(at: recordedFrameCount)
      recordedFrameCount += 1
    }
    state.pointee.reset()
  }

  private func keepFrame(at frame: Int) {
    precondition(frame < frameCount, "frame \(frame) of a run of \(frameCount) frames")
    switch subject {
    case .frameTimes: frameColumn[frame] = state.pointee.endTicks &- state.pointee.startTicks
    case .phaseTimes:
      for phase in 0..<state.pointee.phaseCount {
        tickTable[phase, frame] = state.pointee.phases[phase].ticks
        pairTable[phase, frame] = state.pointee.phases[phase].pairCount
      }
    case .output: break
    case .observed(let keeper, _): keeper.keepFrame(at: frame)
    }
    for counter in 0..<state.pointee.counterCount {
      counterTable[counter, frame] = UInt64(bitPattern: Int64(state.pointee.counters[counter].value))
    }
  }
}

extension FrameRecorder {
  var phaseNames: [String] { (0..<state.pointee.phaseCount).map { state.pointee.phases[$0].name.description } }

  /// The measurement of all recorded frames; the pass adds its own counts.
  func measurement(checksum: Checksum) -> RunMeasurement {
    let rate = clock.nanosecondsPerTick
    let phases = phaseNames.enumerated().map { index, name in
      guard case .phaseTimes = subject else { return PhaseMeasurement(name: name) }
      return PhaseMeasurement(
        name: name, nanoseconds: phaseTicks(at: index).map { inTenths(Double($0) * rate) },
        clockPairs: phasePairCounts(at: index))
    }
    var frameNanoseconds: [Double]?
    if case .frameTimes = subject {
      let repetition = repetition ?? Repetition()
      frameNanoseconds = recordedFrameTicks.map {
        let nanoseconds = repetition.call(Double($0) * rate, pairCost: clock.pairCostNanoseconds)
        // A call of 2 ns must be distinguishable from one of 2.01 ns.
        return repetition.count > 1 ? inThousandths(nanoseconds) : inTenths(nanoseconds)
      }
    }
    return RunMeasurement(
      clock: clock.record, frameNanoseconds: frameNanoseconds, phases: phases, counters: counterSeries,
      counterKinds: counterKinds, endsWithBody: endsWithBody, callCount: repetition?.count, memory: MemoryRecord(),
      checksum: checksum.hexadecimal)
  }

  var recordedFrameTicks: [UInt64] { frameColumn.values(recordedFrameCount) }

  func phaseTicks(at phase: Int) -> [UInt64] { tickTable.column(phase, recordedFrameCount) }

  /// Pairs of clock reads, frame by frame.
  func phasePairCounts(at phase: Int) -> CountSeries { pairTable.series(phase, recordedFrameCount) }

  private var counterKinds: [String: CounterKind]? {
    let declared = (0..<state.pointee.counterCount).map { state.pointee.counters[$0].counter }
    let kinds = declared.reduce(into: [String: CounterKind]()) { kinds, counter in
      let kind = CounterKind(unit: counter.unit, direction: counter.direction)
      if kind != CounterKind() { kinds["\(counter.name)"] = kind }
    }
    return kinds.isEmpty ? nil : kinds
  }

  var counterSeries: [String: CountSeries] {
    (0..<state.pointee.counterCount).reduce(into: [:]) { series, index in
      series["\(state.pointee.counters[index].counter.name)"] = counterTable.series(index, recordedFrameCount)
    }
  }
}

extension FrameClock {
  /// The record in documents.
  package var record: ClockRecord {
    ClockRecord(source: name, pairCostNanoseconds: pairCostNanoseconds, resolutionNanoseconds: resolutionNanoseconds)
  }
}
