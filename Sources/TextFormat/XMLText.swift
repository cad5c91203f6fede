/// XML 1.0 from plain text.
package enum XMLText {
  /// Fit for an attribute in double quotes and for content. What XML has no character for becomes U+FFFD.
  package static func escape(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      // A parser would read these as spaces in an attribute, and CR as LF anywhere.
      case "\t": escaped += "&#9;"
      case "\n": escaped += "&#10;"
      case "\r": escaped += "&#13;"
      case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF:
        escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// An element in one line, or around lines that are given.
  package static func element(
    _ name: String, _ attributes: [(String, String?)] = [], content: [String] = [], indentation: Int = 0
  ) -> String {
    let margin = String(repeating: "  ", count: indentation)
    let pairs = attributes.compactMap { key, value in value.map { " \(key)=\"\(escape($0))\"" } }.joined()
    guard !content.isEmpty else { return "\(margin)<\(name)\(pairs)/>" }
    return (["\(margin)<\(name)\(pairs)>"] + content + ["\(margin)</\(name)>"]).joined(separator: "\n")
  }

  /// An element around text, whose line ends are kept.
  package static func element(
    _ name: String, _ attributes: [(String, String?)] = [], text: String, indentation: Int
  ) -> String {
    let margin = String(repeating: "  ", count: indentation)
    let pairs = attributes.compactMap { key, value in value.map { " \(key)=\"\(escape($0))\"" } }.joined()
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { escape(String($0)) }
    return "\(margin)<\(name)\(pairs)>\(lines.joined(separator: "\n"))</\(name)>"
  }
}
