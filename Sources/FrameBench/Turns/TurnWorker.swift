import CFrameClock

/// Runs the frames of one benchmark in turns: as many as the parent asks for, then waits. The scroll
/// starts over with fresh state when it ends, so that all processes of a comparison run the same frames
/// in the same turn.
public final class TurnWorker {
  private let scenario: Scenario
  private let request: WorkerRequest
  private let clock: FrameClock
  private let context: ScenarioContext
  private let state: UnsafeMutablePointer<FrameState>
  private var frameTimer: FrameTimer
  private var phaseTimer: FrameTimer
  private let frameCosts: FrameCosts
  private let phaseCosts: [FrameCosts]
  private var layout: HeapLayout
  private var body: Scenario.FrameBody
  /// The slow-down to plant, and how many more turns correct its size.
  private var planting: (fraction: Double, warmNanoseconds: Double, turnsToCorrect: Int)?
  /// Index of the next recorded frame.
  private var position = 0
  public private(set) var readiness = TurnReadiness(phases: [], frameNanoseconds: 0, pairCostNanoseconds: 0)

  /// Sets up, learns which phases there are and what they cost, and stands before the first recorded frame.
  public init(_ suite: Suite, _ request: WorkerRequest, _ options: TurnOptions) throws {
    guard let scenario = suite.scenario(of: request) else {
      throw TurnFailure("suite \"\(suite.name)\" has no benchmark \(request.benchmark)")
    }
    guard request.options.frameCount > 0, request.options.warmUpFrameCount >= 0 else {
      throw TurnFailure("\(request.benchmark): the number of frames must be positive")
    }
    self.scenario = scenario
    self.request = request
    clock = FrameClock.calibrated()
    context = ScenarioContext(strategy: request.benchmark.strategy, options: request.options)
    state = .allocate(capacity: 1)
    state.initialize(to: FrameState())
    let isPlanted = options.planting != nil
    frameTimer = FrameTimer(mode: isPlanted ? .plantedFrames : .frames, clock: clock, state: state)
    phaseTimer = FrameTimer(mode: isPlanted ? .plantedPhases : .phases, clock: clock, state: state)
    frameCosts = FrameCosts(frameCount: request.options.frameCount)
    phaseCosts = (0..<FrameState.capacity).map { _ in FrameCosts(frameCount: request.options.frameCount) }
    layout = HeapLayout(seed: options.layoutSeed)
    layout.shift()
    body = try scenario.setUp(request.benchmark.size, context)
    try prepare(options)
  }

  deinit {
    state.pointee.deallocate()
    state.deallocate()
    frameCosts.deallocate()
    for costs in phaseCosts { costs.deallocate() }
  }

  /// Answers one command.
  public func answer(to command: TurnCommand) throws -> [Double] {
    switch command {
    case .frames(let count): [try timeFrames(count)]
    case .phases(let count): try timePhases(count)
    case .observe(let count): try observe(count)
    case .finish: frameByFrame
    }
  }
}

extension TurnWorker {
  private func timeFrames(_ count: Int) throws -> Double {
    var total: UInt64 = 0
    for _ in 0..<count {
      try startOverAtTheEnd()
      frame_clock_settle()
      state.pointee.startTicks = clock.startTicks()
      _ = body(frame(position), &frameTimer)
      if !state.pointee.isEnded { frameTimer.endFrame() }
      let ticks = state.pointee.endTicks &- state.pointee.startTicks
      total &+= ticks
      frameCosts.add(ticks, frame: position, slack: slack)
      state.pointee.reset()
      position += 1
    }
    return Double(total) * clock.nanosecondsPerTick
  }

  private func timePhases(_ count: Int) throws -> [Double] {
    var totals = [UInt64](repeating: 0, count: FrameState.capacity)
    var pairs = totals
    for _ in 0..<count {
      try startOverAtTheEnd()
      frame_clock_settle()
      _ = body(frame(position), &phaseTimer)
      for phase in 0..<state.pointee.phaseCount {
        let ticks = state.pointee.phases[phase].ticks
        totals[phase] &+= ticks
        pairs[phase] &+= state.pointee.phases[phase].pairCount
        phaseCosts[phase].add(ticks, frame: position, slack: slack)
      }
      state.pointee.reset()
      position += 1
    }
    correctPlanting(totals, count)
    return (0..<state.pointee.phaseCount).flatMap { phase in
      [Double(totals[phase]) * clock.nanosecondsPerTick, Double(pairs[phase])]
    }
  }

  private func observe(_ count: Int) throws -> [Double] {
    var timer = FrameTimer(mode: .output, clock: clock, state: state)
    var shown: [Double] = []
    for _ in 0..<count {
      try startOverAtTheEnd()
      _ = body(frame(position), &timer)
      for observation in state.pointee.observations {
        shown += [Double(position), Double(observation.item), observation.x, observation.y]
      }
      state.pointee.reset()
      position += 1
    }
    return shown
  }

  /// What each frame cost, nanoseconds: first the whole frames, then phase by phase. NaN: never ran.
  private var frameByFrame: [Double] {
    ([frameCosts] + phaseCosts.prefix(state.pointee.phaseCount)).flatMap { costs in
      costs.means.map { $0 * clock.nanosecondsPerTick }
    }
  }

  private var slack: UInt64 { UInt64(50 / clock.nanosecondsPerTick) }

  private func frame(_ recorded: Int) -> Frame {
    Frame(index: context.warmUpFrameCount + recorded, timestep: context.timestep, isWarmUp: false)
  }

  private func startOverAtTheEnd() throws {
    if position == context.frameCount { try startOver() }
  }

  /// Fresh state at another place of the heap, warmed up.
  private func startOver() throws {
    body = { _, _ in 0 }
    layout.shift()
    body = try scenario.setUp(request.benchmark.size, context)
    for index in 0..<context.warmUpFrameCount {
      _ = body(Frame(index: index, timestep: context.timestep, isWarmUp: true), &phaseTimer)
      state.pointee.reset()
    }
    position = 0
  }
}

extension TurnWorker {
  /// Runs the beginning of the scroll, some milliseconds of it.
  private func prepare(_ options: TurnOptions) throws {
    try startOver()
    let start = clock.startTicks()
    let enough = UInt64(5e6 / clock.nanosecondsPerTick)
    var samples: [[Double]] = []
    // At least some frames, though the machine be so busy that the time is over before the first.
    while samples.count < context.frameCount, samples.count < 32 || clock.endTicks() &- start < enough {
      samples.append(try timePhases(1))
    }
    let nanoseconds = Double(clock.endTicks() &- start) * clock.nanosecondsPerTick
    let names = (0..<state.pointee.phaseCount).map { state.pointee.phases[$0].name.description }
    readiness = TurnReadiness(
      phases: names, frameNanoseconds: nanoseconds / Double(samples.count),
      pairCostNanoseconds: clock.meanPairCost())
    if let planting = options.planting { try plant(planting, samples) }
    try startOver()
  }

  /// - Parameter samples: Answers for single frames.
  private func plant(_ planting: PlantingOptions, _ samples: [[Double]]) throws {
    guard let slot = readiness.phases.firstIndex(of: planting.phase) else {
      throw TurnFailure("\(request.benchmark) has no phase \"\(planting.phase)\" to plant work in")
    }
    let times = samples.compactMap { 2 * slot < $0.count ? $0[2 * slot] : nil }.sorted()
    // A frame that was interrupted costs many times as much as any other.
    let kept = times.filter { $0 <= 4 * times[times.count * 3 / 4] }
    let cost = kept.reduce(0, +) / Double(kept.count) - readiness.pairCostNanoseconds
    state.pointee.planting.slot = slot
    state.pointee.planting.batchNanoseconds = clock.plantedBatchCost()
    state.pointee.planting.batchesPerFrame =
      planting.fraction * max(0, cost) / state.pointee.planting.batchNanoseconds
    self.planting = (planting.fraction, max(0, cost), 3)
  }

  /// Between the turns of others a phase finds cold caches, and takes longer than in the preparation: the
  /// first turns say by how much.
  private func correctPlanting(_ totals: [UInt64], _ count: Int) {
    guard let planting, planting.turnsToCorrect > 0 else { return }
    let slot = state.pointee.planting.slot
    let planted = state.pointee.planting.batchesPerFrame * state.pointee.planting.batchNanoseconds
    let cost =
      Double(totals[slot]) * clock.nanosecondsPerTick / Double(count) - readiness.pairCostNanoseconds
      - planted
    self.planting?.turnsToCorrect -= 1
    // A turn that was interrupted says nothing.
    guard cost > 0, cost < 4 * planting.warmNanoseconds else { return }
    state.pointee.planting.batchesPerFrame =
      planting.fraction * cost / state.pointee.planting.batchNanoseconds
  }
}

/// Turns that cannot be run; one line.
struct TurnFailure: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}

extension Suite {
  /// Nil where there is no such benchmark.
  func scenario(of request: WorkerRequest) -> Scenario? {
    scenarios.first { scenario in
      scenario.name == request.benchmark.scenario
        && scenario.strategies.contains(request.benchmark.strategy) && request.benchmark.size > 0
    }
  }
}
