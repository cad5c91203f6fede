import FrameBench
import Judging
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
        ? "no benchmark allocates in its frames"
        : "\(Format.plural(silent, "benchmark")) never allocated in a frame"
    return render(trends, caption: rest) {
      $0.metric == Self.allocations ? "  allocations a frame" : $0.id.description
    }
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
        .left("") { .text($0.0) },
        .left("") { RichText([.sparkline(sparkline($0.1, width: sparkWidth))]) },
        .right("") { .text($0.1.quantity.text($0.1.currentLevel ?? 0)) },
        .right("") { _, trend in
          analysis.isCurrent(trend) ? trend.text(trend.sinceLastWeek(days: analysis.days)) : "gone"
        },
      ])
    table.title = "\(heading)"
    table.caption = caption
    for (row, trend) in trends.enumerated() {
      let shifts = trend.shifts.filter(trend.isReported).suffix(Self.shownShifts)
      table.notes[row] = shifts.map { shift in
        let finding = HistoryAnalysis.Finding(trend: trend, shift: shift)
        let commits = analysis.commits(of: finding).map { " \($0)" } ?? ""
        return .strong(
          "\(trend.text(shift)) on \(analysis.dayText(of: finding))\(commits), \(shift.confidenceText) sure",
          shift.tone)
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
      + trend.shifts.filter(trend.isReported).map { (position: $0.position, mark: Character("^")) }
    return Sparkline(trend: trend.values, width: width, marks: marks)
  }

  private static func shortened(_ text: String, to width: Int) -> String {
    guard text.count > width else { return text }
    return String(text.prefix(width / 2)) + "…" + String(text.suffix(width - width / 2 - 1))
  }
}
