/// How far a value is determined by the one before it.
enum Autocorrelation {
  /// Fewer values say nothing.
  private static let leastCount = 8
  private static let largest = 0.9

  /// Independent values for each value of the series: (1 − r)/(1 + r), with r the correlation of neighbours around
  /// their levels (H. J. Thiébaux and F. W. Zwiers, "The Interpretation and Estimation of Effective Sample Size",
  /// 1984). 1 where there is none.
  ///
  /// Where a level drifts, its neighbours lie on the same side of its mean, so they are compared with its
  /// least-squares line.
  ///
  /// - Parameters:
  ///   - levels: Adjacent ranges of the values.
  ///   - deviations: Standard errors by which the estimate is lowered, so that only what is certain is discounted.
  static func effectiveShare(_ values: [Double], levels: [Range<Int>], deviations: Double) -> Double {
    var (products, squares, parameters) = (0.0, 0.0, 0.0)
    var count = 0
    for level in levels where level.count > 2 {
      let line = LeastSquaresLine(values[level], isLevel: level.count < leastCount)
      var previous: Double?
      for index in level {
        let distance = values[index] - line[index]
        squares += distance * distance
        if let previous { products += distance * previous }
        previous = distance
      }
      count += level.count
      parameters += level.count < leastCount ? 1 : 2
    }
    guard squares > 0, count > leastCount else { return 1 }
    // Distances from a mean of n values correlate by (1 + 3r)/n too little (M. G. Kendall, 1954). From a line it is
    // twice as much: simulated for r from 0 to 0.7, what is left of it is at most 0.04 from twelve values on.
    let lost = parameters / Double(count)
    let unbiased = (products / squares + lost) / max(0.5, 1 - 3 * lost)
    let certain = min(largest, max(0, unbiased - deviations / Double(count).squareRoot()))
    return (1 - certain) / (1 + certain)
  }

  /// The correlation of neighbours that leaves this share of the values independent.
  static func correlation(effectiveShare: Double) -> Double { (1 - effectiveShare) / (1 + effectiveShare) }
}

/// The line with the least squared distances from the values of a stretch.
private struct LeastSquaresLine {
  private var mean: Double
  private var middle: Double
  private var slope: Double

  /// - Parameter isLevel: The mean alone: a line of no slope.
  init(_ values: ArraySlice<Double>, isLevel: Bool) {
    let count = Double(values.count)
    let mean = values.reduce(0, +) / count
    let middle = Double(values.startIndex) + (count - 1) / 2
    (self.mean, self.middle, slope) = (mean, middle, 0)
    guard !isLevel else { return }
    let products = values.indices.reduce(0) { $0 + (values[$1] - mean) * (Double($1) - middle) }
    // Σ (i − middle)² over n consecutive whole numbers.
    slope = products / (count * (count * count - 1) / 12)
  }

  subscript(index: Int) -> Double { mean + slope * (Double(index) - middle) }
}
