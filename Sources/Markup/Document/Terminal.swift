import TextFormat

/// Renders blocks for a terminal or a job's log: lines of limited width, with or without ANSI colors.
package struct Terminal: Sendable {
  /// The width in columns, at least 40.
  package let width: Int
  package let usesColor: Bool

  package init(width: Int = .max, usesColor: Bool) {
    self.width = max(40, width)
    self.usesColor = usesColor
  }

  /// The blocks as text, with a blank line between two blocks and a line feed at the end.
  package func render(_ blocks: [Block]) -> String {
    blocks.map(lines).filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
  }

  package func lines(_ block: Block) -> [String] {
    switch block {
    case .heading(_, let text): lines(.strong(text))
    case .paragraph(let text): lines(text)
    case .list(let items):
      items.flatMap { item in
        let parts = item.inlines.split(separator: .lineBreak).map { RichText(Array($0)) }
        return lines(parts.first ?? "", indent: 2)
          + parts.dropFirst().flatMap { lines($0, width: width - 4) }.map { "    \($0)" }
      }
    case .table(let table): lines(cut(table.title ?? "")) + lines(table) + lines(table.caption ?? "")
    case .codeBlock(let text, _): [text]
    case .details(let summary, let content): [summary] + content.flatMap(lines)
    case .footnotes: []
    }
  }

  // MARK: Text

  /// The lines of a text. The indentation applies to all lines except the first.
  private func lines(_ text: RichText, indent: Int = 0, width: Int? = nil) -> [String] {
    text.inlines.split(separator: .lineBreak).flatMap { part in
      let part = RichText(Array(part))
      return Self.wrapped(plain(part), width: width ?? self.width, indent: indent).map { styled($0, as: part) }
    }
  }

  private func cut(_ text: RichText) -> RichText {
    let line = plain(text)
    return TerminalText.width(line) > width ? text.replaced(by: Self.cut(line, to: width)) : text
  }

  private static func cut(_ text: String, to width: Int) -> String { TerminalText.prefix(text, width: width - 1) + "…" }

  private func plain(_ text: RichText) -> String {
    text.inlines.map { inline in
      switch inline {
      case .sparkline(let line): line.marks.isEmpty ? line.text : "\(line.text)\n\(line.marks)"
      case .lineBreak: "\n"
      default: RichText([inline]).plainText
      }
    }.joined()
  }

  /// Styles a line if its text is strong as a whole. Strong words within a line stay plain.
  private func styled(_ line: String, as text: RichText) -> String {
    guard case .strong(_, let tone) = text.inlines.first, text.inlines.count == 1 else { return line }
    return tone.map { styled(line, $0) } ?? bold(line)
  }

  package func styled(_ text: String, _ tone: Tone) -> String {
    styled(text, tone == .bad ? "31" : tone == .good ? "32" : "33")
  }
  package func bold(_ text: String) -> String { styled(text, "1") }

  private func styled(_ text: String, _ code: String) -> String { usesColor ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text }

  /// The words of a text in lines of at most `width` columns, all but the first indented. Overlong words are broken.
  package static func wrapped(_ text: String, width: Int, indent: Int = 0) -> [String] {
    precondition(width > indent + 1, "lines of \(width) columns, \(indent) of them indent")
    let columns = { (text: Substring) in TerminalText.width(text) }
    var lines: [String] = []
    var line = ""
    // Text that a benchmark printed may contain escape sequences, which the terminal would obey.
    let printable = text.filter { character in
      character.isWhitespace || character.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
    for word in printable.split(whereSeparator: \.isWhitespace) {
      var rest = word
      if !line.isEmpty && columns(line[...]) + 1 + columns(rest) <= width {
        line += " " + rest
        continue
      }
      if !line.isEmpty { lines.append(line) }
      line = lines.isEmpty ? "" : String(repeating: " ", count: indent)
      while columns(line[...]) + columns(rest) > width {
        let part = TerminalText.prefix(rest, width: width - columns(line[...]))
        lines.append(line + part)
        rest = rest[part.endIndex...]
        line = String(repeating: " ", count: indent)
      }
      line += rest
    }
    return line.isEmpty ? lines : lines + [line]
  }

  // MARK: Tables

  /// The lines of a table, without its empty columns. If the table is too wide, columns are left out one by one, the
  /// lowest rank first. The gaps are narrowed before a column of rank 4 or higher is left out. If the table is still
  /// too wide, the text in the first left-aligned column is cut.
  private func lines(_ table: Table) -> [String] {
    let header = table.columns.contains { !$0.title.isEmpty } ? [table.columns.map(\.title)] : []
    let cells = (header + table.rows).map { row in
      row.map { plain($0).split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
    }
    var shown = table.columns.indices.filter { column in table.rows.contains { !plain($0[column]).isEmpty } }
    var widths = table.columns.indices.map { column in
      cells.map { $0[column].map { TerminalText.width($0) }.max() ?? 0 }.max() ?? 0
    }
    var gap = 2
    var excess: Int { shown.reduce(gap * (shown.count - 1)) { $0 + widths[$1] } - width }
    while excess > 0,
      let (victim, rank) = shown.compactMap({ column in table.columns[column].rank.map { (column, $0) } }).min(by: {
        $0.1 < $1.1
      })
    { if gap == 2, rank >= 4 { gap = 1 } else { shown.removeAll { $0 == victim } } }
    if excess > 0, let words = shown.first(where: { table.columns[$0].alignment == .left }) {
      widths[words] = max(4, widths[words] - excess)
    }
    func rendered(_ row: Int, _ line: Int) -> String {
      let parts = shown.map { column -> String in
        let lines = cells[row][column]
        guard line < lines.count else { return String(repeating: " ", count: widths[column]) }
        let isLong = TerminalText.width(lines[line]) > widths[column]
        let text = isLong ? Self.cut(lines[line], to: widths[column]) : lines[line]
        let spaces = String(repeating: " ", count: max(0, widths[column] - TerminalText.width(text)))
        let padded = table.columns[column].alignment == .left ? text + spaces : spaces + text
        let isPlain = row < header.count || table.tones[row - header.count] != nil
        return isPlain ? padded : styled(padded, as: table.rows[row - header.count][column])
      }
      let joined = parts.joined(separator: String(repeating: " ", count: gap))
      let trimmed = String(joined.reversed().drop { $0 == " " }.reversed())
      if row < header.count { return styled(trimmed, "2") }
      return table.tones[row - header.count].map { styled(trimmed, $0) } ?? trimmed
    }
    return cells.indices.flatMap { row in
      (0..<(cells[row].map(\.count).max() ?? 1)).map { rendered(row, $0) }
        + (table.notes[row - header.count] ?? []).map { styled("    \(plain($0))", as: $0) }
    }
  }
}
