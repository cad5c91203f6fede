import CAllocationCounter

/// Executes one run of one benchmark in this process, on the calling thread.
public struct Worker {
  /// A request for a benchmark that it does not have fails.
  public let suite: Suite

  public init(_ suite: Suite) {
    self.suite = suite
  }

  /// Sets up fresh state, runs warm-up and recorded frames, and answers what they measured. What the
  /// set-up throws becomes a reply that says so.
  public func reply(to request: WorkerRequest) -> WorkerReply {
    let id = request.benchmark
    guard let scenario = suite.scenarios.first(where: { $0.name == id.scenario }),
      scenario.strategies.contains(id.strategy)
    else { return WorkerReply(.failed(reason: "suite \"\(suite.name)\" has no benchmark \(id)")) }
    guard id.size > 0, request.options.frameCount > 0, request.options.warmUpFrameCount >= 0,
      request.options.refreshRateHertz > 0
    else { return WorkerReply(.failed(reason: "\(id): size, frames and refresh rate must be positive")) }
    do {
      return WorkerReply(.measured(try measure(scenario, request)))
    } catch let error as InstructionPassError {
      return WorkerReply(.failed(reason: error.description))
    } catch let error as ProfilePassError {
      return WorkerReply(.failed(reason: error.description))
    } catch {
      return WorkerReply(.failed(reason: "set-up failed: \(oneLine("\(error)"))"))
    }
  }

  private func measure(_ scenario: Scenario, _ request: WorkerRequest) throws -> WorkerMeasurement {
    if request.pass == .output { return try OutputComparison(scenario, request).measure() }
    let options = request.options
    let clock = FrameClock.calibrated()
    if request.pass == .instructions || request.pass == .hardwareInstructions {
      return try InstructionPasses(scenario, request, clock: clock).measure()
    }
    if request.pass == .profile { return try ProfilePass(scenario, request, clock: clock).measure() }
    let recorder = FrameRecorder(pass: request.pass, clock: clock, frameCount: options.frameCount)
    let context = ScenarioContext(strategy: request.benchmark.strategy, options: options)

    let heapBefore = allocation_counter_live_heap_bytes()
    let setUpStart = allocation_counter_this_thread()
    let body = try scenario.setUp(request.benchmark.size, context)
    let setUp = allocation_counter_this_thread() - setUpStart

    var timer = recorder.timer
    var checksum = Checksum()
    for index in 0..<context.totalFrameCount {
      let isWarmUp = index < options.warmUpFrameCount
      let frame = Frame(index: index, timestep: context.timestep, isWarmUp: isWarmUp)
      recorder.beginFrame()
      let frameChecksum = body(frame, &timer)
      recorder.finishFrame(isWarmUp: isWarmUp)
      if !isWarmUp { checksum.combine(frameChecksum) }
    }

    let heapAfter = allocation_counter_live_heap_bytes()
    let memory = MemoryRecord(
      peakResidentBytes: ResidentMemory.peakBytes(),
      liveHeapBytes: heapAfter > 0 ? Int(heapAfter) - Int(min(heapBefore, heapAfter)) : nil)
    return withExtendedLifetime(body) {
      recorder.measurement(setUp: setUp, memory: memory, checksum: checksum.hexadecimal)
    }
  }
}

extension FrameRecorder {
  func measurement(
    setUp: AllocationTotals, memory: MemoryRecord, checksum: String
  ) -> WorkerMeasurement {
    let rate = timer.clock.nanosecondsPerTick
    let countsAllocations = pass == .allocations && allocation_counter_is_active()
    let phases = phaseNames.enumerated().map { index, name in
      switch pass {
      case .frames, .output, .instructions, .hardwareInstructions, .profile:
        PhaseMeasurement(name: name)
      case .phases:
        PhaseMeasurement(
          name: name, nanoseconds: phaseTicks(at: index).map { inTenths(Double($0) * rate) },
          clockPairs: phasePairCounts(at: index))
      case .allocations:
        PhaseMeasurement(name: name, allocations: countsAllocations ? phaseAllocations(at: index) : nil)
      }
    }
    return WorkerMeasurement(
      clock: timer.clock.record,
      frameNanoseconds: pass == .frames ? recordedFrameTicks.map { inTenths(Double($0) * rate) } : nil,
      phases: phases, allocations: countsAllocations ? allocationRecord(setUp: setUp) : nil,
      counters: counterSeries, memory: memory, checksum: checksum)
  }

  private func allocationRecord(setUp: AllocationTotals) -> AllocationRecord {
    AllocationRecord(
      frameThread: frameThreadAllocationSeries, otherThreads: otherThreadsAllocationSeries,
      setUpCount: Int(setUp.count), setUpBytes: Int(setUp.bytes),
      warmUpCount: Int(warmUpAllocations.count), warmUpBytes: Int(warmUpAllocations.bytes))
  }
}

extension ScenarioContext {
  /// Takes what concerns a scenario from the options of a run.
  public init(strategy: String, options: RunOptions) {
    self.init(
      strategy: strategy, refreshRateHertz: options.refreshRateHertz,
      warmUpFrameCount: options.warmUpFrameCount, frameCount: options.frameCount, seed: options.seed,
      tracePath: options.tracePath)
  }
}

func inTenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }

private func oneLine(_ text: String) -> String {
  text.split(whereSeparator: \.isNewline).joined(separator: " ")
}
