/// A block of a page, in the terms of CommonMark and HTML.
package indirect enum Block: Sendable, Hashable {
  case heading(level: Int, RichText)
  case paragraph(RichText)
  /// A list with bullets. In a terminal, each item is a line.
  case list([RichText])
  case table(Table)
  case codeBlock(String, language: String = "")
  /// Content that is hidden until a reader clicks on its summary.
  case details(summary: String, [Block])
  /// The footnotes of the whole page. Nothing is shown if there are none.
  case footnotes

  /// A heading, an optional legend, and a list. Empty if the list has no items.
  package static func section(_ title: RichText, _ items: [RichText], _ legend: RichText? = nil) -> [Block] {
    guard !items.isEmpty else { return [] }
    return [.heading(level: 2, title)] + (legend.map { [.paragraph($0)] } ?? []) + [.list(items)]
  }

  package static func picture(_ file: String, alternative: String) -> Block {
    .paragraph("\(RichText([.image(alternative: alternative, source: file)]), link: file)")
  }
}

/// Returns a percent-encoded link from a page to a file. Nil if readers of the page cannot follow such a link. The page
/// then shows the file's name without a link.
package typealias FileLink = (_ path: String) -> String?

/// A table. It has a header if any column has a title.
package struct Table: Sendable, Hashable {
  package enum Alignment: Sendable { case left, right }

  package struct Column: Sendable, Hashable {
    package var title: RichText
    package var alignment: Alignment
    /// The rank of the column. A narrow terminal or page leaves out the column with the lowest rank first. A column
    /// without a rank is always shown.
    package var rank: Int?
  }

  package private(set) var columns: [Column]
  /// The texts directly above and below the table. Only terminals show them.
  package var title: RichText?
  package var caption: RichText?
  /// Whether HTML pages offer to filter the rows even if there are few.
  package var isFilterable = false
  package private(set) var rows: [[RichText]]
  /// The tones of whole rows, by the index of the row. Only terminals show them.
  package var tones: [Int: Tone] = [:]
  /// The lines below a row, by the index of the row. Only terminals show them.
  package var notes: [Int: [RichText]] = [:]

  package init<Element>(
    _ elements: some Sequence<Element>, _ columns: [TableColumn<Element>?], tone: (Element) -> Tone? = { _ in nil }
  ) {
    let present = columns.compactMap(\.self)
    self.columns = present.map(\.column)
    rows = elements.map { element in present.map { $0.cell(element) } }
    for (index, element) in elements.enumerated() { tones[index] = tone(element) }
  }

  package init<Element>(_ elements: some Sequence<Element>, _ columns: TableColumn<Element>?...) {
    self.init(elements, columns)
  }

  /// The indices of the columns that fit into a page of this width. Columns with the lowest ranks are left out first.
  /// All widths are points, including those of a character and of a cell's padding.
  package func columnsFitting(_ width: Int, character: Int, padding: Int) -> [Int] {
    let widths = columns.indices.map { column in
      padding + character * ([columns[column].title] + rows.map { $0[column] }).map(\.width).reduce(0, max)
    }
    var shown = Array(columns.indices)
    while shown.reduce(0, { $0 + widths[$1] }) > width,
      let victim = shown.filter({ columns[$0].rank != nil }).min(by: { columns[$0].rank ?? 0 < columns[$1].rank ?? 0 })
    { shown.removeAll { $0 == victim } }
    return shown
  }

  /// The table with only these columns.
  package func showing(_ shown: [Int]) -> Table {
    var table = self
    table.columns = shown.map { columns[$0] }
    table.rows = rows.map { row in shown.map { row[$0] } }
    return table
  }
}

package struct TableColumn<Element> {
  package var column: Table.Column
  package var cell: (Element) -> RichText

  package static func left(_ title: RichText, rank: Int? = nil, _ cell: @escaping (Element) -> RichText) -> TableColumn
  { TableColumn(column: Table.Column(title: title, alignment: .left, rank: rank), cell: cell) }

  package static func right(_ title: RichText, rank: Int? = nil, _ cell: @escaping (Element) -> RichText) -> TableColumn
  { TableColumn(column: Table.Column(title: title, alignment: .right, rank: rank), cell: cell) }
}

/// The footnotes of a page, numbered from 1 in the order of their first mention.
package struct Footnotes {
  package private(set) var notes: [RichText] = []
  private var numbers: [RichText: Int] = [:]

  package init(_ page: [Block]) { page.forEach { collect($0) } }

  package func number(_ note: RichText) -> Int { numbers[note] ?? 0 }

  private mutating func collect(_ block: Block) {
    switch block {
    case .heading(_, let text), .paragraph(let text): collect(text)
    case .list(let items): items.forEach { collect($0) }
    case .table(let table): for text in table.columns.map(\.title) + table.rows.joined() { collect(text) }
    case .details(_, let content): content.forEach { collect($0) }
    case .codeBlock, .footnotes: break
    }
  }

  private mutating func collect(_ text: RichText) {
    for inline in text.inlines {
      switch inline {
      case .strong(let content, _), .emphasis(let content), .link(let content, _): collect(content)
      case .footnote(let note) where numbers[note] == nil:
        notes.append(note)
        numbers[note] = notes.count
      case .text, .code, .image, .sparkline, .footnote, .lineBreak: break
      }
    }
  }
}
