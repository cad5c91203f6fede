/// Runs a benchmark and its reference side by side, frame by frame, and compares the items that they show.
struct OutputComparison {
  let scenario: Scenario
  let request: WorkerRequest
  /// Name of the reference; nil: the scenario's.
  let reference: String?
  let clock: FrameClock

  func measure() throws -> RunMeasurement {
    let reference = reference ?? scenario.strategies[0]
    let references = ScenarioContext(request.benchmark.with(strategy: reference), request.options)
    let context = ScenarioContext(request.benchmark, request.options)
    return try scenario.run(references).whileSetUp { expected in
      try scenario.run(context).whileSetUp { found in
        try compare(loop(expected, references), loop(found, context), DeviationMeter(reference: reference))
      }
    }
  }

  private func loop(_ body: @escaping Scenario.FrameBody, _ context: ScenarioContext) -> FrameLoop {
    FrameLoop(
      body, context, FrameRecorder(.output, clock: clock, frameCount: request.options.frameCount))
  }

  private func compare(
    _ expected: FrameLoop, _ found: FrameLoop, _ meter: DeviationMeter
  ) throws(PassError) -> RunMeasurement {
    var (expected, found, meter) = (expected, found, meter)
    while !found.isFinished {
      let isRecorded = found.nextRecordedFrame != nil
      try expected.runFrame()
      try found.runFrame()
      if isRecorded { meter.add(expected.recorder.lastShown, found.recorder.lastShown) }
    }
    var measurement = found.recorder.measurement(checksum: found.checksum)
    measurement.deviation = meter.record
    return measurement
  }
}
