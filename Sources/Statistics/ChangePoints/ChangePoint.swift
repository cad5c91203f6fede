/// A place in a series from which on its values come from another distribution.
public struct ChangePoint: Sendable, Hashable {
  /// Index of the first value of the new level; never 0.
  public var index: Int
  /// E-divisive's statistic Q̂ of the split.
  public var energy: Double
  /// Of the levels on both sides, up to the neighbouring change points.
  public var test: LevelTest

  public init(index: Int, energy: Double, test: LevelTest) {
    self.index = index
    self.energy = energy
    self.test = test
  }
}

/// Two adjacent stretches of a series, and whether they lie on the same level: Student's t-test, two-sided.
public struct LevelTest: Sendable, Hashable {
  /// Of the earlier stretch, in the unit of the series.
  public var meanBefore: Double
  /// Of the later stretch, likewise.
  public var meanAfter: Double
  /// Population standard deviations (divisor n), as Otava computes them: numpy's default.
  public var deviationBefore: Double
  /// As `deviationBefore`, of the later stretch; 0 for a single value.
  public var deviationAfter: Double
  /// Not a number where neither level nor spread tells the stretches apart: equal constants.
  public var pValue: Double

  /// Of both stretches, pooled; as an estimate for all nights of such levels.
  var deviation: Double

  /// - Parameters:
  ///   - before: Values of the level that ends.
  ///   - after: Values of the one that begins.
  ///   - effectiveShare: Independent values for each value: the t is smaller by its root, and has as much fewer
  ///     degrees of freedom.
  /// - Precondition: Both stretches have values.
  public init(_ before: ArraySlice<Double>, _ after: ArraySlice<Double>, effectiveShare: Double = 1) {
    precondition(!before.isEmpty && !after.isEmpty, "a level of no values")
    (meanBefore, deviationBefore) = Self.moments(before)
    (meanAfter, deviationAfter) = Self.moments(after)
    pValue = 1
    deviation = 0
    let degrees = before.count + after.count - 2
    guard degrees > 0 else { return }
    let (n, m) = (Double(before.count), Double(after.count))
    let variance =
      ((n - 1) * deviationBefore * deviationBefore + (m - 1) * deviationAfter * deviationAfter)
      / Double(degrees)
    deviation = variance.squareRoot()
    let t = (meanBefore - meanAfter) / (variance * (1 / n + 1 / m) / effectiveShare).squareRoot()
    let independent = effectiveShare < 1 ? max(1, (n + m) * effectiveShare - 2) : Double(degrees)
    pValue = StudentT.twoSidedPValue(t, degreesOfFreedom: independent)
  }

  /// Change from before to after, as a fraction of before; 0 where before is 0.
  public var relativeChange: Double { meanBefore == 0 ? 0 : meanAfter / meanBefore - 1 }

  /// The larger of the relative changes there and back.
  public var magnitude: Double {
    max(abs(relativeChange), meanAfter == 0 ? 0 : abs(meanBefore / meanAfter - 1))
  }

  private static func moments(_ values: ArraySlice<Double>) -> (mean: Double, deviation: Double) {
    let count = Double(values.count)
    let mean = values.reduce(0, +) / count
    guard values.count > 1 else { return (mean, 0) }
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (mean, (squares / count).squareRoot())
  }
}
