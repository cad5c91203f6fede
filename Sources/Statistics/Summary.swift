/// What a series of values comes to, in the unit of the values.
///
/// Quantiles are Hyndman and Fan's type 7 (`Quantile.type7`). A p99 rests on `count / 100` values: from
/// fewer than some 1,000 values it says little.
public struct Summary: Sendable, Hashable {
  public let count: Int
  public let min: Double
  public let p50: Double
  public let p90: Double
  public let p99: Double
  public let max: Double
  public let mean: Double

  /// Nil for an empty series. O(n log n).
  public init?(_ values: some Sequence<Double>) {
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
