import FrameBench
import FrameReport
import TextFormat

/// The first page: what is red, what moved, and a line a benchmark.
struct OverviewPage {
  private let parts: [PlacedPart]

  private static let listedMoves = 40
  private static let sparkNights = 120

  init(_ parts: [PlacedPart]) { self.parts = parts }

  func render() -> String {
    let links = parts.map { SitePage.Link("\($0.part.name): the newest night", $0.report) }
    let body =
      parts.isEmpty
      ? "<p class=\"lead\">There is no night yet: <code>springbench nightly</code> makes one.</p>"
      : parts.flatMap(section).joined(separator: "\n")
    let title = "Frame costs, night by night"
    return SitePage(title: title, links: links, body: "<h1>\(title)</h1>\n\(body)").render()
  }

  private func section(_ placed: PlacedPart) -> [String] {
    let analysis = placed.part.analysis
    guard let night = analysis.nights.last else { return [] }
    let verdict = NightVerdict(analysis)
    let words = verdict.sentences.map(SitePage.escape).joined(separator: "<br>")
    let commit = night.shortCommit.map { ", commit <code>\(SitePage.escape($0))</code>" } ?? ""
    return [
      "<h2>\(SitePage.escape(placed.part.name))</h2>",
      "<p class=\"lead \(verdict.isRed ? "bad" : "good")\"><strong>\(words)</strong></p>",
      "<p>The newest of \(Format.plural(analysis.nights.count, "night")) began \(SitePage.escape(night.startedAt))\(commit): "
        + HTMLCell.link("its report", placed.report) + ".</p>",
      failures(night, analysis), "<h3>What moved</h3>", moved(placed), "<h3>Benchmarks</h3>",
      benchmarks(placed),
    ]
  }

  private func failures(_ night: Night, _ analysis: HistoryAnalysis) -> String {
    let lines =
      night.failures.map {
        "<code>\(SitePage.escape($0.id.description))</code> failed: \(SitePage.escape($0.reason))"
      }
      + analysis.missing.map { "<code>\(SitePage.escape($0.description))</code> is missing" }
      + analysis.behaviorChanged.map {
        "<code>\(SitePage.escape($0.description))</code> behaves otherwise than before"
      } + analysis.environmentChanges.map { "other environment: \(SitePage.escape($0))" }
    return lines.isEmpty ? "" : "<ul>\(lines.map { "<li>\($0)</li>" }.joined())</ul>"
  }

  // MARK: What moved

  private func moved(_ placed: PlacedPart) -> String {
    let analysis = placed.part.analysis
    let since = (analysis.days.last ?? 0) - BenchmarkState.newsDays
    let findings = analysis.trends.flatMap { trend in
      trend.shifts.filter { trend.isReported($0) && analysis.days[trend.nights[$0.position]] > since }
        .map { HistoryAnalysis.Finding(trend: trend, shift: $0) }
    }.sorted { night($0) > night($1) }
    guard !findings.isEmpty else {
      return "<p>No level changed in the last \(BenchmarkState.newsDays) days.</p>"
    }
    var table = HTMLTable([
      .init(title: "benchmark"), .init(title: "change", isNumber: true), .init(title: "figure"),
      .init(title: "since"), .init(title: "commits"), .init(title: "confidence", isNumber: true),
    ])
    for finding in findings.prefix(Self.listedMoves) {
      let name = finding.trend.id.description
      table.append([
        placed.path(of: finding.trend.id).map { HTMLCell.link(name, $0) } ?? SitePage.escape(name),
        HTMLCell.change(finding.shift, FigureText.Quantity(finding.trend.kind.unit)),
        SitePage.escape(FigureText.name(finding.trend.metric)),
        SitePage.escape(analysis.nights[night(finding)].day),
        HTMLCell.commits(analysis.commitRange(of: finding)), SitePage.escape(finding.shift.confidenceText),
      ])
    }
    let left = findings.count - Self.listedMoves
    return table.render() + (left > 0 ? "<p>And \(left) more, on the pages of the benchmarks.</p>" : "")
  }

  private func night(_ finding: HistoryAnalysis.Finding) -> Int {
    finding.trend.nights[finding.shift.position]
  }

  // MARK: Benchmarks

  private func benchmarks(_ placed: PlacedPart) -> String {
    var table = HTMLTable(
      [
        .init(title: "benchmark"), .init(title: "state"), .init(title: "level", isNumber: true),
        .init(title: "since yesterday", isNumber: true),
        .init(title: "since a week ago", isNumber: true),
        .init(title: "last \(Self.sparkNights) nights", className: "spark-cell"),
      ], hasFilter: true)
    for (id, path) in placed.pages {
      guard let trend = placed.part.analysis.mainTrend(of: id) else { continue }
      let analysis = placed.part.analysis
      let quantity = FigureText.Quantity(trend.kind.unit)
      let first = max(0, trend.values.count - Self.sparkNights)
      let isCurrent = trend.nights.last == analysis.nights.count - 1
      let reported = trend.shifts.filter(trend.isReported)
      table.append([
        HTMLCell.link(id.description, path),
        BenchmarkState(id, trend, analysis).html, SitePage.escape(quantity.text(trend.currentLevel ?? 0)),
        isCurrent ? HTMLCell.change(trend.sinceYesterday, quantity) : "",
        isCurrent ? HTMLCell.change(trend.sinceLastWeek(days: analysis.days), quantity) : "",
        SparklineSVG.render(
          Array(trend.values[first...]),
          regressions: reported.filter(\.isRegression).map { $0.position - first },
          improvements: reported.filter { !$0.isRegression }.map { $0.position - first }),
      ])
    }
    return table.render()
  }
}
