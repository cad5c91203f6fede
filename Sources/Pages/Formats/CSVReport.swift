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
    let header = ["id", "metric", "phase", "statistic", "value", "unit", "text", "low", "high"]
    let lines = rows.map { row in
      [
        row.id.description, row.metric, row.phase ?? "", row.statistic.rawValue,
        number(row.value.number), row.unit, row.value.text ?? "", number(row.low), number(row.high),
      ]
    }
    return ([header] + lines).map(CSVText.line).joined()
  }

  private func number(_ value: Double?) -> String {
    value.flatMap { $0.isFinite ? JSONText.number($0) : nil } ?? ""
  }
}
