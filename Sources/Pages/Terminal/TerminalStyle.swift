/// ANSI colours, or none.
struct TerminalStyle: Sendable {
  let usesColor: Bool

  enum Tone { case plain, good, bad }

  func bold(_ text: String) -> String { escape("1", text) }
  func red(_ text: String) -> String { escape("31", text) }

  func apply(_ tone: Tone, to text: String, isHeader: Bool) -> String {
    if isHeader { return escape("2", text) }
    switch tone {
    case .plain: return text
    case .good: return escape("32", text)
    case .bad: return escape("31", text)
    }
  }

  private func escape(_ code: String, _ text: String) -> String {
    usesColor ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}

/// Breaks text into lines.
package enum TextWrap {
  /// Lines of at most `width` characters, all but the first indented. Words longer than a line are cut.
  package static func lines(_ text: String, width: Int, indent: Int = 0) -> [String] {
    precondition(width > indent, "lines of \(width) characters, \(indent) of them indent")
    var lines: [String] = []
    var line = ""
    // A worker's words may hold escape sequences, which are the terminal's to obey, not the reader's.
    let printable = text.filter { character in
      character.isWhitespace
        || character.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
    for word in printable.split(whereSeparator: \.isWhitespace) {
      var rest = word
      if !line.isEmpty && line.count + 1 + rest.count <= width {
        line += " " + rest
        continue
      }
      if !line.isEmpty { lines.append(line) }
      line = lines.isEmpty ? "" : String(repeating: " ", count: indent)
      while line.count + rest.count > width {
        lines.append(line + rest.prefix(width - line.count))
        rest = rest.dropFirst(width - line.count)
        line = String(repeating: " ", count: indent)
      }
      line += rest
    }
    return line.isEmpty ? lines : lines + [line]
  }
}
