import Judging
import Measurements
import TextFormat

/// A change point that was withdrawn, in a line.
struct WithdrawalText {
  /// Begins with the benchmark.
  let line: RichText
  /// Without the benchmark.
  let shortLine: RichText

  init(_ analysis: HistoryAnalysis, _ withdrawal: HistoryAnalysis.Withdrawal) {
    let announcement = withdrawal.announcement
    let metric = announcement.metric
    let unit =
      analysis.trend(announcement.id, metric)?.kind.unit
      ?? Metric.named(FigureName(metric)?.metric ?? metric, declared: nil).unit
    let quantity = FigureText.Quantity(unit)
    let (before, after) = (announcement.before, announcement.after)
    let change =
      " \(FigureText.change(before, after, quantity)) (\(quantity.text(before)) to \(quantity.text(after)))"
    let text = "\(FigureText.name(metric))\(change) from the night of \(announcement.startedAt.prefix(10)) on"
    line = "\(code: announcement.id), \(text)"
    shortLine = "\(text), withdrawn on \(analysis.nights[withdrawal.night].day)"
  }
}
