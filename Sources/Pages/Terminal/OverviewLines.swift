import Measurements
import TextFormat

/// The overview's table in lines of text.
struct OverviewLines {
  private let width: Int
  private let style: TerminalStyle
  private let columns: [Column]

  private struct Column {
    var title: String
    var isLeft = false
    /// The first to be left out where a terminal is narrow has the smallest; what has none stays.
    var rank: Int?
    var text: (OverviewRow) -> String
  }

  init(_ document: RunDocument, width: Int, style: TerminalStyle) {
    self.width = width
    self.style = style
    let reference = OverviewRow.referenceName(document)
    columns = [
      Column(title: "benchmark", isLeft: true) { "\($0.id)" },
      Column(title: "p50", rank: 5) { Self.time($0, .p50) },
      Column(title: "p99") { Self.time($0, .p99) },
      Column(title: "worst", rank: 4) { Self.time($0, .worst) },
      Column(title: "allocs", rank: 6) { $0.allocations },
      Column(title: "p50÷\(reference)", rank: 2, text: \.medianRatio),
      Column(title: "p99÷\(reference)", rank: 7, text: \.tailRatio),
      Column(title: document.options.frameBudget.rate, rank: 8, text: \.budget),
      Column(title: "slow in", isLeft: true, rank: 3) { row in
        row.record.phases.count > 1 ? row.record.slowestPhase?.name ?? "" : ""
      },
      Column(title: "\(document.unit.sample)s", isLeft: true, rank: 1) {
        $0.sparkline.text(width: 12)
      },
    ]
  }

  /// `271 ns ±3%`, so wide that the times of a column stand below each other.
  private static func time(_ row: OverviewRow, _ statistic: FrameStatistic) -> String {
    let text = row.interval(statistic)
    guard let spread = statistic.timing(row.record)?.spreadText, !spread.isEmpty else { return text }
    return text + String(repeating: " ", count: max(0, "±0.1%".count - spread.count))
  }

  /// The header and a line for each row, none wider than the terminal.
  func lines(_ rows: [OverviewRow]) -> [String] {
    var cells = columns.map { column in (column: column, texts: [column.title] + rows.map(column.text)) }
    // A column that is empty in every row is left out.
    cells.removeAll { $0.texts.dropFirst().allSatisfy(\.isEmpty) }
    var gap = 2
    while total(cells.map(\.texts), gap) > width,
      let victim = cells.indices.filter({ cells[$0].column.rank != nil })
        .min(by: { (cells[$0].column.rank ?? 0) < (cells[$1].column.rank ?? 0) })
    {
      // What a report is read for is worth a narrow gap.
      if gap == 2, (cells[victim].column.rank ?? 0) >= 4 { gap = 1 } else { cells.remove(at: victim) }
    }
    let excess = total(cells.map(\.texts), gap) - width
    if excess > 0 {
      let room = max(4, (cells[0].texts.map(\.count).max() ?? 0) - excess)
      cells[0].texts = cells[0].texts.map { $0.count > room ? $0.prefix(room - 1) + "…" : $0 }
    }
    let widths = cells.map { $0.texts.map(\.count).max() ?? 0 }
    return (0...rows.count).map { line in
      let text = cells.indices.map { column in
        let text = cells[column].texts[line]
        let spaces = String(repeating: " ", count: widths[column] - text.count)
        return cells[column].column.isLeft ? text + spaces : spaces + text
      }.joined(separator: String(repeating: " ", count: gap))
      let trimmed = String(text.reversed().drop { $0 == " " }.reversed())
      return style.apply(line == 0 ? .plain : tone(rows[line - 1]), to: trimmed, isHeader: line == 0)
    }
  }

  private func tone(_ row: OverviewRow) -> TerminalStyle.Tone {
    if (row.budgetShare ?? 0) > 1 { return .bad }
    switch row.tailSign {
    case -1: return .good
    case 1: return .bad
    default: return .plain
    }
  }

  private func total(_ columns: [[String]], _ gap: Int) -> Int {
    columns.reduce(gap * (columns.count - 1)) { $0 + ($1.map(\.count).max() ?? 0) }
  }
}
