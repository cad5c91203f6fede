/// A soft constraint: one that gives way like a damped spring, solved implicitly, so that it is stable
/// however stiff (Catto, "Soft Constraints", GDC 2011; as in Box2D v3).
struct Softness {
  /// 1/seconds.
  let biasRate: Double
  let massScale: Double
  /// How much more it gives way than something rigid, as a share of that.
  let compliance: Double

  /// - Parameters:
  ///   - frequency: Hz.
  ///   - damping: Ratio; 1 is critical.
  ///   - step: Seconds.
  init(frequency: Double, damping: Double, step: Double) {
    let ω = 2 * .pi * frequency
    let a1 = 2 * damping + step * ω
    let a2 = step * ω * a1
    (biasRate, massScale, compliance) = (ω / a1, a2 / (1 + a2), 1 / a2)
  }
}
