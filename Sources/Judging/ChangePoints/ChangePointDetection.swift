import Statistics

/// Finds the change points of a series: E-divisive over sliding windows, with a t-test to accept splits and
/// to merge stretches that do not differ from their neighbours (Fleming et al., "Hunter: Using Change Point
/// Detection to Hunt for Performance Regressions", 2023). The same points as Apache Otava 0.8 on the same
/// series, except that each point's test is of its final stretches.
package struct ChangePointDetection: Sendable, Hashable {
  /// Values examined together; windows overlap by half.
  package var windowLength = 50
  /// Accepted probability of equal levels on both sides of a point.
  package var maximumPValue = 0.001
  /// Relative changes up to this are merged whatever their probability.
  package var minimumMagnitude = 0.0
  /// Tests the point before a removed one again, like the point behind it. Otava does not.
  package var retestsPointBefore = true

  package init() {}

  /// The change points, ascending, of a series of one finite value a night, oldest first.
  /// - Parameter memory: Spares the work that was done for a shorter series, by the same settings.
  package func changePoints(in series: [Double], memory: SplitMemory? = nil) -> [ChangePoint] {
    merged(weakChangePoints(in: series, memory), series, effectiveShare: 1)
  }

  /// Merges change points found earlier, in ascending order, for a series with fewer independent values.
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

  /// Splits at ten times the accepted probability: a weak point may become significant once its neighbours are known.
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

  /// Splits a window at its most energetic place, and its parts again, while the parts differ.
  private func split(_ series: [Double], _ window: Range<Int>) -> [Split] {
    // A constant series has no split that a test accepts, and counts are mostly constant.
    guard series[window].contains(where: { $0 != series[window.lowerBound] }) else { return [] }
    var stretches = [window]
    var candidates = [Self.candidate(series, window)]
    var accepted: [Split] = []
    while true {
      // The first of equal ones.
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

  /// Index of the second part's first value, and Q̂, the largest over all splits τ and all ends κ of the second part.
  typealias Split = (index: Int, energy: Double)

  /// The best split of a stretch of at least two values, by the energy distance of the parts (Matteson and James, "A
  /// Nonparametric Approach for Multiple Change Point Analysis of Multivariate Data", 2014, with α = 1). O(n²) in time.
  static func energySplit(_ values: [Double], in stretch: Range<Int>) -> Split {
    let count = stretch.count
    precondition(count > 1, "a stretch of \(count) values cannot be split")
    let start = stretch.lowerBound
    // within[κ]: Σ |values of the second part to each other|, by its end κ; across[κ]: to the first part.
    // Both follow from the split before by moving one value over.
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
      // Nothing to split if the second part ends first. Otava has zeros there, which win if no energy is positive.
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

  /// Takes away the weakest point while there is one that is not significant, or too small.
  private func merged(_ weak: [ChangePoint], _ series: [Double], effectiveShare: Double) -> [ChangePoint] {
    var points = weak
    while var position = points.indices.min(by: { points[$0].test.pValue > points[$1].test.pValue }) {
      if points[position].test.pValue < maximumPValue {
        position = points.indices.min { points[$0].test.magnitude < points[$1].test.magnitude } ?? position
        if points[position].test.magnitude > minimumMagnitude { return points }
      }
      points.remove(at: position)
      // The next but one need not be tested: its stretches have not changed. Otava tests it all the same.
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

/// The splits of windows that were looked at, for series that grow from night to night.
package final class SplitMemory {
  /// The splits of a window, by its place and its values.
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

/// The place in a series from which its values come from another distribution.
package struct ChangePoint: Sendable, Hashable {
  /// Index of the first value of the new level; never 0.
  package var index: Int
  /// E-divisive's statistic Q̂ of the split.
  package var energy: Double
  /// Test of the levels on both sides, up to the neighbouring change points.
  var test: LevelTest
}

/// A comparison of the levels of two adjacent stretches of a series: Student's t-test, two-sided.
struct LevelTest: Sendable, Hashable {
  /// Mean of the earlier stretch, in the unit of the series.
  var meanBefore: Double
  var meanAfter: Double
  /// Population standard deviations (divisor n), as Otava computes them: numpy's default.
  var deviationBefore: Double
  var deviationAfter: Double
  /// Not a number if neither level nor spread tells the stretches apart: equal constants.
  var pValue = 1.0
  /// The standard deviation pooled over both stretches: an estimate for all nights of such levels.
  var deviation = 0.0

  /// - Precondition: Both stretches have values.
  /// - Parameter effectiveShare: Independent values for each value: scales the degrees of freedom, and its root the t.
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

  /// Change from before to after, as a fraction of before; 0 if before is 0.
  var relativeChange: Double { meanBefore == 0 ? 0 : meanAfter / meanBefore - 1 }
  /// The larger of the relative changes there and back.
  var magnitude: Double { max(abs(relativeChange), meanAfter == 0 ? 0 : abs(meanBefore / meanAfter - 1)) }
}
