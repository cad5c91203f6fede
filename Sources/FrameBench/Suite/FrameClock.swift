import CFrameClock

/// The cheapest clock of this machine that can be trusted. On x86-64 it is the time stamp counter, if this counter
/// ticks at the same rate in all power states. Otherwise it is `clock_gettime(CLOCK_MONOTONIC_RAW)`. `frame_clock.h`
/// explains the instructions that read the counter.
@usableFromInline package struct FrameClock {
  @usableFromInline package enum Source: UInt8 {
    case timeStampCounter
    case system
  }

  @usableFromInline package let source: Source
  /// For a clock that a test sets by hand: the address of its ticks. Nil for a real clock.
  @usableFromInline package let manualTicks: UnsafePointer<UInt64>?
  package let nanosecondsPerTick: Double
  /// Mean time between two reads with nothing between them, nanoseconds.
  package var pairCostNanoseconds = 0.0
  /// The smallest usual step between two different reads, nanoseconds. Rare smaller steps are ignored.
  package var resolutionNanoseconds = 1.0

  /// Chooses the clock, finds its rate unless the rate is given, and measures the cost of reading the clock. Takes some
  /// milliseconds.
  package static func calibrated(nanosecondsPerTick known: Double? = nil) -> FrameClock {
    let rate = known ?? frame_clock_calibrate()
    guard rate > 0 else { return system() }
    return FrameClock(source: .timeStampCounter, manualTicks: nil, nanosecondsPerTick: rate).measured()
  }

  package static func system() -> FrameClock {
    FrameClock(source: .system, manualTicks: nil, nanosecondsPerTick: 1).measured()
  }

  /// Returns a clock for tests, which reads the value at `ticks` as nanoseconds. Its reads are assumed to cost nothing.
  package static func manual(_ ticks: UnsafePointer<UInt64>) -> FrameClock {
    FrameClock(source: .system, manualTicks: ticks, nanosecondsPerTick: 1)
  }

  private func measured() -> FrameClock {
    var clock = self
    clock.pairCostNanoseconds = clock.meanPairCost()
    clock.resolutionNanoseconds = clock.measureResolution()
    return clock
  }

  @inlinable @inline(__always) package func startTicks() -> UInt64 {
    source == .timeStampCounter ? frame_clock_start_ticks() : otherTicks()
  }

  @inlinable @inline(__always) package func endTicks() -> UInt64 {
    source == .timeStampCounter ? frame_clock_end_ticks() : otherTicks()
  }

  @usableFromInline @inline(never) func otherTicks() -> UInt64 {
    manualTicks?.pointee ?? frame_clock_system_nanoseconds()
  }

  /// Measures the mean time between two reads with nothing between them, nanoseconds. The slowest tenth of the pairs is
  /// left out, so that interrupts do not count. A median would be too coarse, because it is always a multiple of the
  /// clock's step.
  package func meanPairCost() -> Double { emptyPhaseNanoseconds(frameCount: 500) }

  /// Measures the nanoseconds that one step of extra work (`Planting`) adds to a phase. The result is a median, because
  /// the machine may be busy during some of the measurements.
  package func plantedStepCost() -> Double {
    let differences = (0..<9).map { _ in
      emptyPhaseNanoseconds(frameCount: 300, plantedSteps: 400)
        - emptyPhaseNanoseconds(frameCount: 300, plantedSteps: 100)
    }
    // No processor executes a step in less than a tenth of a nanosecond.
    return max(0.1, differences.sorted()[4] / 300)
  }

  /// Returns the mean of all but the slowest tenth of the times, nanoseconds.
  func trimmedMean(_ ticks: [UInt64]) -> Double {
    let kept = ticks.sorted().prefix(ticks.count * 9 / 10)
    return kept.reduce(0) { $0 + Double($1) } / Double(kept.count) * nanosecondsPerTick
  }

  /// Measures the mean time of an empty phase, nanoseconds. A `FrameTimer` times it like real phases, so the result is
  /// the cost that their times contain.
  private func emptyPhaseNanoseconds(frameCount: Int, plantedSteps: Int? = nil) -> Double {
    let state = UnsafeMutablePointer<FrameState>.made()
    defer { state.destroy() }
    let timer = FrameTimer(mode: plantedSteps == nil ? .phases : .plantedPhases, clock: self, state: state)
    state.pointee.planting.slot = 0
    state.pointee.planting.stepCount = plantedSteps ?? 0
    var samples: [UInt64] = []
    samples.reserveCapacity(frameCount)
    for _ in 0..<frameCount {
      frame_clock_settle()
      FrameClock.runEmptyFrame(timer)
      samples.append(state.pointee.phases[0].ticks)
      state.pointee.reset()
    }
    return trimmedMean(samples)
  }

  @inline(never) private static func runEmptyFrame(_ timer: FrameTimer) { timer.measure(.solve) {} }

  /// Measures the step of the clock: the tenth percentile of the steps between reads. The minimum may be too small:
  /// some CPUs advance the counter every 10 ns, yet return a slightly larger value for each read in between.
  func measureResolution() -> Double {
    var reads: [UInt64] = []
    reads.reserveCapacity(500)
    for _ in 0..<500 { reads.append(startTicks()) }
    let steps = zip(reads.dropFirst(), reads).compactMap { $0 > $1 ? $0 - $1 : nil }.sorted()
    return steps.isEmpty ? nanosecondsPerTick : Double(steps[steps.count / 10]) * nanosecondsPerTick
  }
}
