/// What the timer of one frame looks at.
@usableFromInline
enum TimerMode: UInt8 {
  case frames
  case phases
  case allocations
  case output
  case instructions
  case hardwareInstructions
  case profile
  /// Like `frames` and `phases`, with work planted at the end of one phase. A mode of its own, so that
  /// the others pay nothing for it.
  case plantedFrames
  case plantedPhases

  init(_ pass: MeasurementPass) {
    switch pass {
    case .frames: self = .frames
    case .phases: self = .phases
    case .allocations: self = .allocations
    case .output: self = .output
    case .instructions: self = .instructions
    case .hardwareInstructions: self = .hardwareInstructions
    case .profile: self = .profile
    }
  }
}
