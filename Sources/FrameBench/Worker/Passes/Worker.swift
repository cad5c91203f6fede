import CAllocationCounter
import CProcessControl
import Statistics
import TextFormat

/// Runs one benchmark once, in this process and on the calling thread.
package struct Worker {
  package let suite: Suite

  package init(_ suite: Suite) { self.suite = suite }

  /// Sets up fresh state, runs the warm-up and the recorded frames, and tears down. Returns the measurements, or the
  /// error as a failed outcome.
  package func reply(to request: WorkerRequest) -> WorkerReply {
    do {
      let measurement = try PassRun(suite, request).measure()
      try measurement.checkCounters()
      return WorkerReply(outcome: .measured(measurement))
    } catch { return WorkerReply(outcome: .failed(reason: oneLine("\(error)"))) }
  }
}

extension PassRun {
  func measure() throws -> RunMeasurement {
    switch request.pass {
    case .frames: try run(.frames)
    case .phases: try run(.phases)
    case .allocations: try countAllocations()
    case .output: try compareOutput()
    case .instructions: try countInstructionsUnderCallgrind()
    case .hardwareInstructions: try countInstructionsByHardware()
    case .profile: try ProfilePass(self).measure()
    }
  }

  private func run(_ mode: TimerMode, _ keeper: AllocationKeeper? = nil) throws -> RunMeasurement {
    let recorder = FrameRecorder(mode, keeper, clock: clock, frameCount: request.options.frameCount)
    // The thread that watches for jobs of the main actor begins here, because its descriptor and memory must not count.
    if scenario.maySuspend { _ = FrameExecutor.helper }
    let usage = ProcessUsage()
    let files = process_control_open_file_count()
    // The state is freed when `runFrames` returns, so freeing it counts as tear-down. `withExtendedLifetime` keeps
    // FrameBench's own memory, because freeing that must not count.
    var (measurement, tearDown) = try runFrames(recorder, usage, keeper)
    measurement.memory.tearDownNanoseconds = tearDown.ownNanoseconds()
    withExtendedLifetime((recorder, usage)) { keeper?.endTearDown() }
    // If the run has used up all descriptors, none is left for counting them. Then the figure is missing, not 0.
    let filesAfter = process_control_open_file_count()
    measurement.memory.leftFileCount = min(files, filesAfter) < 0 ? nil : Int(max(0, filesAfter - files))
    return measurement
  }

  /// - Returns: The measurement, and a stopwatch that started right before the tear-down.
  private func runFrames(_ recorder: FrameRecorder, _ usageBefore: ProcessUsage, _ keeper: AllocationKeeper?) throws
    -> (RunMeasurement, ThreadStopwatch)
  {
    let heapBefore = allocation_counter_live_heap_bytes()
    keeper?.beginSetUp()
    let setUp = ThreadStopwatch()
    let state = try ScenarioRun(scenario, context)
    let setUpNanoseconds = setUp.ownNanoseconds()
    keeper?.endSetUp()
    return try state.whileSetUp { body in
      var loop = FrameLoop(body, context, recorder)
      try loop.runFirstWarmUp()
      if scenario.isFunction {
        // Without a warm-up, the first call must be recorded before the search for the number of calls per frame.
        if context.warmUpFrameCount == 0 { try loop.runFrame() }
        try recorder.repeatCalls(of: body, context)
      }
      var measurement = try loop.runAll(within: request.secondsLimit, orElse: request.remedy)
      // A frame of several parts has the work of all parts but the time of the last one, so it has no throughput.
      if measurement.measuresSeveralParts == nil {
        measurement.throughput = (context.throughput ?? scenario.throughput)?.of(size: request.benchmark.size)
      }
      if let problem = measurement.throughput?.problem { throw PassError("\(request.benchmark) has \(problem)") }
      let heapAfter = loop.liveHeapBytes
      measurement.memory = ProcessUsage(isEnd: true).since(usageBefore)
      measurement.memory.startNanoseconds = startNanoseconds
      measurement.memory.setUpNanoseconds = setUpNanoseconds
      measurement.memory.firstFrameNanoseconds = loop.firstFrameNanoseconds
      // The number of calls in a function's frame differs from run to run, so the time of its warm-up means nothing.
      measurement.memory.warmUpNanoseconds = scenario.isFunction ? nil : loop.warmUpNanoseconds
      measurement.memory.peakResidentBytes = ProcessUsage.peakBytes()
      measurement.memory.liveHeapBytes = heapAfter > 0 ? Int(heapAfter) - Int(min(heapBefore, heapAfter)) : nil
      if state.executor != nil {
        measurement.executorNanoseconds = FrameExecutor.emptyFrameNanoseconds(clock, scenario.options)
      }
      keeper?.beginTearDown()
      return (measurement, ThreadStopwatch())
    }
  }

  /// Looks for a function that uses up its input or keeps its result, so that only its first call does the work. A long
  /// first call alone is no proof, because the runtime initializes much lazily, once per process. So the first call
  /// with a second, fresh state must be long, too. That state is set up after the first was torn down, because both may
  /// need the same file or port.
  /// - Returns: The shorter of the two first calls in nanoseconds. Nil unless both take over 20 µs and over 50 times as
  ///   long as the median of the recorded calls.
  private func usedUp(_ keeper: AllocationKeeper) throws -> Double? {
    let least = max(50 * Quantile.median(keeper.nanoseconds.values().map { Double($0) }), 20_000)
    guard let first = keeper.firstNanoseconds, first > least else { return nil }
    return try ScenarioRun(scenario, ScenarioContext(request.benchmark, request.options)).whileSetUp { body in
      let again = AllocationKeeper(frameCount: 1)
      var loop = loop(body, context, .observedFrames, again)
      try loop.runFrame()
      return again.firstNanoseconds.flatMap { $0 > least ? min($0, first) : nil }
    }
  }

  private func countAllocations() throws -> RunMeasurement {
    // If jobs were posted before the run, it is unknown whether the frames posted any.
    let isChecked = !scenario.maySuspend && !FrameExecutor.mainQueueHasJobs
    let keeper = AllocationKeeper(frameCount: request.options.frameCount, countsAllThreads: scenario.runsOnPool)
    var measurement = try run(.observedPhases, keeper)
    if isChecked, FrameExecutor.mainQueueHasJobs { measurement.leavesMainQueueJobs = true }
    if scenario.options.cores == nil {
      measurement.otherThreadShare = keeper.otherThreads.share(
        without: scenario.maySuspend ? FrameExecutor.helper.flatMap(OtherThreads.nanoseconds) ?? 0 : 0)
    }
    for slot in measurement.phases.indices where !keeper.isOuter[slot] { measurement.phases[slot].isInner = true }
    if scenario.isFunction { measurement.usedUpNanoseconds = try usedUp(keeper) }
    guard allocation_counter_is_active() else { return measurement }
    measurement.allocations = keeper.record
    for slot in measurement.phases.indices { measurement.phases[slot].allocations = keeper.series(slot) }
    measurement.leakedBytes = try leakedBytes()
    return measurement
  }

  /// Measures the bytes that set-up and tear-down leave on the heap; nil below the threshold. The allocator counts some
  /// freed blocks as used for a while, so the result is the minimum of several attempts. A minimum of up to 64 KiB may
  /// still be such blocks, so more attempts are made, for up to half a second. If set-ups take seconds, there are fewer
  /// attempts, and only a minimum above 64 KiB counts.
  private func leakedBytes() throws -> Int? {
    let threshold = 1_024
    var least = Int.max
    let begin = ContinuousClock.now
    for attempt in 0..<100 where least >= threshold {
      let elapsed = ContinuousClock.now - begin
      if attempt >= 4, least > 64 << 10 || elapsed > .milliseconds(500) { break }
      if attempt > 0, elapsed > .seconds(5) { return least > 64 << 10 ? least : nil }
      let before = allocation_counter_live_heap_bytes()
      try ScenarioRun(scenario, ScenarioContext(request.benchmark, request.options)).whileSetUp { _ in }
      least = min(least, Int(allocation_counter_live_heap_bytes()) - Int(before))
    }
    return least >= threshold ? least : nil
  }

  /// Runs a benchmark and its reference strategy alternately, frame by frame, and compares the items that they show.
  private func compareOutput() throws -> RunMeasurement {
    let reference = request.reference ?? scenario.strategies[0]
    let references = ScenarioContext(request.benchmark.with(strategy: reference), request.options)
    var meter = DeviationMeter(reference: reference)
    return try ScenarioRun(scenario, references).whileSetUp { expected in
      try ScenarioRun(scenario, context).whileSetUp { found in
        var expected = loop(expected, references, .output)
        var found = loop(found, context, .output)
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
  }
}

extension RunMeasurement {
  /// Throws if a counter exceeds 2^53 in a frame or over all frames. Every reader of JSON reads numbers up to 2^53
  /// exactly.
  fileprivate func checkCounters() throws(PassError) {
    let largest = 1 << 53
    let remedy = "counters go up to 2^53 (\(Format.integer(largest))); count in a larger unit"
    for (name, series) in counters.sorted(by: { $0.key < $1.key }) {
      if let frame = series.firstIndex(where: { $0.magnitude > UInt(largest) }) {
        let value = Format.integer(series.values[frame])
        throw PassError("counter \"\(name)\" is \(value) in recorded frame \(frame), and \(remedy)")
      }
      let magnitude = series.runs.reduce(0) { $0 + Double($1.value.magnitude) * Double($1.repetitions) }
      guard magnitude <= Double(largest) else {
        throw PassError(
          "counter \"\(name)\" adds up to some \(Format.significant(magnitude)) over the frames, and \(remedy)")
      }
    }
  }
}
