/// What a pass that reads no clock does where frames and phases begin and end: it counts or samples there.
///
/// Called on the frame's thread. Nothing in it may allocate, since allocations may be what is counted.
package protocol FrameObserver: AnyObject {
  /// Before the scenario's frame.
  func beginFrame()
  /// As the frame ends, at its own word or behind it.
  func endFrame()
  /// Before the phase is looked up, so that an observer can leave the lookup out.
  func phaseIsComing()
  /// - Returns: What `endPhase` is to have back; phases may lie in each other.
  func beginPhase(_ slot: Int) -> PhaseStart
  func endPhase(_ slot: Int, _ start: PhaseStart)
}

extension FrameObserver {
  package func phaseIsComing() {}
  package func beginPhase(_ slot: Int) -> PhaseStart { PhaseStart() }
  package func endPhase(_ slot: Int, _ start: PhaseStart) {}
}

/// Two readings at the start of a phase, whatever they count.
@usableFromInline
package struct PhaseStart {
  @usableFromInline package var first: UInt64
  @usableFromInline package var second: UInt64

  @inlinable @inline(__always)
  package init(_ first: UInt64 = 0, _ second: UInt64 = 0) {
    self.first = first
    self.second = second
  }
}
