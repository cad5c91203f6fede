/// Sample quantiles.
public enum Quantile {
  /// The quantile of a sorted sample by linear interpolation between order statistics: type 7 of
  /// Hyndman and Fan, "Sample Quantiles in Statistical Packages", The American Statistician 50 (1996),
  /// the default of R, numpy and Excel. With N values the quantile p sits at index (N − 1)·p from 0.
  ///
  /// - Parameters:
  ///   - sorted: Ascending and not empty.
  ///   - probability: From 0 (the smallest value) to 1 (the largest).
  public static func type7(sorted: [Double], at probability: Double) -> Double {
    precondition(!sorted.isEmpty, "the quantile \(probability) of no values")
    precondition((0...1).contains(probability), "a quantile at \(probability); it must lie in 0...1")
    assert(
      zip(sorted, sorted.dropFirst()).allSatisfy { $0 <= $1 }, "the quantile of values out of order")
    let position = Double(sorted.count - 1) * probability
    let below = Int(position)
    guard below + 1 < sorted.count else { return sorted[below] }
    let fraction = position - Double(below)
    return sorted[below] + fraction * (sorted[below + 1] - sorted[below])
  }

  /// The median of values in any order; of none it traps, as `type7` does. O(n log n).
  public static func median(_ values: some Sequence<Double>) -> Double {
    type7(sorted: values.sorted(), at: 0.5)
  }
}
