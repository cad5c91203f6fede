import Glibc

/// How far a figure would move if its units (runs, link orders) were drawn again: the bootstrap of B. Efron,
/// "Bootstrap Methods: Another Look at the Jackknife", The Annals of Statistics 7 (1979).
public enum Bootstrap {
  /// Two units say too little about their spread.
  public static let leastUnitCount = 3
  /// The root mean square over this many is within a tenth of that over any more.
  static let resampleCount = 60

  /// Half of the 95% interval of each figure, in the unit of the figures; nil for fewer than `leastUnitCount` units.
  ///
  /// The root mean square distance of the resampled figures from the figures of all units: around the figure and not
  /// around the resampled mean, because a minimum over runs only grows when some are left out. It is multiplied by
  /// Student's t and √(n / (n − 1)), which a resample of few units is too narrow without (T. Hesterberg, "What
  /// Teachers Should Know About the Bootstrap", The American Statistician 69, 2015). The draws are the same each time.
  ///
  /// - Parameters:
  ///   - count: Units.
  ///   - figures: The figures where each unit counts as often as its weight says; of any weights the same number.
  ///     Weights are not all 0.
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
      StudentT.quantile(0.975, degreesOfFreedom: Double(count - 1))
      * (Double(count) / Double(count - 1)).squareRoot()
    return squares.map { factor * ($0 / Double(resampleCount)).squareRoot() }
  }
}
