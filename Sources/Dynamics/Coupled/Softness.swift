/// A soft constraint. It gives way like a damped spring, and is solved implicitly, so it is stable regardless of its
/// stiffness (Catto, "Soft Constraints", GDC 2011; as in Box2D v3).
struct Softness {
  /// The rate at which an error is corrected, 1/seconds.
  let biasRate: Double
  let massScale: Double
  /// The additional velocity that an impulse causes compared with a rigid constraint. 0.1 means 10% more; 0 is rigid.
  let compliance: Double

  /// - Parameters:
  ///   - frequency: The frequency, Hz.
  ///   - damping: The damping ratio; 1 is critical.
  ///   - step: The length of a sub-step, seconds.
  init(frequency: Double, damping: Double, step: Double) {
    let ω = 2 * .pi * frequency
    let a1 = 2 * damping + step * ω
    let a2 = step * ω * a1
    (biasRate, massScale, compliance) = (ω / a1, a2 / (1 + a2), 1 / a2)
  }
}
