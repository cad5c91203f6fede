import FrameBench

/// The cost of running an empty scenario with empty phases.
struct HarnessOverhead: Sendable, Equatable {
  /// Time between the starts of two frames with nothing to measure, nanoseconds.
  var emptyFrameNanoseconds: Double
  /// The same with four empty phases, each of them timed.
  var timedFrameNanoseconds: Double
  /// Total cost of the harness in the pass that times phases, by phase, nanoseconds. Reported times of
  /// phases do not contain it: the part that the clock sees is subtracted, the rest lies between phases.
  var nanosecondsPerTimedPhase: Double { timedFrameNanoseconds / Double(Self.phaseCount) }

  /// As many phases as the frame of a collection view has.
  static let phaseCount = 4

  /// Has a worker run empty scenarios on this thread; some milliseconds. Nil if one failed.
  static func measure() -> HarnessOverhead? {
    guard let empty = frameNanoseconds(hasPhases: false), let timed = frameNanoseconds(hasPhases: true)
    else { return nil }
    return HarnessOverhead(emptyFrameNanoseconds: empty, timedFrameNanoseconds: timed)
  }

  /// The median over frames of the time between the starts of two.
  private static func frameNanoseconds(hasPhases: Bool) -> Double? {
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
