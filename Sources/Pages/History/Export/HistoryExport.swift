import FrameBench
import Judging
import Measurements
import TextFormat

/// Nights as rows for a database: one for each figure of each benchmark, with everything that identifies it.
///
/// One night at a time, so that a history of any length needs only as much memory as its largest night.
package struct HistoryExport: Sendable {
  package enum Format: String, Sendable, CaseIterable {
    case csv
    case jsonLines = "jsonl"
  }

  private let format: Format

  package init(_ format: Format) { self.format = format }

  /// What docs/history.md describes, in this order.
  package static let columns = [
    "startedAt", "machine", "suite", "commit", "isDirty", "toolchain", "buildConfiguration", "allocator",
    "id",
    "scenario", "strategy", "size", "metric", "unit", "direction", "value", "checksum",
  ]

  /// What stands before all rows; nothing in JSON lines.
  package var header: String { format == .csv ? CSVText.line(Self.columns) : "" }

  /// Every row ends its line. A figure that a benchmark does not have has no row.
  ///
  /// - Parameter id: Only this benchmark; nil for all.
  package func rows(_ night: Night, id: BenchmarkID? = nil) -> String {
    let environment = night.environment
    let ofNight: [Cell] = [
      .text(night.startedAt), .text(environment.machine), .text(night.suite), .text(environment.commit),
      .boolean(environment.isDirty), .text(environment.toolchain), .text(environment.buildConfiguration),
      .text(environment.allocator),
    ]
    let figures = night.metrics.map { name -> [Cell] in
      let metric = Metric.named(FigureName(name)?.metric ?? name, declared: night.counterKinds)
      return [.text(name), .text(metric.unit.rawValue), .text(metric.direction.rawValue)]
    }
    var text = ""
    for benchmark in night.benchmarks where id == nil || benchmark.id == id {
      let start = fields(
        ofNight + [
          .text(benchmark.id.description), .text(benchmark.id.scenario), .text(benchmark.id.strategy),
          .number(Double(benchmark.id.size)),
        ], from: 0)
      let end = fields([.text(benchmark.checksum)], from: Self.columns.count - 1)
      for (figure, value) in zip(figures, benchmark.values) {
        guard let value else { continue }
        let middle = fields(figure + [.number(value)], from: 12)
        text += line([start, middle, end])
      }
    }
    return text
  }

  private enum Cell {
    case text(String?)
    case number(Double)
    case boolean(Bool?)
  }

  /// - Parameter first: The column of the first cell.
  private func fields(_ cells: [Cell], from first: Int) -> String {
    switch format {
    case .csv: CSVText.fields(cells.map(Self.csv))
    case .jsonLines:
      zip(Self.columns[first...], cells).map { "\"\($0)\": \(Self.json($1))" }.joined(separator: ", ")
    }
  }

  private func line(_ parts: [String]) -> String {
    switch format {
    case .csv: parts.joined(separator: ",") + "\r\n"
    case .jsonLines: "{" + parts.joined(separator: ", ") + "}\n"
    }
  }

  private static func csv(_ cell: Cell) -> String {
    switch cell {
    case .text(let text): text ?? ""
    case .number(let value): JSONText.number(value)
    case .boolean(let value): value.map { "\($0)" } ?? ""
    }
  }

  private static func json(_ cell: Cell) -> String {
    switch cell {
    case .text(let text): text.map(JSONText.string) ?? "null"
    case .number(let value): JSONText.number(value)
    case .boolean(let value): value.map { "\($0)" } ?? "null"
    }
  }
}
