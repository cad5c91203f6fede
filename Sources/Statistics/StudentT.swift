import Glibc

/// Student's t distribution.
public enum StudentT {
  /// Returns P(|T| ≥ |t|): the regularized incomplete beta function I_x(ν/2, 1/2) at x = ν/(ν + t²) (Abramowitz and
  /// Stegun 26.7.1). The result is 0 for an infinite t, and NaN for NaN.
  public static func twoSidedPValue(_ t: Double, degreesOfFreedom: Double) -> Double {
    precondition(degreesOfFreedom > 0, "\(degreesOfFreedom) degrees of freedom")
    guard !t.isNaN else { return .nan }
    guard t.isFinite else { return 0 }
    return incompleteBeta(degreesOfFreedom / (degreesOfFreedom + t * t), degreesOfFreedom / 2, 0.5)
  }

  /// Returns the t with P(T ≤ t) = `probability`, to 12 digits, by bisection.
  /// - Parameter probability: Above 0 and below 1.
  public static func quantile(_ probability: Double, degreesOfFreedom: Double) -> Double {
    precondition(probability > 0 && probability < 1, "a quantile at \(probability)")
    let tail = 2 * min(probability, 1 - probability)
    guard tail < 1 else { return 0 }
    var (low, high) = (0.0, 1.0)
    while twoSidedPValue(high, degreesOfFreedom: degreesOfFreedom) > tail { (low, high) = (high, 2 * high) }
    while high - low > 1e-12 * high {
      let middle = (low + high) / 2
      guard middle > low, middle < high else { break }
      if twoSidedPValue(middle, degreesOfFreedom: degreesOfFreedom) > tail { low = middle } else { high = middle }
    }
    return probability < 0.5 ? -high : high
  }

  /// Returns the regularized incomplete beta function I_x(a, b), by its continued fraction (Lentz's method; Press et
  /// al., "Numerical Recipes", 6.4).
  private static func incompleteBeta(_ x: Double, _ a: Double, _ b: Double) -> Double {
    guard x > 0 else { return 0 }
    guard x < 1 else { return 1 }
    let factor = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x))
    // The fraction converges quickly only for x below the mean. Above it, 1 − I_(1−x)(b, a) is used, which is equal.
    return x < (a + 1) / (a + b + 2) ? factor * fraction(x, a, b) / a : 1 - factor * fraction(1 - x, b, a) / b
  }

  private static func fraction(_ x: Double, _ a: Double, _ b: Double) -> Double {
    let tiny = 1e-300
    func guarded(_ value: Double) -> Double { abs(value) < tiny ? tiny : value }
    var c = 1.0
    var d = 1 / guarded(1 - (a + b) * x / (a + 1))
    var result = d
    for step in 1...10_000 {
      let m = Double(step)
      let even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
      d = 1 / guarded(1 + even * d)
      c = guarded(1 + even / c)
      result *= d * c
      let odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
      d = 1 / guarded(1 + odd * d)
      c = guarded(1 + odd / c)
      result *= d * c
      if abs(d * c - 1) < 1e-15 { break }
    }
    return result
  }
}

/// The bootstrap estimates how far a figure would move if the runs (or other units) behind it were drawn again. Source:
/// B. Efron, "Bootstrap Methods: Another Look at the Jackknife", The Annals of Statistics 7 (1979).
public enum Bootstrap {
  /// The minimum number of units. Two units would show too little about their spread.
  public static let leastUnitCount = 3
  /// The number of resamples. A half-width from so many typically differs by 10% from one of infinitely many.
  static let resampleCount = 60

  /// Returns half of the 95% interval of each figure, in the unit of the figures. Nil for fewer than `leastUnitCount`
  /// units.
  ///
  /// The half-width is the root mean square distance of the resampled figures from the figures of all units. The
  /// distance is not measured from the mean of the resampled figures, because a minimum over runs can only grow when
  /// runs are left out. The result is multiplied by Student's t and √(n / (n − 1)), because the interval from few units
  /// would otherwise be too narrow (T. Hesterberg, "What Teachers Should Know About the Bootstrap", The American
  /// Statistician 69, 2015). The random draws are the same in every call.
  /// - Parameter figures: Computes the figures, counting each unit as often as its weight says. At least one weight is
  ///   above 0. The function returns the same number of figures for all weights.
  public static func halfWidths(unitCount count: Int, figures: (_ weights: [Int]) -> [Double]) -> [Double]? {
    guard count >= leastUnitCount else { return nil }
    let all = figures([Int](repeating: 1, count: count))
    var squares = [Double](repeating: 0, count: all.count)
    var generator = SplitMix64(seed: UInt64(count))
    for _ in 0..<resampleCount {
      var weights = [Int](repeating: 0, count: count)
      for _ in 0..<count { weights[Int(generator.next() % UInt64(count))] += 1 }
      for (index, figure) in figures(weights).enumerated() {
        squares[index] += (figure - all[index]) * (figure - all[index])
      }
    }
    let factor =
      StudentT.quantile(0.975, degreesOfFreedom: Double(count - 1)) * (Double(count) / Double(count - 1)).squareRoot()
    return squares.map { factor * ($0 / Double(resampleCount)).squareRoot() }
  }
}
