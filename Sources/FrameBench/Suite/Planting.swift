import CFrameClock

/// Extra work at the end of one phase of every frame. `springbench calibrate` adds it to test whether a comparison
/// notices a slow-down of known size. The work runs between the clock reads that time the phase.
///
/// The slowed-down build and its baseline run the same code: both wait until the phase has ended, and then jump to the
/// work. Only the number of steps (of one cycle each) differs, so other phases are equally fast in both builds.
@usableFromInline package struct Planting {
  /// Index of the phase that gets the extra work; -1 if none does.
  @usableFromInline package var slot = -1
  /// The number of extra steps each time the phase ends, on top of the `commonStepCount` steps that both builds do.
  @usableFromInline package var stepCount = 0
  @usableFromInline package var stepNanoseconds = 0.0

  /// The number of steps that even the baseline does. The first few steps overlap with the jump to the work and take
  /// less time, so both builds do them.
  @usableFromInline static var commonStepCount: Int { 32 }

  /// Does the work, after waiting until the phase's instructions have executed. Without the wait, the work would
  /// overlap with the last of these instructions and take almost no time.
  @inlinable @inline(__always) func work(inPhase index: Int) {
    guard index == slot else { return }
    frame_clock_settle()
    frame_clock_work(UInt64(Planting.commonStepCount + stepCount))
  }

  /// Sets the number of steps so that they take this many nanoseconds each time that the phase ends.
  package mutating func plan(nanoseconds: Double) {
    // A larger number could overflow `Int`. 1e12 steps take minutes, which is longer than any phase.
    stepCount = Int(min(max(0, nanoseconds / stepNanoseconds), 1e12).rounded())
  }
}
