/// What the timer of one frame looks at.
@usableFromInline
package enum TimerMode: UInt8, Sendable {
  case frames
  case phases
  /// Where items are shown; neither a clock nor a counter is read.
  case output
  /// What an observer does where frames end, and with `observedPhases` where phases begin and end too.
  case observedFrames
  case observedPhases
  /// Like `frames` and `phases`, with work planted at the end of one phase. A mode of its own, so that
  /// the others pay nothing for it.
  case plantedFrames
  case plantedPhases
}
