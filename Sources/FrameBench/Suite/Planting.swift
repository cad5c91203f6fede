import CFrameClock

/// Extra work at the end of one phase of every frame: a slow-down of known size, which tests whether a comparison
/// notices it. It runs between the clock reads that time the phase.
///
/// The baseline has no extra steps but runs the same instructions: both builds wait until the phase has ended, and jump
/// to the work. They differ only in the number of steps, of one cycle each, so other phases run as usual.
@usableFromInline package struct Planting {
  /// Index of the phase; -1 if no work is planted.
  @usableFromInline package var slot = -1
  /// Steps of each frame, in addition to the steps that both builds do.
  @usableFromInline package var stepCount = 0
  @usableFromInline package var stepNanoseconds = 0.0

  /// Steps of a phase without planted work. The first few steps overlap with the jump to the work, so both builds do
  /// them.
  @usableFromInline static var commonStepCount: Int { 32 }

  /// Does the work, after waiting until the phase's instructions have executed. Work that overlaps with the last of
  /// them would cost next to nothing.
  @inlinable @inline(__always) func work(inPhase index: Int) {
    guard index == slot else { return }
    frame_clock_settle()
    frame_clock_work(UInt64(Planting.commonStepCount + stepCount))
  }

  /// Sets the number of steps so that they take this many nanoseconds per frame.
  package mutating func plan(nanoseconds: Double) {
    // The limit amounts to some minutes of steps. A phase that takes so long is never calibrated.
    stepCount = Int(min(max(0, nanoseconds / stepNanoseconds), 1e12).rounded())
  }
}
