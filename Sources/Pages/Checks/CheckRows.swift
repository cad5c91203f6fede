import TextFormat

/// Checks as one JSON array, a check a line.
package struct CheckRows: Sendable {
  private let checks: [Check]

  package init(_ checks: [Check]) {
    self.checks = checks
  }

  /// Every row has all seven keys; `file` and `line` are null for what no file says.
  package func json() -> String { JSONText.rows(checks.map(Self.line)) }

  private static func line(_ check: Check) -> String {
    let outcome =
      switch check.outcome {
      case .passed: "passed"
      case .failed: "failed"
      case .noted: "noted"
      }
    return JSONText.object([
      ("subject", JSONText.string(check.subject)), ("figure", JSONText.string(check.figure)),
      ("kind", JSONText.string(check.kind.rawValue)), ("outcome", JSONText.string(outcome)),
      ("sentence", JSONText.string(check.sentence)),
      ("file", check.place.map { JSONText.string($0.path) } ?? "null"),
      ("line", check.place.map { String($0.line) } ?? "null"),
    ])
  }
}
