/// Blocks as the body of a page of HTML. All text is escaped, so no name in a document becomes an element.
struct HTMLRenderer {
  /// Of the body, without the element itself.
  private(set) var html = ""
  private(set) var headings: [Heading] = []

  struct Heading: Hashable {
    var level: Int
    /// Unique in the page.
    var id: String
    /// HTML.
    var title: String
    /// Whether it is seen only once a reader unfolds something.
    var isFolded = false
  }

  private let figures: [String: String]
  private let footnotes: Footnotes
  private var ids: Set<String> = []
  private var foldDepth = 0

  /// - Parameter figures: HTML by the source of the image in whose place it stands.
  init(_ page: [Block], figures: [String: String] = [:]) {
    self.figures = figures
    footnotes = Footnotes(page)
    html = render(page)
  }

  private mutating func render(_ blocks: [Block]) -> String {
    blocks.map { render($0) }.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private mutating func render(_ block: Block) -> String {
    switch block {
    case .heading(let level, let text): return heading(level, text)
    case .paragraph(let text): return paragraph(text)
    case .list(let items):
      return "<ul>\n\(items.map { "<li>\(inline($0))</li>" }.joined(separator: "\n"))\n</ul>"
    case .table(let table): return render(table)
    case .codeBlock(let text, _):
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { SVG.escape(String($0)) }
      // Scrolls where it is too wide, so it must be reachable by key.
      return "<pre tabindex=\"0\"><code>\(lines.joined(separator: "\n"))</code></pre>"
    case .details(let summary, let content):
      foldDepth += 1
      defer { foldDepth -= 1 }
      return "<details>\n<summary>\(SVG.escape(summary))</summary>\n\(render(content))\n</details>"
    case .footnotes:
      guard !footnotes.notes.isEmpty else { return "" }
      let items = footnotes.notes.enumerated().map { index, note in
        "<li id=\"note-\(index + 1)\" value=\"\(index + 1)\">\(inline(note))</li>"
      }
      return "<ol class=\"notes\">\n\(items.joined(separator: "\n"))\n</ol>"
    }
  }

  private mutating func heading(_ level: Int, _ text: RichText) -> String {
    let heading = Heading(
      level: level, id: id(text.plainText), title: inline(text), isFolded: foldDepth > 0)
    headings.append(heading)
    return "<h\(level) id=\"\(heading.id)\">\(heading.title)</h\(level)>"
  }

  private mutating func id(_ title: String) -> String {
    let stem = Self.anchor(title)
    var id = stem
    var copy = 2
    while !ids.insert(id).inserted {
      id = "\(stem)--\(copy)"
      copy += 1
    }
    return id
  }

  /// The id of the first heading of these words.
  static func anchor(_ title: String) -> String {
    let words = title.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    // No mark of a note and no picture is named like that.
    return "s-" + words.joined(separator: "-")
  }

  /// A paragraph that is strong as a whole leads those after it; a picture needs none.
  private func paragraph(_ text: RichText) -> String {
    switch (text.inlines.first, text.inlines.count) {
    case (.strong(let content, let tone), 1):
      "<p class=\"lead\(tone.map { " \($0)" } ?? "")\"><strong>\(inline(content))</strong></p>"
    case (.image(_, let source), 1) where figures[source] != nil: inline(text)
    default: "<p>\(inline(text))</p>"
    }
  }

  private func inline(_ text: RichText) -> String {
    text.inlines.map { inline in
      switch inline {
      case .text(let text): return SVG.escape(text)
      case .code(let text): return "<code>\(SVG.escape(text))</code>"
      case .strong(let content, let tone):
        return "<strong\(tone.map { " class=\"\($0)\"" } ?? "")>\(self.inline(content))</strong>"
      case .emphasis(let content): return "<em>\(self.inline(content))</em>"
      case .link(let content, let destination): return link(self.inline(content), to: destination)
      case .image(let alternative, let source):
        return figures[source] ?? link(SVG.escape(alternative), to: source)
      case .sparkline(let line): return SparklineBars.render(line)
      case .footnote(let note):
        let number = footnotes.number(note)
        return "<sup><a href=\"#note-\(number)\" aria-label=\"note \(number)\">\(number)</a></sup>"
      }
    }.joined()
  }

  /// To a file beside the page or to the web; a script or anything else must not be followed.
  private func link(_ label: String, to destination: String) -> String {
    guard destination.hasPrefix("https://") || !destination.contains(":") else { return label }
    return "<a href=\"\(SVG.escape(destination))\">\(label)</a>"
  }

  // MARK: Tables

  /// Characters of a cell; what is longer is a sentence, and may be broken.
  private static let longestOfOneLine = 60

  /// Scrolls sideways where it is too wide.
  private func render(_ table: Table) -> String {
    let head = table.columns.map { cell($0.title, $0, header: "col") }
    let rows = table.rows.map { cells in
      let rendered = cells.indices.map { column in
        cell(cells[column], table.columns[column], header: column == 0 ? "row" : nil)
      }
      return "<tr>\(rendered.joined())</tr>\n"
    }
    return """
      <div class="scroll" tabindex="0" role="group" aria-label="table"><table\(table.isFilterable ? " data-filter" : "")>
      <thead><tr>\(head.joined())</tr></thead>
      <tbody>
      \(rows.joined())</tbody>
      </table></div>
      """
  }

  /// - Parameter scope: Of what the cell is the header.
  private func cell(_ text: RichText, _ column: Table.Column, header scope: String?) -> String {
    let isNumber = column.alignment == .right
    let isSentence = scope != "col" && !isNumber && text.plainText.count > Self.longestOfOneLine
    let alignment = isNumber ? " class=\"n\"" : isSentence ? " class=\"long\"" : ""
    // A header without words heads nothing.
    guard let scope, !text.isEmpty else { return "<td\(alignment)>\(inline(text))</td>" }
    return "<th scope=\"\(scope)\"\(alignment)>\(inline(text))</th>"
  }
}
