/// Finds the change points of a series: E-divisive over sliding windows, with a t-test to accept splits and
/// to merge what does not stand beside its neighbours (Fleming et al., "Hunter: Using Change Point Detection
/// to Hunt for Performance Regressions", 2023). The same points as Apache Otava 0.8 on the same series, but that
/// each point's test is of its final stretches.
public struct ChangePointDetection: Sendable, Hashable {
  /// Values that are looked at together; windows overlap by half.
  public var windowLength = 50
  /// Accepted probability of equal levels on both sides of a point.
  public var maximumPValue = 0.001
  /// Relative changes up to this are merged whatever their probability.
  public var minimumMagnitude = 0.0
  /// Where a point is removed, the one before it is tested again, as the one behind it is. Otava does not.
  public var retestsPointBefore = true

  public init() {}

  /// - Parameters:
  ///   - series: One finite value a night, oldest first.
  ///   - memory: Spares the work that was done for a shorter series. It has to be of the same settings.
  /// - Returns: In ascending order.
  public func changePoints(in series: [Double], memory: SplitMemory? = nil) -> [ChangePoint] {
    merged(weakChangePoints(in: series, memory), series, effectiveShare: 1)
  }

  /// Those of points found earlier that stand where fewer of the values are independent.
  ///
  /// - Parameters:
  ///   - indices: Ascending.
  ///   - effectiveShare: Independent values for each value, from 0 to 1.
  func merged(_ indices: [Int], in series: [Double], effectiveShare: Double) -> [Int] {
    let bounds = [0] + indices + [series.count]
    let points = indices.enumerated().map { position, index in
      ChangePoint(
        index: index, energy: 0,
        test: LevelTest(
          series[bounds[position]..<index], series[index..<bounds[position + 2]],
          effectiveShare: effectiveShare))
    }
    return merged(points, series, effectiveShare: effectiveShare).map(\.index)
  }

  // MARK: Splitting

  /// Splits at ten times the accepted probability: what is weak now may stand once its neighbours are known.
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
    let indices = found.keys.sorted()
    return indices.indices.map { position in
      let before = (position == 0 ? 0 : indices[position - 1])..<indices[position]
      let after = indices[position]..<(position + 1 < indices.count ? indices[position + 1] : series.count)
      return ChangePoint(
        index: indices[position], energy: found[indices[position]] ?? 0,
        test: LevelTest(series[before], series[after]))
    }
  }

  /// Splits a window at its most energetic place, and its parts again, while the parts differ.
  private func split(_ series: [Double], _ window: Range<Int>) -> [EnergySplit] {
    // What is constant has no split that a test accepts, and counts are mostly constant.
    guard let first = series[window].first, !series[window].allSatisfy({ $0 == first }) else { return [] }
    var stretches = [window]
    var candidates = [Self.candidate(series, window)]
    var accepted: [EnergySplit] = []
    while true {
      var best: Int?
      for position in candidates.indices {
        guard let energy = candidates[position]?.energy else { continue }
        if let known = best, let largest = candidates[known]?.energy, energy <= largest { continue }
        best = position
      }
      guard let best, let point = candidates[best] else { break }
      let parts = [
        stretches[best].lowerBound..<point.index, point.index..<stretches[best].upperBound,
      ]
      guard LevelTest(series[parts[0]], series[parts[1]]).pValue <= firstPassPValue else { break }
      accepted.append(point)
      stretches.replaceSubrange(best...best, with: parts)
      candidates.replaceSubrange(best...best, with: parts.map { Self.candidate(series, $0) })
    }
    return accepted.sorted { $0.index < $1.index }
  }

  private static func candidate(_ series: [Double], _ stretch: Range<Int>) -> EnergySplit? {
    stretch.count > 1 ? EnergySplit(series, in: stretch) : nil
  }

  // MARK: Merging

  /// Takes away the weakest point while there is one that is not significant, or too small.
  private func merged(_ weak: [ChangePoint], _ series: [Double], effectiveShare: Double) -> [ChangePoint] {
    var points = weak
    while let weakest = Self.position(of: points, by: { $0.test.pValue > $1.test.pValue }) {
      var position = weakest
      if points[weakest].test.pValue < maximumPValue {
        position = Self.position(of: points) { $0.test.magnitude < $1.test.magnitude } ?? weakest
        if points[position].test.magnitude > minimumMagnitude { return points }
      }
      points.remove(at: position)
      // The next but one need not be: its stretches are what they were. Otava tests it all the same.
      for changed in (retestsPointBefore ? position - 1 : position)...(position + 1)
      where points.indices.contains(changed) {
        let before = (changed == 0 ? 0 : points[changed - 1].index)..<points[changed].index
        let after =
          points[changed].index..<(changed + 1 < points.count ? points[changed + 1].index : series.count)
        points[changed].test = LevelTest(series[before], series[after], effectiveShare: effectiveShare)
      }
    }
    return points
  }

  /// The first of those that come before all others.
  private static func position(
    of points: [ChangePoint], by comesBefore: (ChangePoint, ChangePoint) -> Bool
  ) -> Int? {
    guard var best = points.indices.first else { return nil }
    for position in points.indices.dropFirst() where comesBefore(points[position], points[best]) {
      best = position
    }
    return best
  }
}

/// The splits of windows that were looked at, for series that grow from night to night.
public final class SplitMemory {
  private var known: [Key: [EnergySplit]] = [:]

  private struct Key: Hashable {
    var start: Int
    var values: ArraySlice<Double>
  }

  public init() {}

  func splits(_ window: ArraySlice<Double>, _ find: () -> [EnergySplit]) -> [EnergySplit] {
    let key = Key(start: window.startIndex, values: window)
    if let splits = known[key] { return splits }
    let splits = find()
    known[key] = splits
    return splits
  }
}
