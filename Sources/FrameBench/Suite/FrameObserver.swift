/// Counts or samples at the beginning and end of frames and phases, in a pass that reads no clock. Called on the
/// frame's thread. It must not allocate, since it may be counting allocations.
package protocol FrameObserver: AnyObject {
  func beginFrame()
  /// Called when a frame begins its measured part, and so leaves out what it has done so far.
  func restartFrame()
  /// Called at the end of the frame, by the frame itself or after it.
  func endFrame()
  /// Called before the phase is looked up, so that an observer can leave the lookup out.
  func phaseIsComing()
  /// - Returns: The value to pass to `endPhase`; phases may be nested.
  func beginPhase(_ slot: Int) -> PhaseStart
  func endPhase(_ slot: Int, _ start: PhaseStart)
  /// Called after the frame; `index` counts the recorded frames, and is nil in the warm-up.
  func keepFrame(at index: Int?)
}

extension FrameObserver {
  package func restartFrame() { beginFrame() }
  package func phaseIsComing() {}
  package func beginPhase(_ slot: Int) -> PhaseStart { (0, 0) }
  package func endPhase(_ slot: Int, _ start: PhaseStart) {}
  package func keepFrame(at index: Int?) {}
}

/// Two readings at the start of a phase, whatever they count.
@usableFromInline package typealias PhaseStart = (first: UInt64, second: UInt64)
