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
  /// Oldest first; none where there is no night.
  package var segments: [Segment]
  /// Ascending by position; also those that are not reported.
  package var shifts: [Shift]

  /// A change point, in nights: everything is of the two final stretches beside it, from the change point before it
  /// to the next one. Or a drift, from the level before it to the one that it has reached.
  package struct Shift: Sendable, Equatable {
    /// Position in `values` of the first night that is not of the old level.
    package var position: Int
    /// Position in `values` of the first night of the new level: behind `position` where it is a drift.
    package var levelPosition: Int
    /// Mean of the old level, in the metric's own unit.
    package var before: Double
    /// Mean of the new level, in the metric's own unit.
    package var after: Double
    /// Medians of both levels, beside the means: a bad night does not move them.
    package var medianBefore: Double
    package var medianAfter: Double
    /// Whether the new level is worse; none is, where the metric has no direction.
    package var isRegression: Bool
    /// Of equal levels on both sides.
    package var pValue: Double
    /// Nights of the old level, from the last change of any kind.
    package var supportBefore: Int
    /// Nights of the new level, up to the next change of any kind.
    package var support: Int
    /// Whether neither level has any noise at all, as counts have it.
    package var isExact: Bool
    /// Whether the t-test, the ranks and the medians agree that the level is another.
    package var isConfirmed: Bool

    /// As a fraction of before; nil where that was 0.
    package var relativeChange: Double? { before == 0 ? nil : after / before - 1 }
    /// 1 − p.
    package var confidence: Double { 1 - pValue }

    init(_ shift: LevelShift, in segment: Segment, _ kind: Metric) {
      position = segment.start + shift.index
      levelPosition = segment.start + shift.levelIndex
      before = shift.meanBefore
      after = shift.meanAfter
      medianBefore = shift.medianBefore
      medianAfter = shift.medianAfter
      isRegression = kind.isWorse(after, than: before)
      pValue = shift.pValue
      supportBefore = shift.countBefore
      support = shift.countAfter
      isExact = shift.isExact
      isConfirmed = shift.isConfirmed
    }
  }

  /// Nights of one environment.
  package struct Segment: Sendable, Equatable {
    /// Position in `values` of its first night.
    package var start: Int
    package var levels: LevelHistory
  }

  /// Detects the change points within each segment of equal environmentKey.
  init(
    id: BenchmarkID, metric: String, kind: Metric, nights: [Int], values: [Double],
    environmentKey: [EnvironmentKey], detection: ChangePointDetection, memory: SplitMemory? = nil
  ) {
    self.id = id
    self.metric = metric
    self.kind = kind
    self.nights = nights
    self.values = values
    segmentStarts = nights.indices.dropFirst().filter {
      environmentKey[nights[$0]] != environmentKey[nights[$0 - 1]]
    }
    let starts = [0] + segmentStarts
    let segments = zip(starts, segmentStarts + [values.count]).map { start, end in
      Segment(
        start: start,
        levels: LevelHistory(Array(values[start..<end]), detection: detection, memory: memory))
    }
    self.segments = segments
    shifts = segments.flatMap { segment in segment.levels.shifts.map { Shift($0, in: segment, kind) } }
  }

  /// The median of the level that the last value belongs to.
  package var currentLevel: Double? {
    guard levelStart < values.count else { return nil }
    return Quantile.type7(sorted: values[levelStart...].sorted(), at: 0.5)
  }
}
