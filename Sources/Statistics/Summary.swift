/// Summary of a series of values, in the unit of the values.
///
/// Quantiles are Hyndman and Fan's type 7 (`Quantile.type7`). A p99 rests on `count / 100` values: below some
/// 1,000 values it says little.
public struct Summary: Sendable, Hashable {
  /// Values of the series; at least 1.
  public let count: Int
  public let min: Double
  /// The median.
  public let p50: Double
  /// Quantile at 0.9, interpolated between the values next to it.
  public let p90: Double
  /// Quantile at 0.99, likewise.
  public let p99: Double
  public let max: Double
  /// Arithmetic mean: a single outlier moves it, unlike the quantiles.
  public let mean: Double

  /// Nil for an empty series. O(n log n).
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
