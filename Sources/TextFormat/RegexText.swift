/// Regular expressions of plain text.
package enum RegexText {
  /// Matches the text, and what has it in it.
  package static func literal(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      // An accent on a backslash is an error of the expression.
      let category = scalar.properties.generalCategory
      let joins = [.format, .nonspacingMark, .spacingMark, .enclosingMark].contains(category)
      if joins || scalar.properties.isEmojiModifier { return "\\u{\(String(scalar.value, radix: 16))}" }
      return "\\^$.|?*+()[]{}".unicodeScalars.contains(scalar) ? "\\\(scalar)" : String(scalar)
    }.joined()
  }

  /// Matches the text and nothing else.
  package static func whole(_ text: String) -> String { "^\(literal(text))$" }
}
