struct PassRun {
  let scenario: Scenario
  let request: WorkerRequest
  let context: ScenarioContext
  /// CPU time of the process before the run, nanoseconds.
  let startNanoseconds = Int(ThreadUse.now.nanoseconds)
  let clock = FrameClock.calibrated()

  init(_ suite: Suite, _ request: WorkerRequest) throws(PassError) {
    scenario = try suite.scenario(of: request)
    self.request = request
    context = ScenarioContext(request.benchmark, request.options)
  }

  func loop(
    _ body: @escaping Scenario.FrameBody, _ context: ScenarioContext, _ mode: TimerMode,
    _ observer: (any FrameObserver)? = nil
  ) -> FrameLoop {
    FrameLoop(body, context, FrameRecorder(mode, observer, clock: clock, frameCount: context.frameCount))
  }
}

extension Suite {
  /// Returns the scenario of the requested benchmark.
  /// - Throws: `PassError` if the suite does not contain the benchmark, or if its size, the number of recorded frames
  ///   or the refresh rate is not positive.
  func scenario(of request: WorkerRequest) throws(PassError) -> Scenario {
    let id = request.benchmark
    guard let scenario = scenario(of: id) else { throw PassError("suite \"\(name)\" has no benchmark \(id)") }
    let options = request.options
    guard id.size > 0, options.frameCount > 0, options.warmUpFrameCount >= 0, options.refreshRateHertz > 0 else {
      throw PassError("\(id): size, frames and refresh rate must be positive")
    }
    return scenario
  }
}

extension ScenarioContext {
  package init(_ id: BenchmarkID, _ options: RunOptions) {
    let trace = options.tracePath.map { TraceArgument($0) }
    self.init(
      id: id, refreshRateHertz: options.refreshRateHertz, warmUpFrameCount: options.warmUpFrameCount,
      frameCount: options.frameCount, seed: options.seed, tracePath: trace?.path)
    liftsTouchToOrigin = trace?.liftsToOrigin ?? false
  }
}
