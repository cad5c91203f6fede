extension FrameClock {
  /// The mean of what pairs of reads with nothing between them measure, nanoseconds; the mean of the
  /// lower nine tenths, so that an interrupt does not count. A clock of coarse steps has a median that
  /// is one of its steps, and a mean that is right.
  func meanPairCost() -> Double { trimmedMean(plantedBatches: nil) }

  /// What one batch of planted work adds to a phase, nanoseconds, by what four more add to one: the first
  /// waits for the clock read before it, which in a phase that does something is long over. The median of several comparisons, since
  /// a machine that is busy meanwhile must not plant more or less.
  func plantedBatchCost() -> Double {
    let differences = (0..<9).map { _ in
      trimmedMean(plantedBatches: 5, frameCount: 300) - trimmedMean(plantedBatches: 1, frameCount: 300)
    }
    // A multiplication and an addition in turn take no processor less than three cycles.
    return max(Double(Planting.batchLength) / 2, differences.sorted()[4] / 4)
  }

  private func trimmedMean(plantedBatches: Double?, frameCount: Int = 2_000) -> Double {
    let state = UnsafeMutablePointer<FrameState>.allocate(capacity: 1)
    state.initialize(to: FrameState())
    defer {
      state.pointee.deallocate()
      state.deallocate()
    }
    var timer = FrameTimer(
      mode: plantedBatches == nil ? .phases : .plantedPhases, clock: self, state: state)
    state.pointee.planting.slot = 0
    state.pointee.planting.batchesPerFrame = plantedBatches ?? 0
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
