import FrameBench
import Judging
import TextFormat

/// Trends of one machine for a terminal: one line per benchmark, with its change points below.
package struct HistoryTable: Sendable {
  private let analysis: HistoryAnalysis
  private let usesColor: Bool
  private let width = 80
  /// Change points of a trend that are written out; the marks below the line show all.
  private static let shownShifts = 3

  /// - Parameter usesColor: Whether escape sequences make regressions red and improvements green.
  package init(_ analysis: HistoryAnalysis, usesColor: Bool) {
    self.analysis = analysis
    self.usesColor = usesColor
  }

  /// The main figure of every benchmark, and its allocations where it has any, or had.
  package func overview() -> String {
    let trends = analysis.benchmarks.flatMap { id in
      [analysis.mainTrend(of: id)].compactMap(\.self)
        + analysis.trends(of: id).filter { $0.metric == Self.allocations && $0.values.contains { $0 != 0 } }
    }
    let counted = analysis.trends.filter { $0.metric == Self.allocations }
    let silent = counted.count { $0.values.allSatisfy { $0 == 0 } }
    let rest =
      silent == 0
      ? ""
      : silent == counted.count
        ? "no benchmark allocates in its frames\n"
        : "\(Format.plural(silent, "benchmark")) never allocated in a frame\n"
    return render(trends) { $0.metric == Self.allocations ? "  allocations a frame" : $0.id.description }
      + rest
  }

  private static let allocations = "allocationCount.mean"

  /// All figures of one benchmark.
  package func page(of id: BenchmarkID) -> String {
    render(analysis.trends(of: id)) { FigureText.name($0.metric) }
  }

  private func render(_ trends: [Trend], _ name: (Trend) -> String) -> String {
    let names = trends.map { Self.shortened(name($0), to: 30) }
    let nameWidth = names.map(\.count).max() ?? 0
    let heading =
      "\(Self.shortened(analysis.nights.last?.suite ?? "", to: 20)) on "
      + "\(Self.shortened(analysis.nights.last?.environment.machine ?? "", to: 24)), "
      + "\(Format.plural(analysis.nights.count, "night"))"
    let rows = zip(names, trends).flatMap { lines(of: $1, name: $0, nameWidth: nameWidth) }
    return ([heading] + rows).map { $0 + "\n" }.joined()
  }

  private func lines(of trend: Trend, name: String, nameWidth: Int) -> [String] {
    let level = FigureText.Quantity(trend.kind.unit).text(trend.currentLevel ?? 0)
    let change = weekText(trend)
    let line = TrendLine(trend, width: width - nameWidth - 4 - 10 - 9)
    let padded = Self.padded(name, nameWidth) + "  "
    let isGone = trend.nights.last != analysis.nights.count - 1
    let first =
      padded + line.bars + "  " + Self.left(level, 9) + " " + (isGone ? Self.left("gone", 8) : change)
    guard line.hasMarks else { return [first] }
    let marks =
      String(repeating: " ", count: nameWidth + 2) + line.marks.reversed().drop { $0 == " " }.reversed()
    let shifts = trend.shifts.filter(trend.isReported).suffix(Self.shownShifts).map { text(of: $0, trend) }
    return [first, marks] + shifts.map { "    " + $0 }
  }

  private func weekText(_ trend: Trend) -> String {
    guard let move = trend.sinceLastWeek(days: analysis.days) else { return Self.left("", 8) }
    let text = FigureText.change(move.before, move.after, FigureText.Quantity(trend.kind.unit))
    let cell = Self.left(text, 8)
    guard move.isBeyondNoise else { return cell }
    return colored(cell, isBad: move.isRegression)
  }

  private func text(of shift: Trend.Shift, _ trend: Trend) -> String {
    let quantity = FigureText.Quantity(trend.kind.unit)
    let finding = HistoryAnalysis.Finding(trend: trend, shift: shift)
    let change = FigureText.change(shift.before, shift.after, quantity)
    let range = analysis.commitRange(of: finding).map { " \($0.good.prefix(7))..\($0.bad.prefix(7))" } ?? ""
    return colored(
      "\(change) on \(analysis.dayText(of: finding))\(range), \(shift.confidenceText) sure",
      isBad: shift.isRegression)
  }

  private func colored(_ text: String, isBad: Bool) -> String {
    usesColor ? "\u{1B}[\(isBad ? 31 : 32)m\(text)\u{1B}[0m" : text
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private static func left(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  private static func shortened(_ text: String, to width: Int) -> String {
    guard text.count > width else { return text }
    return String(text.prefix(width / 2)) + "…" + String(text.suffix(width - width / 2 - 1))
  }
}

extension HistoryAnalysis {
  /// The figure that stands for a benchmark: the median frame, where it has one.
  package func mainTrend(of id: BenchmarkID) -> Trend? {
    trend(id, "frameNanoseconds.p50") ?? trends(of: id).first
  }
}
