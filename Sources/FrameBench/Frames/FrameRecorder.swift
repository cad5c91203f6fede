import CAllocationCounter
import CFrameClock
import CInstructionCounter

/// Keeps what the frames of one run measured. All its memory is there before the first frame, so that
/// recording neither allocates nor shows up as memory of the scenario.
final class FrameRecorder {
  let pass: MeasurementPass
  let frameCount: Int
  let timer: FrameTimer
  private(set) var recordedFrameCount = 0
  private(set) var warmUpAllocations = AllocationTotals()

  private let clock: FrameClock
  private let state: UnsafeMutablePointer<FrameState>
  private let frameTicks: Column
  private let frameAllocations: FrameAllocationColumns
  private let phaseTicks: Table
  private let phasePairs: Table
  private let phaseAllocationCount: Table
  private let phaseAllocationBytes: Table
  private let hardwareCounts: Column
  private let counters: Table

  init(pass: MeasurementPass, clock: FrameClock, frameCount: Int) {
    precondition(frameCount > 0, "a run of \(frameCount) frames")
    self.pass = pass
    self.clock = clock
    self.frameCount = frameCount
    state = .allocate(capacity: 1)
    state.initialize(to: FrameState())
    timer = FrameTimer(mode: TimerMode(pass), clock: clock, state: state)
    frameTicks = Column(pass == .frames ? frameCount : 0)
    phaseTicks = Table(pass == .phases ? frameCount : 0)
    phasePairs = Table(pass == .phases ? frameCount : 0)
    frameAllocations = FrameAllocationColumns(pass == .allocations ? frameCount : 0)
    phaseAllocationCount = Table(pass == .allocations ? frameCount : 0)
    phaseAllocationBytes = Table(pass == .allocations ? frameCount : 0)
    hardwareCounts = Column(pass == .hardwareInstructions ? frameCount : 0)
    counters = Table(frameCount)
  }

  deinit {
    state.pointee.deallocate()
    state.deallocate()
    frameTicks.deallocate()
    frameAllocations.deallocate()
    hardwareCounts.deallocate()
    for table in [phaseTicks, phasePairs, phaseAllocationCount, phaseAllocationBytes, counters] {
      table.deallocate()
    }
  }

  @inline(__always)
  func beginFrame() {
    switch pass {
    case .frames:
      frame_clock_settle()
      state.pointee.startTicks = clock.startTicks()
    case .phases:
      frame_clock_settle()
    case .allocations:
      state.pointee.startAllocations = .read()
    case .output:
      break
    case .instructions:
      if state.pointee.markedKind != nil { instruction_counter_discard() }
    case .hardwareInstructions:
      state.pointee.hardware.start()
    case .profile:
      state.pointee.profiler.beginFrame(clock)
    }
  }

  /// From here on callgrind is told of the frames.
  func mark(_ kind: InstructionMark.Kind) { state.pointee.markedKind = kind }

  /// What is done around the frames that are looked at.
  func profile(_ kind: ProfileRequest.Kind, _ spans: SpanBuffer?) {
    state.pointee.profiler = FrameProfiler(kind: kind, spans: spans)
  }

  /// - Parameter frame: Number of the recorded frame that comes next; nil: it is not looked at.
  func look(at frame: Int?) { state.pointee.profiler.frame = frame }

  /// The counter that is read around every frame from here on.
  func useHardwareCounter(_ descriptor: Int32) { state.pointee.hardware.descriptor = descriptor }

  /// Ends the frame if its body did not, and keeps what it measured unless it was a warm-up.
  func finishFrame(isWarmUp: Bool) {
    if !state.pointee.isEnded { timer.endFrame() }
    if isWarmUp {
      let frame = frameThreadAllocations
      warmUpAllocations.count += frame.count
      warmUpAllocations.bytes += frame.bytes
    } else {
      keepFrame(at: recordedFrameCount)
      recordedFrameCount += 1
    }
    state.pointee.reset()
  }

  private func keepFrame(at frame: Int) {
    precondition(frame < frameCount, "frame \(frame) of a run of \(frameCount) frames")
    switch pass {
    case .frames:
      frameTicks[frame] = state.pointee.endTicks &- state.pointee.startTicks
    case .phases:
      for phase in 0..<state.pointee.phaseCount {
        phaseTicks[phase, frame] = state.pointee.phases[phase].ticks
        phasePairs[phase, frame] = state.pointee.phases[phase].pairCount
      }
    case .output, .instructions, .profile:
      break
    case .hardwareInstructions:
      hardwareCounts[frame] = state.pointee.hardware.count
    case .allocations:
      frameAllocations.keep(frameThread: frameThreadAllocations, all: allThreadsAllocations, at: frame)
      for phase in 0..<state.pointee.phaseCount {
        phaseAllocationCount[phase, frame] = state.pointee.phases[phase].allocationCount
        phaseAllocationBytes[phase, frame] = state.pointee.phases[phase].allocationBytes
      }
    }
    for counter in 0..<state.pointee.counterCount {
      counters[counter, frame] = UInt64(bitPattern: Int64(state.pointee.counters[counter].value))
    }
  }

  private var frameThreadAllocations: AllocationTotals {
    state.pointee.endAllocations.thisThread - state.pointee.startAllocations.thisThread
  }

  private var allThreadsAllocations: AllocationTotals {
    state.pointee.endAllocations.allThreads - state.pointee.startAllocations.allThreads
  }
}

extension FrameRecorder {
  /// What the frame that runs, or has just run, shows.
  var observations: [Observation] { state.pointee.observations }

  var phaseNames: [String] {
    (0..<state.pointee.phaseCount).map { state.pointee.phases[$0].name.description }
  }

  var recordedFrameTicks: [UInt64] { frameTicks.values(recordedFrameCount) }

  func phaseTicks(at phase: Int) -> [UInt64] { phaseTicks.column(phase, recordedFrameCount) }

  /// Pairs of clock reads, frame by frame.
  func phasePairCounts(at phase: Int) -> CountSeries { phasePairs.series(phase, recordedFrameCount) }

  func phaseAllocations(at phase: Int) -> AllocationSeries {
    AllocationSeries(
      count: phaseAllocationCount.series(phase, recordedFrameCount),
      bytes: phaseAllocationBytes.series(phase, recordedFrameCount))
  }

  /// Nil where a read failed: the counter was not running all the time.
  var hardwareInstructions: [Int]? {
    guard state.pointee.hardware.isReliable else { return nil }
    return hardwareCounts.values(recordedFrameCount).map { Int(truncatingIfNeeded: $0) }
  }

  var frameThreadAllocationSeries: AllocationSeries {
    frameAllocations.frameThread(recordedFrameCount)
  }

  var otherThreadsAllocationSeries: AllocationSeries {
    frameAllocations.otherThreads(recordedFrameCount)
  }

  var counterSeries: [String: CountSeries] {
    var series: [String: CountSeries] = [:]
    for counter in 0..<state.pointee.counterCount {
      series[state.pointee.counters[counter].name.description] =
        counters.series(counter, recordedFrameCount)
    }
    return series
  }
}

extension AllocationTotals {
  static func - (after: AllocationTotals, before: AllocationTotals) -> AllocationTotals {
    AllocationTotals(count: after.count &- before.count, bytes: after.bytes &- before.bytes)
  }
}
