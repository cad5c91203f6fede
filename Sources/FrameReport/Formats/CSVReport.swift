import Measurements
import TextFormat

/// Flat rows as comma-separated values (RFC 4180): a header, lines that end in CR LF, quotes around what
/// needs them. UTF-8. An empty phase is the whole frame; `value` holds numbers only, `text` the rest.
package struct CSVReport: Sendable {
  private let rows: [FlatRow]

  package init(_ document: RunDocument) {
    rows = FlatRows(document).rows
  }

  /// The header alone where nothing was measured.
  package func render() -> String {
    let header = ["id", "metric", "phase", "statistic", "value", "unit", "text"]
    let lines = rows.map { row in
      [
        row.id.description, row.metric, row.phase ?? "", row.statistic.rawValue,
        row.value.number.flatMap { $0.isFinite ? JSONText.number($0) : nil } ?? "", row.unit,
        row.value.text ?? "",
      ]
    }
    return ([header] + lines).map(CSVText.line).joined()
  }
}
