/// The facts about a class in an app's Swift file that are needed to benchmark it.
package struct LayoutClass: Sendable, Equatable {
  package struct Initializer: Sendable, Equatable {
    /// The parameters as they are in the file, on one line.
    package var parameters: String
    /// Whether the initializer is designated. Subclasses without a designated initializer inherit it.
    package var isDesignated: Bool
    /// Whether the initializer may return nil, or is private.
    package var isUnusable: Bool

    /// Whether the initializer can be called without arguments.
    package var needsNothing: Bool {
      // Commas in brackets and strings do not separate parameters.
      var list = SwiftCode(parameters).text
      let brackets = #/\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}|<[^<>]*>/#
      while list.contains(brackets) { list.replace(brackets, with: "") }
      return !isUnusable && list.split(separator: ",").allSatisfy { $0.contains("=") }
    }
  }

  package let name: String
  package let base: String?
  package let initializers: [Initializer]
  /// Why other files cannot use the class. Nil if they can.
  package let obstacle: String?

  package static func all(in source: String) -> [LayoutClass] {
    let code = SwiftCode(source)
    return code.text.matches(of: #/\bclass\s+(\w+)\s*(<[^{]*?>)?\s*(?::([^{]*))?\{/#).map { match in
      let range = code.offsets(of: match.output.0)
      let isPrivate = code.lineBefore(range.lowerBound).contains("private")
      let isNested = code.depth(at: range.lowerBound) > 0
      return LayoutClass(
        name: String(match.output.1),
        base: match.output.3.flatMap { $0.firstMatch(of: #/(?:\w+\.)*(\w+)/#) }.map { String($0.output.1) },
        initializers: initializers(code, from: range.upperBound - 1, source),
        obstacle: isPrivate
          ? "is private" : isNested ? "lies in another type" : match.output.2.map { _ in "is generic" })
    }
  }

  /// - Parameter start: The offset of the opening brace of the class.
  private static func initializers(_ code: SwiftCode, from start: Int, _ source: String) -> [Initializer] {
    let end = code.close(of: start)
    let bytes = Array(source.utf8)
    return code.text.matches(of: #/\binit([?!]?)\s*(?:<[^(]*>\s*)?\(/#).compactMap { match in
      let range = code.offsets(of: match.output.0)
      let line = code.lineBefore(range.lowerBound)
      guard range.lowerBound > start, range.lowerBound < end, code.depth(at: range.lowerBound, from: start) == 1,
        !line.hasSuffix(".")
      else { return nil }
      let parameters = String(decoding: bytes[range.upperBound..<code.close(of: range.upperBound - 1)], as: UTF8.self)
      return Initializer(
        parameters: parameters.split(whereSeparator: \.isWhitespace).joined(separator: " "),
        isDesignated: !line.contains("convenience"), isUnusable: match.output.1 == "?" || line.contains("private"))
    }
  }
}
