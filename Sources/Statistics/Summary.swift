/// A summary of a series of values, in the unit of the values. Quantiles are Hyndman and Fan's type 7
/// (`Quantile.type7`). Only `count / 100` values lie above the p99, so it is unreliable below about 1,000 values.
public struct Summary: Sendable, Hashable {
  /// The number of values, at least 1.
  public let count: Int
  public let min: Double
  /// The median.
  public let p50: Double
  /// The quantile at 0.9, interpolated between the two nearest values.
  public let p90: Double
  /// The quantile at 0.99, interpolated between the two nearest values.
  public let p99: Double
  public let max: Double
  /// The arithmetic mean. A single outlier moves it, unlike the quantiles.
  public let mean: Double

  /// Sorts the values, in O(n log n). Nil for an empty series.
  public init?(_ values: [Double]) {
    let sorted = values.sorted()
    guard let first = sorted.first, let last = sorted.last else { return nil }
    count = sorted.count
    min = first
    p50 = Quantile.type7(sorted: sorted, at: 0.5)
    p90 = Quantile.type7(sorted: sorted, at: 0.9)
    p99 = Quantile.type7(sorted: sorted, at: 0.99)
    max = last
    mean = sorted.reduce(0, +) / Double(sorted.count)
  }
}

/// Sample quantiles.
public enum Quantile {
  /// Returns the quantile of a sorted sample by linear interpolation between order statistics: type 7 of Hyndman and
  /// Fan, "Sample Quantiles in Statistical Packages", The American Statistician 50 (1996), the default of R, numpy and
  /// Excel. With N values, the quantile p is at index (N − 1)·p from 0.
  /// - Parameter sorted: The values, ascending and not empty.
  public static func type7(sorted: [Double], at probability: Double) -> Double {
    precondition(!sorted.isEmpty, "the quantile \(probability) of no values")
    precondition((0...1).contains(probability), "a quantile at \(probability); it must lie in 0...1")
    let position = Double(sorted.count - 1) * probability
    let below = Int(position)
    guard below + 1 < sorted.count else { return sorted[below] }
    let fraction = position - Double(below)
    return sorted[below] + fraction * (sorted[below + 1] - sorted[below])
  }

  /// Returns the median of values in any order, in O(n log n). Traps if there are none, as `type7` does.
  public static func median(_ values: some Sequence<Double>) -> Double { type7(sorted: values.sorted(), at: 0.5) }
}

/// The mean and the spread of values. Both are sensitive to outliers.
package struct Moments {
  package let count: Double
  /// The mean. NaN if there are no values.
  package let mean: Double
  /// The sum of the squared distances from the mean.
  package let squares: Double
  /// The estimated variance of the distribution from which the values are a sample.
  package var variance: Double { squares / (count - 1) }

  package init(_ values: ArraySlice<Double>) {
    let count = Double(values.count)
    let mean = values.reduce(0, +) / count
    (self.count, self.mean) = (count, mean)
    squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
  }
}

/// The spread of values, robust against a few outliers.
public enum RobustSpread {
  /// Returns 1.4826 times the median distance from the median: the standard deviation if the values are normally
  /// distributed (Rousseeuw and Croux, "Alternatives to the Median Absolute Deviation", 1993). 0 for fewer than two
  /// values.
  public static func deviation(_ values: [Double]) -> Double {
    guard values.count > 1 else { return 0 }
    let center = Quantile.median(values)
    return deviation(ofDistances: values.map { $0 - center })
  }

  /// Returns 1.4826 times the median of the absolute distances, such as the distances from a center. Traps if there are
  /// no distances.
  public static func deviation(ofDistances distances: [Double]) -> Double {
    1.4826 * Quantile.median(distances.map { abs($0) })
  }
}
