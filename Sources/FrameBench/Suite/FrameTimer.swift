/// Measures the phases of a frame; passed to the body of every frame. In a pass without phases, `measure` is one branch
/// before the work and one after. It never allocates.
///
/// The times of a phase that is measured twice in a frame add up. A phase measured inside another is part of it: the
/// outer includes the inner (and the cost of its two clock reads), and both are recorded. At most 16 phases and 16
/// counters.
public struct FrameTimer {
  @usableFromInline package let mode: TimerMode
  @usableFromInline package let clock: FrameClock
  @usableFromInline package let state: UnsafeMutablePointer<FrameState>

  /// Calls of a function in this frame, with the option `countsCalls`; one if it starts the measurement itself.
  public var repetitionCount: Int { state.pointee.repetitionCount }

  /// Runs `body` as a phase of the frame; errors pass through, and their time still counts.
  @inlinable public func measure<R>(_ phase: Phase, _ body: () throws -> R) rethrows -> R {
    let mark = begin(phase)
    defer { end(mark) }
    return try body()
  }

  /// Runs a `body` that may suspend as a phase of the frame. Anything that the thread does meanwhile is part of it.
  @inlinable public func measure<R>(
    _ phase: Phase, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> R
  ) async rethrows -> R {
    let mark = begin(phase)
    defer { end(mark) }
    return try await body()
  }

  /// Notes an exact count. Counts of a frame add up; a frame without one has 0. May follow `endFrame()`.
  @inlinable public func record(_ counter: Counter, _ value: Int) {
    let index = counterIndex(counter)
    let (sum, overflows) = state.pointee.counters[index].value.addingReportingOverflow(value)
    guard !overflows else { stop("counter \"\(counter.name)\" does not fit into 64 bits; count in a larger unit") }
    state.pointee.counters[index].value = sum
  }

  /// Notes an exact count of another type.
  @_disfavoredOverload @inlinable public func record(_ counter: Counter, _ value: some BinaryInteger) {
    guard let count = Int(exactly: value) else {
      stop("counter \"\(counter.name)\" does not fit into 64 bits; count in a larger unit")
    }
    record(counter, count)
  }

  /// Notes a value that is rounded to a whole number of the counter's unit.
  @_disfavoredOverload @inlinable public func record(_ counter: Counter, _ value: some BinaryFloatingPoint) {
    guard let count = Int(exactly: value.rounded()) else {
      stop("counter \"\(counter.name)\" is not finite, or does not fit into 64 bits; count in a larger unit")
    }
    record(counter, count)
  }

  /// Whether this pass looks at what frames show. In the others `observe` does nothing, and need not be called.
  @inlinable public var isObserving: Bool { mode == .output }

  /// Notes where an item is shown, so that a run can tell how far strategies stray from each other. The place is in
  /// points or another unit of length; the unit and the item's number must be the same in all strategies. May follow
  /// `endFrame()`.
  @inlinable public func observe(item: Int, x: Double, y: Double) {
    guard isObserving else { return }
    state.pointee.observations.append(Observation(item: item, x: x, y: y))
  }

  /// Begins the measured part of the frame here, and leaves out what came before it, such as building an input for one
  /// call. A frame that has ended starts its measurement over. May be called by another thread that the frame waits
  /// for.
  public func startFrame() {
    state.pointee.isEnded = false
    state.pointee.measuresPart = true
    switch mode {
    case .frames, .plantedFrames, .phases, .plantedPhases: state.pointee.startTicks = clock.startTicks()
    case .output: break
    case .observedFrames, .observedPhases: state.pointee.observer?.restartFrame()
    }
  }

  /// Ends the measured part of the frame. Without it, the frame ends when its body returns.
  @inlinable public func endFrame() {
    switch mode {
    case .frames, .plantedFrames, .phases, .plantedPhases: state.pointee.endTicks = clock.endTicks()
    case .output: break
    case .observedFrames, .observedPhases: endObservedFrame()
    }
    if state.pointee.isEnded { stop("endFrame() was called twice in one frame") }
    state.pointee.isEnded = true
  }

  @usableFromInline typealias Mark = (slot: Int, start: PhaseStart)

  @inlinable @inline(__always) func begin(_ phase: Phase) -> Mark {
    switch mode {
    case .frames, .output, .observedFrames: return (0, (0, 0))
    case .plantedFrames: return (phaseIndex(phase.name), (0, 0))
    case .phases, .plantedPhases:
      let slot = phaseIndex(phase.name)
      return (slot, (clock.startTicks(), 0))
    case .observedPhases: return beginObserved(phase)
    }
  }

  @inlinable @inline(__always) func end(_ mark: Mark) {
    switch mode {
    case .frames, .output, .observedFrames: break
    case .plantedFrames: state.pointee.planting.work(inPhase: mark.slot)
    case .phases, .plantedPhases:
      if mode == .plantedPhases { state.pointee.planting.work(inPhase: mark.slot) }
      let ticks = clock.endTicks() &- mark.start.first
      state.pointee.phases[mark.slot].ticks &+= ticks
      state.pointee.phases[mark.slot].pairCount &+= 1
    case .observedPhases: endObserved(mark)
    }
  }

  @usableFromInline @inline(never) func beginObserved(_ phase: Phase) -> Mark {
    state.pointee.observer?.phaseIsComing()
    let slot = phaseIndex(phase.name)
    return (slot, state.pointee.observer?.beginPhase(slot) ?? (0, 0))
  }

  @usableFromInline @inline(never) func endObserved(_ mark: Mark) {
    state.pointee.observer?.endPhase(mark.slot, mark.start)
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

  /// Each module has its own copy of a literal, so equal names may lie at different addresses.
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

  /// Not a precondition: those lose their message in release builds, where benchmarks run.
  @usableFromInline @inline(never) func stop(_ message: @autoclosure () -> String) -> Never { fatalError(message()) }
}

@usableFromInline package enum TimerMode: UInt8, Sendable {
  case frames
  case phases
  /// Notes the places of items; neither a clock nor a counter is read.
  case output
  /// Calls an observer at the ends of frames, and with `observedPhases` at the beginning and end of phases, too.
  case observedFrames
  case observedPhases
  /// Times frames with work planted at the end of one phase. A mode of its own, so that the others pay nothing for it.
  case plantedFrames
  case plantedPhases
}
