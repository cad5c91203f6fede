import FrameBench
import Measurements
import Statistics

/// Which change points are reported, and when.
extension Trend {
  /// Nights of a new level after which its change point is reported.
  package static let requiredSupport = 4

  /// Whether the figure counts something, so that it has no noise of its own. A time that the clock rounds to the
  /// same value every night still has, and so has memory.
  package var isCount: Bool { kind.nature == .exact }

  /// Whether a change point is reported. A count that never moved needs only one night of the new level, after
  /// `requiredSupport` nights of the old one.
  package func isReported(_ shift: Shift) -> Bool {
    guard shift.isConfirmed, kind.direction != .neither else { return false }
    if shift.support >= Self.requiredSupport { return true }
    return isCount && shift.isExact && shift.supportBefore >= Self.requiredSupport
  }

  /// What was withdrawn is not reported again at a greater p. Where correlated nights wander, the same place looks
  /// like a change point, and like none, again and again.
  private static let pValueOfSecondReport = 1e-9

  /// A change point that a night reported.
  struct EarlierReport: Sendable, Hashable {
    /// Position of the first night of the new level, as it was known then.
    var position: Int
    /// Whether the figure rose; nil in documents that do not tell.
    var isRise: Bool?
  }

  /// The current form of a change point that a night reported; nil if it no longer exists.
  func shift(_ report: EarlierReport) -> Shift? {
    guard let segment = segment(of: report.position) else { return nil }
    guard let found = segment.levels.shift(report.reported(in: segment)) else { return nil }
    return shifts.first { $0.position == segment.start + found.index }
  }

  /// What to report now.
  ///
  /// - Parameters:
  ///   - reports: What was reported and stands.
  ///   - withdrawn: What was reported and withdrawn.
  /// - Returns: Change points that are new, and earlier reports that later nights take back.
  func news(since reports: [EarlierReport], withdrawn: [EarlierReport]) -> (
    new: [Shift], takenBack: [EarlierReport]
  ) {
    var kept = reports
    let takenBack = reports.filter { report in
      segment(of: report.position).map { $0.levels.isTakenBack(report.reported(in: $0)) } ?? false
    }
    kept.removeAll(where: takenBack.contains)
    let new = segments.flatMap { segment in
      let (known, old) = (self.reported(kept, in: segment), self.reported(withdrawn, in: segment))
      return segment.levels.shifts.filter { shift in
        guard isReported(Shift(shift, in: segment, kind)), !segment.levels.isKnown(shift, known) else {
          return false
        }
        return shift.pValue <= Self.pValueOfSecondReport || !segment.levels.isKnown(shift, old)
      }.map { Shift($0, in: segment, kind) }
    }
    return (new, takenBack)
  }

  private func reported(_ reports: [EarlierReport], in segment: Segment) -> [LevelHistory.Reported] {
    reports.filter { self.segment(of: $0.position)?.start == segment.start }.map { $0.reported(in: segment) }
  }

  private func segment(of position: Int) -> Segment? { segments.last { $0.start <= position } }
}

extension Trend.EarlierReport {
  fileprivate func reported(in segment: Trend.Segment) -> LevelHistory.Reported {
    LevelHistory.Reported(index: position - segment.start, isRise: isRise)
  }
}

/// What nightly runs would have reported about a series, night by night.
package struct Replay: Sendable, Equatable {
  /// That a night reported a change point.
  package struct Report: Sendable, Equatable, Encodable {
    /// Position of the night that reports it.
    package var night: Int
    /// Position of the first night of the new level, as it was known then.
    package var position: Int
    /// Mean of the old level, as it was known then.
    package var before: Double
    /// Mean of the new level, as it was known then.
    package var after: Double
    /// Median of the old level, as it was known then.
    package var medianBefore: Double
    /// Median of the new level, as it was known then.
    package var medianAfter: Double
    /// Position of the night that withdrew it; nil while it stands.
    package var withdrawnAt: Int?

    fileprivate var earlier: Trend.EarlierReport {
      Trend.EarlierReport(position: position, isRise: after > before)
    }
  }

  /// In the order of the nights that report them.
  package private(set) var reports: [Report] = []

  /// - Complexity: An analysis for each value, of what is new in it.
  package init(_ values: [Double], detection: ChangePointDetection = ChangePointDetection()) {
    let environmentKey = EnvironmentKey(
      machine: "", cpuModel: nil, toolchain: "", buildConfiguration: "", allocator: "", clock: "",
      options: nil)
    let memory = SplitMemory()
    for count in 2..<max(3, values.count + 1) where count <= values.count {
      let trend = Trend(
        id: BenchmarkID(scenario: "replay", strategy: "replay", size: 1), metric: "",
        kind: Metric(counter: "replay", CounterKind()), nights: Array(0..<count),
        values: Array(values[..<count]), environmentKey: Array(repeating: environmentKey, count: count),
        detection: detection, memory: memory)
      let news = trend.news(
        since: reports.filter { $0.withdrawnAt == nil }.map(\.earlier),
        withdrawn: reports.filter { $0.withdrawnAt != nil }.map(\.earlier))
      for index in reports.indices
      where reports[index].withdrawnAt == nil && news.takenBack.contains(reports[index].earlier) {
        reports[index].withdrawnAt = count - 1
      }
      reports += news.new.map { shift in
        Report(
          night: count - 1, position: shift.position, before: shift.before, after: shift.after,
          medianBefore: shift.medianBefore, medianAfter: shift.medianAfter)
      }
    }
  }
}
