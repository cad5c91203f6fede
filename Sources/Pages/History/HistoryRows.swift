import FrameBench
import Judging
import Measurements
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
    /// Moments at which machine, toolchain or options change.
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
      /// Start of the first night of the new level; for a drift later than its start.
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

/// Nights as rows for a database: one for each figure of each benchmark, with everything that identifies it.
///
/// One night at a time, so that a history of any length needs only as much memory as its largest night.
package struct HistoryExport: Sendable {
  package enum Format: String, Sendable, CaseIterable {
    case csv
    case jsonLines = "jsonl"
  }

  private let format: Format

  package init(_ format: Format) { self.format = format }

  /// Described in docs/history.md, in this order.
  package static let columns = [
    "startedAt", "machine", "suite", "commit", "isDirty", "toolchain", "buildConfiguration", "allocator",
    "id",
    "scenario", "strategy", "size", "metric", "unit", "direction", "value", "checksum",
  ]

  /// Text before all rows; empty for JSON lines.
  package var header: String { format == .csv ? CSVText.line(Self.columns) : "" }

  /// Every row ends its line. Missing figures of a benchmark have no row.
  ///
  /// - Parameter id: Only this benchmark; nil for all.
  package func rows(_ night: Night, id: BenchmarkID? = nil) -> String {
    let environment = night.environment
    let ofNight: [Cell] = [
      .text(night.startedAt), .text(environment.machine), .text(night.suite), .text(environment.commit),
      .boolean(environment.isDirty), .text(environment.toolchain), .text(environment.buildConfiguration),
      .text(environment.allocator),
    ]
    let figures = night.metrics.map { name -> [Cell] in
      let metric = Metric.named(FigureName(name)?.metric ?? name, declared: night.counterKinds)
      return [.text(name), .text(metric.unit.rawValue), .text(metric.direction.rawValue)]
    }
    var text = ""
    for benchmark in night.benchmarks where id == nil || benchmark.id == id {
      let start = fields(
        ofNight + [
          .text(benchmark.id.description), .text(benchmark.id.scenario), .text(benchmark.id.strategy),
          .number(Double(benchmark.id.size)),
        ], from: 0)
      let end = fields([.text(benchmark.checksum)], from: Self.columns.count - 1)
      for (figure, value) in zip(figures, benchmark.values) {
        guard let value else { continue }
        let middle = fields(figure + [.number(value)], from: 12)
        text += line([start, middle, end])
      }
    }
    return text
  }

  private enum Cell {
    case text(String?)
    case number(Double)
    case boolean(Bool?)
  }

  /// - Parameter first: The column of the first cell.
  private func fields(_ cells: [Cell], from first: Int) -> String {
    switch format {
    case .csv: CSVText.fields(cells.map(Self.csv))
    case .jsonLines:
      zip(Self.columns[first...], cells).map { "\"\($0)\": \(Self.json($1))" }.joined(separator: ", ")
    }
  }

  private func line(_ parts: [String]) -> String {
    switch format {
    case .csv: parts.joined(separator: ",") + "\r\n"
    case .jsonLines: "{" + parts.joined(separator: ", ") + "}\n"
    }
  }

  private static func csv(_ cell: Cell) -> String {
    switch cell {
    case .text(let text): text ?? ""
    case .number(let value): JSONText.number(value)
    case .boolean(let value): value.map { "\($0)" } ?? ""
    }
  }

  private static func json(_ cell: Cell) -> String {
    switch cell {
    case .text(let text): text.map(JSONText.string) ?? "null"
    case .number(let value): JSONText.number(value)
    case .boolean(let value): value.map { "\($0)" } ?? "null"
    }
  }
}
