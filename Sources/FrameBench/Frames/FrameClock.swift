import CFrameClock

/// The cheapest clock of this machine that can be trusted.
///
/// On x86-64 the time stamp counter, where it ticks at one rate in all power states; anywhere else
/// `clock_gettime(CLOCK_MONOTONIC_RAW)`. Which instructions are read, and why, stands in
/// `frame_clock.h`.
public struct FrameClock {
  @usableFromInline
  enum Source: UInt8 {
    case timeStampCounter
    case system
    case manual
  }

  @usableFromInline let source: Source
  /// The ticks that a manual clock shows; nil for a real one.
  @usableFromInline let manualTicks: UnsafePointer<UInt64>?
  public let nanosecondsPerTick: Double
  /// The median of what many pairs of reads with nothing between them measure, nanoseconds.
  public private(set) var pairCostNanoseconds = 0.0
  /// The smallest step between two different reads that is not rare, nanoseconds.
  public private(set) var resolutionNanoseconds: Double

  private init(source: Source, manualTicks: UnsafePointer<UInt64>?, nanosecondsPerTick: Double) {
    self.source = source
    self.manualTicks = manualTicks
    self.nanosecondsPerTick = nanosecondsPerTick
    resolutionNanoseconds = nanosecondsPerTick
  }

  /// Chooses the clock, finds its rate and measures what reading it costs; some milliseconds.
  public static func calibrated() -> FrameClock {
    let nanosecondsPerTick = frame_clock_calibrate()
    return nanosecondsPerTick > 0
      ? FrameClock(source: .timeStampCounter, manualTicks: nil, nanosecondsPerTick: nanosecondsPerTick)
        .measured()
      : system()
  }

  /// The clock of the system, measured.
  public static func system() -> FrameClock {
    FrameClock(source: .system, manualTicks: nil, nanosecondsPerTick: 1).measured()
  }

  /// A clock that shows what stands at `ticks`, nanoseconds; reading it costs nothing. For tests.
  package static func manual(_ ticks: UnsafePointer<UInt64>) -> FrameClock {
    FrameClock(source: .manual, manualTicks: ticks, nanosecondsPerTick: 1)
  }

  private func measured() -> FrameClock {
    var clock = self
    clock.pairCostNanoseconds = clock.measurePairCost()
    clock.resolutionNanoseconds = clock.measureResolution()
    return clock
  }

  /// As it stands in the run document.
  public var record: ClockRecord {
    ClockRecord(
      source: name, pairCostNanoseconds: pairCostNanoseconds,
      resolutionNanoseconds: resolutionNanoseconds)
  }

  private var name: String {
    switch source {
    case .timeStampCounter: "tsc"
    case .system: "clock_gettime(CLOCK_MONOTONIC_RAW)"
    case .manual: "manual"
    }
  }
}

extension FrameClock {
  /// To be read before the timed work.
  @inlinable @inline(__always)
  func startTicks() -> UInt64 {
    source == .timeStampCounter ? frame_clock_start_ticks() : otherTicks()
  }

  /// To be read after the timed work.
  @inlinable @inline(__always)
  func endTicks() -> UInt64 {
    source == .timeStampCounter ? frame_clock_end_ticks() : otherTicks()
  }

  @usableFromInline @inline(never)
  func otherTicks() -> UInt64 {
    manualTicks?.pointee ?? frame_clock_system_nanoseconds()
  }
}

extension FrameClock {
  /// Runs empty phases through the timer itself, so that what is taken off a sample is what the sample
  /// contains.
  private func measurePairCost() -> Double {
    let frameCount = 1_001
    let recorder = FrameRecorder(pass: .phases, clock: self, frameCount: frameCount)
    var timer = recorder.timer
    for index in 0..<(frameCount + 100) {
      recorder.beginFrame()
      FrameClock.runEmptyFrame(&timer)
      recorder.finishFrame(isWarmUp: index < 100)
    }
    let sorted = recorder.phaseTicks(at: 0).sorted()
    return Double(sorted[sorted.count / 2]) * nanosecondsPerTick
  }

  @inline(never)
  static func runEmptyFrame(_ timer: inout FrameTimer) {
    timer.measure(.solve) {}
  }

  /// The counter of some CPUs advances by 10 ns at a time, yet never shows the same value twice: steps
  /// of a single tick are put in between, and are no resolution. So rare steps do not count.
  private func measureResolution() -> Double {
    var reads: [UInt64] = []
    reads.reserveCapacity(2_000)
    for _ in 0..<2_000 { reads.append(startTicks()) }
    let steps = zip(reads.dropFirst(), reads).compactMap { $0 > $1 ? $0 - $1 : nil }.sorted()
    return steps.isEmpty ? nanosecondsPerTick : Double(steps[steps.count / 10]) * nanosecondsPerTick
  }
}
