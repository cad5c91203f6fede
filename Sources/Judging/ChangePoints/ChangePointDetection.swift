import Statistics

/// Finds the change points of a series with the algorithm E-divisive in sliding windows. A t-test decides which splits
/// are accepted. Afterwards, neighboring stretches that do not differ by the t-test are merged (Fleming et al.,
/// "Hunter: Using Change Point Detection to Hunt for Performance Regressions", 2023). If `retestsPointBefore` is false,
/// the points are the same as those of Apache Otava 0.8. If it is true, the test of each point compares the final
/// stretches on both sides.
package struct ChangePointDetection: Sendable, Hashable {
  /// The number of values that are examined together. Neighboring windows overlap by half.
  package var windowLength = 50
  /// A point is kept only if the p-value of its t-test is below this.
  package var maximumPValue = 0.001
  /// Points with at most this relative change are removed, however small their p-value is.
  package var minimumMagnitude = 0.0
  /// Whether the point before a removed point is tested again. The point after a removed point is always tested again.
  /// Otava tests only the point after.
  package var retestsPointBefore = true

  package init() {}

  /// Returns the change points of a series in ascending order. The series has one finite value per night, oldest first.
  /// - Parameter memory: The splits that were found for a shorter series with the same settings, to save work.
  package func changePoints(in series: [Double], memory: SplitMemory? = nil) -> [ChangePoint] {
    merged(weakChangePoints(in: series, memory), series, effectiveShare: 1)
  }

  /// Returns the points that remain significant if only this fraction of the values is independent.
  /// - Parameter indices: Change points found earlier, in ascending order.
  func merged(_ indices: [Int], in series: [Double], effectiveShare: Double) -> [Int] {
    merged(Self.points(indices, in: series, effectiveShare), series, effectiveShare: effectiveShare).map(\.index)
  }

  private static func points(
    _ indices: [Int], in series: [Double], _ effectiveShare: Double, energies: [Int: Double] = [:]
  ) -> [ChangePoint] {
    zip(indices, zip([0] + indices, indices.dropFirst() + [series.count])).map { index, bounds in
      let test = LevelTest(series[bounds.0..<index], series[index..<bounds.1], effectiveShare: effectiveShare)
      return ChangePoint(index: index, energy: energies[index] ?? 0, test: test)
    }
  }

  /// The largest p-value at which a split is accepted: up to ten times `maximumPValue`, because a weak point may become
  /// significant once its neighbors are known.
  private var firstPassPValue: Double {
    maximumPValue < 0.05 ? maximumPValue * 10 : maximumPValue < 0.5 ? maximumPValue * 2 : maximumPValue
  }

  private func weakChangePoints(in series: [Double], _ memory: SplitMemory?) -> [ChangePoint] {
    precondition(windowLength >= 2, "a window of \(windowLength) values")
    var found: [Int: Double] = [:]
    var start = 0
    while start < series.count {
      let window = start..<min(start + windowLength, series.count)
      let points = memory?.splits(series[window]) { split(series, window) } ?? split(series, window)
      for point in points where found[point.index] == nil { found[point.index] = point.energy }
      start = max(points.last?.index ?? 0, start + windowLength / 2)
    }
    return Self.points(found.keys.sorted(), in: series, 1, energies: found)
  }

  /// Splits a window where the split has the highest energy, then splits the parts in the same way. Stops when the two
  /// parts of the best remaining split do not differ significantly.
  private func split(_ series: [Double], _ window: Range<Int>) -> [Split] {
    // No test accepts a split of a constant series. Most series of counts are constant.
    guard series[window].contains(where: { $0 != series[window.lowerBound] }) else { return [] }
    var stretches = [window]
    var candidates = [Self.candidate(series, window)]
    var accepted: [Split] = []
    while true {
      // `max` returns the first of several splits with equal energy.
      let present = candidates.enumerated().compactMap { index, split in split.map { (index, $0) } }
      guard let (best, point) = present.max(by: { $0.1.energy < $1.1.energy }) else { break }
      let parts = [stretches[best].lowerBound..<point.index, point.index..<stretches[best].upperBound]
      guard LevelTest(series[parts[0]], series[parts[1]]).pValue <= firstPassPValue else { break }
      accepted.append(point)
      stretches.replaceSubrange(best...best, with: parts)
      candidates.replaceSubrange(best...best, with: parts.map { Self.candidate(series, $0) })
    }
    return accepted.sorted { $0.index < $1.index }
  }

  private static func candidate(_ series: [Double], _ stretch: Range<Int>) -> Split? {
    stretch.count > 1 ? energySplit(series, in: stretch) : nil
  }

  /// The best split of a stretch into two parts. `index` is the index of the first value of the second part. `energy` is
  /// E-divisive's statistic Q̂: the largest energy distance over all splits τ and all ends κ of the second part.
  typealias Split = (index: Int, energy: Double)

  /// The best split of a stretch of at least two values, by the energy distance of the parts (Matteson and James, "A
  /// Nonparametric Approach for Multiple Change Point Analysis of Multivariate Data", 2014, with α = 1). O(n²) in time.
  static func energySplit(_ values: [Double], in stretch: Range<Int>) -> Split {
    let count = stretch.count
    precondition(count > 1, "a stretch of \(count) values cannot be split")
    let start = stretch.lowerBound
    // within[κ]: the sum of the distances between all values of the second part, if that part ends at κ. across[κ]: the
    // sum of their distances to the first part. Both are updated by moving one value to the first part.
    var within = [Double](repeating: 0, count: count + 1)
    var across = [Double](repeating: 0, count: count + 1)
    var before = 0.0
    for end in 1..<(count + 1) {
      let last = values[start + end - 1]
      var distance = 0.0
      for other in 0..<(end - 1) { distance += abs(values[start + other] - last) }
      within[end] = within[end - 1] + distance
    }
    var best: Split = (start + 1, -Double.infinity)
    for split in 1..<count {
      // Otava also tries second parts that end before they begin, and gives them the energy 0. Such a split wins if no
      // energy is positive, so it is chosen here, too.
      if split > 1, best.energy < 0 { best = (start + split, 0) }
      let moved = values[start + split - 1]
      var toFirst = 0.0
      for other in 0..<(split - 1) { toFirst += abs(values[start + other] - moved) }
      before += toFirst
      var toSecond = 0.0
      for end in (split + 1)..<(count + 1) {
        toSecond += abs(values[start + end - 1] - moved)
        within[end] -= toSecond
        across[end] += toSecond - toFirst
        let (n, m) = (Double(split), Double(end - split))
        var q = 2 / (n + m) * across[end]
        if split > 1 { q -= 2 * m / (n + m) / (n - 1) * before }
        if end - split > 1 { q -= 2 * n / (n + m) / (m - 1) * within[end] }
        if q > best.energy { best = (start + split, q) }
      }
    }
    return best
  }

  /// Removes the weakest point, again and again, until all points are significant and their changes are large enough.
  private func merged(_ weak: [ChangePoint], _ series: [Double], effectiveShare: Double) -> [ChangePoint] {
    var points = weak
    while var position = points.indices.min(by: { points[$0].test.pValue > points[$1].test.pValue }) {
      if points[position].test.pValue < maximumPValue {
        position = points.indices.min { points[$0].test.magnitude < points[$1].test.magnitude } ?? position
        if points[position].test.magnitude > minimumMagnitude { return points }
      }
      points.remove(at: position)
      // The point after the next one has the same stretches as before, but Otava tests it again, too.
      for changed in (retestsPointBefore ? position - 1 : position)...(position + 1)
      where points.indices.contains(changed) {
        let before = (changed == 0 ? 0 : points[changed - 1].index)..<points[changed].index
        let after = points[changed].index..<(changed + 1 < points.count ? points[changed + 1].index : series.count)
        points[changed].test = LevelTest(series[before], series[after], effectiveShare: effectiveShare)
      }
    }
    return points
  }
}

/// Remembers the splits of examined windows, because most windows of a series stay the same from night to night.
package final class SplitMemory {
  /// The splits of each window. The key is the window's start, followed by its values.
  private var known: [[Double]: [ChangePointDetection.Split]] = [:]

  init() {}

  func splits(_ window: ArraySlice<Double>, _ find: () -> [ChangePointDetection.Split]) -> [ChangePointDetection.Split]
  {
    let key = [Double(window.startIndex)] + window
    if let splits = known[key] { return splits }
    let splits = find()
    known[key] = splits
    return splits
  }
}

/// A place in a series at which the distribution of the values changes.
package struct ChangePoint: Sendable, Hashable {
  /// The index of the first value of the new level; never 0.
  package var index: Int
  /// E-divisive's statistic Q̂, which grows with the difference between the values before and after the place.
  package var energy: Double
  /// Compares the levels on both sides, each up to the neighboring change point.
  var test: LevelTest
}

/// A comparison of the levels of two adjacent stretches of a series: Student's t-test, two-sided.
struct LevelTest: Sendable, Hashable {
  /// The mean of the earlier stretch, in the unit of the series.
  var meanBefore: Double
  var meanAfter: Double
  /// Population standard deviations (divisor n), as numpy, and therefore Otava, computes them by default.
  var deviationBefore: Double
  var deviationAfter: Double
  /// The p-value of the t-test; NaN if both stretches are the same constant.
  var pValue = 1.0
  /// The standard deviation of the values around their level, pooled over both stretches.
  var deviation = 0.0

  /// - Precondition: Both stretches have values.
  /// - Parameter effectiveShare: The fraction of the values that count as independent. The degrees of freedom are
  ///   scaled by this fraction, and t by its square root.
  init(_ before: ArraySlice<Double>, _ after: ArraySlice<Double>, effectiveShare: Double = 1) {
    precondition(!before.isEmpty && !after.isEmpty, "a level of no values")
    let (old, new) = (Moments(before), Moments(after))
    (meanBefore, meanAfter) = (old.mean, new.mean)
    deviationBefore = (old.squares / old.count).squareRoot()
    deviationAfter = (new.squares / new.count).squareRoot()
    let degrees = before.count + after.count - 2
    guard degrees > 0 else { return }
    let (n, m) = (old.count, new.count)
    let variance =
      ((n - 1) * deviationBefore * deviationBefore + (m - 1) * deviationAfter * deviationAfter) / Double(degrees)
    deviation = variance.squareRoot()
    let t = (meanBefore - meanAfter) / (variance * (1 / n + 1 / m) / effectiveShare).squareRoot()
    let independent = effectiveShare < 1 ? max(1, (n + m) * effectiveShare - 2) : Double(degrees)
    pValue = StudentT.twoSidedPValue(t, degreesOfFreedom: independent)
  }

  /// The change of the mean as a fraction of `meanBefore`; 0 if `meanBefore` is 0.
  var relativeChange: Double { meanAfter.change(from: meanBefore) ?? 0 }
  /// The larger of the relative changes from before to after and from after to before.
  var magnitude: Double { max(abs(relativeChange), abs(meanBefore.change(from: meanAfter) ?? 0)) }
}
