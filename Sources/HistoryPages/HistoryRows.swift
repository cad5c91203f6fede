import FrameBench
import Judging
import Measurements
import TextFormat

/// Exports the figures of one benchmark over the nights, or those of all benchmarks if `id` is nil.
extension [HistoryAnalysis] {
  /// The trends as CSV (RFC 4180), with one line per night and figure.
  package func csv(id: BenchmarkID? = nil) -> String {
    let lines = trends(id).flatMap { trend, analysis in
      let newest = trend.nights.last.map { analysis.nights[$0] }
      return zip(trend.nights, trend.values).map { index, value in
        let night = analysis.nights[index]
        return [
          newest?.environment.machine ?? "", newest?.suite ?? "", night.startedAt, night.commit ?? "",
          trend.id.description, trend.metric, "\(value)",
        ]
      }
    }
    let header = ["machine", "suite", "startedAt", "commit", "id", "metric", "value"]
    return ([header] + lines).map(CSVText.line).joined()
  }

  /// The trends as one JSON array, with one object per trend.
  package func json(id: BenchmarkID? = nil) -> String { JSONText.rows(trends(id).map(Self.json)) }

  private func trends(_ id: BenchmarkID?) -> [(trend: Trend, analysis: HistoryAnalysis)] {
    flatMap { analysis in analysis.trends.filter { id == nil || $0.id == id }.map { ($0, analysis) } }
  }

  private static func point(_ night: Night, _ ratio: CodeRatio) -> String {
    JSONText.compact([
      ("change", JSONText.number(ratio.change)), ("commit", JSONText.text(night.commit)),
      ("high", JSONText.number(ratio.high)), ("low", JSONText.number(ratio.low)),
      ("startedAt", JSONText.text(night.startedAt)),
    ])
  }

  private static func json(_ trend: Trend, _ analysis: HistoryAnalysis) -> String {
    let nights = trend.nights.map { analysis.nights[$0] }
    let points = zip(nights, trend.values).map { night, value in
      JSONText.compact([
        ("commit", JSONText.text(night.commit)), ("startedAt", JSONText.text(night.startedAt)),
        ("value", JSONText.number(value)),
      ])
    }
    let changePoints = trend.shifts.map { shift in
      let range = analysis.commitRange(of: trend.finding(shift))
      return JSONText.compact([
        ("after", JSONText.number(shift.after)), ("bad", JSONText.text(range?.bad)),
        ("before", JSONText.number(shift.before)), ("change", shift.relativeChange.map(JSONText.number)),
        ("good", JSONText.text(range?.good)), ("isBelieved", "\(trend.isReported(shift))"),
        ("levelStartedAt", JSONText.text(nights[shift.levelPosition].startedAt)),
        ("medianAfter", JSONText.number(shift.medianAfter)), ("medianBefore", JSONText.number(shift.medianBefore)),
        ("pValue", JSONText.number(shift.pValue)), ("startedAt", JSONText.text(nights[shift.position].startedAt)),
        ("support", "\(shift.support)"),
      ])
    }
    let segments = trend.segmentStarts.map { start in
      let changes = analysis.environmentChanges(trend, at: start).map(JSONText.string)
      return JSONText.compact([
        ("changes", JSONText.array(changes)), ("startedAt", JSONText.string(nights[start].startedAt)),
      ])
    }
    let withdrawn = analysis.withdrawals.reversed().filter { $0.announcement.name == trend.name }.map {
      JSONText.compact([
        ("after", JSONText.number($0.announcement.after)), ("before", JSONText.number($0.announcement.before)),
        ("startedAt", JSONText.text($0.announcement.startedAt)),
        ("withdrawnAt", JSONText.text(analysis.nights[$0.night].startedAt)),
      ])
    }
    let code = trend.metric == analysis.mainTrend(of: trend.id)?.metric ? analysis.codeCurve(of: trend.id) : []
    return JSONText.compact([
      ("changePoints", JSONText.array(changePoints)),
      ("code", code.isEmpty ? nil : JSONText.array(code.map(Self.point))), ("id", JSONText.text(trend.id.description)),
      ("level", trend.currentLevel.map(JSONText.number)),
      ("machine", JSONText.text(nights.last?.environment.machine ?? "")), ("metric", JSONText.text(trend.metric)),
      ("nights", JSONText.array(points)), ("segments", JSONText.array(segments)),
      ("suite", JSONText.text(nights.last?.suite ?? "")), ("withdrawn", JSONText.array(withdrawn)),
    ])
  }
}

/// A file format for the import of nights into a database, with a row for each figure of each benchmark. Nights are
/// exported one at a time to save memory.
package enum HistoryExport: String, Sendable, CaseIterable {
  case csv
  case jsonLines = "jsonl"

  /// The columns, in the order of their description in docs/history-method.md.
  package static let columns = [
    "startedAt", "machine", "suite", "commit", "isDirty", "toolchain", "buildConfiguration", "allocator", "id",
    "scenario", "strategy", "size", "metric", "unit", "direction", "value", "checksum",
  ]

  /// The text before the first row: a line of column names for CSV, empty for JSON lines.
  package var header: String { self == .csv ? CSVText.line(Self.columns) : "" }

  /// The rows of a night. Each row ends with a line break. A figure without a value has no row.
  package func rows(_ night: Night, id: BenchmarkID? = nil) -> String {
    let environment = night.environment
    let ofNight = [
      text(night.startedAt), text(environment.machine), text(night.suite), text(night.commit),
      plain(environment.isDirty.map { "\($0)" }), text(environment.toolchain), text(environment.buildConfiguration),
      text(environment.allocator),
    ]
    let figures = night.metrics.map { name -> [String] in
      let metric = Metric.named(FigureName(name)?.metric ?? name, declared: night.counterKinds)
      return [text(name), text(metric.unit.rawValue), text(metric.direction.rawValue)]
    }
    var rows = ""
    for benchmark in night.benchmarks where id == nil || benchmark.id == id {
      let start = fields(
        ofNight + [
          text(benchmark.id.description), text(benchmark.id.scenario), text(benchmark.id.strategy),
          plain("\(benchmark.id.size)"),
        ], from: 0)
      let end = fields([text(benchmark.checksum)], from: Self.columns.count - 1)
      for (figure, value) in zip(figures, benchmark.values) {
        guard let value else { continue }
        let middle = fields(figure + [plain(JSONText.number(value))], from: 12)
        rows += self == .csv ? "\(start),\(middle),\(end)\r\n" : "{\(start), \(middle), \(end)}\n"
      }
    }
    return rows
  }

  private func text(_ text: String?) -> String { self == .csv ? text ?? "" : text.map(JSONText.string) ?? "null" }

  private func plain(_ text: String?) -> String { text ?? (self == .csv ? "" : "null") }

  /// - Parameter first: The position in `columns` of the first cell.
  private func fields(_ cells: [String], from first: Int) -> String {
    switch self {
    case .csv: CSVText.fields(cells)
    case .jsonLines: zip(Self.columns[first...], cells).map { "\"\($0)\": \($1)" }.joined(separator: ", ")
    }
  }
}

/// An event of a night, in a form for scripts. docs/history-method.md describes the fields.
package struct NightEvent: Sendable {
  package var kind: Kind
  package var id: BenchmarkID?
  /// The name of the figure's column in the history. It determines the unit of `before` and `after`.
  package var metric: String?
  package var before: Double?
  package var after: Double?
  /// The relative change that a comparison of the builds measured, candidate ÷ baseline - 1, with the ends of its
  /// interval. If this is nil, the change is after ÷ before - 1.
  package var interval: (change: Double, low: Double, high: Double)?
  package var pValue: Double?
  /// The start, in ISO 8601, of the first night that no longer belongs to the old level.
  package var startedAt: String?
  /// Full hashes of the last commit at the old level and the first at the new level. Nil unless both are known.
  package var commits: (good: String, bad: String)?
  package var message: String?

  /// The kinds of events. Scripts read the raw values, so they must not change.
  package enum Kind: String, Sendable {
    /// A sentence of the report about the comparison with an earlier commit, such as its verdict. Each change, each
    /// commit that caused a change, and each drift has another event of its own.
    case code
    case culprit, drift
    case failed
    case missing = "vanished"
    case behaviorChanged, appeared
    case environment = "surroundings"
    /// A figure moved, and the code did not.
    case moved
    case regression, improvement, withdrawn, unconfirmed, sinceYesterday, sinceLastWeek
  }

  /// All events of the newest night. The last ones are the figures that moved beyond their noise since the night before
  /// or since a week ago.
  package static func all(of analysis: HistoryAnalysis) -> [NightEvent] {
    var events = analysis.codeEvents
    events += analysis.newestFailures.map { NightEvent(kind: .failed, id: $0.id, message: $0.reason) }
    events += analysis.missing.map { NightEvent(kind: .missing, id: $0) }
    events += analysis.behaviorChanged.map { NightEvent(kind: .behaviorChanged, id: $0) }
    events += analysis.appeared.map { NightEvent(kind: .appeared, id: $0) }
    events += analysis.environmentChanges.map { NightEvent(kind: .environment, message: $0) }
    events += analysis.announced.map { Self.event($0, analysis) }
    events += analysis.newestWithdrawals.map { Self.event($0.announcement) }
    events += analysis.earlyChanges.map { change in
      NightEvent(
        kind: .unconfirmed, id: change.trend.id, metric: change.trend.metric, before: change.before,
        after: change.after, startedAt: analysis.night(change.trend, at: change.position).startedAt)
    }
    events += analysis.risenCounts.map { trend in
      NightEvent(
        kind: .unconfirmed, id: trend.id, metric: trend.metric, before: trend.values.dropLast().last,
        after: trend.values.last, startedAt: analysis.nights.last?.startedAt)
    }
    for trend in analysis.currentTrends {
      let moves = [
        (Kind.sinceYesterday, trend.sinceYesterday), (.sinceLastWeek, trend.sinceLastWeek(days: analysis.days)),
      ]
      for case (let kind, let move?) in moves where move.isBeyondNoise {
        events.append(
          NightEvent(kind: kind, id: trend.id, metric: trend.metric, before: move.before, after: move.after))
      }
    }
    return events
  }

  /// The events of the newest night of each history, as one JSON array.
  package static func json(_ analyses: [HistoryAnalysis]) -> String { json(analyses.flatMap(all)) }

  package static func json(_ findings: [HistoryAnalysis.Finding], _ analysis: HistoryAnalysis) -> String {
    json(findings.map { event($0, analysis) })
  }

  private static func json(_ events: [NightEvent]) -> String {
    JSONText.rows(
      events.map { event in
        let ratio = event.before.flatMap { event.after?.change(from: $0) }
        let change = event.interval?.change ?? ratio
        let values: [(String, String?)] = [
          ("after", event.after.map(JSONText.number)), ("bad", JSONText.text(event.commits?.bad)),
          ("before", event.before.map(JSONText.number)), ("change", change.map(JSONText.number)),
          ("good", JSONText.text(event.commits?.good)), ("high", event.interval.map { JSONText.number($0.high) }),
          ("id", JSONText.text(event.id?.description)), ("kind", JSONText.string(event.kind.rawValue)),
          ("low", event.interval.map { JSONText.number($0.low) }), ("message", JSONText.text(event.message)),
          ("metric", JSONText.text(event.metric)), ("pValue", event.pValue.map(JSONText.number)),
          ("startedAt", JSONText.text(event.startedAt)),
        ]
        return JSONText.compact(values.map { ($0, $1 ?? "null") })
      })
  }

  private static func event(_ finding: HistoryAnalysis.Finding, _ analysis: HistoryAnalysis) -> NightEvent {
    let shift = finding.shift
    return NightEvent(
      kind: analysis.isUnmoved(finding) ? .moved : shift.isRegression ? .regression : .improvement,
      id: finding.trend.id, metric: finding.trend.metric, before: shift.before, after: shift.after,
      pValue: shift.pValue, startedAt: analysis.night(finding.trend, at: shift.position).startedAt,
      commits: analysis.commitRange(of: finding))
  }

  /// The event of a withdrawn change point, with the levels that were reported for it.
  private static func event(_ withdrawn: Night.Announcement) -> NightEvent {
    NightEvent(
      kind: .withdrawn, id: withdrawn.id, metric: withdrawn.metric, before: withdrawn.before, after: withdrawn.after,
      startedAt: withdrawn.startedAt,
      message: "later nights contradict this change point: both sides have the same level")
  }
}

extension HistoryAnalysis {
  /// The findings of the newest night's comparison with an earlier commit: first a `code` event for each sentence of
  /// the report, then an event for each change, each commit that caused one, and each new drift.
  fileprivate var codeEvents: [NightEvent] {
    let night = nights.last
    let comparison = night?.comparison
    func commits(of id: BenchmarkID?) -> (good: String, bad: String)? {
      let good = id.flatMap { night?.base(of: $0) } ?? comparison?.baseline.commit
      return good.flatMap { good in comparison?.candidate.commit.map { (good, $0) } }
    }
    var events = codeSentences.map { NightEvent(kind: .code, commits: commits(of: nil), message: $0) }
    for row in comparison?.rows ?? [] where row.verdict.isChange {
      let figure = FigureName(metric: row.metric.name, phase: row.phase, statistic: row.statistic)
      let interval = row.change.flatMap { change in row.low.flatMap { low in row.high.map { (change, low, $0) } } }
      events.append(
        NightEvent(
          kind: row.eventKind, id: row.id, metric: figure.description, before: row.baseline?.number,
          after: row.candidate?.number, interval: interval, pValue: row.pValue, commits: commits(of: row.id),
          message: [row.frames.map { "of \($0.words)" }, row.note].compactMap(\.self).joined(separator: "; ")
            .unlessEmpty))
    }
    events += (night?.culprits ?? []).map { culprit in
      NightEvent(
        kind: .culprit, id: culprit.id, metric: culprit.figure, pValue: 1 - culprit.confidence,
        commits: culprit.commits.last.flatMap { last in commits(of: culprit.id).map { ($0.good, last.hash) } },
        message: culprit.commits.map { "\($0.hash.prefix(10)) \($0.subject)" }.joined(separator: "; "))
    }
    return events
      + newDrifts.map { id, drift in
        NightEvent(
          kind: .drift, id: id, interval: (drift.ratio.change, drift.ratio.low, drift.ratio.high),
          startedAt: nights[drift.links[0].night].startedAt)
      }
  }

  /// Returns how long a benchmark's code takes in each night, as a ratio to the first night that served as a baseline.
  /// Each ratio is the product of the measured ratios between successive nights. Empty if the code was never compared.
  package func codeCurve(of id: BenchmarkID) -> [(night: Night, ratio: CodeRatio)] {
    guard let chain = chain(of: id) else { return [] }
    return (0...chain.links.count).map { count in
      (nights[count == 0 ? chain.links[0].base : chain.links[count - 1].night], chain.ratio(over: 0..<count))
    }
  }
}

extension ComparisonRow {
  fileprivate var eventKind: NightEvent.Kind {
    switch verdict {
    case .behaviorChanged: .behaviorChanged
    case .missing: isLost ? .missing : .appeared
    case .improved: .improvement
    case .regressed, .unchanged, .inconclusive, .notJudged: .regression
    }
  }
}
