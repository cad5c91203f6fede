/// An object that the timer calls at the beginning and end of frames and phases, to count allocations or instructions
/// in them, or to profile them. With an observer, the timer itself reads no clock. Usually the frame's thread calls the
/// methods. The methods must not allocate, because the observer may be counting allocations.
package protocol FrameObserver: AnyObject {
  func beginFrame()
  /// Called when a frame calls `startFrame()`. The measurement starts over here, so the earlier part of the frame does
  /// not count.
  func restartFrame()
  /// Called when the frame calls `endFrame()`, or when its body has returned.
  func endFrame()
  /// Called before the timer looks up the phase by name, so that an observer can exclude the cost of the lookup.
  func phaseIsComing()
  /// Called when the phase with index `slot` in `FrameState.phases` begins. Phases may be nested.
  /// - Returns: The value to pass to `endPhase`.
  func beginPhase(_ slot: Int) -> PhaseStart
  func endPhase(_ slot: Int, _ start: PhaseStart)
  /// Called after the frame's body has returned. `index` is the number of the recorded frame, or nil for a warm-up
  /// frame.
  func keepFrame(at index: Int?)
  /// Time of the measured parts of the warm-up frames so far, nanoseconds. 0 if the observer does not time them.
  var warmUpNanoseconds: Int { get }
}

extension FrameObserver {
  package func restartFrame() { beginFrame() }
  package func phaseIsComing() {}
  package func beginPhase(_ slot: Int) -> PhaseStart { (0, 0) }
  package func endPhase(_ slot: Int, _ start: PhaseStart) {}
  package func keepFrame(at index: Int?) {}
  package var warmUpNanoseconds: Int { 0 }
}

/// Two values that an observer reads at the start of a phase and needs at its end.
@usableFromInline package typealias PhaseStart = (first: UInt64, second: UInt64)
