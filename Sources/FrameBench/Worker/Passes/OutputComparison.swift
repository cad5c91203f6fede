extension PassRun {
  /// Runs a benchmark and its reference side by side, frame by frame, and compares the items that they show.
  func compareOutput() throws -> RunMeasurement {
    let reference = request.reference ?? scenario.strategies[0]
    let references = ScenarioContext(request.benchmark.with(strategy: reference), request.options)
    return try ScenarioRun(scenario, references).whileSetUp { expected in
      try ScenarioRun(scenario, context).whileSetUp { found in
        try compare(loop(expected, references), loop(found, context), DeviationMeter(reference: reference))
      }
    }
  }

  private func loop(_ body: @escaping Scenario.FrameBody, _ context: ScenarioContext) -> FrameLoop {
    FrameLoop(body, context, FrameRecorder(.output, clock: clock, frameCount: context.frameCount))
  }

  private func compare(_ expected: FrameLoop, _ found: FrameLoop, _ meter: DeviationMeter) throws(PassError)
    -> RunMeasurement
  {
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
