import Measurements
import TextFormat

/// Flat rows as comma-separated values (RFC 4180): a header, lines that end in CR LF, quotes around what
/// needs them. UTF-8. An empty phase is the whole frame.
package struct CSVReport: Sendable {
  private let rows: [FlatRow]

  package init(_ document: RunDocument) {
    rows = FlatRows(document).rows
  }

  /// The header alone where nothing was measured.
  package func render() -> String {
    let header = ["id", "metric", "phase", "statistic", "value", "unit"]
    let lines = rows.map { row in
      [
        row.id.description, row.metric, row.phase ?? "", row.statistic.rawValue, row.value.text, row.unit,
      ]
    }
    return ([header] + lines).map { $0.map(Self.field).joined(separator: ",") + "\r\n" }.joined()
  }

  /// Scalars, since Swift takes CR LF for one character, and a quote with an accent for another.
  private static func field(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { "\",\r\n".unicodeScalars.contains($0) }) else { return text }
    return "\"" + text.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
  }
}

extension FlatRow.Value {
  /// Without quotes; empty for what is no number.
  var text: String {
    switch self {
    case .number(let number): number.isFinite ? JSONText.number(number) : ""
    case .text(let text): text
    }
  }
}
