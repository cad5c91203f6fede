import Measurements
import TextFormat

/// A run for the terminal, on one screen: every benchmark in a line, or those of the largest sizes, and the verdict
/// below it, where the eye rests when a command ends. `TerminalTable` says the rest.
package struct TerminalOverview: Sendable {
  /// Lines that fit below a prompt, with one more for what a command adds.
  package static let largestLineCount = 38

  private let document: RunDocument
  private let width: Int
  private let style: TerminalStyle

  /// - Parameters: As for `TerminalTable`.
  package init(_ document: RunDocument, width: Int = 80, usesColor: Bool) {
    self.document = document
    self.width = max(40, width)
    style = TerminalStyle(usesColor: usesColor)
  }

  /// Failures, the table, warnings, and the verdict last.
  package func render() -> String {
    let rows = OverviewRow.all(in: document)
    var (above, below) = (failures(limit: .max), closing(limit: .max))
    if Self.room(above, below) < rows.count { (above, below) = (failures(limit: 2), closing(limit: 2)) }
    let shown = chosen(rows, room: max(3, Self.room(above, below)))
    var table = shown.isEmpty ? [] : OverviewLines(document, width: width, style: style).lines(shown)
    if shown.count < rows.count { table += wrapped(note(shown, of: rows)) }
    return [above, table, below].filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
      .joined(separator: "\n\n") + "\n"
  }

  /// Rows that fit, with their header, a note and blank lines above and below.
  private static func room(_ above: [String], _ below: [String]) -> Int {
    largestLineCount - above.count - below.count - 5
  }

  private func failures(limit: Int) -> [String] {
    named(document.failures.map { "failed: \($0.id): \($0.reason)" }, "failure", limit).map(style.red)
  }

  /// What puts the figures in doubt, and the verdict.
  private func closing(limit: Int) -> [String] {
    let ofTheRun = document.warnings.filter { $0.benchmark == nil }
    let others = document.warnings.filter { $0.benchmark != nil }
    let warnings = (ofTheRun + others).map { warning in
      "warning: \(warning.benchmark.map { "\($0): " } ?? "")\(warning.message)"
    }
    let verdict = Verdict(document)
    var lines = named(warnings, "warning", limit)
    lines += verdict.caveats.flatMap { wrapped($0) }.map(style.red)
    lines += wrapped(verdict.summary).map(style.bold)
    if let only = verdict.paragraphs.first, verdict.paragraphs.count == 1, only.headline != verdict.summary {
      lines += wrapped(only.headline)
    }
    return lines
  }

  /// All, where there is room; else the largest size of each scenario; else those of them that use most of the
  /// budget.
  private func chosen(_ rows: [OverviewRow], room: Int) -> [OverviewRow] {
    guard rows.count > room else { return rows }
    var largest: [String: Int] = [:]
    for row in rows { largest[row.id.variant] = max(largest[row.id.variant] ?? 0, row.id.size) }
    let candidates = rows.filter { $0.id.size == largest[$0.id.variant] }
    guard candidates.count > room else { return candidates }
    let limit = candidates.map { $0.budgetShare ?? 0 }.sorted(by: >)[room - 1]
    return Array(candidates.filter { ($0.budgetShare ?? 0) >= limit }.prefix(room))
  }

  private func note(_ shown: [OverviewRow], of rows: [OverviewRow]) -> String {
    let count = Format.plural(rows.count - shown.count, "more benchmark")
    return "\(count), mostly of smaller sizes: --verbose, or the report."
  }

  /// The first of them, each in two lines at most, and how many more there are.
  private func named(_ texts: [String], _ noun: String, _ limit: Int) -> [String] {
    let lines = texts.prefix(limit).flatMap { text -> [String] in
      let lines = TextWrap.lines(text, width: width, indent: 2)
      return lines.count <= 2 ? lines : [lines[0], lines[1].prefix(width - 1) + "…"]
    }
    guard texts.count > limit else { return lines }
    return lines + ["… \(Format.plural(texts.count - limit, "more \(noun)")): --verbose, or the report"]
  }

  private func wrapped(_ text: String) -> [String] { TextWrap.lines(text, width: width) }
}
