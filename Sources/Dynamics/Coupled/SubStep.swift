/// The constants of a sub-step.
struct SubStep {
  /// Seconds, and its inverse.
  let duration: Double
  let inverse: Double
  /// The softness of contacts between two bodies, and of those with what never moves, which must not give way.
  let softness: Softness
  let staticSoftness: Softness

  init(_ duration: Double) {
    self.duration = duration
    inverse = 1 / duration
    let damping = SolverConstants.contactDampingRatio
    softness = Softness(frequency: Self.contactFrequency(duration), damping: damping, step: duration)
    staticSoftness = Softness(frequency: 2 * Self.contactFrequency(duration), damping: damping, step: duration)
  }

  /// How stiff contacts and rods are, Hz: one oscillation in a sub-step. Box2D v3 takes 30 for contacts, and a quarter
  /// of an oscillation at most; items of 20 points are a fifth of its metre, and forty rows of them would sink into
  /// each other by more than a point. They are solved implicitly, so that any stiffness is stable.
  static func contactFrequency(_ duration: Double) -> Double { 1 / duration }

  /// How fast an overlap is undone, points per second.
  @inline(__always) func bias(_ separation: Double, _ softness: Softness) -> Double {
    max(softness.biasRate * (separation + SolverConstants.linearSlop), -SolverConstants.contactSpeed)
  }
}
