/// A Markdown table whose columns are aligned in the raw text as well. The first column is aligned to the left, all
/// others to the right.
struct MarkdownTable {
  private var lines: [[String]]

  init(_ titles: [String]) {
    precondition(!titles.isEmpty, "a table without columns")
    lines = [titles]
  }

  mutating func append(_ cells: [String]) {
    precondition(cells.count == lines[0].count, "\(cells.count) cells for \(lines[0].count) columns")
    lines.append(cells)
  }

  func render() -> String {
    let columns = lines[0].indices
    let widths = columns.map { column in max(3, lines.map { $0[column].count }.max() ?? 0) }
    var rows = lines.map { cells in
      columns.map { column in
        let spaces = String(repeating: " ", count: widths[column] - cells[column].count)
        return column == 0 ? cells[column] + spaces : spaces + cells[column]
      }
    }
    rows.insert(columns.map { $0 == 0 ? dashes(widths[$0]) : dashes(widths[$0] - 1) + ":" }, at: 1)
    return rows.map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n")
  }

  private func dashes(_ count: Int) -> String { String(repeating: "-", count: count) }
}
