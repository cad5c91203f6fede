import FrameBench
import Judging
import TextFormat

/// The events of a night for scripts: one object per event, with every key in every object.
package struct NightEvents: Sendable {
  /// Failed, missing, changed and new benchmarks, then changes of the environment, change points and withdrawals; then, figure by
  /// figure, what moved beyond its noise.
  package let events: [Event]

  /// One event. Keys that do not apply to its kind are nil, and null in JSON.
  package struct Event: Encodable, Sendable, Equatable {
    package var kind: Kind
    /// Nil for changes of the environment only.
    package var id: BenchmarkID?
    /// The metric's column in nights, for change points, withdrawals and moves.
    package var metric: String?
    /// In the metric's own unit: the mean of the old level, the value before, or the median of a week ago.
    package var before: Double?
    /// In the metric's own unit: the mean of the new level, or the newest value.
    package var after: Double?
    /// As a fraction of before.
    package var change: Double?
    /// Probability of equal levels on both sides, 0 to 1; for change points.
    package var pValue: Double?
    /// First night of the new level.
    package var startedAt: String?
    /// Full hash of the last commit of the old level; nil unless both ends are known.
    package var good: String?
    /// Full hash of the first commit of the new level; nil unless both ends are known.
    package var bad: String?
    /// Why the benchmark failed, the change of the environment, or why a change point is withdrawn; one
    /// line.
    package var message: String?

    enum CodingKeys: String, CodingKey {
      case kind, id, metric, before, after, change, pValue, startedAt, good, bad, message
    }

    /// Written by hand: a synthesized conformance leaves out the keys of nil values.
    package func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(kind, forKey: .kind)
      try container.encode(id, forKey: .id)
      try container.encode(metric, forKey: .metric)
      try container.encode(before, forKey: .before)
      try container.encode(after, forKey: .after)
      try container.encode(change, forKey: .change)
      try container.encode(pValue, forKey: .pValue)
      try container.encode(startedAt, forKey: .startedAt)
      try container.encode(good, forKey: .good)
      try container.encode(bad, forKey: .bad)
      try container.encode(message, forKey: .message)
    }
  }

  /// Kinds of events. The raw values are an interface: scripts read them.
  package enum Kind: String, Encodable, Sendable {
    case failed
    case missing = "vanished"
    case behaviorChanged, appeared
    case environment = "surroundings"
    case regression, improvement, withdrawn, sinceYesterday, sinceLastWeek
  }

  /// The events of each history's newest night.
  package init(_ analyses: [HistoryAnalysis]) { events = analyses.flatMap { NightEvents($0).events } }

  /// The events of the newest night.
  package init(_ analysis: HistoryAnalysis) {
    var events = (analysis.nights.last?.failures ?? []).map {
      Event(kind: .failed, id: $0.id, message: $0.reason)
    }
    events += analysis.missing.map { Event(kind: .missing, id: $0) }
    events += analysis.behaviorChanged.map { Event(kind: .behaviorChanged, id: $0) }
    events += analysis.appeared.map { Event(kind: .appeared, id: $0) }
    events += analysis.environmentChanges.map { Event(kind: .environment, message: $0) }
    events += analysis.announced.map { Self.event($0, analysis) }
    events += analysis.newestWithdrawals.map { Self.event($0.announcement) }
    for trend in analysis.currentTrends {
      events += Self.event(.sinceYesterday, trend, trend.sinceYesterday)
      events += Self.event(.sinceLastWeek, trend, trend.sinceLastWeek(days: analysis.days))
    }
    self.events = events
  }

  /// One JSON array.
  package func json() throws -> String { try JSONText.rows(encoding: events) }

  private static func event(_ finding: HistoryAnalysis.Finding, _ analysis: HistoryAnalysis) -> Event {
    let shift = finding.shift
    let range = analysis.commitRange(of: finding)
    return Event(
      kind: shift.isRegression ? .regression : .improvement, id: finding.trend.id,
      metric: finding.trend.metric,
      before: shift.before, after: shift.after, change: shift.relativeChange, pValue: shift.pValue,
      startedAt: analysis.nights[finding.trend.nights[shift.position]].startedAt, good: range?.good,
      bad: range?.bad)
  }

  /// With the levels as they were reported.
  private static func event(_ withdrawn: Night.Announcement) -> Event {
    Event(
      kind: .withdrawn, id: withdrawn.id, metric: withdrawn.metric, before: withdrawn.before,
      after: withdrawn.after,
      change: withdrawn.before == 0 ? nil : withdrawn.after / withdrawn.before - 1,
      startedAt: withdrawn.startedAt,
      message: "later nights contradict this change point: both sides have the same level")
  }

  private static func event(_ kind: Kind, _ trend: Trend, _ move: Trend.Move?) -> [Event] {
    guard let move, move.isBeyondNoise else { return [] }
    return [
      Event(
        kind: kind, id: trend.id, metric: trend.metric, before: move.before, after: move.after,
        change: move.relativeChange)
    ]
  }
}
