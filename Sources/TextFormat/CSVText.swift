/// Comma-separated values (RFC 4180).
package enum CSVText {
  /// Whether a spreadsheet would evaluate it: text that begins like a formula and is not a number. An
  /// apostrophe in front, as OWASP advises, makes it text.
  private static func isFormula(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, "=+-@\t\r\n".unicodeScalars.contains(first) else {
      return false
    }
    return Double(text) == nil
  }

  /// A line with its CR LF; quotes around the fields that need them.
  package static func line(_ fields: [String]) -> String {
    self.fields(fields) + "\r\n"
  }

  /// A part of a line, with quotes around the fields that need them.
  package static func fields(_ fields: [String]) -> String { fields.map(field).joined(separator: ",") }

  /// Scalars, since Swift takes CR LF for one character, and a quote with an accent for another.
  private static func field(_ text: String) -> String {
    let text = isFormula(text) ? "'" + text : text
    guard text.unicodeScalars.contains(where: { "\",\r\n".unicodeScalars.contains($0) }) else { return text }
    return "\"" + text.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
  }
}
