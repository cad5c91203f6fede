import CFrameClock

/// Extra work at the end of one phase of every frame: a slow-down of known size, to test whether a comparison sees it.
/// It runs between the clock reads that time the phase. Both builds wait for the phase and jump to the work, whatever
/// its length: they differ only by steps of a cycle each, so that other phases run as usual.
@usableFromInline package struct Planting {
  /// Index of the phase; -1: none.
  @usableFromInline package var slot = -1
  /// Steps of one frame, in addition to those of both builds.
  @usableFromInline package var stepCount = 0
  @usableFromInline package var stepNanoseconds = 0.0

  /// Steps of a phase without planted work: the first few of them hide behind the jump to the work.
  @usableFromInline static var commonStepCount: Int { 32 }

  /// Waits for the phase first: overlapping with its last instructions, the work would cost next to nothing.
  @inlinable @inline(__always) func work(inPhase index: Int) {
    guard index == slot else { return }
    frame_clock_settle()
    frame_clock_work(UInt64(Planting.commonStepCount + stepCount))
  }

  /// Plans this many more nanoseconds a frame.
  package mutating func plan(nanoseconds: Double) {
    // A long day of steps; a phase that long is not calibrated anyway.
    stepCount = Int(min(max(0, nanoseconds / stepNanoseconds), 1e12).rounded())
  }
}
