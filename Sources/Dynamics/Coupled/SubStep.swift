/// The constants of a sub-step.
struct SubStep {
  /// Seconds, and its inverse.
  let duration: Double
  let inverse: Double
  /// Between two bodies, and between a body and what never moves, which must not give way.
  let softness: Softness
  let staticSoftness: Softness

  init(_ duration: Double) {
    self.duration = duration
    inverse = 1 / duration
    let (frequency, damping) = (SolverConstants.contactFrequency, SolverConstants.contactDampingRatio)
    softness = Softness(frequency: frequency, damping: damping, step: duration)
    staticSoftness = Softness(frequency: 2 * frequency, damping: damping, step: duration)
  }

  /// How fast an overlap is undone, points per second.
  @inline(__always) func bias(_ separation: Double, _ softness: Softness) -> Double {
    max(softness.biasRate * (separation + SolverConstants.linearSlop), -SolverConstants.contactSpeed)
  }
}
