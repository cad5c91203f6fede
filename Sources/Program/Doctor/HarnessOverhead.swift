import FrameBench

/// The cost of running an empty scenario with empty phases.
enum HarnessOverhead {
  /// As many phases as the frame of a collection view has.
  static let phaseCount = 4

  /// Has a worker run an empty scenario on this thread for some milliseconds: the median over frames of the time
  /// between the starts of two. Nil if it failed.
  ///
  /// - Parameter hasPhases: Whether each frame times `phaseCount` empty phases.
  static func frameNanoseconds(hasPhases: Bool) -> Double? {
    let clock = FrameClock.calibrated()
    let frameCount = 5_000
    let starts = UnsafeMutablePointer<UInt64>.allocate(capacity: frameCount)
    starts.initialize(repeating: 0, count: frameCount)
    defer { starts.deallocate() }
    let address = UInt(bitPattern: starts)

    var suite = Suite("overhead")
    suite.add("empty") { _ in
      guard let starts = UnsafeMutablePointer<UInt64>(bitPattern: address) else {
        preconditionFailure("no memory for the starts of frames")
      }
      let clock = FrameClock.calibrated()
      return { frame, timer in
        starts[frame.index] = clock.startTicks()
        if hasPhases {
          timer.measure(.boundsChange) {}
          timer.measure(.solve) {}
          timer.measure(.prepare) {}
          timer.measure(.query) {}
        }
        timer.endFrame()
        return 0
      }
    }
    var options = RunOptions()
    options.warmUpFrameCount = 0
    options.frameCount = frameCount
    let request = WorkerRequest(
      benchmark: BenchmarkID(scenario: "empty", strategy: Suite.defaultStrategy, size: 1), pass: .phases,
      options: options)
    guard case .measured = Worker(suite).reply(to: request).outcome else { return nil }
    let steps = (1..<frameCount).map { starts[$0] &- starts[$0 - 1] }.sorted()
    return max(0, Double(steps[steps.count / 2]) - readTicks(clock)) * clock.nanosecondsPerTick
  }

  /// Ticks that the scenario's own look at the clock adds to a frame. The minimum of several means, since a
  /// preemption makes a mean larger than a frame.
  private static func readTicks(_ clock: FrameClock) -> Double {
    let count = 500
    let means = (0..<20).map { _ in
      let start = clock.startTicks()
      var last = start
      for _ in 0..<count { last = clock.startTicks() }
      return Double(last &- start) / Double(count)
    }
    return means.min() ?? 0
  }
}
