import FrameBench

/// Notes at the end of the page, numbered by their first mention; the same note has one number.
struct Footnotes {
  private var notes: [String] = []

  /// Returns the mark, `[^1]`. The note is markdown in one paragraph.
  mutating func mark(_ note: String) -> String {
    let index = notes.firstIndex(of: note) ?? notes.endIndex
    if index == notes.endIndex { notes.append(note) }
    return "[^\(index + 1)]"
  }

  /// Nil where nothing was noted.
  func render() -> String? {
    guard !notes.isEmpty else { return nil }
    return notes.enumerated().map { "[^\($0.offset + 1)]: \($0.element)" }.joined(separator: "\n")
  }
}

extension Warning {
  /// The text of its footnote, markdown.
  var note: String { Markdown.escape(benchmark.map { "\($0): \(message)" } ?? message) }
}
