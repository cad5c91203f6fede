import Judging
import TextFormat

/// A comparison for a terminal: a line for each cause, then the verdict.
package struct ComparisonText: Sendable {
  private let document: ComparisonDocument
  private let style: TerminalStyle
  private let width: Int
  private var summary: ComparisonSummary { ComparisonSummary(document) }

  /// - Parameter usesColor: Whether to write ANSI escape sequences.
  package init(_ document: ComparisonDocument, width: Int = 100, usesColor: Bool) {
    self.document = document
    self.width = max(40, width)
    style = TerminalStyle(usesColor: usesColor)
  }

  /// What failed, what changed, profiles and warnings; then the verdict, and what it was judged by.
  package func render() -> String {
    let failures = document.failures.map { style.red(wrapped("failed: \($0.id): \($0.reason)")) }
    let warnings = document.warnings.map { warning in
      wrapped("warning: " + (warning.benchmark.map { "\($0): " } ?? "") + warning.message)
    }
    let lines =
      failures + document.changes.flatMap(lines)
      + [summary.uncertainty, summary.unjudged].compactMap(\.self).map(wrapped)
      + profiles + warnings
    let seconds = Format.fixed(document.durationSeconds, decimals: 1)
    let headline = style.bold(wrapped(summary.headline))
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

  /// What changed, by how much, where, and how noisy that is.
  private func lines(_ change: ComparisonFinding) -> [String] {
    let text = FindingText(change, in: document)
    let lead = change.members[0].lead
    let noise = [
      change.cause == .time ? text.change : nil,
      lead.control.map { "noise \(ComparisonSummary.percent($0))" },
      lead.layout.map { "layout ±\(ComparisonSummary.percent($0))" },
    ].compactMap(\.self).joined(separator: ", ")
    let names = change.members.count > 1 ? text.benchmarks.plainText : ""
    let notes = change.cause == .behavior ? [] : text.notes
    let line = wrapped("\(change.isNew ? "new" : change.verdict.words): \(text.sentence)")
    let tone: TerminalStyle.Tone = change.isNew ? .plain : change.verdict == .improved ? .good : .bad
    return [style.apply(tone, to: line, isHeader: false)]
      + ([names, noise] + notes).filter { !$0.isEmpty }.flatMap {
        TextWrap.lines($0, width: width - 4).map { "    " + $0 }
      }
  }

  private func wrapped(_ text: String) -> String {
    TextWrap.lines(text, width: width, indent: 2).joined(separator: "\n")
  }
}
