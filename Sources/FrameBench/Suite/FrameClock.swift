import CFrameClock

/// The cheapest clock of this machine that can be trusted.
///
/// On x86-64 the time stamp counter if it ticks at one rate in all power states; otherwise
/// `clock_gettime(CLOCK_MONOTONIC_RAW)`. `frame_clock.h` explains the choice of instructions.
@usableFromInline package struct FrameClock {
  @usableFromInline package enum Source: UInt8 {
    case timeStampCounter
    case system
    case manual
  }

  @usableFromInline package let source: Source
  /// The ticks that a manual clock shows; nil for a real one.
  @usableFromInline package let manualTicks: UnsafePointer<UInt64>?
  package let nanosecondsPerTick: Double
  /// Median time between two reads with nothing between them, nanoseconds.
  package var pairCostNanoseconds = 0.0
  /// The smallest step between two different reads that is not rare, nanoseconds.
  package var resolutionNanoseconds: Double

  package init(source: Source, manualTicks: UnsafePointer<UInt64>?, nanosecondsPerTick: Double) {
    self.source = source
    self.manualTicks = manualTicks
    self.nanosecondsPerTick = nanosecondsPerTick
    resolutionNanoseconds = nanosecondsPerTick
  }

  /// Chooses the clock, finds its rate and measures the cost of reading it; some milliseconds.
  /// - Parameter known: Rate of the time stamp counter, if it was found before.
  package static func calibrated(nanosecondsPerTick known: Double? = nil) -> FrameClock {
    let nanosecondsPerTick = known ?? frame_clock_calibrate()
    return nanosecondsPerTick > 0
      ? FrameClock(source: .timeStampCounter, manualTicks: nil, nanosecondsPerTick: nanosecondsPerTick).measured()
      : system()
  }

  /// The clock of the system, measured.
  package static func system() -> FrameClock {
    FrameClock(source: .system, manualTicks: nil, nanosecondsPerTick: 1).measured()
  }

  /// A clock that shows the value at `ticks`, nanoseconds; reading it costs nothing. For tests.
  package static func manual(_ ticks: UnsafePointer<UInt64>) -> FrameClock {
    FrameClock(source: .manual, manualTicks: ticks, nanosecondsPerTick: 1)
  }

  private func measured() -> FrameClock {
    var clock = self
    clock.pairCostNanoseconds = clock.meanPairCost()
    clock.resolutionNanoseconds = clock.measureResolution()
    return clock
  }

  /// The name in documents.
  package var name: String {
    switch source {
    case .timeStampCounter: "tsc"
    case .system: "clock_gettime(CLOCK_MONOTONIC_RAW)"
    case .manual: "manual"
    }
  }
}

extension FrameClock {
  /// To be read before the timed work.
  @inlinable @inline(__always) package func startTicks() -> UInt64 {
    source == .timeStampCounter ? frame_clock_start_ticks() : otherTicks()
  }

  /// To be read after the timed work.
  @inlinable @inline(__always) package func endTicks() -> UInt64 {
    source == .timeStampCounter ? frame_clock_end_ticks() : otherTicks()
  }

  @usableFromInline @inline(never) func otherTicks() -> UInt64 {
    manualTicks?.pointee ?? frame_clock_system_nanoseconds()
  }
}
