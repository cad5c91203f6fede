/// GitHub-flavoured markdown from plain text.
package enum Markdown {
  /// Plain text as markdown that reads the same. Pipes are left to `MarkdownTable`, which knows whether
  /// the text stands in a cell.
  package static func escape(_ text: String) -> String {
    let characters = Array(text)
    var escaped = ""
    for (index, character) in characters.enumerated() {
      let before = index > 0 ? characters[index - 1] : " "
      let after = index + 1 < characters.count ? characters[index + 1] : " "
      switch character {
      case "\\", "`", "*", "[", "]", "<", ">", "~", "$":
        escaped += "\\\(character)"
      case "_" where !(isWord(before) && isWord(after)), "&" where isWord(after) || after == "#":
        escaped += "\\\(character)"
      case _ where character.isNewline:
        escaped += " "
      default:
        escaped.append(character)
      }
    }
    return escaped
  }

  package static func bold(_ text: String) -> String { "**\(text)**" }

  /// A picture that lies beside the page, in a paragraph of its own; both plain text.
  static func image(_ file: String, alternative: String) -> String { "![\(escape(alternative))](\(file))" }

  /// Text in a code span, in one line. Where a code span could not hold it, an HTML element does.
  package static func code(_ text: String) -> String {
    let line = String(text.map { $0.isNewline ? " " : $0 })
    guard line.contains(where: { "`|".contains($0) }) || line.isEmpty else { return "`\(line)`" }
    let entities = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "`": "&#96;", "|": "&#124;", "*": "&#42;"]
    let inner = line.map { character in
      entities[String(character)] ?? ("\\_[]~$".contains(character) ? "\\\(character)" : "\(character)")
    }
    return "<code>\(inner.joined())</code>"
  }

  /// A fenced block; the fence is longer than any in the text.
  package static func fence(_ text: String, language: String = "") -> String {
    var longest = 0
    var current = 0
    for character in text {
      current = character == "`" ? current + 1 : 0
      longest = max(longest, current)
    }
    let fence = String(repeating: "`", count: max(3, longest + 1))
    return "\(fence)\(language)\n\(text)\n\(fence)"
  }

  /// Folded until it is clicked on. The blank lines are needed for markdown inside to be read as such.
  package static func folded(_ summary: String, _ body: String) -> String {
    "<details>\n<summary>\(summary)</summary>\n\n\(body)\n\n</details>"
  }

  private static func isWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber
  }
}
