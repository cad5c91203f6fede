import Statistics
import TextFormat

/// A piece of text in a line, in the terms of CommonMark. Strings are plain text: renderers escape them.
package enum Inline: Sendable, Hashable {
  case text(String)
  case code(String)
  case strong(RichText, Tone? = nil)
  case emphasis(RichText)
  /// The destination is a URL, percent-encoded.
  case link(RichText, destination: String)
  /// The source is a URL, percent-encoded.
  case image(alternative: String, source: String)
  case sparkline(Sparkline)
  /// A note at the end of the page, with a mark in the text. Equal notes share a mark.
  case footnote(RichText)
  case lineBreak
}

/// The tone of a text or a row, which HTML pages and terminals show as a color.
package enum Tone: String, Sendable { case bad, good, doubtful }

/// Text with markup, built from plain text and interpolations: `"\(code: name) is \(strong: "new")"`.
package struct RichText: Sendable, Hashable, ExpressibleByStringInterpolation {
  package private(set) var inlines: [Inline]

  package init(_ inlines: [Inline]) { self.inlines = inlines }

  package init(_ text: String) { inlines = text.isEmpty ? [] : [.text(text)] }

  package init(_ text: String, isStrong: Bool) { self = isStrong ? .strong(text) : RichText(text) }

  package static func text(_ text: String) -> RichText { RichText(text) }
  package static func code(_ text: String) -> RichText { RichText([.code(text)]) }
  package static func strong(_ text: RichText, _ tone: Tone? = nil) -> RichText { RichText([.strong(text, tone)]) }
  package static func strong(_ text: String, _ tone: Tone? = nil) -> RichText { .strong(RichText(text), tone) }
  package static func emphasis(_ text: RichText) -> RichText { RichText([.emphasis(text)]) }
  package static func footnote(_ note: RichText) -> RichText { RichText([.footnote(note)]) }
  package static func absent(_ reason: String) -> RichText { "\(Format.absent)\(footnote: RichText(reason))" }

  package var isEmpty: Bool { inlines.isEmpty }

  /// The text without markup, footnotes and pictures.
  package var plainText: String {
    inlines.map { inline in
      switch inline {
      case .text(let text), .code(let text): text
      case .strong(let content, _), .emphasis(let content), .link(let content, _): content.plainText
      case .lineBreak: " "
      case .image, .sparkline, .footnote: ""
      }
    }.joined()
  }

  /// The number of characters that the text occupies in a cell, including its sparklines.
  package var width: Int {
    let charts = inlines.map { if case .sparkline(let line) = $0 { line.text.count } else { 0 } }
    return TerminalText.width(plainText) + charts.reduce(0, +)
  }

  package static func + (left: RichText, right: RichText) -> RichText { "\(left)\(right)" }

  /// The given words in the style of this text: strong with the same tone if this text begins with strong text,
  /// otherwise plain.
  package func replaced(by text: String) -> RichText {
    if case .strong(_, let tone) = inlines.first { .strong(text, tone) } else { RichText(text) }
  }

  /// Appends a piece, and merges neighboring plain text, because the escape of a character depends on its neighbors.
  fileprivate mutating func append(_ inline: Inline) {
    guard case .text(let text) = inline else { return inlines.append(inline) }
    if case .text(let before) = inlines.last {
      inlines[inlines.count - 1] = .text(before + text)
    } else if !text.isEmpty {
      inlines.append(inline)
    }
  }

  package init(stringLiteral value: String) { self.init(value) }

  package init(stringInterpolation: StringInterpolation) { self = stringInterpolation.result }

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var result = RichText([])

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ literal: String) { result.append(.text(literal)) }

    package mutating func appendInterpolation(_ text: some CustomStringConvertible) {
      result.append(.text(text.description))
    }

    package mutating func appendInterpolation(_ text: RichText) { text.inlines.forEach { result.append($0) } }

    package mutating func appendInterpolation(code: some CustomStringConvertible) {
      result.append(.code(code.description))
    }

    package mutating func appendInterpolation(strong: RichText) { result.append(.strong(strong)) }
    package mutating func appendInterpolation(emphasis: RichText) { result.append(.emphasis(emphasis)) }
    package mutating func appendInterpolation(footnote: RichText) { result.append(.footnote(footnote)) }

    package mutating func appendInterpolation(_ label: RichText, link destination: String) {
      result.append(.link(label, destination: destination))
    }
  }
}

extension Sequence<RichText> {
  package func joined(separator: RichText) -> RichText {
    var result = RichText([])
    for (index, text) in enumerated() {
      if index > 0 { separator.inlines.forEach { result.append($0) } }
      text.inlines.forEach { result.append($0) }
    }
    return result
  }

  package func lines() -> RichText { joined(separator: RichText([.lineBreak])) }

  /// The texts as a list in words: `a`, `a and b`, `a, b and c`.
  package func list() -> RichText {
    let parts = Array(self)
    guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
    return "\(parts.dropLast().joined(separator: ", ")) and \(last)"
  }
}

/// A chart that is small enough for a cell of a table.
package struct Sparkline: Sendable, Hashable {
  /// The heights of the bars, from 0 to 1. Empty if there is nothing to show.
  package let levels: [Double]
  /// Plain text for readers who cannot see the picture.
  package let description: String
  /// The maximum number of characters of the chart as text.
  package var width: Int
  /// A line of marks below the text, one mark for each character of the text. Empty if there are no marks.
  package var marks = ""

  /// The number of bars for which an HTML page has room. A chart as text has half as many characters.
  package static let barCount = 48

  /// Creates bars, scaled from zero. Each bar shows the greatest of several consecutive values, so no spike is lost.
  package init(_ values: [Double], description: String, width: Int = Sparkline.barCount / 2) {
    (self.description, self.width) = (description, width)
    guard let greatest = values.max(), greatest > 0, greatest.isFinite else {
      levels = []
      return
    }
    levels = Self.stretches(values, min(Self.barCount, values.count)).map { stretch in
      ((stretch.max() ?? 0) / greatest * 1_000).rounded() / 1_000
    }
  }

  /// The scale of a trend spans at least this fraction of the largest value, so that noise does not look like a change.
  package static let leastSpan = 0.1

  /// Creates a chart of a trend, scaled from its minimum to its maximum. Each character shows the median of several
  /// consecutive values. The last mark of these values is shown below it.
  package init(trend values: [Double], width: Int, marks: [(position: Int, mark: Character)]) {
    precondition(width > 0, "a sparkline of \(width) columns")
    let count = min(width, values.count)
    let medians = Self.stretches(values, count).map { Quantile.type7(sorted: $0.sorted(), at: 0.5) }
    let (low, high) = (medians.min() ?? 0, medians.max() ?? 0)
    let span = max(high - low, Self.leastSpan * max(abs(low), abs(high)))
    // A trend that hardly changes is drawn at half height. A character can show eight heights.
    let bottom = min(low, (low + high) / 2 - span * 3 / 7)
    levels = medians.map { span > 0 ? ((($0 - bottom) / span * 7).rounded() + 0.5) / 8 : 3.5 / 8 }
    description = ""
    self.width = width
    var line = [Character](repeating: " ", count: marks.isEmpty ? 0 : count)
    for (position, mark) in marks { line[((position + 1) * count - 1) / values.count] = mark }
    self.marks = String(line)
  }

  /// The chart as text: `▁▁▃▁▁▁█▁▁▁▂▁`.
  package var text: String {
    let blocks = Array("▁▂▃▄▅▆▇█")
    return String(
      Self.stretches(levels, min(width, levels.count)).map { stretch in
        blocks[min(blocks.count - 1, Int((stretch.max() ?? 0) * Double(blocks.count)))]
      })
  }

  private static func stretches(_ values: [Double], _ count: Int) -> [ArraySlice<Double>] {
    (0..<count).map { values[($0 * values.count / count)..<(($0 + 1) * values.count / count)] }
  }
}
