/// A block of a page, in the terms of CommonMark and HTML.
package indirect enum Block: Sendable, Hashable {
  case heading(level: Int, RichText)
  case paragraph(RichText)
  /// Bulleted, an item a line.
  case list([RichText])
  case table(Table)
  case codeBlock(String, language: String = "")
  /// Folded until it is clicked on; the summary shows in the meantime.
  case details(summary: String, [Block])
  /// The footnotes of the whole page; nothing where there are none.
  case footnotes
}

/// A table with a header.
package struct Table: Sendable, Hashable {
  package enum Alignment: Sendable { case left, right }

  package struct Column: Sendable, Hashable {
    package var title: RichText
    package var alignment: Alignment
  }

  package let columns: [Column]
  /// Whether pages of HTML offer to filter the rows, however few they are.
  package var isFilterable = false
  package private(set) var rows: [[RichText]] = []

  package init(_ columns: [(title: RichText, alignment: Alignment)]) {
    self.columns = columns.map { Column(title: $0.title, alignment: $0.alignment) }
  }

  package mutating func append(_ cells: [RichText]) {
    precondition(cells.count == columns.count, "\(cells.count) cells for \(columns.count) columns")
    rows.append(cells)
  }
}

/// The footnotes of a page, numbered from 1 by their first mention.
struct Footnotes {
  private(set) var notes: [RichText] = []
  private var numbers: [RichText: Int] = [:]

  init(_ page: [Block]) { collect(page) }

  func number(_ note: RichText) -> Int { numbers[note] ?? 0 }

  private mutating func collect(_ blocks: [Block]) {
    for block in blocks {
      switch block {
      case .heading(_, let text), .paragraph(let text): collect(text)
      case .list(let items): items.forEach { collect($0) }
      case .table(let table):
        table.columns.forEach { collect($0.title) }
        table.rows.joined().forEach { collect($0) }
      case .details(_, let content): collect(content)
      case .codeBlock, .footnotes: break
      }
    }
  }

  private mutating func collect(_ text: RichText) {
    for inline in text.inlines {
      switch inline {
      case .strong(let content, _), .emphasis(let content), .link(let content, _): collect(content)
      case .footnote(let note) where numbers[note] == nil:
        notes.append(note)
        numbers[note] = notes.count
      case .text, .code, .image, .sparkline, .footnote: break
      }
    }
  }
}
