import FrameBench
import Measurements

/// Runs a benchmark and its reference side by side, frame by frame, and compares what they show.
struct OutputComparison {
  private let expected: FrameLoop
  private let found: FrameLoop
  private let meter: DeviationMeter

  init(
    _ scenario: Scenario, _ request: WorkerRequest, reference: String?, _ clock: FrameClock
  ) throws {
    func loop(_ strategy: String) throws -> FrameLoop {
      let context = ScenarioContext(strategy: strategy, options: request.options)
      return FrameLoop(
        try scenario.setUp(request.benchmark.size, context), context,
        FrameRecorder(.output, clock: clock, frameCount: request.options.frameCount))
    }
    let reference = reference ?? scenario.referenceStrategy
    meter = DeviationMeter(reference: reference)
    expected = try loop(reference)
    found = try loop(request.benchmark.strategy)
  }

  func measure() -> RunMeasurement {
    var (expected, found, meter) = (expected, found, meter)
    while !found.isFinished {
      let isRecorded = found.nextRecordedFrame != nil
      expected.runFrame()
      found.runFrame()
      if isRecorded { meter.add(expected.recorder.lastShown, found.recorder.lastShown) }
    }
    var measurement = found.recorder.measurement(checksum: found.checksum)
    measurement.deviation = meter.record
    return measurement
  }
}
