import FrameBench
import Judging
import Statistics
import TextFormat

/// One benchmark: charts of its figures over the nights, its change points, and all its figures as a table.
struct BenchmarkPage {
  private let part: Site.Part
  private let id: BenchmarkID
  private let budget: (BenchmarkID, String) -> Site.Budget?
  private let trends: [Trend]

  init(_ part: Site.Part, id: BenchmarkID, budget: @escaping (BenchmarkID, String) -> Site.Budget?) {
    self.part = part
    self.id = id
    self.budget = budget
    trends = part.analysis.trends(of: id)
  }

  private var analysis: HistoryAnalysis { part.analysis }

  func render(path: String) -> String {
    let charts = charted.enumerated().map { ("chart-\($0.offset)", chart($0.element)) }
    let blocks =
      [.heading(level: 1, "\(id)")] + lead + changes + withdrawals + [.heading(level: 2, "Over the nights")]
      + charts.map { .paragraph(RichText([.image(alternative: "", source: $0.0)])) }
      + [.heading(level: 2, "All figures"), figures] + environments
    return HTMLPage(
      title: "\(id), \(part.name)", blocks,
      figures: Dictionary(uniqueKeysWithValues: charts.map { ($0.0, $0.1.figure(id: $0.0)) }),
      links: part.links(from: path)
    ).render()
  }

  private var lead: [Block] {
    guard let trend = analysis.mainTrend(of: id) else { return [] }
    let level = trend.quantity.text(trend.currentLevel ?? 0)
    let state = analysis.state(of: trend)
    let sentence = "\(Self.capitalized(trend.title)): \(level) on \(part.machine), \(state.text)."
    return [.paragraph(.strong(sentence, state.tone))]
  }

  private static func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

  // MARK: Charts

  /// Always the whole frame; other figures only if they ever moved.
  private var charted: [Trend] {
    let always = ["frameNanoseconds.p50", "frameNanoseconds.p99"]
    let risen = analysis.risenCounts.filter { $0.id == id }.map(\.metric)
    return trends.filter { trend in
      always.contains(trend.metric) || trend.shifts.contains(where: trend.isReported)
        || budget(id, trend.metric) != nil || risen.contains(trend.metric)
    }
  }

  /// Maximum number of nights in a chart.
  private static let shownNights = 730

  private func chart(_ trend: Trend) -> HistoryChart {
    let first = max(0, trend.values.count - Self.shownNights)
    let shifts = trend.shifts.filter { trend.isReported($0) && $0.position > first }
    let levels = Self.levels(trend)
    let nights = (first..<trend.values.count).map { position in
      HistoryChart.Night(
        day: analysis.nights[trend.nights[position]].day, label: label(trend, position),
        value: trend.values[position], level: levels[position])
    }
    let shown = first > 0 ? ", the last \(Format.integer(Self.shownNights)) nights" : ""
    let count = shifts.isEmpty ? "no change points" : Format.plural(shifts.count, "change point")
    return HistoryChart(
      title: Self.capitalized(trend.title) + shown,
      description: "\(trend.title) of \(id) over \(Format.plural(nights.count, "night")): \(count)"
        + (shifts.isEmpty ? "." : ", listed in the table."),
      quantity: trend.quantity, nights: nights,
      regressions: shifts.filter(\.isRegression).map { $0.position - first },
      improvements: shifts.filter { !$0.isRegression }.map { $0.position - first },
      breaks: trend.segmentStarts.filter { $0 > first }.map { $0 - first },
      budget: budget(id, trend.metric))
  }

  private func label(_ trend: Trend, _ position: Int) -> String {
    let night = analysis.nights[trend.nights[position]]
    var parts = [night.day, night.shortCommit ?? "no commit"]
    if night.environment.isDirty == true { parts[1] += "+" }
    parts += trend.shifts.filter { $0.position == position && trend.isReported($0) }.map(trend.text)
    if trend.segmentStarts.contains(position) {
      let before = analysis.nights[trend.nights[position - 1]]
      parts += before.environmentKey.changes(to: night.environmentKey)
    }
    return parts.joined(separator: ", ")
  }

  /// The median of the level that each night belongs to.
  private static func levels(_ trend: Trend) -> [Double] {
    let reported = trend.shifts.filter(trend.isReported).flatMap { [$0.position, $0.levelPosition] }
    let starts = Set(reported + trend.segmentStarts + [0]).sorted()
    return zip(starts, starts.dropFirst() + [trend.values.count]).flatMap { start, end in
      let median = Quantile.type7(sorted: trend.values[start..<end].sorted(), at: 0.5)
      return [Double](repeating: median, count: end - start)
    }
  }

  // MARK: Tables

  private var changes: [Block] {
    let all = trends.flatMap { trend in
      trend.shifts.filter(trend.isReported).map { HistoryAnalysis.Finding(trend: trend, shift: $0) }
    }.sorted { $0.trend.nights[$0.shift.position] > $1.trend.nights[$1.shift.position] }
    guard !all.isEmpty else {
      return [.paragraph("No change points in \(Format.plural(analysis.nights.count, "night")).")]
    }
    let table = Table(
      all,
      [.figure, .since(analysis), .before, .after, .judgedChange, .commits(analysis), .confidence])
    return [.heading(level: 2, "Change points"), .table(table)]
  }

  private var withdrawals: [Block] {
    let own = analysis.withdrawals.filter { $0.announcement.id == id }
    guard !own.isEmpty else { return [] }
    return [
      .heading(level: 2, "Withdrawn"), .paragraph("These were reported, and contradicted by later nights."),
      .list(own.map { "\(analysis.text($0)), withdrawn on \(analysis.nights[$0.night].day)" }),
    ]
  }

  private var figures: Block {
    .table(
      Table(
        trends,
        [
          .left("figure") { .text($0.title) }, .level,
          .right("newest night") { trend in
            guard analysis.isCurrent(trend) else { return .text(Format.absent) }
            return .text(trend.values.last.map(trend.quantity.text) ?? "")
          },
          .sinceYesterday(analysis), .sinceLastWeek(analysis),
          .right("budget") { trend in
            .text(budget(id, trend.metric).map { trend.quantity.text($0.value) } ?? "")
          },
        ]))
  }

  private var environments: [Block] {
    guard let trend = analysis.mainTrend(of: id), !trend.segmentStarts.isEmpty else { return [] }
    let lines = trend.segmentStarts.reversed().map { start -> RichText in
      let (before, after) = (analysis.nights[trend.nights[start - 1]], analysis.nights[trend.nights[start]])
      let changes = before.environmentKey.changes(to: after.environmentKey).joined(separator: "; ")
      return "\(after.day): \(changes)"
    }
    return [
      .heading(level: 2, "Other environments"), .paragraph("Figures are not compared across these."),
      .list(lines),
    ]
  }
}

extension HistoryAnalysis {
  /// A benchmark's state in a few words, the worst one; without a tone if it is neither bad nor good. Plain
  /// text.
  ///
  /// - Parameter trend: The benchmark's main figure.
  func state(of trend: Trend) -> (text: String, tone: Tone?) {
    if nights.last?.failures.contains(where: { $0.id == trend.id }) == true { return ("failed", .bad) }
    if missing.contains(trend.id) { return ("missing", .bad) }
    guard isCurrent(trend) else {
      return ("not measured since \(trend.nights.last.map { nights[$0].day } ?? "ever")", nil)
    }
    if behaviorChanged.contains(trend.id) { return ("behavior changed", .bad) }
    // The newest regression, first of the main figure; else the newest improvement.
    let recent = recentFindings.filter { $0.trend.id == trend.id }
    let ofMain = recent.filter { $0.trend.metric == trend.metric }
    let bad = ofMain.first(where: \.shift.isRegression) ?? recent.first(where: \.shift.isRegression)
    if bad == nil, let risen = risenCounts.first(where: { $0.id == trend.id }) {
      let words = risen.words(before: risen.values.dropLast().max() ?? 0, isWorse: true)
      return ("\(words) since \(nights[nights.count - 1].day)", .bad)
    }
    guard let news = bad ?? ofMain.first ?? recent.first else { return ("steady", nil) }
    let isBad = news.shift.isRegression
    let day = nights[news.trend.nights[news.shift.position]].day
    return (
      "\(news.trend.words(before: news.shift.before, isWorse: isBad)) since \(day)", isBad ? .bad : .good
    )
  }
}
