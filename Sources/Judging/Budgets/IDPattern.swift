import FrameBench

/// A pattern for ids of benchmarks, `scenario/strategy/size`: `*` stands for any characters within a part,
/// `**` for any number of parts, `?` for one character.
package struct IDPattern: Sendable, Hashable, CustomStringConvertible {
  /// As it was written.
  package let description: String
  private let parts: [[Character]]

  /// Any text is a pattern; without `*` and `?` it matches itself alone.
  package init(_ text: String) {
    description = text
    parts = text.split(separator: "/", omittingEmptySubsequences: false).map(Array.init)
  }

  /// Whether the whole id fits.
  package func matches(_ id: BenchmarkID) -> Bool { matches(id.description) }

  /// Whether the whole text fits, which need not be the id of a benchmark.
  package func matches(_ text: String) -> Bool {
    let segments = text.split(separator: "/", omittingEmptySubsequences: false).map(Array.init)
    return Self.match(parts[...], segments[...]) { pattern, segment in
      if pattern == ["*", "*"] { return nil }
      return Self.match(pattern[...], segment[...]) { $0 == "*" ? nil : $0 == "?" || $0 == $1 }
    }
  }

  /// - Parameter matches: Whether an element of the pattern matches one element; nil where it stands for any
  ///   number of them. It is asked before an element is there, with the pattern's own in its place.
  private static func match<Element>(
    _ pattern: ArraySlice<Element>, _ text: ArraySlice<Element>, by matches: (Element, Element) -> Bool?
  ) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    guard let fits = matches(first, text.first ?? first) else {
      return match(pattern.dropFirst(), text, by: matches)
        || (!text.isEmpty && match(pattern, text.dropFirst(), by: matches))
    }
    return fits && !text.isEmpty && match(pattern.dropFirst(), text.dropFirst(), by: matches)
  }
}
