import CAllocationCounter
import TextFormat

/// Executes one run of one benchmark in this process, on the calling thread.
package struct Worker {
  /// A request for a benchmark that the suite does not have fails.
  package let suite: Suite

  package init(_ suite: Suite) { self.suite = suite }

  /// Sets up fresh state, runs warm-up and recorded frames, tears down, and returns the measurements. An
  /// error becomes a reply that reports it.
  package func reply(to request: WorkerRequest) -> WorkerReply {
    do {
      let measurement = try PassRun(suite, request).measure()
      try CounterLimit.check(measurement.counters)
      return WorkerReply(.measured(measurement))
    } catch { return WorkerReply(.failed(reason: oneLine("\(error)"))) }
  }
}

extension PassRun {
  func measure() throws -> RunMeasurement {
    switch request.pass {
    case .frames: try run(.frameTimes)
    case .phases: try run(.phaseTimes)
    case .allocations: try countAllocations()
    case .output: try compareOutput()
    case .instructions: try countInstructionsUnderCallgrind()
    case .hardwareInstructions: try countInstructionsByHardware()
    case .profile: try ProfilePass(self).measure()
    }
  }

  private func run(_ subject: FrameRecorder.Subject, setUpIsDone: (AllocationTotals) -> Void = { _ in }) throws
    -> RunMeasurement
  {
    let recorder = FrameRecorder(subject, clock: clock, frameCount: request.options.frameCount)
    let heapBefore = allocation_counter_live_heap_bytes()
    let usageBefore = ProcessUsage()
    let setUpStart = allocation_counter_this_thread()
    let state = try ScenarioRun(scenario, context)
    setUpIsDone(allocation_counter_this_thread() - setUpStart)
    return try state.whileSetUp { body in
      if scenario.isFunction { try recorder.repeatCalls(of: body, context) }
      var loop = FrameLoop(body, context, recorder)
      var measurement = try loop.runAll(within: request.secondsLimit)
      measurement.throughput = state.throughput?.of(size: request.benchmark.size)
      let heapAfter = allocation_counter_live_heap_bytes()
      let usage = ProcessUsage()
      measurement.memory = usage.since(usageBefore)
      measurement.memory.peakResidentBytes = ResidentMemory.peakBytes()
      measurement.memory.liveHeapBytes = heapAfter > 0 ? Int(heapAfter) - Int(min(heapBefore, heapAfter)) : nil
      if state.executor != nil { measurement.executorNanoseconds = FrameExecutor.emptyFrameNanoseconds(clock) }
      return measurement
    }
  }

  private func countAllocations() throws -> RunMeasurement {
    let frameCount = request.options.frameCount
    let keeper = AllocationKeeper(frameCount: frameCount)
    var setUp = AllocationTotals()
    var measurement = try run(.observed(keeper, hasPhases: true)) { setUp = $0 }
    guard allocation_counter_is_active() else { return measurement }
    measurement.allocations = keeper.record(setUp: setUp, frameCount: frameCount)
    for slot in measurement.phases.indices {
      measurement.phases[slot].allocations = keeper.phase(slot, frameCount: frameCount)
    }
    measurement.leakedBytes = try leakedBytes()
    return measurement
  }

  /// Bytes that setting up and tearing down leaves on the heap; nil below the threshold.
  ///
  /// The minimum of several tries: the allocator keeps some freed blocks at hand, and counts them as used.
  /// It keeps blocks freed by another thread, such as a dispatch queue's, for longer: small amounts are
  /// checked more often.
  private func leakedBytes() throws -> Int? {
    let threshold = 1_024
    var least = Int.max
    let end = ContinuousClock.now + .milliseconds(500)
    for attempt in 0..<100 where least >= threshold {
      if attempt >= 4, least > 64 << 10 || ContinuousClock.now > end { break }
      let before = allocation_counter_live_heap_bytes()
      try ScenarioRun(scenario, ScenarioContext(request.benchmark, request.options)).whileSetUp { _ in }
      least = min(least, Int(allocation_counter_live_heap_bytes()) - Int(before))
    }
    return least >= threshold ? least : nil
  }
}
