/// Clips values that are far from all of their neighbours.
///
/// A Hampel filter that clips (F. R. Hampel, "The Influence Curve and its Role in Robust Estimation", 1974):
/// each value is compared with the median of the seven values around it. A new level of four values or more
/// is the median itself and stays; up to three bad nights in a row are drawn in.
enum LoneOutliers {
  private static let windowLength = 7
  /// In robust standard deviations. Nearer values are never clipped.
  private static let leastDeviations = 4.0
  /// No more than this share of a series is clipped: what is more frequent belongs to its distribution.
  private static let largestShare = 0.05

  /// The same series where more than half of it does not move at all: what a count does once is not an outlier.
  static func clipped(_ values: [Double]) -> [Double] {
    guard values.count > windowLength, let first = values.first, !values.allSatisfy({ $0 == first }) else {
      return values
    }
    let medians = runningMedians(values)
    let distances = zip(values, medians).map { abs($0 - $1) }.sorted()
    let deviation = 1.4826 * distances[distances.count / 2]
    guard deviation > 0 else { return values }
    let kept = distances[min(distances.count - 1, Int(Double(distances.count) * (1 - largestShare)))]
    let limit = max(leastDeviations * deviation, kept)
    return zip(values, medians).map { value, median in min(median + limit, max(median - limit, value)) }
  }

  /// Of the seven values around each; at the ends, of the first and the last seven.
  private static func runningMedians(_ values: [Double]) -> [Double] {
    var window: [Double] = []
    window.reserveCapacity(windowLength)
    let last = values.count - windowLength
    var previousStart = -1
    return values.indices.map { index in
      let start = min(max(0, index - windowLength / 2), last)
      if start != previousStart {
        window.removeAll(keepingCapacity: true)
        // Sorted by insertion: for seven values nothing is faster.
        for value in values[start..<(start + windowLength)] {
          var place = window.count
          window.append(value)
          while place > 0, window[place - 1] > value {
            window[place] = window[place - 1]
            place -= 1
          }
          window[place] = value
        }
        previousStart = start
      }
      return window[windowLength / 2]
    }
  }
}
