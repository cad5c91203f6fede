/// How much of a value is already said by the one before it.
enum Autocorrelation {
  /// Fewer values say nothing.
  private static let leastCount = 8
  private static let largest = 0.9
  /// Standard errors by which the estimate is lowered: only what is certain is discounted.
  private static let deviations = 4.0

  /// Independent values for each value of the series: (1 − r)/(1 + r), with r the correlation of neighbours around
  /// their levels (H. J. Thiébaux and F. W. Zwiers, "The Interpretation and Estimation of Effective Sample Size",
  /// 1984). 1 where there is none.
  ///
  /// - Parameter levels: Adjacent ranges of the values.
  static func effectiveShare(_ values: [Double], levels: [Range<Int>]) -> Double {
    var (products, squares) = (0.0, 0.0)
    var (count, levelCount) = (0, 0)
    for level in levels where level.count > 2 {
      let mean = values[level].reduce(0, +) / Double(level.count)
      var previous: Double?
      for value in values[level] {
        let distance = value - mean
        squares += distance * distance
        if let previous { products += distance * previous }
        previous = distance
      }
      count += level.count
      levelCount += 1
    }
    guard squares > 0, count > leastCount else { return 1 }
    // Distances from a mean of n values correlate by −(1 + 3r)/n too much (M. G. Kendall, 1954).
    let length = Double(count) / Double(levelCount)
    let unbiased = (products / squares + 1 / length) / max(0.5, 1 - 3 / length)
    let certain = min(largest, max(0, unbiased - deviations / Double(count).squareRoot()))
    return (1 - certain) / (1 + certain)
  }
}
