import TextFormat

/// Renders blocks as GitHub-flavored markdown. The same blocks always give the same text.
package struct MarkdownRenderer {
  package let footnotes: Footnotes

  package init(footnotes: Footnotes) { self.footnotes = footnotes }

  package func render(_ blocks: [Block]) -> String {
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
      // An empty line in the summary would end the element. GitHub reads the content as markdown only between empty
      // lines.
      """
      <details>
      <summary>\(Self.unlinked(oneLine(summary)).escaped(["&": "&amp;", "<": "&lt;"]))</summary>

      \(render(content))

      </details>
      """
    case .footnotes:
      footnotes.notes.enumerated().map { "[^\($0.offset + 1)]: \(paragraph($0.element))" }.joined(separator: "\n")
    }
  }

  /// The text as markdown. Its start is escaped if it looks like a heading, a quotation or a list.
  private func paragraph(_ text: RichText) -> String {
    let line = inline(text)
    guard case .text = text.inlines.first,
      let marker = line.prefixMatch(of: #/>|#{1,6}(?=\s|$)|[-+](?=[\s-]|$)|\d{1,9}[.)](?=\s|$)/#)
    else { return line }
    return "\(marker.0.dropLast())\\\(line[line.index(before: marker.range.upperBound)...])"
  }

  /// A code block. Its fence is longer than any fence in the text.
  private func fenced(_ text: String, _ language: String) -> String {
    let longest = text.split { $0 != "`" }.map(\.count).max() ?? 0
    let fence = String(repeating: "`", count: max(3, longest + 1))
    let plain = TerminalText.safe(text, keepsColor: false, isWorkflow: false)
    return "\(fence)\(language)\n\(plain)\n\(fence)"
  }

  /// Renders a table as markdown whose columns also line up in the raw text. If the table is too wide for the page, the
  /// columns that matter least are left out.
  private func render(_ whole: Table) -> String {
    // The widths of a table, a character and a cell's padding on GitHub's page of a file, in points.
    let table = whole.showing(whole.columnsFitting(948, character: 8, padding: 27))
    let lines = ([table.columns.map(\.title)] + table.rows).map { $0.map { inline($0).escaped(["|": "\\|"]) } }
    let widths = table.columns.indices.map { column in max(3, lines.map { TerminalText.width($0[column]) }.max() ?? 0) }
    func row(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |" }
    var rendered = lines.enumerated().map { index, cells in
      row(
        cells.indices.map { column in
          let spaces = String(repeating: " ", count: widths[column] - TerminalText.width(cells[column]))
          guard table.columns[column].alignment == .right else { return cells[column] + spaces }
          // No-break spaces keep GitHub from breaking a figure before its unit if the table is wider than the page.
          return spaces + (index == 0 ? cells[column] : cells[column].replacing(" ", with: "\u{A0}"))
        })
    }
    let rule = zip(table.columns, widths).map { column, width in
      String(repeating: "-", count: width - 1) + (column.alignment == .left ? "-" : ":")
    }
    rendered.insert(row(rule), at: 1)
    return rendered.joined(separator: "\n")
  }

  // MARK: Text

  private func inline(_ text: RichText, escapesTildes: Bool? = nil) -> String {
    // A tilde between spaces strikes out nothing, and neither does the only other tilde of a text. So tildes are escaped
    // only if there are at least two others.
    let escapesTildes =
      escapesTildes ?? (text.plainText.split(separator: " ").filter { $0 != "~" }.joined().count { $0 == "~" } > 1)
    func nested(_ content: RichText) -> String { inline(content, escapesTildes: escapesTildes) }
    return text.inlines.map { inline in
      switch inline {
      case .text(let text): Self.escape(text, escapesTildes: escapesTildes)
      case .code(let text): Self.code(text)
      case .strong(let content, _): "**\(nested(content))**"
      case .emphasis(let content): "*\(nested(content))*"
      case .link(let content, let destination): "[\(nested(content))](\(destination))"
      case .image(let alternative, let source): "![\(Self.escape(alternative))](\(source))"
      case .sparkline(let line): line.text
      case .lineBreak: "<br>"
      case .footnote(let note): "[^\(footnotes.number(note))]"
      }
    }.joined()
  }

  /// The text with escapes, except for pipes, which tables escape themselves. Works on scalars, because Swift treats a
  /// bracket with a combining accent as a different character.
  private static func escape(_ text: String, escapesTildes: Bool = true) -> String {
    let scalars = Array(unlinked(oneLine(text)).unicodeScalars)
    let mayBeAddress = scalars.contains("@")
    var escaped = String.UnicodeScalarView()
    for (index, scalar) in scalars.enumerated() {
      let before = index > 0 ? scalars[index - 1] : " "
      let after = index + 1 < scalars.count ? scalars[index + 1] : " "
      let isEscaped =
        switch scalar {
        case "\\", "`", "*", "[", "]", "$": true
        case "~": escapesTildes
        case ">": !(before == " " && after == " ")
        // Before a digit or a space, `<` begins no HTML element. In a text without `@`, it begins no mail address.
        case "<": !(after.properties.numericType != nil || after == " ") || mayBeAddress
        case "_": !(isWord(before) && isWord(after))
        case "&": isWord(after) || after == "#"
        default: false
        }
      if isEscaped { escaped.append("\\") }
      escaped.append(scalar)
    }
    return String(escaped)
  }

  /// Inserts zero-width spaces, because escapes do not prevent GitHub's links to people, issues and addresses.
  private static func unlinked(_ text: String) -> String {
    guard text.utf8.contains(where: { "@#-:wW".utf8.contains($0) }) else { return text }
    var result = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      result.append(scalar)
      guard let next = rest.first, next.isASCII else { continue }
      let before = String(String.UnicodeScalarView(result.suffix(3))).lowercased()
      let isLink =
        switch scalar {
        case "@": Character(next).isLetter || Character(next).isNumber
        case "#": Character(next).isNumber
        case "-": before == "gh-" && Character(next).isNumber
        case ":": rest.starts(with: "//".unicodeScalars)
        case "w", "W": before == "www" && next == "."
        default: false
        }
      if isLink { result.append("\u{200B}") }
    }
    return String(result)
  }

  /// A code span in one line, or an HTML element if a code span cannot contain the text.
  private static func code(_ text: String) -> String {
    let line = oneLine(text)
    guard line.unicodeScalars.contains(where: { "`|".unicodeScalars.contains($0) }) || line.isEmpty else {
      return "`\(line)`"
    }
    let entities: [Unicode.Scalar: String] = [
      "&": "&amp;", "<": "&lt;", ">": "&gt;", "`": "&#96;", "|": "&#124;", "*": "&#42;",
    ]
    let inner = line.escaped(entities) { "\\_[]~$".unicodeScalars.contains($0) ? "\\\($0)" : "\($0)" }
    return "<code>\(inner)</code>"
  }

  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil
  }
}

extension [Block] {
  /// The blocks as a page of GitHub-flavored markdown, with a line feed at its end.
  package func markdown() -> String {
    let text = MarkdownRenderer(footnotes: Footnotes(self)).render(self)
    return text.isEmpty ? "" : text + "\n"
  }
}
