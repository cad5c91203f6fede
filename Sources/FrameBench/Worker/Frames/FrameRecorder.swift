import CFrameClock

/// Records the measurements of a run. Its memory is reserved before the first frame, so that recording does not
/// allocate.
final class FrameRecorder {
  let frameCount: Int
  let timer: FrameTimer
  private(set) var recordedFrameCount = 0
  private var warmUpTicks: UInt64 = 0
  /// The items that the last frame showed. They are recorded only in the mode that observes output.
  private(set) var lastShown: [Observation] = []

  /// Whether the recorder had to end the measured part of any frame, because the frame did not call `endFrame()`.
  private var endsWithBody = false
  /// How often a frame calls the measured function. Nil if the benchmark does not measure a function.
  private var repetition: Repetition?
  /// The number of frames that were recorded before `repeatCalls` ran. Each of them is a single call.
  private var singleCallCount = 0
  let frameTicks: FrameTable
  let phaseTicks: FrameTable
  let phasePairs: FrameTable
  private let counters: FrameTable

  private var state: UnsafeMutablePointer<FrameState> { timer.state }

  /// - Parameter observer: Called at the beginning and end of frames, to count allocations or instructions in them, or
  ///   to profile them. Nil unless the mode is `observedFrames` or `observedPhases`.
  init(_ mode: TimerMode, _ observer: (any FrameObserver)? = nil, clock: FrameClock, frameCount: Int) {
    precondition(frameCount > 0, "a run of \(frameCount) frames")
    self.frameCount = frameCount
    timer = FrameTimer(mode: mode, clock: clock, state: .made())
    timer.state.pointee.observer = observer
    frameTicks = FrameTable(mode == .frames ? frameCount : 0)
    let timedPhases = mode == .phases ? frameCount : 0
    phaseTicks = FrameTable(timedPhases, columnCount: FrameState.capacity)
    phasePairs = FrameTable(timedPhases, columnCount: FrameState.capacity)
    counters = FrameTable(frameCount, columnCount: FrameState.capacity)
  }

  deinit { state.destroy() }

  /// Finds how often the remaining frames have to call their function. In modes that do not time whole frames, each
  /// frame makes one call.
  func repeatCalls(of body: Scenario.FrameBody, _ context: ScenarioContext) throws(PassError) {
    singleCallCount = recordedFrameCount
    let isRepeated = timer.mode == .frames && singleCallCount < frameCount
    let repetition = isRepeated ? try Repetition.find(body, context, timer) : Repetition()
    self.repetition = repetition
    state.pointee.repetitionCount = repetition.count
  }

  @inline(__always) func beginFrame() {
    switch timer.mode {
    case .frames:
      frame_clock_settle()
      state.pointee.startTicks = timer.clock.startTicks()
    case .phases: frame_clock_settle()
    case .observedFrames, .observedPhases: state.pointee.observer?.beginFrame()
    case .output, .plantedFrames, .plantedPhases: break
    }
  }

  /// Ends the frame if its body did not call `endFrame()`. Records its measurements unless it was a warm-up frame.
  func finishFrame(isWarmUp: Bool) {
    if !state.pointee.isEnded {
      timer.endFrame()
      endsWithBody = true
    }
    if timer.isObserving { lastShown = state.pointee.observations }
    state.pointee.observer?.keepFrame(at: isWarmUp ? nil : recordedFrameCount)
    if isWarmUp {
      if timer.mode == .frames { warmUpTicks &+= state.pointee.endTicks &- state.pointee.startTicks }
    } else {
      keepFrame(at: recordedFrameCount)
      recordedFrameCount += 1
    }
    state.pointee.reset()
  }

  private func keepFrame(at frame: Int) {
    precondition(frame < frameCount, "frame \(frame) of a run of \(frameCount) frames")
    if timer.mode == .frames {
      frameTicks[frame] = state.pointee.endTicks &- state.pointee.startTicks
    } else if timer.mode == .phases {
      for phase in 0..<state.pointee.phaseCount {
        phaseTicks[frame, phase] = state.pointee.phases[phase].ticks
        phasePairs[frame, phase] = state.pointee.phases[phase].pairCount
      }
    }
    for counter in 0..<state.pointee.counterCount {
      counters[frame, counter] = UInt64(bitPattern: Int64(state.pointee.counters[counter].value))
    }
  }

  var phaseNames: [String] { state.pointee.phaseNames }

  /// Time of the measured parts of the warm-up frames so far, nanoseconds. 0 in modes that do not time whole frames.
  var warmUpNanoseconds: Double {
    Double(warmUpTicks) * timer.clock.nanosecondsPerTick + Double(state.pointee.observer?.warmUpNanoseconds ?? 0)
  }

  /// Returns the measurements of the frames, after all frames have run. The caller adds what its pass measures without
  /// the recorder, such as allocations.
  func measurement(checksum: Checksum) -> RunMeasurement {
    let clock = timer.clock
    let phases = phaseNames.enumerated().map { index, name in
      guard timer.mode == .phases else { return PhaseMeasurement(name: name) }
      return PhaseMeasurement(
        name: name,
        nanoseconds: phaseTicks.values(column: index).map { inTenths(Double($0) * clock.nanosecondsPerTick) },
        clockPairs: phasePairs.series(column: index))
    }
    let repetition = repetition ?? Repetition()
    let frameNanoseconds = frameTicks.values().enumerated().map { frame, ticks in
      let repetition = frame < singleCallCount ? Repetition() : repetition
      let nanoseconds = repetition.call(Double(ticks) * clock.nanosecondsPerTick, pairCost: clock.pairCostNanoseconds)
      // A call of 2 ns must be distinguishable from one of 2.01 ns.
      return repetition.count > 1 ? inThousandths(nanoseconds) : inTenths(nanoseconds)
    }
    var (counts, kinds) = ([String: CountSeries](), [String: CounterKind]())
    for index in 0..<state.pointee.counterCount {
      let counter = state.pointee.counters[index].counter
      let kind = CounterKind(unit: counter.unit, direction: counter.direction)
      counts["\(counter.name)"] = counters.series(column: index)
      if kind != CounterKind() { kinds["\(counter.name)"] = kind }
    }
    return RunMeasurement(
      clock: clock.record, frameNanoseconds: timer.mode == .frames ? frameNanoseconds : nil, phases: phases,
      counters: counts, counterKinds: kinds.isEmpty ? nil : kinds, endsWithBody: endsWithBody,
      callCount: self.repetition?.count, measuresSeveralParts: state.pointee.measuresSeveralParts ? true : nil,
      memory: MemoryRecord(), checksum: checksum.hexadecimal)
  }
}

extension FrameClock {
  package var record: ClockRecord {
    ClockRecord(
      source: source == .timeStampCounter ? "tsc" : "clock_gettime(CLOCK_MONOTONIC_RAW)",
      pairCostNanoseconds: pairCostNanoseconds, resolutionNanoseconds: resolutionNanoseconds)
  }
}
