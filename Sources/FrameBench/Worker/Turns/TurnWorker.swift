import CFrameClock
import Glibc

/// Runs the frames of one benchmark turn by turn. In a turn, it runs as many frames as the parent requests, then waits.
/// After the last frame of the scroll, the scroll starts over with fresh state, so that all processes of a comparison
/// run the same frames in a turn.
package final class TurnWorker {
  private let scenario: Scenario
  private let clock: FrameClock
  private let context: ScenarioContext
  private let state: UnsafeMutablePointer<FrameState>
  private let frameTimer: FrameTimer
  private let phaseTimer: FrameTimer
  /// Ticks and pairs of clock reads of each frame of a turn. The first column is for whole frames, the others for
  /// phases.
  private var ticks: FrameTable
  private var pairs: FrameTable
  /// For each frame of a turn: 1 if the kernel took the core from the thread during the frame, otherwise 0.
  private var preempted: FrameTable
  private var isPreempted = false
  /// The ticks of the frame's measured part that passed while other processes had the core.
  private var waitingTicks: UInt64 = 0
  /// The number of warm-up frames that this worker has run, and the ticks of their measured parts without the time
  /// during which other processes had the core.
  private var measured = (ticks: UInt64(0), count: 0)
  private var layout: HeapLayout
  private var run: ScenarioRun?
  private var repetition = Repetition()
  /// The work that `springbench calibrate` adds to a phase, as a fraction of the phase's own time. `costs` contains the
  /// phase's own time in each turn so far, in nanoseconds, from which the amount of work is computed.
  private var planting: (fraction: Double, costs: [Double])?
  private var position = 0
  /// The number of warm-up frames that the first turn runs before its own frames.
  private var openWarmUpFrameCount = 0
  /// The results of the preparation, which `init` runs.
  package private(set) var readiness = TurnReadiness(phases: [], frameNanoseconds: 0, pairCostNanoseconds: 0)

  /// Sets up the scenario, finds its phases and the time of a frame, and stops before the first recorded frame.
  package init(_ suite: Suite, _ request: WorkerRequest, _ options: TurnOptions) throws {
    scenario = try suite.scenario(of: request)
    clock = FrameClock.calibrated(nanosecondsPerTick: options.nanosecondsPerTick)
    context = ScenarioContext(request.benchmark, request.options)
    state = .made()
    let isPlanted = options.planting != nil
    frameTimer = FrameTimer(mode: isPlanted ? .plantedFrames : .frames, clock: clock, state: state)
    phaseTimer = FrameTimer(mode: isPlanted ? .plantedPhases : .phases, clock: clock, state: state)
    ticks = FrameTable(context.frameCount, columnCount: 1 + FrameState.capacity)
    pairs = FrameTable(context.frameCount, columnCount: 1 + FrameState.capacity)
    preempted = FrameTable(context.frameCount)
    layout = HeapLayout(seed: options.layoutSeed)
    try prepare(options)
  }

  deinit {
    try? run?.tearDown()
    state.destroy()
  }

  package func answer(to command: TurnCommand) throws -> TurnAnswer {
    switch command {
    case .frames(let count): .frames(try timeFrames(count))
    case .phases(let count): .phases(try timePhases(count))
    case .observe(let count): .shown(try observe(count))
    }
  }

  /// Runs the frames of one turn. At the end of the scroll, the scroll starts over. With `readsClock`, reads the clock
  /// before each frame; the timer reads it at the end of frames and around phases. Calls `keep` after each frame,
  /// before the state of the frame is reset.
  @inline(__always) private func runFrames(_ count: Int, _ timer: FrameTimer, readsClock: Bool, keep: () -> Void) throws
  {
    let repetitionCount = timer.mode == .frames || timer.mode == .plantedFrames ? repetition.count : 1
    // Frames of up to 20 µs are not checked for preemption: the system calls would disturb them, and such short frames
    // run so often that a few interrupted ones do not matter.
    let looksForPreemption = readsClock && readiness.frameNanoseconds > 20_000
    if openWarmUpFrameCount > 0 { try finishWarmUp() }
    for _ in 0..<count {
      if position == context.frameCount { try startOver() }
      guard let body = run?.body else { throw PassError("no state to run frames of") }
      state.pointee.repetitionCount = repetitionCount
      let before = looksForPreemption ? ThreadUse.now : nil
      frame_clock_settle()
      let start = readsClock ? clock.startTicks() : 0
      state.pointee.startTicks = start
      let frame = Frame(index: context.warmUpFrameCount + position, timestep: context.timestep, isWarmUp: false)
      do { _ = try body(frame, timer) } catch { throw PassError(thrownBy: error, inFrame: frame.index, context) }
      if !state.pointee.isEnded { timer.endFrame() }
      (isPreempted, waitingTicks) = (false, 0)
      if let before { lookForPreemption(since: before, start) }
      keep()
      state.pointee.reset()
      position += 1
    }
  }

  /// Finds whether other processes had the core during the frame, and for how long. On a busy machine, they have it in
  /// every long frame. The CPU time of this process shows for how long, unless the frame also waited for something
  /// else, or does much work outside its measured part.
  private func lookForPreemption(since before: ThreadUse, _ start: UInt64) {
    let whole = clock.endTicks() &- start
    let now = ThreadUse.now
    isPreempted = now.involuntarySwitchCount != before.involuntarySwitchCount
    guard whole &- frameTicks <= frameTicks / 10 else { return }
    waitingTicks = min(frameTicks, ticks(waiting: now.waiting(since: before, nanoseconds(whole))))
  }

  private func ticks(waiting nanoseconds: Double) -> UInt64 { UInt64(nanoseconds / clock.nanosecondsPerTick) }

  private func timeFrames(_ count: Int) throws -> [Double] {
    makeRoom(count)
    var index = 0
    try runFrames(count, frameTimer, readsClock: true) {
      ticks[index] = frameTicks - waitingTicks
      preempted[index] = isPreempted ? 1 : 0
      index += 1
    }
    return (0..<count).map { signed(perCall(nanoseconds(ticks[$0])), $0) }
  }

  private func timePhases(_ count: Int) throws -> [[TurnAnswer.Span]] {
    makeRoom(count)
    var index = 0
    try runFrames(count, phaseTimer, readsClock: true) {
      var frame = (ticks: frameTicks - waitingTicks, pairs: UInt64(1))
      var longest = 0
      for phase in 0..<state.pointee.phaseCount {
        let slot = state.pointee.phases[phase]
        ticks[index, 1 + phase] = slot.ticks
        pairs[index, 1 + phase] = slot.pairCount
        frame.pairs += slot.pairCount
        if slot.ticks > ticks[index, 1 + longest] { longest = phase }
      }
      // It is unknown in which phase other processes had the core. The longest phase is the most likely, so it is
      // shortened.
      if state.pointee.phaseCount > 0 { ticks[index, 1 + longest] -= min(waitingTicks, ticks[index, 1 + longest]) }
      (ticks[index], pairs[index]) = frame
      preempted[index] = isPreempted ? 1 : 0
      index += 1
    }
    let spans = (0...state.pointee.phaseCount).map { column in
      (0..<count).map { index in
        TurnAnswer.Span(
          nanoseconds: signed(nanoseconds(ticks[index, column]), index), pairCount: Double(pairs[index, column]))
      }
    }
    correctPlanting(spans)
    return spans
  }

  /// Clears the tables for a turn and enlarges them if necessary.
  private func makeRoom(_ count: Int) {
    if ticks.frameCount < count {
      ticks = FrameTable(count, columnCount: 1 + FrameState.capacity)
      pairs = FrameTable(count, columnCount: 1 + FrameState.capacity)
      preempted = FrameTable(count)
    }
    for column in 0...state.pointee.phaseCount {
      for index in 0..<count { (ticks[index, column], pairs[index, column]) = (0, 0) }
    }
  }

  private func signed(_ nanoseconds: Double, _ index: Int) -> Double {
    preempted[index] == 0 ? nanoseconds : -nanoseconds
  }

  private var frameTicks: UInt64 { state.pointee.endTicks &- state.pointee.startTicks }

  private func nanoseconds(_ ticks: UInt64) -> Double { Double(ticks) * clock.nanosecondsPerTick }

  private func observe(_ count: Int) throws -> [TurnAnswer.ShownItem] {
    let timer = FrameTimer(mode: .output, clock: clock, state: state)
    var shown: [TurnAnswer.ShownItem] = []
    try runFrames(count, timer, readsClock: false) {
      shown += state.pointee.observations.map { TurnAnswer.ShownItem(frame: position, observation: $0) }
    }
    return shown
  }

  private func perCall(_ nanoseconds: Double) -> Double {
    repetition.call(nanoseconds, pairCost: readiness.pairCostNanoseconds)
  }

  private func startOver() throws {
    try setUp()
    try warmUpState()
  }

  private func setUp() throws {
    try run?.tearDown()
    run = nil
    layout.shift()
    run = try ScenarioRun(scenario, context)
    state.pointee.repetitionCount = 1
    position = 0
  }

  /// Leaves the last warm-up frames, about a millisecond of them, to the first turn. Before that turn, the process waits
  /// and may move to another core, so its caches become cold. Otherwise, the first frames would take longer than in a
  /// run, where the warm-up comes right before them.
  private func shortenWarmUp(_ options: TurnOptions) {
    guard let frame = options.earlier?.frameNanoseconds, !scenario.isFunction else { return }
    openWarmUpFrameCount = Int(min(2 + 1e6 / max(frame, 1), Double(context.warmUpFrameCount / 2)))
  }

  private func finishWarmUp() throws {
    let first = context.warmUpFrameCount - openWarmUpFrameCount
    openWarmUpFrameCount = 0
    for index in first..<context.warmUpFrameCount { try runWarmUpFrame(index) }
    layout.stir()
  }

  private func runWarmUpFrame(_ index: Int) throws {
    let frame = Frame(index: index, timestep: context.timestep, isWarmUp: true)
    state.pointee.startTicks = clock.startTicks()
    do { _ = try run?.body(frame, phaseTimer) } catch { throw PassError(thrownBy: error, inFrame: index, context) }
    if !state.pointee.isEnded { phaseTimer.endFrame() }
    measured = (measured.ticks &+ frameTicks, measured.count + 1)
    state.pointee.reset()
  }

  /// Runs the warm-up frames, except for those that the first turn runs. If there are several, the first is not counted:
  /// it may take long to fill tables that all frames use, so the mean time of a frame would be too long.
  /// - Returns: The nanoseconds of the warm-up, without the time during which other processes had the core.
  @discardableResult private func warmUpState() throws -> Double {
    var stopwatch = ThreadStopwatch()
    let (earlier, start) = (measured, clock.startTicks())
    for index in 0..<context.warmUpFrameCount - openWarmUpFrameCount {
      // All calls of a function do the same, so a few long calls are enough to warm up.
      if scenario.isFunction, index > 0, nanoseconds(clock.endTicks() &- start) > 3e8 { break }
      if index == 1 { (stopwatch, measured) = (ThreadStopwatch(), earlier) }
      try runWarmUpFrame(index)
    }
    let (whole, waiting) = stopwatch.read()
    layout.stir()
    measured.ticks -= min(measured.ticks, ticks(waiting: waiting))
    return whole - waiting
  }

  /// Sets up and runs the beginning of the scroll for some milliseconds, to find the phases and the time of a frame.
  private func prepare(_ options: TurnOptions) throws {
    shortenWarmUp(options)
    try setUp()
    var warmUpTime = try warmUpState()
    if context.warmUpFrameCount == 0 { warmUpTime = abs(try timePhases(1)[0][0].nanoseconds) }
    let frameTime = warmUpTime / Double(max(1, measured.count))
    let enough = 2e6
    // If frames are long, the warm-up has shown their time well enough. After more frames, the scroll would have to
    // start over with another warm-up, which would take most of the time of a comparison.
    let isLong = context.warmUpFrameCount >= 8 && frameTime > 600_000
    // Whether the frames so far have run all phases that an earlier process found. Then no more frames are needed to
    // find phases.
    let isKnown = options.earlier.map { Set($0.phases).isSubset(of: state.pointee.phaseNames) } ?? false
    // For a function, the number of calls per frame must still be found, unless one call takes longer than
    // `longFrameNanoseconds`.
    let isReady = frameTime > TurnReadiness.longFrameNanoseconds || !scenario.isFunction && (isLong || isKnown)
    if isReady, options.planting == nil {
      if position > 0 { try startOver() }
      getReady(frameNanoseconds: options.earlier?.frameNanoseconds ?? frameTime)
      return
    }
    if scenario.isFunction, let run { repetition = try .find(run.body, context, frameTimer) }
    let (stopwatch, start) = (ThreadStopwatch(), clock.startTicks())
    var elapsed: Double { nanoseconds(clock.endTicks() &- start) }
    var samples: [[TurnAnswer.Span]] = []
    // Runs at least eight frames, and for at least 2 ms. But after half a second, three frames are enough.
    while samples.count < context.frameCount, samples.count < 3 || elapsed < (samples.count < 8 ? 250 * enough : enough)
    {
      if scenario.isFunction { _ = try timeFrames(1) }
      samples.append(scenario.isFunction ? [] : try timePhases(1).dropFirst().map { $0[0] })
    }
    let (whole, waiting) = stopwatch.read()
    getReady(frameNanoseconds: options.earlier?.frameNanoseconds ?? (whole - waiting) / Double(samples.count))
    if let planting = options.planting { try plant(planting, samples) }
    shortenWarmUp(options)
    try startOver()
  }

  private func getReady(frameNanoseconds: Double) {
    readiness = TurnReadiness(
      phases: state.pointee.phaseNames, frameNanoseconds: frameNanoseconds, pairCostNanoseconds: clock.meanPairCost(),
      measuredNanoseconds: measured.count > 0 ? nanoseconds(measured.ticks) / Double(measured.count) : nil,
      isFunction: scenario.isFunction, callCount: repetition.count)
  }

  /// - Parameter samples: The times of the phases in each frame of the preparation.
  private func plant(_ planting: PlantingOptions, _ samples: [[TurnAnswer.Span]]) throws {
    guard let slot = readiness.phases.firstIndex(of: planting.phase) else {
      throw PassError("\(context.id) has no phase \"\(planting.phase)\" to plant work in")
    }
    let spans = samples.compactMap { slot < $0.count ? $0[slot] : nil }
    let times = spans.map { abs($0.nanoseconds) }.sorted()
    // A frame that was interrupted takes many times as long as any other, so it is left out.
    let kept = spans.filter { abs($0.nanoseconds) <= 4 * times[times.count * 3 / 4] }
    let cost = kept.meanNanoseconds(without: readiness.pairCostNanoseconds) ?? 0
    state.pointee.planting.slot = slot
    state.pointee.planting.stepNanoseconds = clock.plantedStepCost()
    state.pointee.planting.plan(nanoseconds: planting.fraction * cost)
    self.planting = (planting.fraction, [])
  }

  /// Corrects the amount of extra work. After turns of other processes, the caches are cold, so a phase takes longer
  /// than in the preparation. Its time also varies along the scroll. So the work is a fraction of the phase's median
  /// time over all turns so far.
  private func correctPlanting(_ spans: [[TurnAnswer.Span]]) {
    guard var planting else { return }
    let planted = state.pointee.planting
    let extra = readiness.pairCostNanoseconds + Double(planted.stepCount) * planted.stepNanoseconds
    guard let cost = spans[1 + planted.slot].meanNanoseconds(without: extra) else { return }
    planting.costs.append(cost)
    self.planting = planting
    // The first turn is left out because its caches are the coldest.
    let costs = planting.costs.dropFirst().sorted()
    guard costs.count >= 3 else { return }
    state.pointee.planting.plan(nanoseconds: planting.fraction * costs[costs.count / 2])
  }
}

extension [TurnAnswer.Span] {
  /// Returns the mean nanoseconds of one measurement of a phase, which a frame may measure several times. Nil if no
  /// frame measures it.
  /// - Parameter extra: The nanoseconds of each measurement that are not the phase's own.
  package func meanNanoseconds(without extra: Double) -> Double? {
    let count = reduce(0) { $0 + $1.pairCount }
    return count > 0 ? reduce(0) { $0 + abs($1.nanoseconds) } / count - extra : nil
  }
}
