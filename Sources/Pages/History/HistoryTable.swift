import FrameBench
import Judging
import Measurements
import TextFormat

/// Trends of one machine for a terminal: one line per benchmark, with its change points below.
package struct HistoryTable: Sendable {
  private let analysis: HistoryAnalysis
  private let terminal: Terminal
  /// Maximum number of change points of a trend in words; the marks below the line show all.
  private static let shownShifts = 3
  private static let allocations = "allocationCount.mean"

  /// - Parameter usesColor: Whether escape sequences make regressions red and improvements green.
  package init(_ analysis: HistoryAnalysis, usesColor: Bool) {
    self.analysis = analysis
    terminal = Terminal(width: 80, usesColor: usesColor)
  }

  /// The main figure of every benchmark, and its allocations if it has or had any.
  package func overview() -> String {
    let trends = analysis.benchmarks.flatMap { id in
      [analysis.mainTrend(of: id)].compactMap(\.self)
        + analysis.trends(of: id).filter { $0.metric == Self.allocations && $0.values.contains { $0 != 0 } }
    }
    let counted = analysis.trends.filter { $0.metric == Self.allocations }
    let silent = counted.count { $0.values.allSatisfy { $0 == 0 } }
    let rest: RichText? =
      silent == 0
      ? nil
      : silent == counted.count
        ? "no benchmark allocates in its frames" : "\(Format.plural(silent, "benchmark")) never allocated in a frame"
    return render(trends, caption: rest) { $0.metric == Self.allocations ? "  allocations a frame" : $0.id.description }
  }

  /// All figures of one benchmark.
  package func page(of id: BenchmarkID) -> String { render(analysis.trends(of: id), name: \.title) }

  private func render(_ trends: [Trend], caption: RichText? = nil, name: (Trend) -> String) -> String {
    let names = trends.map { Self.shortened(name($0), to: 30) }
    // The width minus the name, a level, a change and the gaps between them.
    let sparkWidth = terminal.width - (names.map(\.count).max() ?? 0) - 23
    var table = Table(
      zip(names, trends),
      [
        .left("") { .text($0.0) }, .left("") { RichText([.sparkline(sparkline($0.1, width: sparkWidth))]) },
        .right("") { .text($0.1.unit.text($0.1.currentLevel ?? 0)) },
        .right("") { _, trend in
          analysis.isCurrent(trend) ? trend.text(trend.sinceLastWeek(days: analysis.days)) : "gone"
        },
      ])
    table.title = "\(heading)"
    table.caption = caption
    for (row, trend) in trends.enumerated() {
      table.notes[row] = trend.findings.suffix(Self.shownShifts).map { finding in
        let commits = analysis.commits(of: finding).map { " \($0)" } ?? ""
        return .strong(
          "\(trend.text(finding.shift)) on \(analysis.dayText(of: finding))\(commits),"
            + " \(finding.shift.confidenceText) sure", finding.shift.tone)
      }
    }
    return terminal.render([.table(table)])
  }

  private var heading: String {
    "\(Self.shortened(analysis.nights.last?.suite ?? "", to: 20)) on "
      + "\(Self.shortened(analysis.nights.last?.environment.machine ?? "", to: 24)), "
      + "\(Format.plural(analysis.nights.count, "night"))"
  }

  /// The line below marks a change point with `^`, and the start of another environment with `|`.
  private func sparkline(_ trend: Trend, width: Int) -> Sparkline {
    let marks =
      trend.segmentStarts.map { (position: $0, mark: Character("|")) }
      + trend.findings.map { (position: $0.shift.position, mark: Character("^")) }
    return Sparkline(trend: trend.values, width: width, marks: marks)
  }

  private static func shortened(_ text: String, to width: Int) -> String {
    guard text.count > width else { return text }
    return String(text.prefix(width / 2)) + "…" + String(text.suffix(width - width / 2 - 1))
  }
}

// MARK: - Figures of a history in words and as columns of tables

extension LevelShift {
  /// `99.97%`, `> 99.99%`: never rounded up to certainty.
  var confidenceText: String {
    guard pValue < 0.000_1 else { return Format.significant((confidence * 1e4).rounded(.down) / 100, digits: 4) + "%" }
    return "> 99.99%"
  }

  var tone: Tone { isRegression ? .bad : .good }
}

extension HistoryAnalysis.MachineDifference {
  /// A sentence without its full stop.
  package var words: String {
    "\(slower) takes \(Format.percent(change)) longer than \(faster), more than the nights of either move"
      + " (\(Format.plural(nights, "night")))"
  }
}

extension HistoryAnalysis {
  /// The benchmark's main figure: the median frame if it has one.
  package func mainTrend(of id: BenchmarkID) -> Trend? { trend(id, "frameNanoseconds.p50") ?? trends(of: id).first }

  /// `a1b2c3d..e4f5a6b`; nil if they are unknown.
  func commits(of finding: Finding, digits: Int = 7) -> String? {
    commitRange(of: finding).map { "\($0.good.prefix(digits))..\($0.bad.prefix(digits))" }
  }

  /// A change point that was withdrawn: figure, change and night, without the benchmark.
  func text(_ withdrawal: Withdrawal) -> String {
    let announcement = withdrawal.announcement
    let metric = announcement.metric
    let unit =
      trend(announcement.id, metric)?.kind.unit
      ?? Metric.named(FigureName(metric)?.metric ?? metric, declared: nil).unit
    let (before, after) = (announcement.before, announcement.after)
    let change = " \(FigureText.change(before, after, unit)) (\(unit.text(before)) to \(unit.text(after)))"
    return "\(FigureText.name(metric))\(change) from the night of \(announcement.startedAt.prefix(10)) on"
  }
}

/// News of each benchmark, of the newest night and of the last weeks; gathered once for all pages.
struct BenchmarkStates: Sendable {
  private let analysis: HistoryAnalysis
  private let failed: Set<BenchmarkID>
  private let missing: Set<BenchmarkID>
  private let behaviorChanged: Set<BenchmarkID>
  /// The newest first.
  private let recent: [BenchmarkID: [HistoryAnalysis.Finding]]
  let risenCounts: [BenchmarkID: [Trend]]
  let withdrawals: [BenchmarkID: [HistoryAnalysis.Withdrawal]]
  /// Between the machines of a class, by the name of the trend.
  let spreads: [String: ClosedRange<Double>]

  init(_ analysis: HistoryAnalysis) {
    self.analysis = analysis
    failed = Set((analysis.nights.last?.failures ?? []).map(\.id))
    missing = Set(analysis.missing)
    behaviorChanged = Set(analysis.behaviorChanged)
    recent = Dictionary(grouping: analysis.recentFindings, by: \.trend.id)
    risenCounts = Dictionary(grouping: analysis.risenCounts, by: \.id)
    withdrawals = Dictionary(grouping: analysis.withdrawals, by: \.announcement.id)
    spreads = analysis.newestSpreads
  }

  /// A benchmark's state in a few words, the worst one.
  struct State {
    /// Plain.
    var text: String
    /// Nil if it is neither bad nor good.
    var tone: Tone?
    /// The change of the level that the words are about; nil if they are about none.
    var change: Finding?
    typealias Finding = HistoryAnalysis.Finding

    /// Order of the tones in a list: bad, good, neither.
    var rank: Int { tone == .bad ? 0 : tone == .good ? 1 : 2 }
    /// Of the change; a state that is bad without one comes first.
    var size: Double {
      guard let shift = change?.shift else { return tone == nil ? 0 : .infinity }
      return shift.relativeChange.map(abs) ?? .infinity
    }
  }

  /// - Parameter trend: The benchmark's main figure.
  func state(of trend: Trend) -> State {
    let nights = analysis.nights
    if failed.contains(trend.id) { return State(text: "failed", tone: .bad) }
    if missing.contains(trend.id) { return State(text: "missing", tone: .bad) }
    guard analysis.isCurrent(trend) else {
      return State(text: "not measured since \(trend.nights.last.map { nights[$0].day } ?? "ever")")
    }
    if behaviorChanged.contains(trend.id) { return State(text: "behavior changed", tone: .bad) }
    // The newest regression, first of the main figure; else the newest improvement.
    let recent = recent[trend.id] ?? []
    let ofMain = recent.filter { $0.trend.metric == trend.metric }
    let bad = ofMain.first(where: \.shift.isRegression) ?? recent.first(where: \.shift.isRegression)
    if bad == nil, let risen = risenCounts[trend.id]?.first {
      let words = risen.words(before: risen.values.dropLast().max() ?? 0, isWorse: true)
      return State(text: "\(words) since \(nights[nights.count - 1].day)", tone: .bad)
    }
    guard let news = bad ?? ofMain.first ?? recent.first else { return State(text: "steady") }
    let isBad = news.shift.isRegression
    let day = nights[news.trend.nights[news.shift.position]].day
    let words = news.trend.words(before: news.shift.before, isWorse: isBad)
    return State(text: "\(words) since \(day)", tone: isBad ? .bad : .good, change: news)
  }
}

extension TableColumn<HistoryAnalysis.Finding> {
  static var figure: TableColumn { .left("figure") { .text($0.trend.title) } }
  static var before: TableColumn { .right("before") { .text($0.trend.unit.text($0.shift.before)) } }
  static var after: TableColumn { .right("after") { .text($0.trend.unit.text($0.shift.after)) } }
  static var change: TableColumn { .right("change") { .strong($0.trend.text($0.shift), $0.shift.tone) } }
  static var confidence: TableColumn { .right("confidence") { .text($0.shift.confidenceText) } }
}

extension TableColumn<Trend> {
  static var level: TableColumn { .right("level") { .text($0.unit.text($0.currentLevel ?? 0)) } }

  static func sinceYesterday(_ analysis: HistoryAnalysis) -> TableColumn {
    .right("since yesterday") { analysis.isCurrent($0) ? $0.text($0.sinceYesterday) : "" }
  }
  static func sinceLastWeek(_ analysis: HistoryAnalysis) -> TableColumn {
    .right("since a week ago") { analysis.isCurrent($0) ? $0.text($0.sinceLastWeek(days: analysis.days)) : "" }
  }
}
