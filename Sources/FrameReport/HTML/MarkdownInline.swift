/// A line of the markdown that the reports write, as HTML: emphasis, code, links, marks of footnotes. All else
/// is text and comes out escaped, so no name in a document becomes an element.
struct MarkdownInline {
  private let characters: [Character]
  private var position = 0

  static func html(_ markdown: some StringProtocol) -> String {
    var inline = MarkdownInline(characters: Array(markdown))
    return inline.render(until: nil)
  }

  /// The text that is left when the markup is taken away.
  static func plain(_ markdown: some StringProtocol) -> String {
    html(markdown).replacing(#/<[^>]*>/#, with: "").replacing("&lt;", with: "<").replacing("&gt;", with: ">")
      .replacing("&quot;", with: "\"").replacing("&#39;", with: "'").replacing("&#96;", with: "`")
      .replacing("&#124;", with: "|").replacing("&#42;", with: "*").replacing("&amp;", with: "&")
  }

  private init(characters: [Character]) {
    self.characters = characters
  }

  private mutating func render(until closing: String?) -> String {
    var html = ""
    while position < characters.count {
      if let closing, starts(with: closing) { return html }
      html += next()
    }
    return html
  }

  private mutating func next() -> String {
    let character = characters[position]
    switch character {
    case "\\": return escaped()
    case "`": return codeSpan() ?? text()
    case "*": return emphasis("**", "strong") ?? emphasis("*", "em") ?? text()
    case "[": return footnoteMark() ?? link() ?? text()
    case "<": return codeElement() ?? text()
    case "&": return entity() ?? text()
    default: return text()
    }
  }

  private mutating func text() -> String {
    defer { position += 1 }
    return SVG.escape(String(characters[position]))
  }

  private mutating func escaped() -> String {
    let after = position + 1
    guard after < characters.count, characters[after].isASCII,
      characters[after].isPunctuation || characters[after].isSymbol
    else { return text() }
    position += 1
    return text()
  }

  private mutating func codeSpan() -> String? {
    guard let end = find("`", from: position + 1) else { return nil }
    defer { position = end + 1 }
    return "<code>\(SVG.escape(String(characters[position + 1..<end])))</code>"
  }

  /// The element that stands for a code span which could not hold its text.
  private mutating func codeElement() -> String? {
    guard starts(with: "<code>") else { return nil }
    let start = position
    position += 6
    let inner = render(until: "</code>")
    guard starts(with: "</code>") else {
      position = start
      return nil
    }
    position += 7
    return "<code>\(inner)</code>"
  }

  private mutating func emphasis(_ mark: String, _ name: String) -> String? {
    guard starts(with: mark) else { return nil }
    let start = position
    position += mark.count
    guard position < characters.count, !characters[position].isWhitespace else {
      position = start
      return nil
    }
    let inner = render(until: mark)
    guard !inner.isEmpty, starts(with: mark) else {
      position = start
      return nil
    }
    position += mark.count
    return "<\(name)>\(inner)</\(name)>"
  }

  private mutating func footnoteMark() -> String? {
    guard starts(with: "[^"), let end = find("]", from: position) else { return nil }
    let number = String(characters[position + 2..<end])
    guard !number.isEmpty, number.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    position = end + 1
    return "<sup><a href=\"#note-\(number)\" aria-label=\"note \(number)\">\(number)</a></sup>"
  }

  /// To a file beside the page or to the web; a script or anything else is no place to go to.
  private mutating func link() -> String? {
    guard let end = find("](", from: position), let close = find(")", from: end) else { return nil }
    let target = String(characters[end + 2..<close])
    let isPlain = target.allSatisfy {
      $0.isASCII && ($0.isLetter || $0.isNumber || "-_.~/#?=&%+:".contains($0))
    }
    guard isPlain, target.hasPrefix("https://") || !target.contains(":"), !target.isEmpty else { return nil }
    let label = Self.html(String(characters[position + 1..<end]))
    position = close + 1
    return "<a href=\"\(SVG.escape(target))\">\(label)</a>"
  }

  /// Those that the reports write; another ampersand is text.
  private mutating func entity() -> String? {
    let known = ["&amp;", "&lt;", "&gt;", "&#96;", "&#124;", "&#42;"]
    guard let entity = known.first(where: starts(with:)) else { return nil }
    position += entity.count
    return entity
  }

  private func starts(with text: String) -> Bool { starts(with: text, at: position) }

  private func starts(with text: String, at position: Int) -> Bool {
    characters[position...].starts(with: text)
  }

  /// Past characters that a backslash stands before.
  private func find(_ text: String, from start: Int) -> Int? {
    var index = start
    while index < characters.count {
      if starts(with: text, at: index) { return index }
      index += characters[index] == "\\" && text != "`" ? 2 : 1
    }
    return nil
  }
}
