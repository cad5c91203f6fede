import CFrameClock

extension FrameClock {
  /// Mean time between two reads with nothing between them, nanoseconds, over the lower nine tenths of the
  /// pairs, so that an interrupt does not count. The median of a coarse clock is one of its steps; the mean
  /// is right.
  package func meanPairCost() -> Double { trimmedMean(plantedSteps: nil, frameCount: 2_000) }

  /// Time that one step of planted work adds to a phase, nanoseconds. The median of several comparisons,
  /// since a machine that is busy meanwhile must not plant more or less.
  package func plantedStepCost() -> Double {
    let differences = (0..<9).map { _ in
      trimmedMean(plantedSteps: 400, frameCount: 300) - trimmedMean(plantedSteps: 100, frameCount: 300)
    }
    // No processor makes a step in less than a tenth of a nanosecond.
    return max(0.1, differences.sorted()[4] / 300)
  }

  private func trimmedMean(plantedSteps: Int?, frameCount: Int) -> Double {
    trimmedMean(emptyPhaseTicks(frameCount: frameCount, plantedSteps: plantedSteps))
  }

  /// The mean of the lower nine tenths, nanoseconds.
  func trimmedMean(_ ticks: [UInt64]) -> Double {
    let kept = ticks.sorted().prefix(ticks.count * 9 / 10)
    return kept.reduce(0) { $0 + Double($1) } / Double(kept.count) * nanosecondsPerTick
  }

  /// Runs empty phases through the timer itself, so that the cost subtracted from a sample is the one it
  /// contains.
  private func emptyPhaseTicks(frameCount: Int, plantedSteps: Int? = nil) -> [UInt64] {
    let state = UnsafeMutablePointer<FrameState>.allocate(capacity: 1)
    state.initialize(to: FrameState())
    defer {
      state.pointee.deallocate()
      state.deallocate()
    }
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
    return samples
  }

  @inline(never) private static func runEmptyFrame(_ timer: FrameTimer) { timer.measure(.solve) {} }

  /// The smallest step between two different reads that is not rare, nanoseconds.
  ///
  /// The counter of some CPUs advances by 10 ns at a time, yet never shows the same value twice: the steps
  /// of a single tick in between are not a resolution.
  func measureResolution() -> Double {
    var reads: [UInt64] = []
    reads.reserveCapacity(2_000)
    for _ in 0..<2_000 { reads.append(startTicks()) }
    let steps = zip(reads.dropFirst(), reads).compactMap { $0 > $1 ? $0 - $1 : nil }.sorted()
    return steps.isEmpty ? nanosecondsPerTick : Double(steps[steps.count / 10]) * nanosecondsPerTick
  }
}
