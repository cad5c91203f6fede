/// Writes comma-separated values (RFC 4180).
package enum CSVText {
  /// Returns a line of CSV that ends in CR LF, with quotes around the fields that need them.
  package static func line(_ fields: [String]) -> String { self.fields(fields) + "\r\n" }

  /// Returns the fields separated by commas, with quotes around the fields that need them, and without a line end.
  package static func fields(_ fields: [String]) -> String { fields.map(field).joined(separator: ",") }

  /// Returns a field of CSV, with quotes if it needs them. Scalars are examined, not characters, because Swift treats
  /// CR LF, or a quote with an accent, as one character.
  private static func field(_ text: String) -> String {
    // A spreadsheet would evaluate a field that begins like a formula. An apostrophe makes it text, as OWASP advises.
    let isFormula = text.unicodeScalars.first.map("=+-@\t\r\n".unicodeScalars.contains) == true && Double(text) == nil
    let text = isFormula ? "'" + text : text
    guard text.unicodeScalars.contains(where: { "\",\r\n".unicodeScalars.contains($0) }) else { return text }
    return "\"" + text.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
  }
}

/// Writes plain text as XML 1.0.
package enum XMLText {
  /// The escapes of XML. Tabs and line ends are escaped because a parser would otherwise read them as spaces in
  /// attributes, and each CR as LF.
  private static let escapes: [Unicode.Scalar: String] = [
    "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;",
  ]

  /// Escapes text for an attribute in double quotes and for content. Characters that XML does not allow become U+FFFD.
  package static func escape(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { escaped, scalar in
      let isForeign = scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF
      escaped += escapes[scalar] ?? (isForeign ? "\u{FFFD}" : String(scalar))
    }
  }

  /// Returns an element that contains `text`, whose line feeds stay unescaped. If `text` is nil, the element contains
  /// the XML in `content`, one item per line. If there is neither, the element is empty.
  package static func element(
    _ name: String, _ attributes: [(String, String?)] = [], text: String? = nil, content: [String] = [],
    indentation: Int = 0
  ) -> String {
    let margin = String(repeating: "  ", count: indentation)
    let pairs = attributes.compactMap { key, value in value.map { " \(key)=\"\(escape($0))\"" } }
    let start = "\(margin)<\(name)\(pairs.joined())"
    if let text {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { escape(String($0)) }
      return "\(start)>\(lines.joined(separator: "\n"))</\(name)>"
    }
    guard !content.isEmpty else { return start + "/>" }
    return ([start + ">"] + content + ["\(margin)</\(name)>"]).joined(separator: "\n")
  }
}

/// Quotes the words of a command line that a POSIX shell would otherwise read differently.
package enum ShellWord {
  package static func quoted(_ words: [String]) -> String {
    words.map { word in
      if word.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) { return ansi(word) }
      let isPlain = word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./=:,@%+".contains($0)) }
      return isPlain && !word.isEmpty
        ? word : "'" + word.unicodeScalars.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
    }.joined(separator: " ")
  }

  /// Returns a word as `$'…'` (POSIX 2024), in one line and with escaped control characters. An older shell reads other
  /// characters in the quotes, but still finds their end.
  private static func ansi(_ word: String) -> String {
    let escaped = word.utf8.map { byte in
      switch byte {
      case 0x20..<0x7F where byte != UInt8(ascii: "'") && byte != UInt8(ascii: "\\"): String(UnicodeScalar(byte))
      default: "\\" + String(byte >> 6) + String(byte >> 3 & 7) + String(byte & 7)
      }
    }
    return "$'" + escaped.joined() + "'"
  }
}

/// Regular expressions that match plain text.
package enum RegexText {
  /// Returns a regular expression that matches this text wherever it occurs in a string.
  package static func literal(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      // After an escaped character such as `\.`, a combining accent would be an error in a regular expression.
      let category = scalar.properties.generalCategory
      let joins = [.format, .nonspacingMark, .spacingMark, .enclosingMark].contains(category)
      if joins || scalar.properties.isEmojiModifier { return "\\u{\(String(scalar.value, radix: 16))}" }
      return "\\^$.|?*+()[]{}".unicodeScalars.contains(scalar) ? "\\\(scalar)" : String(scalar)
    }.joined()
  }

  /// Returns a regular expression that matches only strings that equal this text.
  package static func whole(_ text: String) -> String { "^\(literal(text))$" }
}

/// Returns the text with a space for each line feed and control character. So a name that somebody else chose cannot
/// begin a new line of a report.
package func oneLine(_ text: some StringProtocol) -> String {
  String(
    text.map { character in
      let isControl = character.unicodeScalars.contains { $0.properties.generalCategory == .control }
      return character.isNewline || isControl ? " " : character
    })
}

extension String {
  /// A suffix such as `~1a2b3c4d` for file names and anchors that keep only the ASCII letters of a text. It
  /// distinguishes texts with the same ASCII letters. It is a hash of this text alone (FNV-1a), so it does not change
  /// when other names are added. Empty if the text is only ASCII.
  package var markOfOtherLetters: String {
    guard utf8.contains(where: { $0 >= 0x80 }) else { return "" }
    let hash = utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    let digits = String(hash, radix: 16)
    return "~" + String(repeating: "0", count: 8 - digits.count) + digits
  }
}

/// Generates file names that are unique, and safe for every file system and in links.
package struct FileNames {
  private let allowed: String
  private var taken: Set<String> = []

  /// - Parameter others: Characters to keep in addition to ASCII letters, digits, `_` and `-`.
  package init(allowing others: String = "") { allowed = "_-" + others }

  /// Returns the parts joined by hyphens, at most 130 characters, followed by a number if the name is taken.
  package mutating func next(_ parts: String...) -> String {
    let whole = parts.joined(separator: "-")
    let safe = whole.map { character in
      character.isASCII && (character.isLetter || character.isNumber || allowed.contains(character)) ? character : "-"
    }
    let stem = String(safe.prefix(120)) + whole.markOfOtherLetters
    var (name, copy) = (stem, 2)
    // Names are compared without regard to case, because some file systems ignore case.
    while !taken.insert(name.lowercased()).inserted {
      name = "\(stem)~\(copy)"
      copy += 1
    }
    return name
  }
}

extension String {
  /// Returns the text with each scalar replaced by its code in `codes`, or else by the result of `others`. Works on
  /// scalars, because Swift treats a quote with a combining accent as a different character.
  package func escaped(_ codes: [Unicode.Scalar: String], others: (Unicode.Scalar) -> String = { String($0) }) -> String
  { unicodeScalars.map { codes[$0] ?? others($0) }.joined() }

  /// Returns the text with `replacement` in place of each white space and each control character.
  package func withoutBlanks(_ replacement: String) -> String {
    escaped([:]) { $0.properties.isWhitespace || $0.properties.generalCategory == .control ? replacement : String($0) }
  }
}
