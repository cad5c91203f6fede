/// Subjects of the timer of one frame.
@usableFromInline package enum TimerMode: UInt8, Sendable {
  case frames
  case phases
  /// Places of items; neither a clock nor a counter is read.
  case output
  /// Calls an observer at the ends of frames, and with `observedPhases` at the beginning and end of phases,
  /// too.
  case observedFrames
  case observedPhases
  /// Like `frames` and `phases`, with work planted at the end of one phase. A mode of its own, so that
  /// the others pay nothing for it.
  case plantedFrames
  case plantedPhases
}
