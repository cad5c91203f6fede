/// The spread of values, robust against a few outliers.
public enum RobustSpread {
  /// 1.4826 times the median distance from the median: the standard deviation where values are normal (Rousseeuw and
  /// Croux, "Alternatives to the Median Absolute Deviation", 1993). 0 for fewer than two values.
  public static func deviation(_ values: [Double]) -> Double {
    guard values.count > 1 else { return 0 }
    let center = Quantile.median(values)
    return 1.4826 * Quantile.median(values.map { abs($0 - center) })
  }
}
