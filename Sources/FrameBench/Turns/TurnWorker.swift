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
  /// Ticks, and pairs of clock reads, of each piece of a turn, phase by phase.
  private let pieceTicks = Column(FrameState.capacity * TurnPieces.mostCount)
  private let piecePairs = Column(FrameState.capacity * TurnPieces.mostCount)
  private var layout: HeapLayout
  private var body: Scenario.FrameBody
  /// The slow-down to plant, and what the phase cost in the turns so far that correct its size, nanoseconds.
  private var planting: (fraction: Double, costs: [Double])?
  /// Index of the next recorded frame.
  private var position = 0
  /// What the preparation learned; complete once the worker is made.
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
    pieceTicks.deallocate()
    piecePairs.deallocate()
  }

  /// Answers one command.
  public func answer(to command: TurnCommand) throws -> [Double] {
    switch command {
    case .frames(let count): try timeFrames(count)
    case .phases(let count): try timePhases(count)
    case .observe(let count): try observe(count)
    case .finish: frameByFrame
    }
  }
}

extension TurnWorker {
  private func timeFrames(_ count: Int) throws -> [Double] {
    clearPieces()
    for index in 0..<count {
      try startOverAtTheEnd()
      frame_clock_settle()
      state.pointee.startTicks = clock.startTicks()
      _ = body(frame(position), &frameTimer)
      if !state.pointee.isEnded { frameTimer.endFrame() }
      let ticks = state.pointee.endTicks &- state.pointee.startTicks
      pieceTicks[TurnPieces.piece(ofFrame: index, frameCount: count)] &+= ticks
      frameCosts.add(ticks, frame: position, slack: slack)
      state.pointee.reset()
      position += 1
    }
    let pieces = pieceTicks.values(TurnPieces.count(frameCount: count))
    return ([pieces.reduce(0, &+)] + pieces).map { Double($0) * clock.nanosecondsPerTick }
  }

  private func timePhases(_ count: Int) throws -> [Double] {
    clearPieces()
    for index in 0..<count {
      try startOverAtTheEnd()
      frame_clock_settle()
      _ = body(frame(position), &phaseTimer)
      let piece = TurnPieces.piece(ofFrame: index, frameCount: count)
      for phase in 0..<state.pointee.phaseCount {
        let ticks = state.pointee.phases[phase].ticks
        pieceTicks[phase * TurnPieces.mostCount + piece] &+= ticks
        piecePairs[phase * TurnPieces.mostCount + piece] &+= state.pointee.phases[phase].pairCount
        phaseCosts[phase].add(ticks, frame: position, slack: slack)
      }
      state.pointee.reset()
      position += 1
    }
    let pieces = (0..<state.pointee.phaseCount).map { phase in
      (0..<TurnPieces.count(frameCount: count)).map { piece in
        let cell = phase * TurnPieces.mostCount + piece
        return (
          nanoseconds: Double(pieceTicks[cell]) * clock.nanosecondsPerTick, pairs: Double(piecePairs[cell])
        )
      }
    }
    let totals = pieces.map { $0.reduce((0, 0)) { ($0.0 + $1.nanoseconds, $0.1 + $1.pairs) } }
    correctPlanting(totals.map(\.0), count)
    return totals.flatMap { [$0, $1] } + pieces.flatMap { $0.flatMap { [$0.nanoseconds, $0.pairs] } }
  }

  private func clearPieces() {
    // Phases that no frame has run yet have nothing to clear.
    for cell in 0..<(max(1, state.pointee.phaseCount) * TurnPieces.mostCount) {
      pieceTicks[cell] = 0
      piecePairs[cell] = 0
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
    // The answer to one frame has two values a phase, and two for the phase's only piece.
    let times = samples.compactMap { 4 * slot < $0.count ? $0[2 * slot] : nil }.sorted()
    // A frame that was interrupted costs many times as much as any other.
    let kept = times.filter { $0 <= 4 * times[times.count * 3 / 4] }
    let cost = kept.reduce(0, +) / Double(kept.count) - readiness.pairCostNanoseconds
    state.pointee.planting.slot = slot
    state.pointee.planting.stepNanoseconds = clock.plantedStepCost()
    state.pointee.planting.plan(nanoseconds: planting.fraction * max(0, cost))
    self.planting = (planting.fraction, [])
  }

  /// Between the turns of others a phase finds cold caches, and takes longer than in the preparation; and it
  /// takes more or less along the scroll. The middle one of all turns so far says how long, as it is the
  /// middle one of the rounds that a comparison looks at.
  private func correctPlanting(_ nanoseconds: [Double], _ count: Int) {
    guard var planting else { return }
    let planted = state.pointee.planting
    planting.costs.append(
      nanoseconds[planted.slot] / Double(count)
        - readiness.pairCostNanoseconds - Double(planted.stepCount) * planted.stepNanoseconds)
    self.planting = planting
    // The first turn is the coldest.
    let costs = planting.costs.dropFirst().sorted()
    guard costs.count >= 3 else { return }
    state.pointee.planting.plan(nanoseconds: planting.fraction * costs[costs.count / 2])
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
