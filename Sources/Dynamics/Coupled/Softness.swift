/// A soft constraint: one that gives way like a damped spring, solved implicitly, so that it is stable
/// however stiff (Catto, "Soft Constraints", GDC 2011; as in Box2D v3).
struct Softness {
  /// 1/seconds.
  let biasRate: Double
  let massScale: Double
  let impulseScale: Double

  /// Gives way to nothing, and undoes nothing.
  static let rigid = Softness(biasRate: 0, massScale: 1, impulseScale: 0)

  /// - Parameters:
  ///   - frequency: Hz.
  ///   - damping: Ratio; 1 is critical.
  ///   - step: Seconds.
  init(frequency: Double, damping: Double, step: Double) {
    let ω = 2 * .pi * frequency
    let a1 = 2 * damping + step * ω
    let a2 = step * ω * a1
    self.init(biasRate: ω / a1, massScale: a2 / (1 + a2), impulseScale: 1 / (1 + a2))
  }

  private init(biasRate: Double, massScale: Double, impulseScale: Double) {
    self.biasRate = biasRate
    self.massScale = massScale
    self.impulseScale = impulseScale
  }
}
