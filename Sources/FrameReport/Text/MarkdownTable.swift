/// A table whose columns line up in the raw text as well.
package struct MarkdownTable {
  package enum Alignment { case left, right }

  private let alignments: [Alignment]
  private var lines: [[String]]

  /// Cells, those of the header too, are markdown; pipes in them are escaped here.
  package init(_ header: [(title: String, alignment: Alignment)]) {
    alignments = header.map(\.alignment)
    lines = [header.map { Self.cell($0.title) }]
  }

  package mutating func append(_ cells: [String]) {
    precondition(
      cells.count == alignments.count, "\(cells.count) cells for \(alignments.count) columns")
    lines.append(cells.map(Self.cell))
  }

  package func render() -> String {
    let widths = alignments.indices.map { column in max(3, lines.map { $0[column].count }.max() ?? 0) }
    var rendered = lines.map { cells in
      row(cells.indices.map { Self.pad(cells[$0], to: widths[$0], alignments[$0]) })
    }
    let rule = alignments.indices.map { column in
      switch alignments[column] {
      case .left: String(repeating: "-", count: widths[column])
      case .right: String(repeating: "-", count: widths[column] - 1) + ":"
      }
    }
    rendered.insert(row(rule), at: 1)
    return rendered.joined(separator: "\n")
  }

  private func row(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |" }

  private static func cell(_ markdown: String) -> String {
    markdown.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
  }

  private static func pad(_ text: String, to width: Int, _ alignment: Alignment) -> String {
    let spaces = String(repeating: " ", count: max(0, width - text.count))
    switch alignment {
    case .left: return text + spaces
    case .right: return spaces + text
    }
  }
}
