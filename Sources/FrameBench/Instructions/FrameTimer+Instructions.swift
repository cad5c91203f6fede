import CInstructionCounter

extension FrameTimer {
  /// What this function itself takes is thrown away, but for a few instructions at its ends, which are the
  /// same every time.
  @usableFromInline @inline(never)
  func markPhaseBegin(_ phase: Phase) -> Mark {
    guard state.pointee.markedKind != nil else { return mark(phase) }
    instruction_counter_write(InstructionMark.phaseBegins.name)
    let mark = mark(phase)
    instruction_counter_discard()
    return mark
  }

  @usableFromInline @inline(never)
  func markPhaseEnd(_ mark: Mark) {
    guard state.pointee.markedKind != nil else { return }
    instruction_counter_write(InstructionMark.phaseEnds(slot: mark.slot).name)
  }

  @usableFromInline @inline(never)
  func markFrameEnd() {
    guard let kind = state.pointee.markedKind else { return }
    instruction_counter_write(InstructionMark.frameEnds(kind).name)
  }

  @usableFromInline @inline(never)
  func readHardwareAtEnd() { state.pointee.hardware.end() }

  private func mark(_ phase: Phase) -> Mark {
    Mark(slot: phaseIndex(phase.name), ticks: 0, allocations: .init())
  }
}

/// The processor's counter, read before and after a frame.
@usableFromInline
struct HardwareReads {
  /// Nil: not read.
  var descriptor: Int32?
  private(set) var isReliable = true
  private var before: UInt64 = 0
  private var after: UInt64 = 0

  var count: UInt64 { after &- before }

  mutating func start() {
    guard let descriptor else { return }
    isReliable = instruction_counter_read(descriptor, &before) && isReliable
  }

  mutating func end() {
    guard let descriptor else { return }
    isReliable = instruction_counter_read(descriptor, &after) && isReliable
  }
}
