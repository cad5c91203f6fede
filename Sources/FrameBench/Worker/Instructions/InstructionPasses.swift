import CInstructionCounter

/// Frames that do nothing, of each kind.
private let emptyFrameCount = 7

extension PassRun {
  /// Instructions of phases and of whole frames, written by callgrind.
  func countInstructionsUnderCallgrind() throws -> RunMeasurement {
    guard instruction_counter_is_under_valgrind() else {
      throw PassError("instructions can only be counted under valgrind")
    }
    let measured = try ScenarioRun(scenario, context).whileSetUp { try runUnderCallgrind($0, .recorded) }
    // After the benchmark, which thus finds the same state as in other passes.
    _ = try runUnderCallgrind({ _, _ in 0 }, .empty)
    _ = try runUnderCallgrind({ _, timer in timer.measure(.solve) { 0 } }, .emptyPhase)
    return measured
  }

  /// Instructions of whole frames by the processor's own counter.
  func countInstructionsByHardware() throws -> RunMeasurement {
    let descriptor = instruction_counter_open()
    guard descriptor >= 0 else { throw PassError(HardwareCounter.explanation(errorNumber: -descriptor)) }
    defer { instruction_counter_close(descriptor) }
    var (measurement, counts) = try ScenarioRun(scenario, context).whileSetUp {
      try runByHardware($0, .recorded, descriptor)
    }
    let empty = try runByHardware({ _, _ in 0 }, .empty, descriptor).counts
    guard let counts, let empty, !empty.isEmpty else {
      throw PassError("the processor's counter was not running all the time: something else uses it too")
    }
    let overhead = empty.sorted()[empty.count / 2]
    measurement.hardwareInstructions = InstructionRecord(
      source: .hardware, version: nil, frames: CountSeries(counts.map { max(0, $0 - overhead) }), phases: [],
      frameOverhead: overhead)
    return measurement
  }

  /// Frames as the other passes run them. Warm-up runs before callgrind starts to count, at a fifth of the
  /// cost.
  private func runUnderCallgrind(_ body: @escaping Scenario.FrameBody, _ kind: InstructionMark.Kind) throws(PassError)
    -> RunMeasurement
  {
    let keeper = CallgrindKeeper()
    var loop = loop(body, kind, .observed(keeper, hasPhases: true))
    while loop.nextRecordedFrame == nil { try loop.runFrame() }
    instruction_counter_start()
    keeper.kind = kind
    return try loop.runAll()
  }

  private func runByHardware(_ body: @escaping Scenario.FrameBody, _ kind: InstructionMark.Kind, _ descriptor: Int32)
    throws(PassError) -> (measurement: RunMeasurement, counts: [Int]?)
  {
    let keeper = HardwareKeeper(descriptor: descriptor, frameCount: frameCount(kind))
    var loop = loop(body, kind, .observed(keeper, hasPhases: false))
    return (try loop.runAll(), keeper.counts)
  }

  private func loop(
    _ body: @escaping Scenario.FrameBody, _ kind: InstructionMark.Kind, _ subject: FrameRecorder.Subject
  ) -> FrameLoop {
    var context = context
    if kind != .recorded { context.warmUpFrameCount = 0 }
    return FrameLoop(body, context, FrameRecorder(subject, clock: clock, frameCount: frameCount(kind)))
  }

  private func frameCount(_ kind: InstructionMark.Kind) -> Int {
    guard kind == .recorded else { return emptyFrameCount }
    let all = request.options.frameCount
    return min(all, max(1, request.countedFrameCount ?? all))
  }
}
