/// Blocks as GitHub-flavoured markdown; the same text for the same blocks.
struct MarkdownRenderer {
  private let footnotes: Footnotes

  /// - Parameter page: The whole page, which footnotes are numbered over.
  init(page: [Block]) { footnotes = Footnotes(page) }

  /// Blocks of the page, without a line feed at their end.
  func render(_ blocks: [Block]) -> String {
    blocks.map(render).filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  private func render(_ block: Block) -> String {
    switch block {
    case .heading(let level, let text): "\(String(repeating: "#", count: level)) \(inline(text))"
    case .paragraph(let text): paragraph(text)
    case .list(let items): items.map { "- \(paragraph($0))" }.joined(separator: "\n")
    case .table(let table): render(table)
    case .codeBlock(let text, let language): fenced(text, language)
    case .details(let summary, let content):
      // The blank lines are needed for markdown inside to be read as such.
      "<details>\n<summary>\(html(summary))</summary>\n\n\(render(content))\n\n</details>"
    case .footnotes:
      footnotes.notes.enumerated().map { "[^\($0.offset + 1)]: \(paragraph($0.element))" }
        .joined(separator: "\n")
    }
  }

  private func html(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
  }

  /// Plain text in front may look like the beginning of a heading, a quotation or a list.
  private func paragraph(_ text: RichText) -> String {
    let line = inline(text)
    guard case .text = text.inlines.first,
      let marker = line.prefixMatch(of: #/>|#{1,6}(?=\s|$)|[-+](?=[\s-]|$)|\d{1,9}[.)](?=\s|$)/#)
    else { return line }
    return "\(marker.0.dropLast())\\\(line[line.index(before: marker.range.upperBound)...])"
  }

  /// The fence is longer than any in the text.
  private func fenced(_ text: String, _ language: String) -> String {
    let longest = text.split { $0 != "`" }.map(\.count).max() ?? 0
    let fence = String(repeating: "`", count: max(3, longest + 1))
    return "\(fence)\(language)\n\(text)\n\(fence)"
  }

  // MARK: Tables

  /// Columns line up in the raw text as well.
  private func render(_ table: Table) -> String {
    let lines = ([table.columns.map(\.title)] + table.rows).map { $0.map(cell) }
    let widths = table.columns.indices.map { column in max(3, lines.map { $0[column].count }.max() ?? 0) }
    func row(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |" }
    var rendered = lines.map { cells in
      row(
        cells.indices.map { column in
          let spaces = String(repeating: " ", count: widths[column] - cells[column].count)
          return table.columns[column].alignment == .left ? cells[column] + spaces : spaces + cells[column]
        })
    }
    let rule = zip(table.columns, widths).map { column, width in
      String(repeating: "-", count: width - 1) + (column.alignment == .left ? "-" : ":")
    }
    rendered.insert(row(rule), at: 1)
    return rendered.joined(separator: "\n")
  }

  private func cell(_ text: RichText) -> String { inline(text).replacing("|", with: "\\|") }

  // MARK: Text

  private func inline(_ text: RichText) -> String {
    // One alone strikes nothing out, nor does one between spaces.
    let tildes = text.plainText.split(separator: " ").filter { $0 != "~" }.joined().count { $0 == "~" }
    return inline(text, escapesTildes: tildes > 1)
  }

  private func inline(_ text: RichText, escapesTildes: Bool) -> String {
    text.inlines.map { inline in
      func nested(_ content: RichText) -> String { self.inline(content, escapesTildes: escapesTildes) }
      return switch inline {
      case .text(let text): Self.escape(text, escapesTildes: escapesTildes)
      case .code(let text): Self.code(text)
      case .strong(let content, _): "**\(nested(content))**"
      case .emphasis(let content): "*\(nested(content))*"
      case .link(let content, let destination): "[\(nested(content))](\(destination))"
      case .image(let alternative, let source): "![\(Self.escape(alternative))](\(source))"
      case .footnote(let note): "[^\(footnotes.number(note))]"
      }
    }.joined()
  }

  /// Pipes are left to cells.
  private static func escape(_ text: String, escapesTildes: Bool = true) -> String {
    let characters = Array(text)
    var escaped = ""
    for (index, character) in characters.enumerated() {
      let before = index > 0 ? characters[index - 1] : " "
      let after = index + 1 < characters.count ? characters[index + 1] : " "
      switch character {
      case "\\", "`", "*", "[", "]", "$":
        escaped += "\\\(character)"
      case "~" where escapesTildes, ">" where !(before == " " && after == " "),
        // No element begins with a digit, and no address without its @.
        "<" where !(after.isNumber || after == " ") || text.contains("@"),
        "_" where !(isWord(before) && isWord(after)), "&" where isWord(after) || after == "#":
        escaped += "\\\(character)"
      case _ where character.isNewline:
        escaped += " "
      default:
        escaped.append(character)
      }
    }
    return escaped
  }

  /// A code span, in one line. Where that cannot hold the text, an HTML element does.
  private static func code(_ text: String) -> String {
    let line = String(text.map { $0.isNewline ? " " : $0 })
    guard line.contains(where: { "`|".contains($0) }) || line.isEmpty else { return "`\(line)`" }
    let entities = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "`": "&#96;", "|": "&#124;", "*": "&#42;"]
    let inner = line.map { character in
      entities[String(character)] ?? ("\\_[]~$".contains(character) ? "\\\(character)" : "\(character)")
    }
    return "<code>\(inner.joined())</code>"
  }

  private static func isWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber
  }
}

extension [Block] {
  /// As a page of GitHub-flavoured markdown, with a line feed at its end.
  package func markdown() -> String {
    let text = MarkdownRenderer(page: self).render(self)
    return text.isEmpty ? "" : text + "\n"
  }
}
