/// Checks as one JSON array, a check a line.
public struct CheckRows: Sendable {
  private let checks: [Check]

  public init(_ checks: [Check]) {
    self.checks = checks
  }

  public func json() -> String {
    guard !checks.isEmpty else { return "[]\n" }
    return "[\n" + checks.map { "  " + Self.line($0) }.joined(separator: ",\n") + "\n]\n"
  }

  private static func line(_ check: Check) -> String {
    let outcome =
      switch check.outcome {
      case .passed: "passed"
      case .failed: "failed"
      case .noted: "noted"
      }
    let fields = [
      ("subject", check.subject), ("figure", check.figure), ("kind", check.kind.rawValue),
      ("outcome", outcome),
      ("sentence", check.sentence),
    ].map { "\"\($0)\": \(JSONText.string($1))" }
    let place = [
      "\"file\": \(check.place.map { JSONText.string($0.path) } ?? "null")",
      "\"line\": \(check.place.map { String($0.line) } ?? "null")",
    ]
    return "{" + (fields + place).joined(separator: ", ") + "}"
  }
}

/// Markdown for the commands that put reports together.
package enum Markup {
  package static func folded(_ title: String, _ content: String) -> String { Markdown.folded(title, content) }
}
