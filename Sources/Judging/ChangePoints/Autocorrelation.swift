import Statistics

/// Measures how much the values of a series depend on the values before them.
enum Autocorrelation {
  /// A level (the values between two change points) with fewer values is too short to fit a line, so its values are
  /// compared with their mean. The correlation is estimated only if there are more values than this in total.
  private static let leastCount = 8
  private static let largest = 0.9

  /// The fraction of the values that count as independent: (1 − r)/(1 + r), where r is the correlation of neighboring
  /// values around their levels (H. J. Thiébaux and F. W. Zwiers, "The Interpretation and Estimation of Effective
  /// Sample Size", 1984). It is 1 if there is no correlation.
  ///
  /// In a level that drifts, neighboring values lie on the same side of the mean, which looks like correlation.
  /// Therefore values are compared with the least-squares line of their level.
  /// - Parameter deviations: The number of standard errors subtracted from r, so that correlation counts only as far as
  ///   it is significant.
  static func effectiveShare(_ values: [Double], levels: [Range<Int>], deviations: Double) -> Double {
    var (products, squares, parameters) = (0.0, 0.0, 0.0)
    var count = 0
    for level in levels where level.count > 2 {
      let hasSlope = level.count >= leastCount
      let line = leastSquaresLine(values[level], hasSlope: hasSlope)
      var previous: Double?
      for index in level {
        let distance = values[index] - line(index)
        squares += distance * distance
        if let previous { products += distance * previous }
        previous = distance
      }
      count += level.count
      parameters += hasSlope ? 2 : 1
    }
    guard squares > 0, count > leastCount else { return 1 }
    // The correlation of distances from a mean of n values is too low by (1 + 3r)/n (M. G. Kendall, 1954). For
    // distances from a line, the correlation is too low by twice as much. In simulations for r from 0 to 0.7, the
    // remaining error is at most 0.04 from twelve values on.
    let lost = parameters / Double(count)
    let unbiased = (products / squares + lost) / max(0.5, 1 - 3 * lost)
    let certain = min(largest, max(0, unbiased - deviations / Double(count).squareRoot()))
    return (1 - certain) / (1 + certain)
  }

  /// Returns the least-squares line of the values as a function of the index. Without a slope, the line is their mean.
  private static func leastSquaresLine(_ values: ArraySlice<Double>, hasSlope: Bool) -> (Int) -> Double {
    let count = Double(values.count)
    let mean = values.reduce(0, +) / count
    let middle = Double(values.startIndex) + (count - 1) / 2
    let products = values.indices.reduce(0) { $0 + (values[$1] - mean) * (Double($1) - middle) }
    // The divisor is Σ (i − middle)² over the indices i, which are consecutive.
    let slope = hasSlope ? products / (count * (count * count - 1) / 12) : 0
    return { mean + slope * (Double($0) - middle) }
  }

  /// The correlation of neighboring values at which this fraction of the values is independent.
  static func correlation(effectiveShare: Double) -> Double { (1 - effectiveShare) / (1 + effectiveShare) }
}

/// Clips values that lie far from all of their neighbors: a Hampel filter (F. R. Hampel, "The Influence Curve and its
/// Role in Robust Estimation", 1974). Each value is compared with the median of the seven values around it. Up to three
/// bad nights in a row are clipped. Four or more values of a new level determine the median, so they are not clipped.
enum LoneOutliers {
  private static let windowLength = 7
  /// Values within this many robust standard deviations of the median are never clipped.
  private static let leastDeviations = 4.0
  /// The largest fraction of a series that is clipped. If more values lie far out, only the farthest are clipped.
  private static let largestShare = 0.05

  /// Returns the values with outliers clipped. If more than half of the values equal their running median, nothing is
  /// clipped. Such a series consists of counts, and a single count that deviates is not an outlier.
  static func clipped(_ values: [Double]) -> [Double] {
    guard values.count > windowLength, values.contains(where: { $0 != values[0] }) else { return values }
    let medians = runningMedians(values)
    let distances = zip(values, medians).map { abs($0 - $1) }.sorted()
    let deviation = RobustSpread.deviation(ofDistances: [distances[distances.count / 2]])
    guard deviation > 0 else { return values }
    let kept = distances[min(distances.count - 1, Int(Double(distances.count) * (1 - largestShare)))]
    let limit = max(leastDeviations * deviation, kept)
    return zip(values, medians).map { value, median in min(median + limit, max(median - limit, value)) }
  }

  /// The median of the seven values around each value. At the ends, it is that of the first or last seven values.
  private static func runningMedians(_ values: [Double]) -> [Double] {
    let last = values.count - windowLength
    var window: [Double] = []
    let medians = (0...last).map { start in
      window.replaceSubrange(window.indices, with: values[start..<(start + windowLength)])
      window.sort()
      return window[windowLength / 2]
    }
    return values.indices.map { medians[min(max(0, $0 - windowLength / 2), last)] }
  }
}

/// Finds where a series steps from one level to another, by generalized least squares. Each value is assumed to carry
/// over a part of the noise of the previous value (AR(1)). Such noise wanders slowly, so the two means may differ most
/// if the series is split at a wrong place. But only a step makes neighboring values jump (D. Cochrane and G. H.
/// Orcutt, "Application of Least Squares Regression to Relationships Containing Auto-Correlated Error Terms", 1949).
/// The first value is used as well (S. J. Prais and C. B. Winsten).
enum StepFit {
  /// Returns the index at which the new level begins, or nil if all values are equal.
  /// - Parameter correlation: The correlation of neighboring values around their level, from 0 to less than 1.
  static func bestIndex(in values: ArraySlice<Double>, correlation: Double) -> Int? {
    precondition(!values.isEmpty, "a step among no values")
    let start = values.startIndex
    let mean = values.reduce(0, +) / Double(values.count)
    let (first, kept) = ((1 - correlation * correlation).squareRoot(), 1 - correlation)
    // Each value minus the part that it carries over from the previous value. These differences are uncorrelated.
    var rest = [(values[start] - mean) * first]
    rest.reserveCapacity(values.count)
    for (previous, value) in zip(values, values.dropFirst()) {
      rest.append(value - mean - correlation * (previous - mean))
    }
    var sums = [Double](repeating: 0, count: rest.count + 1)
    for index in rest.indices.reversed() { sums[index] = sums[index + 1] + rest[index] }
    // For a series of ones, transformed like the values: the sum of its squares, and of its products with `rest`.
    let constantSquares = first * first + Double(rest.count - 1) * kept * kept
    let constantProducts = first * rest[0] + kept * sums[1]
    var best: Int?
    var largest = 0.0
    for place in rest.indices.dropFirst() {
      // `explained` is how much a step at `place` lowers the sum of squares around a constant.
      let later = Double(rest.count - place - 1)
      let squares = 1 + later * kept * kept
      let shared = kept * (1 + later * kept)
      let products = rest[place] + kept * sums[place + 1]
      let distance = products - shared * constantProducts / constantSquares
      let spread = squares - shared * shared / constantSquares
      let explained = spread > 0 ? distance * distance / spread : 0
      if explained > largest { (largest, best) = (explained, start + place) }
    }
    return best
  }
}
