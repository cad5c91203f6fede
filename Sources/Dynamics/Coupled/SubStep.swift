struct SubStep {
  /// The length in seconds, and its inverse.
  let duration: Double
  let inverse: Double
  /// The softness of contacts between moving bodies, and of contacts with bodies that never move, which are stiffer.
  let softness: Softness
  let staticSoftness: Softness

  init(_ duration: Double) {
    self.duration = duration
    inverse = 1 / duration
    let damping = SolverConstants.contactDampingRatio
    softness = Softness(frequency: Self.contactFrequency(duration), damping: damping, step: duration)
    staticSoftness = Softness(frequency: 2 * Self.contactFrequency(duration), damping: damping, step: duration)
  }

  /// Returns the stiffness of contacts and rods, Hz: one oscillation per sub-step. Box2D v3 uses 30 Hz for contacts,
  /// and at most a quarter of an oscillation per sub-step. At that stiffness, forty rows of items of 20 points would
  /// sink into each other by more than a point. Contacts and rods are solved implicitly, so any stiffness is stable.
  static func contactFrequency(_ duration: Double) -> Double { 1 / duration }

  /// Returns the speed at which an overlap is corrected, points per second. The result is negative.
  @inline(__always) func bias(_ separation: Double, _ softness: Softness) -> Double {
    max(softness.biasRate * (separation + SolverConstants.linearSlop), -SolverConstants.contactSpeed)
  }
}
