import CFrameClock
import Glibc

/// Runs the frames of one benchmark in turns: as many as the parent requests, then waits. The scroll starts over with
/// fresh state when it ends, so that all processes of a comparison run the same frames in the same turn.
package final class TurnWorker {
  private let scenario: Scenario
  private let clock: FrameClock
  private let context: ScenarioContext
  private let state: UnsafeMutablePointer<FrameState>
  private let frameTimer: FrameTimer
  private let phaseTimer: FrameTimer
  /// Ticks, and pairs of clock reads, of each frame of a turn: in the first column of whole frames, behind it of
  /// phases.
  private var ticks: FrameTable
  private var pairs: FrameTable
  /// 1 for a frame of a turn in which the kernel took the core from its thread.
  private var preempted: FrameTable
  private var isPreempted = false
  /// Ticks for which others had the core in the measured part of a frame.
  private var waitingTicks: UInt64 = 0
  /// Ticks of the measured parts of frames since the set-up, and their number.
  private var measured = (ticks: UInt64(0), count: 0)
  private var layout: HeapLayout
  private var run: ScenarioRun?
  private var repetition = Repetition()
  /// The slow-down to plant, and the phase's costs in the turns so far that correct its size, nanoseconds.
  private var planting: (fraction: Double, costs: [Double])?
  private var position = 0
  /// Results of the preparation; complete once the worker is made.
  package private(set) var readiness = TurnReadiness(phases: [], frameNanoseconds: 0, pairCostNanoseconds: 0)

  /// Sets up, learns the phases and their costs, and stops before the first recorded frame.
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

  /// Runs the frames of one turn; the scroll starts over at its end. Reads the clock before each frame if asked to; the
  /// timer does at the end of phases or frames. Calls `keep` after a frame, before it is forgotten.
  @inline(__always) private func runFrames(_ count: Int, _ timer: FrameTimer, readsClock: Bool, keep: () -> Void) throws
  {
    state.pointee.repetitionCount = timer.mode == .frames || timer.mode == .plantedFrames ? repetition.count : 1
    // Short frames are played many times, and a system call would disturb them.
    let looksForPreemption = readsClock && readiness.frameNanoseconds > 20_000
    for _ in 0..<count {
      if position == context.frameCount { try startOver() }
      guard let body = run?.body else { throw PassError("no state to run frames of") }
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

  /// On a busy machine others have the core for a part of each long frame. The thread's own time says for how long,
  /// unless the frame waited for something else, too, or has much work that is not measured.
  private func lookForPreemption(since before: ThreadUse, _ start: UInt64) {
    let whole = clock.endTicks() &- start
    let now = ThreadUse.now
    isPreempted = now.involuntarySwitchCount != before.involuntarySwitchCount
    guard whole &- frameTicks <= frameTicks / 10 else { return }
    waitingTicks = min(frameTicks, ticks(waiting: now.waiting(since: before, nanoseconds(whole))))
  }

  /// The time since then, nanoseconds, and the part of it for which others had the core.
  private func time(since before: ThreadUse, _ start: UInt64) -> (whole: Double, waiting: Double) {
    let whole = nanoseconds(clock.endTicks() &- start)
    return (whole, ThreadUse.now.waiting(since: before, whole))
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
      // Which phase others had the core in is not known; most likely it took longest.
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
    correctPlanting(spans, count)
    return spans
  }

  /// Clears the tables of a turn.
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

  /// - Returns: The time that it took, nanoseconds, without that for which others had the core.
  @discardableResult private func warmUpState() throws -> Double {
    let (before, start) = (ThreadUse.now, clock.startTicks())
    for index in 0..<context.warmUpFrameCount {
      // Calls of a function are alike, and long ones need little warming.
      if scenario.isFunction, index > 0, nanoseconds(clock.endTicks() &- start) > 3e8 { break }
      let frame = Frame(index: index, timestep: context.timestep, isWarmUp: true)
      state.pointee.startTicks = clock.startTicks()
      do { _ = try run?.body(frame, phaseTimer) } catch { throw PassError(thrownBy: error, inFrame: index, context) }
      if !state.pointee.isEnded { phaseTimer.endFrame() }
      measured = (measured.ticks &+ frameTicks, measured.count + 1)
      state.pointee.reset()
    }
    let (whole, waiting) = time(since: before, start)
    measured.ticks -= min(measured.ticks, ticks(waiting: waiting))
    return whole - waiting
  }

  /// Runs some milliseconds of the beginning of the scroll.
  private func prepare(_ options: TurnOptions) throws {
    try setUp()
    var warmUpTime = try warmUpState()
    if context.warmUpFrameCount == 0 { warmUpTime = abs(try timePhases(1)[0][0].nanoseconds) }
    let frameTime = warmUpTime / Double(max(1, measured.count))
    let enough = 2e6
    // The warm-up of long frames shows their cost; running it twice would take most of the time of a comparison.
    let isLong = context.warmUpFrameCount >= 8 && frameTime > 600_000
    // A phase that no frame has run yet has to be found again.
    let isKnown = options.earlier.map { Set($0.phases).isSubset(of: state.pointee.phaseNames) } ?? false
    // How often to repeat a function is still to be found, unless one call is long enough.
    let isReady = frameTime > TurnReadiness.longFrameNanoseconds || !scenario.isFunction && (isLong || isKnown)
    if isReady, options.planting == nil {
      if position > 0 { try startOver() }
      getReady(frameNanoseconds: options.earlier?.frameNanoseconds ?? frameTime)
      return
    }
    if scenario.isFunction, let run { repetition = try .find(run.body, context, frameTimer) }
    let (before, start) = (ThreadUse.now, clock.startTicks())
    var elapsed: Double { nanoseconds(clock.endTicks() &- start) }
    var samples: [[TurnAnswer.Span]] = []
    // At least some frames, even if a busy machine uses up the time before the first; fewer if they take long.
    while samples.count < context.frameCount, samples.count < 3 || elapsed < (samples.count < 8 ? 250 * enough : enough)
    {
      if scenario.isFunction { _ = try timeFrames(1) }
      samples.append(scenario.isFunction ? [] : try timePhases(1).dropFirst().map { $0[0] })
    }
    let (whole, waiting) = time(since: before, start)
    getReady(frameNanoseconds: options.earlier?.frameNanoseconds ?? (whole - waiting) / Double(samples.count))
    if let planting = options.planting { try plant(planting, samples) }
    try startOver()
  }

  private func getReady(frameNanoseconds: Double) {
    readiness = TurnReadiness(
      phases: state.pointee.phaseNames, frameNanoseconds: frameNanoseconds, pairCostNanoseconds: clock.meanPairCost(),
      measuredNanoseconds: measured.count > 0 ? nanoseconds(measured.ticks) / Double(measured.count) : nil,
      isFunction: scenario.isFunction, answerLayout: TurnAnswer.currentLayout)
  }

  /// - Parameter samples: Answers for single frames.
  private func plant(_ planting: PlantingOptions, _ samples: [[TurnAnswer.Span]]) throws {
    guard let slot = readiness.phases.firstIndex(of: planting.phase) else {
      throw PassError("\(context.id) has no phase \"\(planting.phase)\" to plant work in")
    }
    let times = samples.compactMap { slot < $0.count ? $0[slot].nanoseconds : nil }.sorted()
    // A frame that was interrupted costs many times as much as any other.
    let kept = times.filter { $0 <= 4 * times[times.count * 3 / 4] }
    let cost = kept.reduce(0, +) / Double(kept.count) - readiness.pairCostNanoseconds
    state.pointee.planting.slot = slot
    state.pointee.planting.stepNanoseconds = clock.plantedStepCost()
    state.pointee.planting.plan(nanoseconds: planting.fraction * max(0, cost))
    self.planting = (planting.fraction, [])
  }

  /// Corrects how much work is planted. Between the turns of others a phase finds cold caches and takes longer than in
  /// the preparation, and its time varies along the scroll: so the median of all turns so far counts, as a comparison
  /// uses the median of its rounds.
  private func correctPlanting(_ spans: [[TurnAnswer.Span]], _ count: Int) {
    guard var planting else { return }
    let planted = state.pointee.planting
    planting.costs.append(
      spans[1 + planted.slot].reduce(0) { $0 + abs($1.nanoseconds) } / Double(count) - readiness.pairCostNanoseconds
        - Double(planted.stepCount) * planted.stepNanoseconds)
    self.planting = planting
    // The first turn is the coldest.
    let costs = planting.costs.dropFirst().sorted()
    guard costs.count >= 3 else { return }
    state.pointee.planting.plan(nanoseconds: planting.fraction * costs[costs.count / 2])
  }
}

/// What the kernel knows of a thread.
private struct ThreadUse {
  /// How often it took the core from the thread, and how often the thread waited for something.
  let involuntarySwitchCount, voluntarySwitchCount: Int
  /// The time that it had a core for.
  let nanoseconds: Double

  /// The part of a time since then for which others had the core, nanoseconds; 0 where the thread waited for something
  /// else, too.
  func waiting(since before: ThreadUse, _ whole: Double) -> Double {
    let isOfOthers =
      involuntarySwitchCount != before.involuntarySwitchCount && voluntarySwitchCount == before.voluntarySwitchCount
    return isOfOthers ? max(0, whole - (nanoseconds - before.nanoseconds)) : 0
  }

  static var now: ThreadUse {
    var usage = rusage()
    // RUSAGE_THREAD, which Swift does not import.
    getrusage(1, &usage)
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return ThreadUse(
      involuntarySwitchCount: usage.ru_nivcsw, voluntarySwitchCount: usage.ru_nvcsw,
      nanoseconds: Double(time.tv_sec) * 1e9 + Double(time.tv_nsec))
  }
}
