import FrameBench
import Measurements
import Statistics

/// One figure of one benchmark over the nights, with its change points.
package struct Trend: Sendable, Equatable {
  package var id: BenchmarkID
  /// The name of the figure, as in `Night.metrics`.
  package var metric: String
  package var kind: Metric
  /// The nights that have the figure, as indices into the history, oldest first.
  package var nights: [Int]
  /// One value for each of `nights`, in the metric's own unit: nanoseconds, bytes, or a number.
  package var values: [Double]
  /// Positions in `values` at which the environment changes, in ascending order. Position 0 is not included.
  package var segmentStarts: [Int]
  /// One history of levels for each environment, the oldest environment first.
  private var histories: [LevelHistory]
  /// The change points in ascending order of their position in `values`, including those that are not reported.
  package var shifts: [LevelShift]

  init(
    id: BenchmarkID, metric: String, kind: Metric, nights: [Int], values: [Double], segmentStarts: [Int],
    memory: SplitMemory? = nil
  ) {
    (self.id, self.metric, self.kind) = (id, metric, kind)
    (self.nights, self.values, self.segmentStarts) = (nights, values, segmentStarts)
    histories = zip([0] + segmentStarts, segmentStarts + [values.count]).map { start, end in
      LevelHistory(Array(values[start..<end]), memory: memory)
    }
    shifts = zip([0] + segmentStarts, histories).flatMap { start, levels in levels.shifts.map { $0.placed(start, kind) }
    }
  }

  private var segments: [(start: Int, levels: LevelHistory)] { zip([0] + segmentStarts, histories).map { ($0, $1) } }

  package var name: String { "\(id) \(metric)" }
  /// The position in `values` at which the level of the newest value begins.
  package var levelStart: Int { max(shifts.last?.levelPosition ?? 0, segmentStarts.last ?? 0) }
  /// The median of the current level, to which the last value belongs.
  package var currentLevel: Double? { levelStart < values.count ? Quantile.median(values[levelStart...]) : nil }

  // MARK: - Which change points are reported, and when

  /// The number of nights of a new level after which its change point is reported.
  package static let requiredSupport = 4

  /// The largest p-value at which a withdrawn change point is reported again. It is small, because correlated nights
  /// suggest a change at the same place again and again.
  private static let pValueOfSecondReport = 1e-9

  /// Whether a change point is reported: it is confirmed, exceeds the metric's tolerance, and its new level has
  /// `requiredSupport` nights. For a count without noise, one such night is enough if the old level has
  /// `requiredSupport` nights and both levels are constant.
  package func isReported(_ shift: LevelShift) -> Bool {
    guard shift.isConfirmed, kind.direction != .neither, kind.differs(shift.after, from: shift.before) else {
      return false
    }
    if shift.support >= Self.requiredSupport { return true }
    return kind.isCount && shift.isExact && shift.supportBefore >= Self.requiredSupport
  }

  /// Whether a change point is reported even if it was withdrawn before. Two levels without any noise have a p-value of
  /// 0, which means nothing unless the figure is a count without noise.
  private func isCertain(_ shift: LevelShift) -> Bool {
    shift.isExact ? kind.isCount : shift.pValue <= Self.pValueOfSecondReport
  }

  package var findings: [HistoryAnalysis.Finding] { shifts.filter(isReported).map(finding) }

  package func finding(_ shift: LevelShift) -> HistoryAnalysis.Finding { .init(trend: self, shift: shift) }

  /// The current form of a change point that a night reported; nil if it no longer exists. Positions are indices into
  /// `values`.
  func shift(_ report: LevelHistory.Reported) -> LevelShift? {
    segments.last { $0.start <= report.position }.flatMap { segment in
      segment.levels.shift((report.position - segment.start, report.isRise))?.placed(segment.start, kind)
    }
  }

  /// Returns the change points that have not been reported yet, and the indices of the `reports` that later nights
  /// contradict.
  /// - Parameter reports: The reports that have not been withdrawn.
  func news(since reports: [LevelHistory.Reported], withdrawn: [LevelHistory.Reported]) -> (
    new: [LevelShift], takenBack: Set<Int>
  ) {
    var news: (new: [LevelShift], takenBack: Set<Int>) = ([], [])
    for ((start, levels), end) in zip(segments, segments.dropFirst().map(\.start) + [Int.max]) {
      func own(_ all: [LevelHistory.Reported]) -> [(index: Int, report: LevelHistory.Reported)] {
        all.enumerated().filter { (start..<end).contains($1.position) }.map { ($0, ($1.position - start, $1.isRise)) }
      }
      let takenBack = own(reports).filter { levels.isTakenBack($0.report) }.map(\.index)
      let known = own(reports).filter { !takenBack.contains($0.index) }.map(\.report)
      let old = own(withdrawn).map(\.report)
      news.takenBack.formUnion(takenBack)
      news.new += levels.shifts.filter { shift in
        isReported(shift) && !levels.isKnown(shift, known) && (isCertain(shift) || !levels.isKnown(shift, old))
      }.map { $0.placed(start, kind) }
    }
    return news
  }

  /// Replays the reports that nightly runs would have made about a series, in the order of the nights. Each report
  /// contains the night that made it, the change point as that night knew it, and the night that withdrew the report
  /// (nil if no night did).
  package static func replay(_ values: [Double]) -> [(night: Int, shift: LevelShift, withdrawnAt: Int?)] {
    var reports: [(night: Int, shift: LevelShift, withdrawnAt: Int?)] = []
    let memory = SplitMemory()
    for count in 2..<max(3, values.count + 1) where count <= values.count {
      let trend = Trend(
        id: BenchmarkID(scenario: "replay", strategy: "replay", size: 1), metric: "",
        kind: Metric(counter: "replay", CounterKind()), nights: Array(0..<count), values: Array(values[..<count]),
        segmentStarts: [], memory: memory)
      func positions(_ indices: [Int]) -> [LevelHistory.Reported] {
        indices.map { (reports[$0].shift.position, reports[$0].shift.isRise) }
      }
      let standing = reports.indices.filter { reports[$0].withdrawnAt == nil }
      let withdrawn = reports.indices.filter { reports[$0].withdrawnAt != nil }
      let news = trend.news(since: positions(standing), withdrawn: positions(withdrawn))
      for index in news.takenBack { reports[standing[index]].withdrawnAt = count - 1 }
      reports += news.new.map { (count - 1, $0, nil) }
    }
    return reports
  }

  // MARK: - The newest value and the noise of its nights

  /// The smallest number of nights from which the noise is estimated.
  package static let leastNightsForNoise = 5
  /// A difference between nights counts if it exceeds this many standard deviations. Among a thousand figures with only
  /// noise, one of them exceeds this limit by chance about every sixteen nights.
  static let deviations = 4.0
  private static let nightsForNoise = 50
  /// The smallest standard deviation assumed for a time, in nanoseconds. Clocks have steps of about 10 ns, so a short
  /// phase may move by a whole step, which is four of these deviations.
  private static let leastTimeNoise = 2.5

  /// A comparison of the newest night with an earlier one.
  package struct Move: Sendable, Equatable {
    /// The earlier value in the metric's own unit: the value of one night, or the median of several nights.
    package var before: Double
    package var after: Double
    /// Whether the figure is worse now; false for a metric without a direction.
    package var isRegression: Bool
    /// The largest difference expected without any change. Nil if there are too few nights to know it.
    package var noise: Double?

    /// Whether the difference exceeds the noise. False if the noise is unknown.
    package var isBeyondNoise: Bool { noise.map { abs(after - before) > $0 } ?? false }
  }

  /// The standard deviation from night to night on the newest level before `end`; nil if there are too few nights.
  ///
  /// It is computed from the median of the differences between neighboring nights, so that neither a drift nor a bad
  /// night increases it. It is at least a tenth of the ordinary deviation, because a figure that is mostly constant
  /// still moves sometimes.
  package func noise(upTo end: Int) -> Double? {
    let segment = segmentStarts.last { $0 < end } ?? 0
    let starts = shifts.flatMap { [$0.position, $0.levelPosition] }
    let level = max(segment, starts.last { $0 < end } ?? 0)
    // If the level has too few nights to estimate the noise, the nights before it are used as well. The step between
    // the levels does no harm: it is only one of the differences between nights, whose median is taken.
    let whole = end - level >= Self.leastNightsForNoise ? level : segment
    let start = max(whole, end - Self.nightsForNoise)
    guard end - start >= Self.leastNightsForNoise else { return nil }
    let stretch = values[start..<end]
    let robust = RobustSpread.deviation(ofDistances: zip(stretch, stretch.dropFirst()).map { $1 - $0 })
    let least = kind == .frameTime ? Self.leastTimeNoise : 0
    return max(robust / 2.0.squareRoot(), Moments(stretch).variance.squareRoot() / 10, least)
  }

  /// The difference between the newest night and the last earlier night with this figure. Nil if there is no such night
  /// in the same environment.
  package var sinceYesterday: Move? {
    guard values.count > 1, segmentStarts.last != values.count - 1 else { return nil }
    return move(from: values[values.count - 2], weight: 2)
  }

  /// The difference between the newest night and the median of the nights six to eight days earlier. Nil if there are
  /// no such nights.
  /// - Parameter days: The day of each night, as in `HistoryAnalysis.days`.
  package func sinceLastWeek(days: [Int]) -> Move? {
    guard let newest = nights.last else { return nil }
    let range = (days[newest] - 8)...(days[newest] - 6)
    let first = segmentStarts.last ?? 0
    let earlier = (first..<values.count).filter { range.contains(days[nights[$0]]) }.map { values[$0] }
    guard !earlier.isEmpty else { return nil }
    return move(from: Quantile.median(earlier), weight: 1 + 1 / Double(earlier.count))
  }

  /// - Parameter weight: The variance of the difference, as a multiple of the variance of one night.
  private func move(from before: Double, weight: Double) -> Move {
    // The newest night may itself contain the move, so it is not used to estimate the noise.
    let noise = noise(upTo: values.count - 1)
    let after = values[values.count - 1]
    return Move(
      before: before, after: after, isRegression: kind.isWorse(after, than: before),
      noise: noise.map { $0 * weight.squareRoot() * Self.deviations })
  }
}

extension LevelShift {
  /// Converts the positions from indices into one environment's values to indices into all values of the trend, and
  /// determines `isRegression`.
  /// - Parameter start: The index of the environment's first value in the trend.
  fileprivate func placed(_ start: Int, _ kind: Metric) -> LevelShift {
    var placed = self
    placed.position += start
    placed.levelPosition += start
    placed.isRegression = kind.isWorse(after, than: before)
    return placed
  }
}
