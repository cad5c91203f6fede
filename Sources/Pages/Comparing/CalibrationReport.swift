import Judging
import Markup
import TextFormat

extension CalibrationDocument {
  /// The report: a verdict, the table, the picture, and the conditions if they were recorded.
  /// - Parameter picture: The name of the picture's file next to the page. Nil if there is none.
  package func blocks(picture: String? = nil) -> [Block] {
    let shown = picture.map { RichText([.image(alternative: "Share of slow-downs found, by size", source: $0)]) }
    return [.paragraph(verdict), .table(table)] + [shown, circumstances].compactMap(\.self).map(Block.paragraph)
  }

  private var verdict: RichText {
    guard cells.contains(where: { $0.planted == 0 }) else {
      return "Nothing was compared with itself, so this says nothing about false alarms."
    }
    guard let tolerance = suggestedTolerance else { return .strong("Every tolerance raised a false alarm.") }
    let comparisons = cells.filter { $0.planted == 0 && $0.tolerance == tolerance }.reduce(0) { $0 + $1.trialCount }
    // Even with 0 false alarms in 20 comparisons, the 95% interval of their rate extends to 16%.
    guard comparisons >= 20 else {
      return """
        No tolerance is suggested: of \(Format.plural(comparisons, "comparison")) of unchanged code \
        \(Self.interval(0, comparisons)) may be false alarms. Use more --trials, 20 comparisons at least.
        """
    }
    let suggestion = "Suggested tolerance: \(Words.percent(tolerance))"
    return "\(strong: "\(suggestion)"), the smallest without a false alarm here."
  }

  private var table: Table {
    let percent = Words.percent
    return Table(
      cells, .left("Benchmark") { .code($0.id.description) },
      .right("Planted in \(phase)") { $0.planted == 0 ? "nothing" : "\(percent($0.planted))" },
      .right("Measured") { cell in
        cell.trialCount == 0 ? "\(Format.absent)" : "\(percent(cell.changeSum / Double(cell.trialCount)))"
      }, .right("Tolerance") { "\(percent($0.tolerance))" }, .right("Found") { "\($0.foundCount) of \($0.trialCount)" },
      .right("95% interval") { "\(Self.interval($0.foundCount, $0.trialCount))" },
      .right("False alarms") { "\($0.falseAlarmCount) of \($0.trialCount)" },
      .right("Longest") { "\(Format.fixed($0.longestSeconds, decimals: 1)) s" })
  }

  private var circumstances: RichText? {
    guard let conditions else { return nil }
    let loads = conditions.loadAverages.sorted().map { Format.fixed($0, decimals: 1) }
    let load =
      loads.isEmpty ? "load unknown" : "load \(loads[0]) to \(loads[loads.count - 1]), mostly \(loads[loads.count / 2])"
    let command = (["springbench"] + conditions.arguments).joined(separator: " ")
    return """
      \(code: command) on \(conditions.machine) (\(conditions.cpuModel ?? "unknown CPU"), \
      \(Format.plural(conditions.coreCount, "core")), \(load)),\
      \(conditions.layoutCount.map { " \($0) link orders," } ?? "") \(conditions.startedAt), \
      \(Format.fixed(conditions.durationSeconds / 60, decimals: conditions.durationSeconds < 60 ? 1 : 0)) min, seed \(seed).
      """
  }

  /// The 95% interval of `count` ÷ `total`, by Wilson's score method ("Probable Inference", JASA 22, 1927).
  private static func interval(_ count: Int, _ total: Int) -> String {
    guard total > 0 else { return Format.absent }
    let (z, n) = (1.959_964, Double(total))
    let share = Double(count) / n
    let center = share + z * z / (2 * n)
    let half = z * (share * (1 - share) / n + z * z / (4 * n * n)).squareRoot()
    let ends = [center - half, center + half].map { max(0, min(1, $0 / (1 + z * z / n))) }
    return ends.map { Format.fixed($0 * 100, decimals: 0) }.joined(separator: "–") + "%"
  }

  /// A chart as SVG: the percentage of artificial ("planted") slow-downs that were found, by their size. It has a line
  /// for each tolerance. Nil if nothing was planted.
  package func picture() -> String? {
    let byTolerance = Dictionary(grouping: cells.filter { $0.trialCount > 0 }, by: \.tolerance)
    let curves = byTolerance.sorted { $0.key > $1.key }.map { tolerance, cells in
      (name: "tolerance \(Words.percent(tolerance))", points: Self.points(cells))
    }
    guard let largest = curves.flatMap(\.points).map(\.x).max(), largest > 0 else { return nil }
    let ids = Set(cells.map(\.id.description)).sorted()
    let descriptions = curves.map { name, points in
      let parts = points.map { "\(Format.count($0.y.rounded()))% of \(Format.count($0.x))%" }
      return "\(name): found \(Format.list(parts))."
    }
    func percents(to most: Double, title: String) -> Axis {
      let values = NiceNumbers.linear(to: most, steps: 5)
      let ticks = values.map { Axis.Tick(value: $0, label: Format.count($0)) }
      return Axis(.linear, 0...values[values.count - 1], ticks: ticks, title: title)
    }
    let chart = Chart(
      title: "What compare finds: \(Format.list(ids))",
      subtitle: "share of comparisons that reported \(phase) as regressed, against the work planted in it",
      description: descriptions.joined(separator: " "),
      x: percents(to: largest, title: "planted, percent of the phase"), y: percents(to: 100, title: "found, percent"),
      series: curves.enumerated().map { index, curve in
        Chart.Series(
          look: SeriesLook(index: index), name: curve.name, details: [],
          shapes: [.line(curve.points), .markers(curve.points, isFilled: true)],
          end: curve.points[curve.points.count - 1].y)
      })
    return chart.render(id: "calibration", width: 720)
  }

  /// Returns the points of a curve for all benchmarks together: the planted slow-down and the share found, in percent.
  private static func points(_ cells: [CalibrationCell]) -> [Point] {
    Dictionary(grouping: cells, by: \.planted).sorted { $0.key < $1.key }.map { planted, cells in
      let found = cells.reduce(0) { $0 + $1.foundCount }
      let trials = cells.reduce(0) { $0 + $1.trialCount }
      return Point(x: planted * 100, y: 100 * Double(found) / Double(trials))
    }
  }
}
