import Measurements
import TextFormat

/// All of a run that a terminal has room for: a table for each scenario, and all sentences below them.
package struct TerminalTable: Sendable {
  private let document: RunDocument
  private let width: Int
  private let style: TerminalStyle

  /// - Parameters:
  ///   - width: Columns of the terminal; less than 40 is taken as 40. Where a table does not fit, the
  ///     columns that matter least are left out.
  ///   - usesColor: Whether to write ANSI escape sequences.
  package init(_ document: RunDocument, width: Int = 80, usesColor: Bool) {
    self.document = document
    self.width = max(40, width)
    style = TerminalStyle(usesColor: usesColor)
  }

  /// Failures, a table for each scenario, warnings, and the verdict last.
  package func render() -> String {
    var blocks: [String] = []
    if !document.failures.isEmpty { blocks.append(failures) }
    let groups = ScenarioGroup.all(in: document)
    blocks += groups.map { table($0) }
    if !document.warnings.isEmpty { blocks.append(warnings) }
    if document.benchmarks.contains(where: { $0.allocations == nil }) {
      blocks.append(
        wrapped("allocs \(Format.absent): the allocation counter is not linked in or not active."))
    }
    let verdict = Verdict(document)
    blocks += verdict.caveats.map { style.red(wrapped($0)) }
    blocks += verdict.paragraphs.map { paragraph in
      let prefix = paragraph.scenario.map { "\($0): " } ?? ""
      let headline = wrapped(prefix + paragraph.headline).split(separator: "\n").map {
        style.bold(String($0))
      }
      let details = paragraph.details.isEmpty ? [] : [wrapped(paragraph.details.joined(separator: " "))]
      return (headline + details).joined(separator: "\n")
    }
    return blocks.joined(separator: "\n\n") + "\n"
  }

  private var failures: String {
    document.failures.map { failure in
      style.red(wrapped("failed: \(failure.id): \(failure.reason)", indent: 2))
    }.joined(separator: "\n")
  }

  private var warnings: String {
    document.warnings.map { warning in
      let subject = warning.benchmark.map { "\($0): " } ?? ""
      return wrapped("warning: \(subject)\(warning.message)", indent: 2)
    }.joined(separator: "\n")
  }

  // MARK: The table

  private func table(_ group: ScenarioGroup) -> String {
    var columns = TerminalColumn.allCases.filter { $0.applies(to: group) }
    var lines = lines(group, columns)
    while totalWidth(lines) > width, let victim = TerminalColumn.leastImportant(of: columns) {
      columns.removeAll { $0 == victim }
      lines = self.lines(group, columns)
    }
    shortenNames(&lines)
    let widths = columnWidths(lines)
    let rendered = lines.enumerated().map { index, line in
      let cells = line.cells.indices.map { column in
        // Names stand left, numbers right; the first column holds numbers of items.
        pad(line.cells[column], to: widths[column], isLeft: column == 1)
      }
      return style.apply(line.tone, to: clipped(trimmed(cells.joined(separator: "  "))), isHeader: index == 0)
    }
    return ([style.bold(clipped(group.name))] + rendered).joined(separator: "\n")
  }

  private struct Line {
    var cells: [String]
    var tone: TerminalStyle.Tone
  }

  private func lines(_ group: ScenarioGroup, _ columns: [TerminalColumn]) -> [Line] {
    let titles = ["items", ""] + columns.map { $0.title(reference: group.reference ?? "") }
    var lines = [Line(cells: titles, tone: .plain)]
    for size in group.sizes {
      let records = group.records(at: size)
      let reference = group.reference.flatMap { group.record($0, size) }
      for (index, record) in records.enumerated() {
        let comparison = comparison(record, reference)
        let opening = [index == 0 ? Format.integer(size) : "", record.id.strategy]
        let cells = columns.map { $0 == .comparison ? comparison?.ratio ?? "" : $0.text(record) }
        lines.append(Line(cells: opening + cells, tone: tone(comparison)))
      }
    }
    return lines
  }

  private func comparison(_ record: BenchmarkRecord, _ reference: BenchmarkRecord?) -> Comparison? {
    guard let reference, reference.id != record.id else { return nil }
    return FrameStatistic.p99.comparison(record, with: reference, Resolution(document.environment.clock))
  }

  private func tone(_ comparison: Comparison?) -> TerminalStyle.Tone {
    switch comparison?.sign {
    case -1: .good
    case 1: .bad
    default: .plain
    }
  }

  // MARK: Fitting the width

  private func columnWidths(_ lines: [Line]) -> [Int] {
    (lines.first?.cells.indices ?? 0..<0).map { column in
      lines.map { $0.cells[column].count }.max() ?? 0
    }
  }

  private func totalWidth(_ lines: [Line]) -> Int {
    let widths = columnWidths(lines)
    return widths.reduce(0, +) + 2 * max(0, widths.count - 1)
  }

  /// Shortens the names of strategies by what is still too wide.
  private func shortenNames(_ lines: inout [Line]) {
    let excess = totalWidth(lines) - width
    guard excess > 0 else { return }
    let longest = max(4, (lines.map { $0.cells[1].count }.max() ?? 0) - excess)
    for index in lines.indices where lines[index].cells[1].count > longest {
      lines[index].cells[1] = lines[index].cells[1].prefix(longest - 1) + "…"
    }
  }

  private func trimmed(_ text: String) -> String {
    String(text.reversed().drop { $0 == " " }.reversed())
  }

  private func clipped(_ text: String) -> String {
    text.count <= width ? text : text.prefix(width - 1) + "…"
  }

  private func pad(_ text: String, to width: Int, isLeft: Bool) -> String {
    let spaces = String(repeating: " ", count: max(0, width - text.count))
    return isLeft ? text + spaces : spaces + text
  }

  private func wrapped(_ text: String, indent: Int = 0) -> String {
    TextWrap.lines(text, width: width, indent: indent).joined(separator: "\n")
  }
}
