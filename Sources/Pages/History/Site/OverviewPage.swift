import FrameBench
import Judging
import TextFormat

/// The first page: what is red, what moved, and one line per benchmark.
struct OverviewPage {
  private let parts: [PlacedPart]

  private static let listedMoves = 40
  private static let sparkNights = 120

  init(_ parts: [PlacedPart]) { self.parts = parts }

  func render() -> String {
    let links = parts.map { SitePage.Link("\($0.part.name): the newest night", $0.report) }
    let body =
      parts.isEmpty
      ? [.paragraph(.strong("There are no nights yet: \(code: "springbench nightly") records one."))]
      : parts.flatMap(section)
    let title = "Frame costs, night by night"
    return SitePage(
      title: title, links: links, [.heading(level: 1, "\(title)")] + body,
      figures: parts.map(sparklines).reduce([:]) { $0.merging($1) { first, _ in first } }
    ).render()
  }

  private func section(_ placed: PlacedPart) -> [Block] {
    let analysis = placed.part.analysis
    guard let night = analysis.nights.last else { return [] }
    let verdict = NightVerdict(analysis)
    let commit: RichText = night.shortCommit.map { ", commit \(code: $0)" } ?? ""
    let nights = Format.plural(analysis.nights.count, "night")
    return [.heading(level: 2, "\(placed.part.name)")]
      + verdict.sentences.map { .paragraph(.strong($0, verdict.tone)) }
      + [
        .paragraph(
          "The newest of \(nights) began \(night.startedAt)\(commit): \("its report", link: placed.report).")
      ] + failures(night, analysis) + [.heading(level: 3, "What moved")] + moved(placed)
      + [.heading(level: 3, "Benchmarks"), benchmarks(placed)]
  }

  private func failures(_ night: Night, _ analysis: HistoryAnalysis) -> [Block] {
    var lines: [RichText] = night.failures.map { "\(code: $0.id) failed: \($0.reason)" }
    lines += analysis.missing.map { "\(code: $0) is missing" }
    lines += analysis.behaviorChanged.map { "\(code: $0) behaves otherwise than before" }
    lines += analysis.environmentChanges.map { "other environment: \($0)" }
    lines += analysis.newestWithdrawals.map { "withdrawn: \(WithdrawalText(analysis, $0).line)" }
    return lines.isEmpty ? [] : [.list(lines)]
  }

  // MARK: What moved

  private func moved(_ placed: PlacedPart) -> [Block] {
    let analysis = placed.part.analysis
    let findings = analysis.recentFindings
    guard !findings.isEmpty else {
      return [.paragraph("No level changed in the last \(HistoryAnalysis.newsDays) days.")]
    }
    var table = Table([
      ("benchmark", .left), ("change", .right), ("figure", .left), ("since", .left), ("commits", .left),
      ("confidence", .right),
    ])
    for finding in findings.prefix(Self.listedMoves) {
      let name = RichText(finding.trend.id.description)
      table.append([
        placed.path(of: finding.trend.id).map { "\(name, link: $0)" } ?? name,
        .change(finding.shift, FigureText.Quantity(finding.trend.kind.unit)),
        .text(FigureText.name(finding.trend.metric)), .text(analysis.dayText(of: finding)),
        .commits(analysis.commitRange(of: finding)), .text(finding.shift.confidenceText),
      ])
    }
    let left = findings.count - Self.listedMoves
    return [.table(table)]
      + (left > 0 ? [.paragraph("And \(left) more, on the pages of the benchmarks.")] : [])
  }

  // MARK: Benchmarks

  private func benchmarks(_ placed: PlacedPart) -> Block {
    var table = Table([
      ("benchmark", .left), ("state", .left), ("level", .right), ("since yesterday", .right),
      ("since a week ago", .right), ("last \(Self.sparkNights) nights", .left),
    ])
    table.isFilterable = true
    for (id, path) in placed.pages {
      guard let trend = placed.part.analysis.mainTrend(of: id) else { continue }
      let analysis = placed.part.analysis
      let quantity = FigureText.Quantity(trend.kind.unit)
      let isCurrent = trend.nights.last == analysis.nights.count - 1
      table.append([
        "\("\(id)", link: path)", BenchmarkState(id, trend, analysis).richText,
        .text(quantity.text(trend.currentLevel ?? 0)),
        isCurrent ? .change(trend.sinceYesterday, quantity) : "",
        isCurrent ? .change(trend.sinceLastWeek(days: analysis.days), quantity) : "",
        RichText([.image(alternative: "", source: path)]),
      ])
    }
    return .table(table)
  }

  /// By the path of the benchmark's page.
  private func sparklines(_ placed: PlacedPart) -> [String: String] {
    let drawn = placed.pages.compactMap { id, path in
      placed.part.analysis.mainTrend(of: id).map { trend in
        let first = max(0, trend.values.count - Self.sparkNights)
        let reported = trend.shifts.filter(trend.isReported)
        let sparkline = SparklineSVG.render(
          Array(trend.values[first...]),
          regressions: reported.filter(\.isRegression).map { $0.position - first },
          improvements: reported.filter { !$0.isRegression }.map { $0.position - first })
        return (path, sparkline)
      }
    }
    return Dictionary(uniqueKeysWithValues: drawn)
  }
}
