import TextFormat

package enum HTMLPage {
  /// The HTML element by which the program recognizes pages of its own sites.
  package static let siteMark = "<meta name=\"generator\" content=\"springbench site\">"

  /// The security policy of pages. Nothing is fetched, and only the script with this SHA-256 runs. A test checks the
  /// hash.
  package static let policy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-gyYTZR1GbxkoHGVpuZQWCmaVEGJi0RYjJR4lYzvKwYs=';"
    + " base-uri 'none'; form-action 'none'"
}

extension [Block] {
  /// The page as one HTML file. It fetches nothing, runs only its own script, and is complete without that script.
  /// - Parameters:
  ///   - title: The title in the browser's tab.
  ///   - figures: HTML that replaces images, by the source of the image.
  ///   - links: The other pages of a site, listed at the side. If nil, the page lists its own headings, except those in
  ///     folded blocks.
  package func html(title: String, figures: [String: String] = [:], links: [(title: String, address: String)]? = nil)
    -> String
  {
    let body = HTMLRenderer(self, figures: figures)
    let entries =
      links.map { links in
        links.map { "<li><a href=\"\(XMLText.escape($0.address))\">\(HTMLRenderer.plain($0.title))</a></li>" }
      }
      ?? body.headings.filter { (2...3).contains($0.level) && !$0.isFolded }.map { heading in
        "<li class=\"l\(heading.level)\"><a href=\"#\(heading.id)\">\(heading.title)</a></li>"
      }
    let isSite = links != nil
    let style = isSite ? HTMLPage.site : entries.isEmpty ? HTMLPage.wide : ""
    let navigation = """
      <nav aria-label="\(isSite ? "Pages" : "Contents")"><details open>
      <summary>\(isSite ? "Pages" : "Contents")</summary>
      <ul>
      \(entries.joined(separator: "\n"))
      </ul>
      </details></nav>
      """
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(HTMLPage.policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      \(isSite ? HTMLPage.siteMark + "\n" : "")<title>\(XMLText.escape(title))</title>
      <style>\(HTMLPage.styleSheet)\(style)</style>
      </head>
      <body>
      \(entries.isEmpty && !isSite ? "" : navigation)
      <main>
      \(body.html)
      </main>
      <script>\(HTMLPage.script)</script>
      </body>
      </html>

      """
  }
}

/// Renders blocks as the body of an HTML page. All text is escaped, so no name in a document becomes an element.
package struct HTMLRenderer {
  package private(set) var html = ""
  /// The headings, each with an id that is unique in the page and a title in HTML. Folded headings are hidden at first.
  package private(set) var headings: [(level: Int, id: String, title: String, isFolded: Bool)] = []

  private let figures: [String: String]
  private let footnotes: Footnotes
  private var ids: Set<String> = []
  private var foldDepth = 0

  package init(_ page: [Block], figures: [String: String] = [:]) {
    self.figures = figures
    footnotes = Footnotes(page)
    html = render(page)
  }

  private mutating func render(_ blocks: [Block]) -> String {
    blocks.map { render($0) }.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private mutating func render(_ block: Block) -> String {
    switch block {
    case .heading(let level, let text):
      let (id, title) = (ids.insertNumbered(Self.anchor(text.plainText), separator: "--"), inline(text))
      headings.append((level, id, title, foldDepth > 0))
      return "<h\(level) id=\"\(id)\">\(title)</h\(level)>"
    case .paragraph(let text): return paragraph(text)
    case .list(let items): return "<ul>\n\(items.map { "<li>\(inline($0))</li>" }.joined(separator: "\n"))\n</ul>"
    case .table(let table): return render(table)
    case .codeBlock(let text, _):
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { XMLText.escape(String($0)) }
      // The block scrolls if it is too wide, so it must be reachable by keyboard.
      return "<pre tabindex=\"0\"><code>\(lines.joined(separator: "\n"))</code></pre>"
    case .details(let summary, let content):
      foldDepth += 1
      defer { foldDepth -= 1 }
      return "<details>\n<summary>\(XMLText.escape(summary))</summary>\n\(render(content))\n</details>"
    case .footnotes:
      guard !footnotes.notes.isEmpty else { return "" }
      let items = footnotes.notes.enumerated().map { index, note in
        "<li id=\"note-\(index + 1)\" value=\"\(index + 1)\">\(inline(note))</li>"
      }
      return "<ol class=\"notes\">\n\(items.joined(separator: "\n"))\n</ol>"
    }
  }

  /// The id of the first heading with this title.
  package static func anchor(_ title: String) -> String {
    let words = title.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    // The prefix keeps these ids apart from the ids of notes and pictures.
    return "s-" + words.joined(separator: "-") + title.markOfOtherLetters
  }

  /// A paragraph as HTML. If all of it is strong, it gets the class `lead`. A picture is not wrapped in a paragraph.
  private func paragraph(_ text: RichText) -> String {
    switch (text.inlines.first, text.inlines.count) {
    case (.strong(let content, let tone), 1):
      "<p class=\"lead\(tone.map { " \($0)" } ?? "")\"><strong>\(inline(content))</strong></p>"
    case (.image(_, let source), 1) where figures[source] != nil: inline(text)
    default: "<p>\(inline(text))</p>"
    }
  }

  /// The escaped text. A line may break before the size in an id such as `springs/tiled/1000`, because browsers would
  /// otherwise break it inside the size.
  fileprivate static func plain(_ text: String) -> String {
    XMLText.escape(text).replacing(#/\/(?=[0-9])/#, with: "/<wbr>")
  }

  private func inline(_ text: RichText) -> String {
    text.inlines.map { inline in
      switch inline {
      case .text(let text): return Self.plain(text)
      case .code(let text): return "<code>\(Self.plain(text))</code>"
      case .strong(let content, let tone):
        return "<strong\(tone.map { " class=\"\($0)\"" } ?? "")>\(self.inline(content))</strong>"
      case .emphasis(let content): return "<em>\(self.inline(content))</em>"
      case .link(let content, let destination): return link(self.inline(content), to: destination)
      case .image(let alternative, let source): return figures[source] ?? link(XMLText.escape(alternative), to: source)
      case .sparkline(let line): return SVG.bars(line)
      case .lineBreak: return "<br>"
      case .footnote(let note):
        let number = footnotes.number(note)
        return "<sup><a href=\"#note-\(number)\" aria-label=\"note \(number)\">\(number)</a></sup>"
      }
    }.joined()
  }

  /// A link to a file next to the page or to an https address. Other destinations, such as scripts, get no link.
  private func link(_ label: String, to destination: String) -> String {
    guard destination.hasPrefix("https://") || !destination.contains(/:|^[\/\\]{2}/) else { return label }
    return "<a href=\"\(XMLText.escape(destination))\">\(label)</a>"
  }

  private func render(_ table: Table) -> String {
    // On narrow pages, the columns that do not fit into 935 points are hidden. The estimate of their widths ignores
    // that long headers wrap.
    let shown = Set(table.columnsFitting(935, character: 7, padding: 18))
    let head = table.columns.indices.map {
      cell(table.columns[$0].title, table.columns[$0], header: "col", isShown: shown.contains($0))
    }
    let rows = table.rows.map { cells in
      let rendered = cells.indices.map { column in
        cell(cells[column], table.columns[column], header: column == 0 ? "row" : nil, isShown: shown.contains(column))
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

  /// - Parameter isShown: Whether the cell is also shown on narrow pages.
  private func cell(_ text: RichText, _ column: Table.Column, header scope: String?, isShown: Bool) -> String {
    let isNumber = column.alignment == .right
    // Only sentences are wrapped; other cells stay on one line.
    let isSentence = scope != "col" && !isNumber && text.plainText.count > 60
    let names = [isNumber ? "n" : isSentence ? "long" : nil, isShown ? nil : "extra"].compactMap(\.self)
    let alignment = names.isEmpty ? "" : " class=\"\(names.joined(separator: " "))\""
    guard let scope, !text.isEmpty else { return "<td\(alignment)>\(inline(text))</td>" }
    return "<th scope=\"\(scope)\"\(alignment)>\(inline(text))</th>"
  }
}

extension Set<String> {
  /// Inserts the name, followed by a number if it is taken, and returns the result.
  package mutating func insertNumbered(_ name: String, separator: String) -> String {
    var (unique, number) = (name, 2)
    while !insert(unique).inserted {
      unique = "\(name)\(separator)\(number)"
      number += 1
    }
    return unique
  }
}
