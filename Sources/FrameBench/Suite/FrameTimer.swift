import CFrameClock

/// Measures the phases of a frame; passed to the body of every frame. In runs that do not measure phases, `measure`
/// costs one branch before the work and one after it. `measure` never allocates.
///
/// If a phase is measured twice in a frame, its two times are added. If a phase is measured inside another, the time of
/// the outer phase includes the inner phase and its two clock reads, and both phases are recorded. If a phase is
/// measured inside itself, as in a recursive function, only the outermost measurement counts. Two threads must not
/// measure the same phase at the same time. A benchmark can have at most 16 phases and 16 counters.
public struct FrameTimer {
  @usableFromInline package let mode: TimerMode
  @usableFromInline package let clock: FrameClock
  @usableFromInline package let state: UnsafeMutablePointer<FrameState>

  /// How often the frame should call its function, if the scenario has the option `countsCalls`. It is 1 if the frame
  /// calls `startFrame()`.
  public var repetitionCount: Int { state.pointee.repetitionCount }

  /// Runs `body` as a phase of the frame. If `body` throws, the error is rethrown, and the time until then counts.
  @inlinable @inline(__always) public func measure<R>(_ phase: Phase, _ body: () throws -> R) rethrows -> R {
    let mark = begin(phase)
    defer { end(mark) }
    return try body()
  }

  /// Runs a `body` that may suspend as a phase of the frame. The time includes other work that the thread does while
  /// `body` is suspended.
  @inlinable public func measure<R>(
    _ phase: Phase, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> R
  ) async rethrows -> R {
    let mark = begin(phase)
    defer { end(mark) }
    return try await body()
  }

  /// Adds a value to a counter of this frame. The counter is 0 in frames that record no value. May be called after
  /// `endFrame()`.
  @inlinable public func record(_ counter: Counter, _ value: Int) {
    let index = counterIndex(counter)
    let (sum, overflows) = state.pointee.counters[index].value.addingReportingOverflow(value)
    guard !overflows else { stop("counter \"\(counter.name)\" does not fit into 64 bits; count in a larger unit") }
    state.pointee.counters[index].value = sum
  }

  /// Adds a value of another integer type to a counter of this frame.
  @_disfavoredOverload @inlinable public func record(_ counter: Counter, _ value: some BinaryInteger) {
    guard let count = Int(exactly: value) else {
      stop("counter \"\(counter.name)\" does not fit into 64 bits; count in a larger unit")
    }
    record(counter, count)
  }

  /// Adds a value to a counter of this frame, rounded to a whole number of the counter's unit.
  @_disfavoredOverload @inlinable public func record(_ counter: Counter, _ value: some BinaryFloatingPoint) {
    guard let count = Int(exactly: value.rounded()) else {
      stop("counter \"\(counter.name)\" is not finite, or does not fit into 64 bits; count in a larger unit")
    }
    record(counter, count)
  }

  /// Whether this run records which items frames show. In other runs, `observe` does nothing and need not be called.
  @inlinable public var isObserving: Bool { mode == .output }

  /// Records the position at which an item is shown, so that the report can show how much strategies differ. In all
  /// strategies, positions must be in the same unit, and an item must have the same number. May be called after
  /// `endFrame()`.
  @inlinable public func observe(item: Int, x: Double, y: Double) {
    guard isObserving else { return }
    state.pointee.observations.append(Observation(item: item, x: x, y: y))
  }

  /// Begins the measured part of the frame here. Code and phases before it, such as building the input of a call, are
  /// not measured. If the frame has called `endFrame()` already, its measurement starts over. Another thread may call
  /// this while the frame waits.
  public func startFrame() {
    if state.pointee.isEnded { state.pointee.measuresSeveralParts = true }
    state.pointee.isEnded = false
    state.pointee.measuresPart = true
    if let phase = state.pointee.openPhase { stop("startFrame() was called inside phase \"\(phase)\"; call it before") }
    state.pointee.discardPhases()
    switch mode {
    case .frames, .plantedFrames, .phases, .plantedPhases:
      frame_clock_settle()
      state.pointee.startTicks = clock.startTicks()
    case .output: break
    case .observedFrames, .observedPhases: state.pointee.observer?.restartFrame()
    }
  }

  /// Ends the measured part of the frame. If a frame does not call this, its measured part ends when its body returns.
  @inlinable public func endFrame() {
    switch mode {
    case .frames, .plantedFrames, .phases, .plantedPhases: state.pointee.endTicks = clock.endTicks()
    case .output: break
    case .observedFrames, .observedPhases: endObservedFrame()
    }
    if state.pointee.isEnded { stop("endFrame() was called twice in one frame") }
    state.pointee.isEnded = true
  }

  /// The beginning of a measurement of a phase. `place` is the phase's index, plus `openCountUnit` for each measurement
  /// of the phase that was already open. Both are in one number, because a second number would slow down even the runs
  /// that time only whole frames: `begin` and `end` are inlined into the frames of every suite. For the same reason,
  /// `open` and `close` are not inlined.
  @usableFromInline typealias Mark = (place: Int, start: PhaseStart)
  private static let openCountUnit = 256

  @inlinable @inline(__always) func begin(_ phase: Phase) -> Mark {
    switch mode {
    case .frames, .output, .observedFrames: return (0, (0, 0))
    case .plantedFrames: return (phaseIndex(phase.name), (0, 0))
    case .phases, .plantedPhases:
      let place = open(phase)
      return (place, (clock.startTicks(), 0))
    case .observedPhases: return beginObserved(phase)
    }
  }

  @inlinable @inline(__always) func end(_ mark: Mark) {
    switch mode {
    case .frames, .output, .observedFrames: break
    case .plantedFrames: state.pointee.planting.work(inPhase: mark.place)
    case .phases: close(mark.place, ticks: clock.endTicks() &- mark.start.first)
    case .plantedPhases: endPlanted(mark)
    case .observedPhases: endObserved(mark)
    }
  }

  @usableFromInline @inline(never) func endPlanted(_ mark: Mark) {
    state.pointee.planting.work(inPhase: mark.place % Self.openCountUnit)
    close(mark.place, ticks: clock.endTicks() &- mark.start.first)
  }

  /// Notes that a measurement of a phase begins. Returns the `place` of its mark.
  @usableFromInline @inline(never) func open(_ phase: Phase) -> Int {
    let slot = phaseIndex(phase.name)
    let openCount = state.pointee.phases[slot].openCount
    state.pointee.phases[slot].openCount = openCount &+ 1
    state.pointee.phases[slot].thread = frame_clock_thread()
    return slot + openCount * Self.openCountUnit
  }

  /// Notes that a measurement of a phase ends. Ends the program if two threads measure the phase at the same time,
  /// because they would overwrite each other's counts. A frame that suspends is allowed to end a phase on another
  /// thread, and to measure the phase in several tasks that take turns on one thread.
  /// - Parameter ticks: The ticks of this measurement. They count only if no other measurement of the phase encloses
  ///   it.
  @usableFromInline @inline(never) func close(_ place: Int, ticks: UInt64) {
    let (slot, earlierCount) = (place % Self.openCountUnit, place / Self.openCountUnit)
    let openCount = state.pointee.phases[slot].openCount
    if state.pointee.isEnded {
      stop("endFrame() was called inside phase \"\(state.pointee.phases[slot].name)\"; call it after the phase")
    }
    state.pointee.phases[slot].openCount = openCount &- 1
    if openCount != earlierCount &+ 1, openCount < 1 || state.pointee.phases[slot].thread != frame_clock_thread() {
      stopAtOverlap(slot)
    }
    // The time of the outermost measurement contains the clock reads of the inner ones, so these count as well.
    state.pointee.phases[slot].pairCount &+= 1
    if openCount == 1 { state.pointee.phases[slot].ticks &+= ticks }
  }

  @usableFromInline @inline(never) func stopAtOverlap(_ slot: Int) -> Never {
    stop(
      "phase \"\(state.pointee.phases[slot].name)\" was measured by two threads at the same time, or beyond the end of"
        + " its frame; measure it once, around the work of all threads")
  }

  @usableFromInline @inline(never) func beginObserved(_ phase: Phase) -> Mark {
    state.pointee.observer?.phaseIsComing()
    let place = open(phase)
    return (place, state.pointee.observer?.beginPhase(place % Self.openCountUnit) ?? (0, 0))
  }

  @usableFromInline @inline(never) func endObserved(_ mark: Mark) {
    state.pointee.observer?.endPhase(mark.place % Self.openCountUnit, mark.start)
    close(mark.place, ticks: 0)
  }

  @usableFromInline @inline(never) func endObservedFrame() { state.pointee.observer?.endFrame() }

  @inlinable @inline(__always) func phaseIndex(_ name: StaticString) -> Int {
    if state.pointee.isEnded { stop("phase \"\(name)\" was measured after endFrame()") }
    let phases = state.pointee.phases
    for index in 0..<state.pointee.phaseCount where phases[index].name.utf8Start == name.utf8Start { return index }
    return phaseIndexByBytes(name)
  }

  @inlinable @inline(__always) func counterIndex(_ counter: Counter) -> Int {
    let counters = state.pointee.counters
    for index in 0..<state.pointee.counterCount where counters[index].counter.name.utf8Start == counter.name.utf8Start {
      return index
    }
    return counterIndexByBytes(counter)
  }

  /// Compares names byte by byte, because each module has its own copy of a literal. Adds the phase if its name is new.
  @usableFromInline @inline(never) func phaseIndexByBytes(_ name: StaticString) -> Int {
    let count = state.pointee.phaseCount
    for index in 0..<count where state.pointee.phases[index].name.hasSameBytes(as: name) { return index }
    guard count < FrameState.capacity else { stop("phase \"\(name)\" is one more than 16") }
    state.pointee.phases[count].name = name
    state.pointee.phaseCount += 1
    return count
  }

  @usableFromInline @inline(never) func counterIndexByBytes(_ counter: Counter) -> Int {
    let count = state.pointee.counterCount
    for index in 0..<count where state.pointee.counters[index].counter.name.hasSameBytes(as: counter.name) {
      return index
    }
    guard count < FrameState.capacity else { stop("counter \"\(counter.name)\" is one more than 16") }
    state.pointee.counters[count].counter = counter
    state.pointee.counterCount += 1
    return count
  }

  /// Ends the program. A precondition would lose its message in release builds, in which benchmarks run.
  @usableFromInline @inline(never) func stop(_ message: @autoclosure () -> String) -> Never { fatalError(message()) }
}

@usableFromInline package enum TimerMode: UInt8, Sendable {
  case frames
  case phases
  /// Records the positions of items. The timer neither reads a clock nor calls an observer.
  case output
  /// Calls an observer at the beginning and end of frames. `observedPhases` also calls it at the beginning and end of
  /// phases.
  case observedFrames
  case observedPhases
  /// Times frames, with extra work (`Planting`) at the end of one phase. `plantedPhases` times phases with this work.
  /// These are separate modes, so that the extra work does not slow down the other modes.
  case plantedFrames
  case plantedPhases
}
