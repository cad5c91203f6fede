import Foundation

/// Adds an acknowledgement to the text of a budget file, and leaves the rest of it, comments too, as it is.
package enum AcknowledgementText {
  /// - Parameters:
  ///   - text: Of the file.
  ///   - path: As messages shall name it.
  /// - Throws: If the result would not be a budget file with this entry.
  package static func adding(
    id: String, metric: String, reason: String, until: String, to text: String, path: String
  ) throws(BudgetError) -> String {
    let before = text.isEmpty ? 0 : try BudgetFile(reading: text, path: path).acknowledgements.count
    var lines = text.components(separatedBy: "\n")
    if lines.last == "" { lines.removeLast() }
    let position: Int
    var indent = "  "
    if let key = lines.firstIndex(where: { isKey($0) }) {
      lines[key] = lines[key].replacingOccurrences(of: "[]", with: "").trimmedEnd
      position = key + 1
      let next = lines[position...].first {
        !$0.trimmingCharacters(in: .whitespaces).isEmpty && !$0.isComment
      }
      if let next, next.drop(while: { $0 == " " }).hasPrefix("- ") {
        indent = String(next.prefix { $0 == " " })
      }
    } else {
      if let last = lines.last, !last.isEmpty { lines.append("") }
      lines.append("acknowledged:")
      position = lines.count
    }
    lines.insert(
      contentsOf: [
        "\(indent)- id: \(quoted(id))", "\(indent)  metric: \(quoted(metric))",
        "\(indent)  reason: \(quoted(reason))", "\(indent)  until: \(until)",
      ], at: position)
    let result = lines.joined(separator: "\n") + "\n"
    let after = try BudgetFile(reading: result, path: path).acknowledgements
    guard after.count == before + 1,
      after.contains(where: {
        ($0.pattern.description, $0.metric, $0.reason, $0.until) == (id, metric, reason, until)
      })
    else {
      throw BudgetError(
        path: path, place: Place(line: position + 1, column: 1),
        message: "the entry could not be added here; write it by hand, as docs/budgets.md shows")
    }
    return result
  }

  /// The key at the left margin, with nothing or an empty list behind it.
  private static func isKey(_ line: String) -> Bool {
    guard line.hasPrefix("acknowledged:") else { return false }
    let rest = line.dropFirst("acknowledged:".count).trimmingCharacters(in: .whitespaces)
    return rest.isEmpty || rest == "[]" || rest.hasPrefix("#")
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacingOccurrences(of: "'", with: "''") + "'"
  }
}

extension String {
  fileprivate var isComment: Bool { drop { $0 == " " }.hasPrefix("#") }
  fileprivate var trimmedEnd: String {
    var end = self
    while end.last == " " { end.removeLast() }
    return end
  }
}
