import FrameBench
import Judging
import Statistics
import TextFormat

/// One benchmark: charts of its figures over the nights, its change points, and all its figures as a table.
struct BenchmarkPage {
  private let placed: PlacedPart
  private let id: BenchmarkID
  private let path: String
  private let budget: (BenchmarkID, String) -> Site.Budget?
  private let trends: [Trend]

  init(
    _ placed: PlacedPart, id: BenchmarkID, path: String,
    budget: @escaping (BenchmarkID, String) -> Site.Budget?
  ) {
    self.placed = placed
    self.id = id
    self.path = path
    self.budget = budget
    trends = placed.part.analysis.trends(of: id)
  }

  private var analysis: HistoryAnalysis { placed.part.analysis }

  func render() -> String {
    let charts = charted.enumerated().map { index, trend in
      (id: "chart-\(index)", html: chart(trend).figure(id: "chart-\(index)"))
    }
    let blocks =
      [.heading(level: 1, "\(id)")] + lead + changes + withdrawals + [.heading(level: 2, "Over the nights")]
      + charts.map { .paragraph(RichText([.image(alternative: "", source: $0.id)])) }
      + [.heading(level: 2, "All figures"), figures] + environments
    return SitePage(
      title: "\(id), \(placed.part.name)", links: placed.links(from: path), blocks,
      figures: Dictionary(uniqueKeysWithValues: charts.map { ($0.id, $0.html) })
    ).render()
  }

  private var lead: [Block] {
    guard let trend = analysis.mainTrend(of: id) else { return [] }
    let level = FigureText.Quantity(trend.kind.unit).text(trend.currentLevel ?? 0)
    let name = FigureText.name(trend.metric)
    let state = BenchmarkState(id, trend, analysis)
    let sentence =
      "\(name.prefix(1).uppercased() + name.dropFirst()): \(level) on \(placed.part.machine), \(state.text)."
    return [.paragraph(.strong(sentence, state.tone))]
  }

  // MARK: Charts

  /// The whole frame always; of the others those that ever moved.
  private var charted: [Trend] {
    let always = ["frameNanoseconds.p50", "frameNanoseconds.p99"]
    let risen = analysis.risenCounts.filter { $0.id == id }.map(\.metric)
    return trends.filter { trend in
      always.contains(trend.metric) || trend.shifts.contains(where: trend.isReported)
        || budget(id, trend.metric) != nil || risen.contains(trend.metric)
    }
  }

  private func chart(_ trend: Trend) -> HistoryChart {
    let first = max(0, trend.values.count - Site.shownNights)
    let shifts = trend.shifts.filter { trend.isReported($0) && $0.position > first }
    let levels = Self.levels(trend)
    let nights = (first..<trend.values.count).map { position in
      HistoryChart.Night(
        day: analysis.nights[trend.nights[position]].day, label: label(trend, position),
        value: trend.values[position], level: levels[position])
    }
    let shown = first > 0 ? ", the last \(Format.integer(Site.shownNights)) nights" : ""
    let name = FigureText.name(trend.metric)
    let description =
      "\(name) of \(id) over \(Format.plural(nights.count, "night")): "
      + (shifts.isEmpty
        ? "no change points." : "\(Format.plural(shifts.count, "change point")), listed in the table.")
    return HistoryChart(
      title: name.prefix(1).uppercased() + name.dropFirst() + shown, description: description,
      quantity: FigureText.Quantity(trend.kind.unit), nights: nights,
      regressions: shifts.filter(\.isRegression).map { $0.position - first },
      improvements: shifts.filter { !$0.isRegression }.map { $0.position - first },
      breaks: trend.segmentStarts.filter { $0 > first }.map { $0 - first },
      budget: budget(id, trend.metric).map { HistoryChart.Budget(value: $0.value, text: $0.text) })
  }

  private func label(_ trend: Trend, _ position: Int) -> String {
    let night = analysis.nights[trend.nights[position]]
    var parts = [night.day, night.shortCommit ?? "no commit"]
    if night.environment.isDirty == true { parts[1] += "+" }
    for shift in trend.shifts where shift.position == position && trend.isReported(shift) {
      parts.append(FigureText.change(shift.before, shift.after, FigureText.Quantity(trend.kind.unit)))
    }
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
    var table = Table([
      ("figure", .left), ("since", .left), ("before", .right), ("after", .right), ("change", .right),
      ("commits", .left), ("confidence", .right),
    ])
    for finding in all {
      let quantity = FigureText.Quantity(finding.trend.kind.unit)
      table.append([
        .text(FigureText.name(finding.trend.metric)),
        .text(analysis.dayText(of: finding)),
        .text(quantity.text(finding.shift.before)), .text(quantity.text(finding.shift.after)),
        .change(finding.shift, quantity), .commits(analysis.commitRange(of: finding)),
        .text(finding.shift.confidenceText),
      ])
    }
    return [.heading(level: 2, "Change points"), .table(table)]
  }

  private var withdrawals: [Block] {
    let lines = analysis.withdrawals.filter { $0.announcement.id == id }.map {
      WithdrawalText(analysis, $0).shortLine
    }
    guard !lines.isEmpty else { return [] }
    return [
      .heading(level: 2, "Withdrawn"), .paragraph("These were reported, and contradicted by later nights."),
      .list(lines),
    ]
  }

  private var figures: Block {
    var table = Table([
      ("figure", .left), ("level", .right), ("newest night", .right), ("since yesterday", .right),
      ("since a week ago", .right), ("budget", .right),
    ])
    for trend in trends {
      let quantity = FigureText.Quantity(trend.kind.unit)
      let isCurrent = trend.nights.last == analysis.nights.count - 1
      table.append([
        .text(FigureText.name(trend.metric)), .text(quantity.text(trend.currentLevel ?? 0)),
        .text(isCurrent ? trend.values.last.map(quantity.text) ?? "" : Format.absent),
        isCurrent ? .change(trend.sinceYesterday, quantity) : "",
        isCurrent ? .change(trend.sinceLastWeek(days: analysis.days), quantity) : "",
        .text(budget(id, trend.metric).map { quantity.text($0.value) } ?? ""),
      ])
    }
    return .table(table)
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
