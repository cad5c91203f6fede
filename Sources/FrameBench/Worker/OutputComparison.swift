import CAllocationCounter

/// Runs a benchmark and its reference side by side, frame by frame, and compares what they show.
struct OutputComparison {
  private let scenario: Scenario
  private let request: WorkerRequest

  init(_ scenario: Scenario, _ request: WorkerRequest) {
    self.scenario = scenario
    self.request = request
  }

  func measure() throws -> WorkerMeasurement {
    let clock = FrameClock.calibrated()
    let reference = request.reference ?? scenario.strategies[0]
    var expected = try Side(scenario, request, strategy: reference, clock)
    var found = try Side(scenario, request, strategy: request.benchmark.strategy, clock)
    var meter = DeviationMeter(reference: reference)
    for index in 0..<(request.options.warmUpFrameCount + request.options.frameCount) {
      let isWarmUp = index < request.options.warmUpFrameCount
      let shown = (expected.run(index, isWarmUp: isWarmUp), found.run(index, isWarmUp: isWarmUp))
      if !isWarmUp { meter.add(shown.0, shown.1) }
    }
    var measurement = found.recorder.measurement(
      setUp: AllocationTotals(), memory: MemoryRecord(peakResidentBytes: nil, liveHeapBytes: nil),
      checksum: found.checksum.hexadecimal)
    measurement.deviation = meter.record
    return measurement
  }

  /// One of the two strategies.
  private struct Side {
    let recorder: FrameRecorder
    var checksum = Checksum()
    private let body: Scenario.FrameBody
    private let context: ScenarioContext
    private var timer: FrameTimer

    init(_ scenario: Scenario, _ request: WorkerRequest, strategy: String, _ clock: FrameClock) throws {
      recorder = FrameRecorder(pass: .output, clock: clock, frameCount: request.options.frameCount)
      context = ScenarioContext(strategy: strategy, options: request.options)
      body = try scenario.setUp(request.benchmark.size, context)
      timer = recorder.timer
    }

    /// - Returns: What the frame shows.
    mutating func run(_ index: Int, isWarmUp: Bool) -> [Observation] {
      recorder.beginFrame()
      let frameChecksum = body(
        Frame(index: index, timestep: context.timestep, isWarmUp: isWarmUp), &timer)
      let shown = recorder.observations
      recorder.finishFrame(isWarmUp: isWarmUp)
      if !isWarmUp { checksum.combine(frameChecksum) }
      return shown
    }
  }
}
