/// Measures text for a terminal or the log of a CI job, and makes it safe to print.
package enum TerminalText {
  /// Returns the number of columns that a text occupies. Most characters of East Asia and emoji occupy two, and a
  /// combining mark on its own occupies none.
  package static func width(_ text: some StringProtocol) -> Int {
    text.utf8.allSatisfy { $0 < 0x80 } ? text.utf8.count : text.reduce(0) { $0 + width($1) }
  }

  /// Returns the longest beginning of a text that fits into this many columns.
  package static func prefix<Text: StringProtocol>(_ text: Text, width limit: Int) -> Text.SubSequence {
    var used = 0
    return text.prefix { character in
      used += width(character)
      return used <= limit
    }
  }

  private static func width(_ character: Character) -> Int {
    guard !character.isASCII, let scalar = character.unicodeScalars.first else { return 1 }
    let isEmoji = scalar.properties.isEmojiPresentation || character.unicodeScalars.contains("\u{FE0F}")
    if isEmoji || wide.contains(where: { $0.contains(scalar.value) }) { return 2 }
    return [.nonspacingMark, .enclosingMark, .format].contains(scalar.properties.generalCategory) ? 0 : 1
  }

  /// Whole blocks of characters that occupy two columns (Unicode's East Asian Width, UAX 11).
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF,
    0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1B000...0x1B2FF, 0x20000...0x3FFFD,
  ]

  /// Returns the text without control sequences, and without lines that GitHub would obey as commands. The text may
  /// contain names that other people chose.
  /// - Parameters:
  ///   - keepsColor: Whether sequences that only color text are kept.
  ///   - isWorkflow: Whether the text is for the log of a GitHub job, which obeys some of its lines.
  package static func safe(_ text: String, keepsColor: Bool, isWorkflow: Bool) -> String {
    let plain = text.utf8.contains(where: isSuspect) ? withoutControls(text, keepsColor: keepsColor) : text
    return isWorkflow ? withoutCommands(plain) : plain
  }

  /// Whether the byte may be part of a control character. In UTF-8, control characters beyond ASCII begin with 0xC2.
  private static func isSuspect(_ byte: UInt8) -> Bool {
    byte < 0x20 && byte != 0x0A && byte != 0x09 || byte == 0x7F || byte == 0xC2
  }

  private static func withoutControls(_ text: String, keepsColor: Bool) -> String {
    var result = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while let scalar = rest.first {
      if keepsColor, scalar == "\u{1B}", let end = endOfColor(rest) {
        result.append(contentsOf: rest[..<end])
        rest = rest[end...]
        continue
      }
      rest.removeFirst()
      let isLineEnd = scalar == "\n" || scalar == "\r" && rest.first == "\n"
      let isControl = scalar.properties.generalCategory == .control && scalar != "\t" && !isLineEnd
      result.append(isControl ? " " : scalar)
    }
    return String(result)
  }

  /// Returns the end of the color sequence at the start of the text, such as `ESC [ 1 ; 31 m`. Nil if the text does not
  /// start with a color sequence.
  private static func endOfColor(_ text: Substring.UnicodeScalarView) -> String.Index? {
    let parameters = text.dropFirst()
    guard parameters.first == "[" else { return nil }
    let end = parameters.dropFirst().drop { "0123456789;".unicodeScalars.contains($0) }
    return end.first == "m" ? text.index(after: end.startIndex) : nil
  }

  /// Disarms workflow commands. GitHub obeys `::` at the start of a line, even after white space, and `##[` anywhere.
  private static func withoutCommands(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    var isAtStart = true
    while let scalar = rest.popFirst() {
      result.append(scalar)
      let isCommand =
        isAtStart && scalar == ":" && rest.first == ":" || scalar == "#" && rest.starts(with: "#[".unicodeScalars)
      if isCommand { result.append(" ") }
      isAtStart = scalar == "\n" || isAtStart && scalar.properties.isWhitespace
    }
    return String(result)
  }
}
