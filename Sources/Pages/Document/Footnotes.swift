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
