extension FrameClock {
  /// The mean of what pairs of reads with nothing between them measure, nanoseconds; the mean of the
  /// lower nine tenths, so that an interrupt does not count. A clock of coarse steps has a median that
  /// is one of its steps, and a mean that is right.
  func meanPairCost() -> Double { trimmedMean(plantedSteps: nil) }

  /// What one step of planted work adds to a phase, nanoseconds. The median of several comparisons, since
  /// a machine that is busy meanwhile must not plant more or less.
  func plantedStepCost() -> Double {
    let differences = (0..<9).map { _ in
      trimmedMean(plantedSteps: 400, frameCount: 300) - trimmedMean(plantedSteps: 100, frameCount: 300)
    }
    // No processor makes a step in less than a tenth of a nanosecond.
    return max(0.1, differences.sorted()[4] / 300)
  }

  private func trimmedMean(plantedSteps: Int?, frameCount: Int = 2_000) -> Double {
    let state = UnsafeMutablePointer<FrameState>.allocate(capacity: 1)
    state.initialize(to: FrameState())
    defer {
      state.pointee.deallocate()
      state.deallocate()
    }
    var timer = FrameTimer(mode: plantedSteps == nil ? .phases : .plantedPhases, clock: self, state: state)
    state.pointee.planting.slot = 0
    state.pointee.planting.stepCount = plantedSteps ?? 0
    var samples: [UInt64] = []
    samples.reserveCapacity(frameCount)
    for _ in 0..<frameCount {
      FrameClock.runEmptyFrame(&timer)
      samples.append(state.pointee.phases[0].ticks)
      state.pointee.reset()
    }
    let kept = samples.sorted().prefix(frameCount * 9 / 10)
    return kept.reduce(0) { $0 + Double($1) } / Double(kept.count) * nanosecondsPerTick
  }
}
