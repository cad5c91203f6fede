import CInstructionCounter

/// Runs a benchmark to count its instructions.
struct InstructionPasses {
  /// Frames that do nothing, of each kind.
  private static let emptyFrameCount = 7

  private let scenario: Scenario
  private let request: WorkerRequest
  private let clock: FrameClock
  private let countedFrameCount: Int

  init(_ scenario: Scenario, _ request: WorkerRequest, clock: FrameClock) {
    self.scenario = scenario
    self.request = request
    self.clock = clock
    let all = request.options.frameCount
    countedFrameCount = min(all, max(1, request.countedFrameCount ?? all))
  }

  func measure() throws -> WorkerMeasurement {
    switch request.pass {
    case .instructions: try measureUnderCallgrind()
    case .hardwareInstructions: try measureByHardware()
    case .frames, .phases, .allocations, .output, .profile:
      preconditionFailure("the pass \(request.pass.rawValue) counts no instructions")
    }
  }

  private func measureUnderCallgrind() throws -> WorkerMeasurement {
    guard instruction_counter_is_under_valgrind() else {
      throw InstructionPassError("instructions can only be counted under valgrind")
    }
    var measured = try run(scenario.setUp(request.benchmark.size, context), .recorded)
    // After the benchmark: what it finds is what it finds elsewhere.
    _ = run({ _, _ in 0 }, .empty)
    _ = run({ _, timer in timer.measure(.solve) { 0 } }, .emptyPhase)
    measured.memory = MemoryRecord(peakResidentBytes: nil, liveHeapBytes: nil)
    return measured
  }

  private func measureByHardware() throws -> WorkerMeasurement {
    let descriptor = instruction_counter_open()
    guard descriptor >= 0 else {
      throw InstructionPassError(HardwareCounter.explanation(errorNumber: -descriptor))
    }
    defer { instruction_counter_close(descriptor) }
    var (measurement, counts) = try runByHardware(
      scenario.setUp(request.benchmark.size, context), .recorded, descriptor)
    let empty = runByHardware({ _, _ in 0 }, .empty, descriptor).counts
    guard let counts, let overhead = empty?.median else {
      throw InstructionPassError("the processor's counter was not running all the time: others use it too")
    }
    measurement.hardwareInstructions = InstructionRecord(
      source: .hardware, version: nil, frames: CountSeries(counts.map { max(0, $0 - overhead) }), phases: [],
      frameOverhead: overhead)
    return measurement
  }

  private var context: ScenarioContext {
    ScenarioContext(strategy: request.benchmark.strategy, options: request.options)
  }

  private func run(_ body: Scenario.FrameBody, _ kind: InstructionMark.Kind) -> WorkerMeasurement {
    let recorder = recorder(kind)
    let checksum = run(body, kind, recorder)
    return recorder.measurement(
      setUp: .init(), memory: MemoryRecord(peakResidentBytes: nil, liveHeapBytes: nil), checksum: checksum)
  }

  private func runByHardware(
    _ body: Scenario.FrameBody, _ kind: InstructionMark.Kind, _ descriptor: Int32
  ) -> (measurement: WorkerMeasurement, counts: [Int]?) {
    let recorder = recorder(kind)
    recorder.useHardwareCounter(descriptor)
    let checksum = run(body, kind, recorder)
    let measurement = recorder.measurement(
      setUp: .init(), memory: MemoryRecord(peakResidentBytes: nil, liveHeapBytes: nil), checksum: checksum)
    return (measurement, recorder.hardwareInstructions)
  }

  private func recorder(_ kind: InstructionMark.Kind) -> FrameRecorder {
    FrameRecorder(
      pass: request.pass, clock: clock,
      frameCount: kind == .recorded ? countedFrameCount : Self.emptyFrameCount)
  }

  /// Frames as the other passes run them. Warm-up runs before callgrind starts to count, at a fifth of the
  /// cost.
  private func run(
    _ body: Scenario.FrameBody, _ kind: InstructionMark.Kind, _ recorder: FrameRecorder
  ) -> String {
    var timer = recorder.timer
    var checksum = Checksum()
    let warmUpCount = kind == .recorded ? request.options.warmUpFrameCount : 0
    for index in 0..<(warmUpCount + recorder.frameCount) {
      let isWarmUp = index < warmUpCount
      if index == warmUpCount, request.pass == .instructions {
        instruction_counter_start()
        recorder.mark(kind)
      }
      let frame = Frame(index: index, timestep: context.timestep, isWarmUp: isWarmUp)
      recorder.beginFrame()
      let frameChecksum = body(frame, &timer)
      recorder.finishFrame(isWarmUp: isWarmUp)
      if !isWarmUp { checksum.combine(frameChecksum) }
    }
    return checksum.hexadecimal
  }
}

/// Why instructions could not be counted.
struct InstructionPassError: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
