import CAllocationCounter
import CInstructionCounter
import CStackProfiler

/// Runs the frames of a benchmark, if necessary several times with fresh state, and profiles the selected frames.
final class ProfilePass: FrameObserver {
  private let run: PassRun
  private let profile: ProfileRequest
  private let clock: FrameClock
  private let isSelected: [Bool]
  /// Ticks that the selected frames have taken so far. A frame counts from the call of its body, or from
  /// `startFrame()`, until its body returns. Nil while the ticks are not measured.
  private var watchedTicks: UInt64?
  private var watchStart: UInt64 = 0
  private var result = ProfileMeasurement()
  private var measurement: RunMeasurement?
  private var failure: (any Error)?
  /// The number of the running frame among the recorded frames; nil if the running frame is not profiled.
  private var frame: Int?
  private var startTicks: UInt64 = 0
  /// Whether a frame has called `startFrame()`. The profile of a frame then begins at this call.
  private var measuresPart = false
  private var isInFrame = false
  /// The timeline. Its memory is reserved before the first frame.
  private let spans: UnsafeMutableBufferPointer<Span>
  private var spanCount = 0
  /// The value of `spanCount` at the beginning of the frame.
  private var earlierSpanCount = 0

  private struct Span {
    var frame: Int32
    /// Index of the phase; -1 means the whole frame.
    var phase: Int32
    var start: UInt64
    var end: UInt64
  }

  init(_ run: PassRun) throws(PassError) {
    let frames = run.request.profile?.frames ?? []
    guard let profile = run.request.profile, let last = frames.last, frames.first ?? 0 >= 0,
      last < run.request.options.frameCount, zip(frames, frames.dropFirst()).allSatisfy({ $0 < $1 })
    else { throw PassError("no recorded frame to profile") }
    self.run = run
    self.profile = profile
    clock = run.clock
    isSelected = (0...last).map(Set(frames).contains)
    // There is memory for the frame itself and 63 phases per frame on average.
    spans = .allocate(capacity: profile.kind == .timeline ? 64 * frames.count : 0)
  }

  deinit { spans.deallocate() }

  func measure() throws -> RunMeasurement {
    switch profile.kind {
    case .timeline: repeatFrames()
    case .callgrind:
      try run.requireValgrind()
      repeatFrames()
    case .samples: try sample()
    case .allocations: try recordAllocations()
    }
    if let failure { throw failure }
    guard var measurement else { throw PassError("no frame was run") }
    result.spans = timeline
    result.phaseNames = measurement.phases.map(\.name)
    measurement.profile = result
    return measurement
  }

  private func sample() throws {
    guard stack_profiler_can_sample() else {
      throw PassError("stacks can be sampled on Linux with glibc 2.35 or later only")
    }
    guard stack_profiler_start() else { throw PassError("no memory for stacks") }
    defer { stack_profiler_stop() }
    let problem = stack_profiler_start_sampling(try sampleInterval(), run.request.options.seed)
    guard problem == 0 else { throw PassError("the system provides no timer (error \(problem))") }
    callFrames()
    stack_profiler_stop_sampling()
    takeStacks()
  }

  /// Returns the mean interval between samples, nanoseconds. If only a small part of a run is profiled, most samples
  /// miss the selected frames and take little time, so the interval is shorter.
  private func sampleInterval() throws -> UInt64 {
    let begin = ContinuousClock.now
    watchedTicks = 0
    try runFrames()
    let whole = (ContinuousClock.now - begin) / .seconds(1)
    let nanoseconds = Double(watchedTicks ?? 0) * clock.nanosecondsPerTick
    watchedTicks = nil
    let share = whole > 0 ? nanoseconds * 1e-9 / whole : 1
    let frameNanoseconds = nanoseconds / Double(profile.frames.count)
    // Taking a sample takes about 10 µs, so the interval must not be much shorter.
    let shortest = frameNanoseconds < 50_000 ? 8_000.0 : 20_000
    let usual = Double(max(1_000, profile.sampleIntervalNanoseconds))
    return UInt64(max(min(shortest, usual), usual * min(1, 4 * share)))
  }

  private func recordAllocations() throws {
    guard stack_profiler_start() else { throw PassError("no memory for stacks") }
    defer { stack_profiler_stop() }
    guard allocation_counter_observe(stack_profiler_add_allocation) else {
      throw PassError("allocations are not counted in this build")
    }
    callFrames()
    _ = allocation_counter_observe(nil)
    takeStacks()
  }

  /// Calls `repeatFrames` through a C function at which the unwinder ends each stack.
  private func callFrames() {
    stack_profiler_call(
      { context in
        guard let context else { return }
        Unmanaged<ProfilePass>.fromOpaque(context).takeUnretainedValue().repeatFrames()
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func repeatFrames() {
    let begin = ContinuousClock.now
    do {
      repeat {
        try runFrames()
        // Without signals, the frames would be repeated until the time limit, and no sample would be taken.
        guard profile.kind != .samples || stack_profiler_receives_signals() else {
          throw PassError("the benchmark blocks or handles SIGPROF, the profiler's signal; leave it to the profiler")
        }
      } while needsMore(after: (ContinuousClock.now - begin) / .seconds(1))
    } catch { failure = error }
  }

  private func needsMore(after seconds: Double) -> Bool {
    guard profile.kind == .samples else { return false }
    let seen = Int(stack_profiler_seen_count())
    let isShort = seen < min(ProfileRequest.fewestSamples, profile.sampleTarget)
    return seen < profile.sampleTarget && seconds < profile.timeLimitSeconds * (isShort ? 3 : 1)
  }

  /// Runs the frames as other passes do, up to the last selected frame.
  private func runFrames() throws {
    let recorder = FrameRecorder(.observedPhases, self, clock: clock, frameCount: isSelected.count)
    let samples = profile.kind == .samples && watchedTicks == nil
    if samples { stack_profiler_pause_sampling() }
    let state = try ScenarioRun(run.scenario, run.context)
    if samples { stack_profiler_resume_sampling() }
    try state.whileSetUp { try runFrames(of: $0, recorder) }
  }

  private func runFrames(of body: @escaping Scenario.FrameBody, _ recorder: FrameRecorder) throws(PassError) {
    var loop = FrameLoop(body, run.context, recorder)
    var checksums: [UInt64] = []
    checksums.reserveCapacity(isSelected.count)
    while !loop.isFinished {
      let number = loop.nextRecordedFrame
      if number == 0, profile.kind == .callgrind { instruction_counter_start() }
      let isLookedAt = number.map { isSelected[$0] } ?? false
      frame = isLookedAt ? number : nil
      watchStart = clock.startTicks()
      let frameChecksum = try loop.runFrame()
      if let watchedTicks, isLookedAt { self.watchedTicks = watchedTicks + (clock.endTicks() &- watchStart) }
      if number != nil { checksums.append(frameChecksum) }
    }
    result.repetitionCount += 1
    if result.frameChecksums.isEmpty {
      result.frameChecksums = checksums
      measurement = recorder.measurement(checksum: loop.checksum)
    } else if result.frameChecksums != checksums {
      result.isRepeatable = false
    }
  }

  func beginFrame() {
    earlierSpanCount = spanCount
    if !measuresPart { enterFrame() }
  }

  func restartFrame() {
    measuresPart = true
    watchStart = clock.startTicks()
    spanCount = earlierSpanCount
    enterFrame()
  }

  private func enterFrame() {
    guard let frame else { return }
    switch profile.kind {
    case .samples, .allocations: stack_profiler_begin_frame(UInt32(frame))
    case .timeline: startTicks = clock.startTicks()
    case .callgrind: if !isInFrame { instruction_counter_toggle_collection() }
    }
    isInFrame = true
  }

  func endFrame() {
    guard let frame, isInFrame else { return }
    isInFrame = false
    switch profile.kind {
    case .samples, .allocations: stack_profiler_end_frame()
    case .timeline: append(frame, phase: -1, start: startTicks, end: clock.endTicks())
    case .callgrind: instruction_counter_toggle_collection()
    }
  }

  func beginPhase(_ slot: Int) -> PhaseStart {
    guard frame != nil else { return (0, 0) }
    switch profile.kind {
    case .samples, .allocations:
      return (UInt64(bitPattern: Int64(stack_profiler_set_phase(Int32(truncatingIfNeeded: slot)))), 0)
    case .timeline: return (clock.startTicks(), 0)
    case .callgrind: return (0, 0)
    }
  }

  func endPhase(_ slot: Int, _ start: PhaseStart) {
    guard let frame else { return }
    switch profile.kind {
    case .samples, .allocations: _ = stack_profiler_set_phase(Int32(truncatingIfNeeded: Int64(bitPattern: start.first)))
    case .timeline: append(frame, phase: slot, start: start.first, end: clock.endTicks())
    case .callgrind: break
    }
  }

  private func append(_ frame: Int, phase: Int, start: UInt64, end: UInt64) {
    guard spanCount < spans.count else {
      result.lostSpanCount += 1
      return
    }
    spans.initializeElement(at: spanCount, to: Span(frame: Int32(frame), phase: Int32(phase), start: start, end: end))
    spanCount += 1
  }

  private var timeline: [TimelineSpan] {
    let origin = spans.prefix(spanCount).map(\.start).min() ?? 0
    let rate = clock.nanosecondsPerTick
    return spans.prefix(spanCount).map { span in
      TimelineSpan(
        frame: Int(span.frame), phase: span.phase < 0 ? nil : Int(span.phase),
        start: inTenths(Double(span.start &- origin) * rate), end: inTenths(Double(span.end &- origin) * rate))
    }
  }

  /// Reads the recorded stacks and translates their addresses to addresses in files of programs and libraries, because
  /// another process has the same code at other addresses.
  private func takeStacks() {
    result.seenCount = Int(stack_profiler_seen_count())
    result.lostCount = Int(stack_profiler_lost_count())
    var placeIndices: [UInt: Int] = [:]
    for index in 0..<stack_profiler_stack_count() {
      let stack = stack_profiler_stack(index)
      let addresses = UnsafeBufferPointer(start: stack.addresses, count: Int(stack.depth))
      result.stacks.append(
        RecordedStack(
          places: addresses.map { placeIndex(of: $0, &placeIndices) }, phase: stack.phase < 0 ? nil : Int(stack.phase),
          count: Int(stack.count), bytes: Int(stack.bytes), firstFrame: Int(stack.first_frame),
          lastFrame: Int(stack.last_frame), frameCount: Int(stack.frame_count), mostInFrame: Int(stack.most_in_frame),
          isOtherThread: stack.is_other_thread, isIncomplete: stack.is_incomplete))
    }
  }

  private func placeIndex(of address: UInt, _ known: inout [UInt: Int]) -> Int {
    if let index = known[address] { return index }
    var path: UnsafePointer<CChar>?
    var fileAddress: UInt = 0
    var place = CodePlace(module: nil, address: UInt64(address))
    if stack_profiler_find_module(address, &path, &fileAddress) {
      let name = path.map { String(cString: $0) } ?? ""
      if !result.modules.contains(name) { result.modules.append(name) }
      place = CodePlace(module: result.modules.firstIndex(of: name), address: UInt64(fileAddress))
    }
    result.places.append(place)
    known[address] = result.places.count - 1
    return result.places.count - 1
  }
}
