/// A page of the markdown that the reports write, as HTML, so that both say the same. It reads what those write
/// and no more: headings, paragraphs, lists, tables, fences, folded parts, pictures and footnotes.
struct MarkdownHTML {
  /// Of the body, without the element itself.
  private(set) var html = ""
  private(set) var headings: [Heading] = []

  struct Heading: Hashable {
    var level: Int
    /// Unique in the page.
    var id: String
    /// HTML.
    var title: String
  }

  private let figures: [String: String]
  private var lines: ArraySlice<Substring>
  private var ids: Set<String> = []

  /// - Parameter figures: HTML by the name of the picture in whose place it stands.
  init(_ markdown: String, figures: [String: String] = [:]) {
    self.figures = figures
    lines = markdown.split(separator: "\n", omittingEmptySubsequences: false)[...]
    var blocks: [String] = []
    while let line = lines.first {
      if line.isEmpty {
        lines.removeFirst()
      } else {
        blocks.append(block(line))
      }
    }
    html = blocks.joined(separator: "\n")
  }

  private mutating func block(_ line: Substring) -> String {
    if let heading = heading(line) { return heading }
    if line.hasPrefix("```") { return fence(line) }
    if line.hasPrefix("|") { return MarkdownTableHTML(take { $0.hasPrefix("|") }).html }
    if line.hasPrefix("- ") { return list() }
    if line.hasPrefix("[^") { return notes() }
    if let figure = figure(line) { return figure }
    if line == "<details>" || line == "</details>" {
      lines.removeFirst()
      return String(line)
    }
    if line.hasPrefix("<summary>"), line.hasSuffix("</summary>") {
      lines.removeFirst()
      return "<summary>\(MarkdownInline.html(line.dropFirst(9).dropLast(10)))</summary>"
    }
    return paragraph()
  }

  private mutating func heading(_ line: Substring) -> String? {
    let level = line.prefix { $0 == "#" }.count
    guard (1...6).contains(level), line.dropFirst(level).first == " " else { return nil }
    lines.removeFirst()
    let title = line.dropFirst(level + 1)
    let heading = Heading(
      level: level, id: id(MarkdownInline.plain(title)), title: MarkdownInline.html(title))
    headings.append(heading)
    return "<h\(level) id=\"\(heading.id)\">\(heading.title)</h\(level)>"
  }

  private mutating func id(_ title: String) -> String {
    let words = title.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    // No mark of a note and no picture is named like that.
    let stem = "s-" + words.joined(separator: "-")
    var id = stem
    var copy = 2
    while !ids.insert(id).inserted {
      id = "\(stem)--\(copy)"
      copy += 1
    }
    return id
  }

  private mutating func fence(_ opening: Substring) -> String {
    let fence = opening.prefix { $0 == "`" }
    lines.removeFirst()
    let content = take { $0 != fence }
    lines = lines.dropFirst()
    // Scrolls where it is too wide, so it must be reachable by key.
    return
      "<pre tabindex=\"0\"><code>\(content.map { SVG.escape(String($0)) }.joined(separator: "\n"))</code></pre>"
  }

  private mutating func list() -> String {
    let items = take { $0.hasPrefix("- ") }.map { "<li>\(MarkdownInline.html($0.dropFirst(2)))</li>" }
    return "<ul>\n\(items.joined(separator: "\n"))\n</ul>"
  }

  private mutating func notes() -> String {
    let items = take { $0.hasPrefix("[^") }.map { line -> String in
      let number = line.dropFirst(2).prefix { $0.isASCII && $0.isNumber }
      let note = line.drop { $0 != ":" }.dropFirst(2)
      return "<li id=\"note-\(number)\" value=\"\(number)\">\(MarkdownInline.html(note))</li>"
    }
    return "<ol class=\"notes\">\n\(items.joined(separator: "\n"))\n</ol>"
  }

  private mutating func figure(_ line: Substring) -> String? {
    guard line.hasPrefix("!["), line.hasSuffix(")"),
      let figure = line.split(separator: "(").last.flatMap({ figures[String($0.dropLast())] })
    else { return nil }
    lines.removeFirst()
    return figure
  }

  /// A paragraph that is bold as a whole leads those after it.
  private mutating func paragraph() -> String {
    let first = lines.removeFirst()
    let rest = take { !$0.isEmpty && !$0.hasPrefix("- ") && !$0.hasPrefix("```") && !$0.hasPrefix("|") }
    let html = MarkdownInline.html(([first] + rest).joined(separator: "\n"))
    let isLead =
      html.hasPrefix("<strong>") && html.hasSuffix("</strong>")
      && html.ranges(of: "<strong>").count == 1
    return isLead ? "<p class=\"lead\">\(html)</p>" : "<p>\(html)</p>"
  }

  /// Takes lines for as long as they are of one kind.
  private mutating func take(while isMember: (Substring) -> Bool) -> ArraySlice<Substring> {
    let taken = lines.prefix(while: isMember)
    lines = lines.dropFirst(taken.count)
    return taken
  }
}

/// A table of the reports, as HTML that scrolls sideways where it is too wide.
struct MarkdownTableHTML {
  let html: String

  /// Characters of a cell; what is longer is a sentence, and may be broken.
  private static let longestOfOneLine = 60

  /// - Parameter lines: The header, the rule and the rows.
  init(_ lines: ArraySlice<Substring>) {
    let rows = lines.map(Self.cells)
    let isRight = rows.dropFirst().first?.map { $0.hasSuffix(":") } ?? []
    func row(_ cells: [String], isHeader: Bool) -> String {
      let rendered = cells.enumerated().map { column, cell -> String in
        let isNumber = column < isRight.count && isRight[column]
        let isSentence = !isHeader && !isNumber && cell.count > Self.longestOfOneLine
        let alignment = isNumber ? " class=\"n\"" : isSentence ? " class=\"long\"" : ""
        let content = MarkdownInline.html(cell)
        // A header without words heads nothing.
        let isHead = !content.isEmpty && (isHeader || column == 0)
        let name = isHead ? "th scope=\"\(isHeader ? "col" : "row")\"" : "td"
        return "<\(name)\(alignment)>\(content)</\(isHead ? "th" : "td")>"
      }
      return "<tr>\(rendered.joined())</tr>"
    }
    let head = rows.first.map { row($0, isHeader: true) } ?? ""
    let body = rows.dropFirst(2).map { row($0, isHeader: false) }
    html = """
      <div class="scroll" tabindex="0" role="group" aria-label="table"><table>
      <thead>\(head)</thead>
      <tbody>
      \(body.joined(separator: "\n"))
      </tbody>
      </table></div>
      """
  }

  /// By GFM's rule: a pipe after a backslash, which is not itself escaped, is a pipe of the cell.
  static func cells(_ line: Substring) -> [String] {
    var cells: [String] = []
    var cell = ""
    var isEscaped = false
    for character in line.dropFirst() {
      if character == "|" && !isEscaped {
        cells.append(cell.trimmingSpaces)
        cell = ""
      } else {
        if character == "|" { cell.removeLast() }
        cell.append(character)
      }
      isEscaped = character == "\\" && !isEscaped
    }
    return cells
  }
}

extension String {
  fileprivate var trimmingSpaces: String {
    let start = drop { $0 == " " }
    return String(start.reversed().drop { $0 == " " }.reversed())
  }
}
