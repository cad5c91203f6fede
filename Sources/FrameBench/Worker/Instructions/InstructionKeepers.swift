import CInstructionCounter

/// Makes callgrind write its count at the beginning and end of frames and phases.
///
/// The instructions of the marking itself are discarded, except a few at its ends, which are the same every
/// time.
final class CallgrindKeeper: FrameObserver {
  /// Kind of the marks from here on; nil: frames are not counted and get no marks.
  var kind: InstructionMark.Kind?

  func beginFrame() { if kind != nil { instruction_counter_discard() } }

  func endFrame() { if let kind { instruction_counter_write(InstructionMark.frameEnds(kind).name) } }

  func phaseIsComing() { if kind != nil { instruction_counter_write(InstructionMark.phaseBegins.name) } }

  func beginPhase(_ slot: Int) -> PhaseStart {
    if kind != nil { instruction_counter_discard() }
    return PhaseStart()
  }

  func endPhase(_ slot: Int, _ start: PhaseStart) {
    if kind != nil { instruction_counter_write(InstructionMark.phaseEnds(slot: slot).name) }
  }
}

/// Reads the processor's own counter before and after each frame.
final class HardwareKeeper: FrameObserver {
  private let descriptor: Int32
  private var isReliable = true
  private var before: UInt64 = 0
  private var after: UInt64 = 0
  private var keptCount = 0
  private let column: Column

  /// - Parameter descriptor: An open one, closed by the caller.
  init(descriptor: Int32, frameCount: Int) {
    self.descriptor = descriptor
    column = Column(frameCount)
  }

  deinit { column.deallocate() }

  func beginFrame() { isReliable = instruction_counter_read(descriptor, &before) && isReliable }

  func endFrame() { isReliable = instruction_counter_read(descriptor, &after) && isReliable }

  func keepFrame(at index: Int) {
    column[index] = after &- before
    keptCount = index + 1
  }

  /// Counts of the recorded frames; nil if a read failed: the counter was not running all the time.
  var counts: [Int]? { isReliable ? column.values(keptCount).map { Int(truncatingIfNeeded: $0) } : nil }
}
