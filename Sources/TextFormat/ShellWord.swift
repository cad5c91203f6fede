/// Words of a command line, quoted where a POSIX shell would not read them back as they are.
package enum ShellWord {
  package static func quoted(_ words: [String]) -> String {
    words.map { word in
      if word.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
        return ansi(word)
      }
      return !word.isEmpty
        && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./=:,@%+".contains($0)) }
        ? word : "'" + word.unicodeScalars.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
    }.joined(separator: " ")
  }

  /// `$'…'`, as POSIX 2024 has it: pasted text is one line and contains no control characters. Shells that do
  /// not know it read another word, but never the end of the quotes.
  private static func ansi(_ word: String) -> String {
    let escaped = word.utf8.map { byte in
      switch byte {
      case 0x20..<0x7F where byte != UInt8(ascii: "'") && byte != UInt8(ascii: "\\"):
        String(UnicodeScalar(byte))
      default: "\\" + String(byte >> 6) + String(byte >> 3 & 7) + String(byte & 7)
      }
    }
    return "$'" + escaped.joined() + "'"
  }
}
