import CInstructionCounter

extension PassRun {
  func countInstructionsUnderCallgrind() throws -> RunMeasurement {
    try requireValgrind()
    let measured = try ScenarioRun(scenario, context).whileSetUp { try runUnderCallgrind($0, .recorded) }
    // The empty frames run last, so that they do not change the state of the process in which the benchmark runs.
    _ = try runUnderCallgrind({ _, _ in 0 }, .empty)
    _ = try runUnderCallgrind({ _, timer in timer.measure(.solve) { 0 } }, .emptyPhase)
    return measured
  }

  func requireValgrind() throws(PassError) {
    guard instruction_counter_is_under_valgrind() else {
      throw PassError("instructions can only be counted under valgrind")
    }
  }

  func countInstructionsByHardware() throws -> RunMeasurement {
    // The counter counts only the thread that opened it.
    guard !scenario.runsOnPool else { throw PassError("its frames run on several threads") }
    let descriptor = instruction_counter_open()
    guard descriptor >= 0 else { throw PassError(HardwareCounter.explanation(errorNumber: -descriptor)) }
    defer { instruction_counter_close(descriptor) }
    func count(_ body: @escaping Scenario.FrameBody, _ kind: InstructionMark.Kind) throws -> (RunMeasurement, [Int]?) {
      let context = context(kind)
      let keeper = HardwareKeeper(descriptor: descriptor, frameCount: context.frameCount)
      var loop = loop(body, context, .observedFrames, keeper)
      return (try loop.runAll(), keeper.counts)
    }
    var (measurement, counts) = try ScenarioRun(scenario, context).whileSetUp { try count($0, .recorded) }
    let (_, empty) = try count({ _, _ in 0 }, .empty)
    guard let counts, let empty, !empty.isEmpty else {
      throw PassError("the processor's counter was not running all the time: something else uses it too")
    }
    let overhead = empty.sorted()[empty.count / 2]
    measurement.hardwareInstructions = InstructionRecord(
      source: .hardware, version: nil, frames: CountSeries(counts.map { max(0, $0 - overhead) }), phases: [],
      frameOverhead: overhead)
    return measurement
  }

  /// Runs the frames. The warm-up runs before callgrind starts to count, which makes the warm-up five times as fast.
  private func runUnderCallgrind(_ body: @escaping Scenario.FrameBody, _ kind: InstructionMark.Kind) throws(PassError)
    -> RunMeasurement
  {
    let keeper = CallgrindKeeper()
    var loop = loop(body, context(kind), .observedPhases, keeper)
    while loop.nextRecordedFrame == nil { try loop.runFrame() }
    instruction_counter_start()
    keeper.kind = kind
    return try loop.runAll()
  }

  private func context(_ kind: InstructionMark.Kind) -> ScenarioContext {
    var context = context
    if kind != .recorded {
      (context.warmUpFrameCount, context.frameCount) = (0, 7)
    } else if let counted = request.countedFrameCount {
      context.frameCount = min(context.frameCount, max(1, counted))
    }
    return context
  }
}
