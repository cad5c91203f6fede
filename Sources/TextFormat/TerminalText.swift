/// Text for a terminal or a job's log.
package enum TerminalText {
  /// The text without control sequences and lines that GitHub takes for commands: names may be other people's.
  /// - Parameters:
  ///   - keepsColor: Whether sequences that only colour text stay.
  ///   - isWorkflow: Whether the text goes to the log of a GitHub job, which obeys some of its lines.
  package static func safe(_ text: String, keepsColor: Bool, isWorkflow: Bool) -> String {
    let plain = text.utf8.contains(where: isSuspect) ? withoutControls(text, keepsColor: keepsColor) : text
    return isWorkflow ? withoutCommands(plain) : plain
  }

  /// Whether the byte is part of a control character, or of one beyond ASCII.
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

  /// The end of a colour sequence such as `ESC [ 1 ; 31 m`; nil if another sequence begins.
  private static func endOfColor(_ text: Substring.UnicodeScalarView) -> String.Index? {
    let parameters = text.dropFirst()
    guard parameters.first == "[" else { return nil }
    let end = parameters.dropFirst().drop { "0123456789;".unicodeScalars.contains($0) }
    return end.first == "m" ? text.index(after: end.startIndex) : nil
  }

  /// Disarms workflow commands: GitHub obeys `::` at the start of a line, after white space too, and `##[` anywhere.
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
