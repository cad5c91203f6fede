import Judging
import TextFormat

/// What share of slow-downs is found, against their size: a line for each tolerance.
package struct CalibrationChart: Sendable {
  private let chart: Chart?

  package init(_ document: CalibrationDocument) {
    let curves = Self.curves(document)
    guard let largest = curves.flatMap(\.points).map(\.x).max(), largest > 0 else {
      chart = nil
      return
    }
    let ids = Set(document.cells.map(\.id.description)).sorted()
    chart = Chart(
      title: "What compare finds: \(Format.list(ids))",
      subtitle: "share of comparisons that reported \(document.phase) as regressed,"
        + " against the work planted in it",
      description: curves.map(\.description).joined(separator: " "),
      x: Self.percents(to: largest, title: "planted, percent of the phase"),
      y: Self.percents(to: 100, title: "found, percent"),
      series: curves.enumerated().map { $0.element.series(SeriesLook(index: $0.offset)) })
  }

  /// The whole SVG file; nil where nothing was planted.
  package func svg() -> String? { chart?.render(id: "calibration", width: 720) }

  private struct Curve {
    var tolerance: Double
    /// Percent planted, percent found.
    var points: [Point]

    private var name: String { "tolerance \(ComparisonSummary.percent(tolerance))" }

    var description: String {
      let parts = points.map { "\(Format.count($0.y.rounded()))% of \(Format.count($0.x))%" }
      return "\(name): found \(Format.list(parts))."
    }

    func series(_ look: SeriesLook) -> Chart.Series {
      Chart.Series(
        look: look, name: name, details: [], shapes: [.line(points), .markers(points, isFilled: true)],
        end: points[points.count - 1].y)
    }
  }

  /// All benchmarks together.
  private static func curves(_ document: CalibrationDocument) -> [Curve] {
    Dictionary(grouping: document.cells.filter { $0.trialCount > 0 }, by: \.tolerance)
      .sorted { $0.key > $1.key }.map { tolerance, cells in
        let bySize = Dictionary(grouping: cells, by: \.planted).sorted { $0.key < $1.key }
        return Curve(
          tolerance: tolerance,
          points: bySize.map { planted, cells in
            let found = cells.reduce(0) { $0 + $1.foundCount }
            let trials = cells.reduce(0) { $0 + $1.trialCount }
            return Point(x: planted * 100, y: 100 * Double(found) / Double(trials))
          })
      }
  }

  private static func percents(to most: Double, title: String) -> Axis {
    let values = NiceNumbers.linear(to: most, steps: 5)
    return Axis(
      .linear, 0...values[values.count - 1],
      ticks: values.map { Axis.Tick(value: $0, label: Format.count($0)) }, title: title)
  }
}
