import Comparing
import TextFormat

/// A comparison for a terminal: what changed, one line each, then the verdict.
package struct ComparisonText: Sendable {
  private let document: ComparisonDocument
  private let style: TerminalStyle
  private let width: Int

  /// - Parameter usesColor: Whether to write ANSI escape sequences.
  package init(_ document: ComparisonDocument, width: Int = 100, usesColor: Bool) {
    self.document = document
    self.width = max(40, width)
    style = TerminalStyle(usesColor: usesColor)
  }

  /// What failed, what changed, profiles and warnings; then the verdict, and what it was judged by.
  package func render() -> String {
    let failures = document.failures.map { style.red(wrapped("failed: \($0.id): \($0.reason)")) }
    let shown = document.rows.filter(\.verdict.isChange)
    let warnings = document.warnings.map { warning in
      wrapped("warning: " + (warning.benchmark.map { "\($0): " } ?? "") + warning.message)
    }
    let lines = failures + shown.map(line) + profiles + warnings
    let seconds = Format.fixed(document.durationSeconds, decimals: 1)
    let headline = style.bold(wrapped(ComparisonSummary(document).headline))
    let tail =
      "\(Format.plural(document.rows.count, "figure")) in \(seconds) s, tolerance"
      + " \(ComparisonSummary.percent(document.method.tolerance)), seed \(document.method.seed)"
    return (lines + [headline, tail]).joined(separator: "\n") + "\n"
  }

  private var profiles: [String] {
    let found = (document.profiles ?? []).compactMap { profile -> String? in
      guard let page = profile.page else { return nil }
      let findings = document.findings(profile)
      let finding = findings.isEmpty ? [] : [findings.joined(separator: "; ").plainText]
      return wrapped("profile  \((["\(profile.id)"] + finding + [page]).joined(separator: ": "))")
    }
    return found + document.profileProblems.map { wrapped("\($0.subject) \($0.rest.plainText)") }
  }

  private func line(_ row: ComparisonRow) -> String {
    let values =
      row.metric == .checksum
      ? ""
      : "  \(ComparisonSummary.value(row.baseline, row)) → \(ComparisonSummary.value(row.candidate, row))"
    let change = row.change == nil ? "" : "  \(ComparisonSummary.change(row))"
    let noise =
      (row.control.map { "  noise \(ComparisonSummary.percent($0))" } ?? "")
      + (row.layout.map { "  layout ±\(ComparisonSummary.percent($0))" } ?? "")
    let note = row.note.map { ": \($0)" } ?? ""
    let text = wrapped(
      "\(row.verdict.words)  \(row.id) \(ComparisonSummary.figure(row))\(values)\(change)\(noise)\(note)")
    switch row.verdict {
    case .regressed, .behaviorChanged, .missing: return style.apply(.bad, to: text, isHeader: false)
    case .improved: return style.apply(.good, to: text, isHeader: false)
    case .unchanged, .inconclusive: return text
    }
  }

  private func wrapped(_ text: String) -> String {
    TextWrap.lines(text, width: width, indent: 2).joined(separator: "\n")
  }
}
