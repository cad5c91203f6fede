import FrameBench
import Measurements
import Statistics

/// One figure of one benchmark over the nights, with its change points.
package struct Trend: Sendable, Equatable {
  package var id: BenchmarkID
  /// As columns of nights are named.
  package var metric: String
  /// What the column is of.
  package var kind: Metric
  /// Nights that have the figure, oldest first, as indices into the history, with their values.
  package var nights: [Int]
  /// One for each of `nights`, in the metric's own unit: nanoseconds, bytes, or a number.
  package var values: [Double]
  /// Positions in `values` at which another environment begins; ascending, without 0.
  package var segmentStarts: [Int]
  /// Ascending by position; also those that are not reported.
  package var shifts: [Shift]

  /// A change point, in nights.
  package struct Shift: Sendable, Equatable {
    /// Position in `values` of the first night of the new level.
    package var position: Int
    /// Mean of the old level, in the metric's own unit.
    package var before: Double
    /// Mean of the new level, in the metric's own unit.
    package var after: Double
    /// Whether the new level is worse; none is, where the metric has no direction.
    package var isRegression: Bool
    /// Of equal levels on both sides.
    package var pValue: Double
    /// Nights of the new level, up to the next change of any kind.
    package var support: Int
    /// Whether neither level has any noise at all, as counts have it.
    package var isExact: Bool

    /// As a fraction of before; nil where that was 0.
    package var relativeChange: Double? { before == 0 ? nil : after / before - 1 }
    /// 1 − p.
    package var confidence: Double { 1 - pValue }
  }

  /// Detects the change points within each segment of equal environmentKey.
  init(
    id: BenchmarkID, metric: String, kind: Metric, nights: [Int], values: [Double],
    environmentKey: [EnvironmentKey], detection: ChangePointDetection
  ) {
    self.id = id
    self.metric = metric
    self.kind = kind
    self.nights = nights
    self.values = values
    segmentStarts = nights.indices.dropFirst().filter {
      environmentKey[nights[$0]] != environmentKey[nights[$0 - 1]]
    }
    let bounds = [0] + segmentStarts + [values.count]
    shifts = zip(bounds, bounds.dropFirst()).flatMap { start, end -> [Shift] in
      let points = detection.changePoints(in: Array(values[start..<end]))
      return points.indices.map { index in
        let next = index + 1 < points.count ? points[index + 1].index : end - start
        let test = points[index].test
        return Shift(
          position: start + points[index].index, before: test.meanBefore, after: test.meanAfter,
          isRegression: kind.isWorse(test.meanAfter, than: test.meanBefore), pValue: test.pValue,
          support: next - points[index].index,
          isExact: test.deviationBefore == 0 && test.deviationAfter == 0)
      }
    }
  }

  /// The median of the level that the last value belongs to.
  package var currentLevel: Double? {
    guard levelStart < values.count else { return nil }
    return Quantile.type7(sorted: values[levelStart...].sorted(), at: 0.5)
  }
}
