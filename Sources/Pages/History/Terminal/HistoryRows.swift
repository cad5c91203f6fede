import FrameBench
import Judging
import TextFormat

/// Trends for scripts.
package struct HistoryRows: Sendable {
  private let rows: [Row]

  /// - Parameter analyses: Each of one machine and suite.
  package init(_ analyses: [HistoryAnalysis], id: BenchmarkID? = nil) {
    rows = analyses.flatMap { analysis in
      analysis.trends.filter { id == nil || $0.id == id }.map { Row($0, analysis) }
    }
  }

  /// One JSON array, one object per trend.
  package func json() throws -> String { try JSONText.rows(encoding: rows) }

  /// RFC 4180, one line per night and figure.
  package func csv() -> String {
    let header = ["machine", "suite", "startedAt", "commit", "id", "metric", "value"]
    let lines = rows.flatMap { row in
      row.nights.map { night in
        [
          row.machine, row.suite, night.startedAt, night.commit ?? "", row.id.description, row.metric,
          "\(night.value)",
        ]
      }
    }
    return ([header] + lines).map(CSVText.line).joined()
  }

  private struct Row: Encodable {
    var machine: String
    var suite: String
    var id: BenchmarkID
    var metric: String
    /// Median of the newest level.
    var level: Double?
    var nights: [Point]
    var changePoints: [Change]
    /// Reported once, and withdrawn by later nights.
    var withdrawn: [Withdrawn]
    /// Moments from which on machine, toolchain or options are others.
    var segments: [Segment]

    struct Point: Encodable {
      var startedAt: String
      var commit: String?
      var value: Double
    }

    struct Change: Encodable {
      var startedAt: String
      var before: Double
      var after: Double
      /// Start of the first night of the new level, which a drift reaches later than it starts.
      var levelStartedAt: String
      var medianBefore: Double
      var medianAfter: Double
      var change: Double?
      var pValue: Double
      var support: Int
      var isReported: Bool
      var good: String?
      var bad: String?

      enum CodingKeys: String, CodingKey {
        case startedAt, before, after, levelStartedAt, medianBefore, medianAfter, change, pValue, support
        case isReported = "isBelieved"
        case good, bad
      }
    }

    struct Withdrawn: Encodable {
      var startedAt: String
      /// Start of the night that withdrew it.
      var withdrawnAt: String
      var before: Double?
      var after: Double?
    }

    struct Segment: Encodable {
      var startedAt: String
      var changes: [String]
    }

    init(_ trend: Trend, _ analysis: HistoryAnalysis) {
      let all = trend.nights.map { analysis.nights[$0] }
      machine = all.last?.environment.machine ?? ""
      suite = all.last?.suite ?? ""
      id = trend.id
      metric = trend.metric
      level = trend.currentLevel
      nights = zip(all, trend.values).map {
        Point(startedAt: $0.startedAt, commit: $0.environment.commit, value: $1)
      }
      changePoints = trend.shifts.map { shift in
        let range = analysis.commitRange(of: HistoryAnalysis.Finding(trend: trend, shift: shift))
        return Change(
          startedAt: all[shift.position].startedAt, before: shift.before, after: shift.after,
          levelStartedAt: all[shift.levelPosition].startedAt, medianBefore: shift.medianBefore,
          medianAfter: shift.medianAfter, change: shift.relativeChange, pValue: shift.pValue,
          support: shift.support,
          isReported: trend.isReported(shift), good: range?.good, bad: range?.bad)
      }
      withdrawn = analysis.withdrawals.reversed().filter {
        $0.announcement.id == trend.id && $0.announcement.metric == trend.metric
      }.map { withdrawal in
        let announcement = withdrawal.announcement
        return Withdrawn(
          startedAt: announcement.startedAt, withdrawnAt: analysis.nights[withdrawal.night].startedAt,
          before: announcement.before, after: announcement.after)
      }
      segments = trend.segmentStarts.map { start in
        Segment(
          startedAt: all[start].startedAt,
          changes: all[start - 1].environmentKey.changes(to: all[start].environmentKey)
        )
      }
    }
  }
}
