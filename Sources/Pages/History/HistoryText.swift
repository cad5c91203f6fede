import FrameBench
import Judging
import Measurements
import TextFormat

// Figures of a history in words and as columns of tables.

extension Trend.Shift {
  /// `99.97%`, `> 99.99%`: never rounded up to certainty.
  var confidenceText: String {
    guard pValue < 0.000_1 else {
      return Format.significant((confidence * 1e4).rounded(.down) / 100, digits: 4) + "%"
    }
    return "> 99.99%"
  }

  var tone: Tone { isRegression ? .bad : .good }
}

extension HistoryAnalysis {
  /// The benchmark's main figure: the median frame if it has one.
  package func mainTrend(of id: BenchmarkID) -> Trend? {
    trend(id, "frameNanoseconds.p50") ?? trends(of: id).first
  }

  func isCurrent(_ trend: Trend) -> Bool { trend.nights.last == nights.count - 1 }

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
    let quantity = FigureText.Quantity(unit)
    let (before, after) = (announcement.before, announcement.after)
    let change =
      " \(FigureText.change(before, after, quantity)) (\(quantity.text(before)) to \(quantity.text(after)))"
    return "\(FigureText.name(metric))\(change) from the night of \(announcement.startedAt.prefix(10)) on"
  }
}

extension TableColumn<HistoryAnalysis.Finding> {
  static var figure: TableColumn { .left("figure") { .text($0.trend.title) } }
  static var before: TableColumn {
    .right("before") { .text($0.trend.quantity.text($0.shift.before)) }
  }
  static var after: TableColumn { .right("after") { .text($0.trend.quantity.text($0.shift.after)) } }
  static var change: TableColumn { .right("change") { .text($0.trend.text($0.shift)) } }
  static var judgedChange: TableColumn {
    .right("change") { .strong($0.trend.text($0.shift), $0.shift.tone) }
  }
  static var confidence: TableColumn { .right("confidence") { .text($0.shift.confidenceText) } }

  static func since(_ analysis: HistoryAnalysis) -> TableColumn {
    .left("since") { .text(analysis.dayText(of: $0)) }
  }
  static func commits(_ analysis: HistoryAnalysis) -> TableColumn {
    .left("commits") { analysis.commits(of: $0).map(RichText.code) ?? "" }
  }
}

extension TableColumn<Trend> {
  static var level: TableColumn { .right("level") { .text($0.quantity.text($0.currentLevel ?? 0)) } }

  static func sinceYesterday(_ analysis: HistoryAnalysis) -> TableColumn {
    .right("since yesterday") { analysis.isCurrent($0) ? $0.text($0.sinceYesterday) : "" }
  }
  static func sinceLastWeek(_ analysis: HistoryAnalysis) -> TableColumn {
    .right("since a week ago") {
      analysis.isCurrent($0) ? $0.text($0.sinceLastWeek(days: analysis.days)) : ""
    }
  }
}
