/// Estimates the width of text in the reader's font, by the widths of DejaVu Sans, the widest of the usual fonts.
package enum TextMetrics {
  package static let fonts = "system-ui, -apple-system, Segoe UI, Roboto, Helvetica Neue, Noto Sans, Arial, sans-serif"
  /// The font sizes, in points.
  package static let standardSize = 12.0
  package static let smallSize = 11.0
  package static let titleSize = 15.0
  /// The distance from line to line, in ems.
  package static let lineHeight = 1.3

  /// The estimated width in points.
  package static func width(_ text: String, size: Double = standardSize, isBold: Bool = false) -> Double {
    points(text.reduce(0) { $0 + ems($1) }, size, isBold)
  }

  /// The text, shortened to fit the width. An ellipsis replaces its middle, because names often differ only at the end.
  package static func shortened(_ text: String, to limit: Double, size: Double, isBold: Bool = false) -> String {
    guard width(text, size: size, isBold: isBold) > limit else { return text }
    let characters = Array(text)
    var (kept, used) = (0, ems("…"))
    while kept < characters.count - 1 {
      used += ems(characters[kept.isMultiple(of: 2) ? kept / 2 : characters.count - 1 - kept / 2])
      guard points(used, size, isBold) <= limit else { break }
      kept += 1
    }
    return kept < 2 ? "…" : String(characters.prefix((kept + 1) / 2)) + "…" + String(characters.suffix(kept / 2))
  }

  private static func points(_ ems: Double, _ size: Double, _ isBold: Bool) -> Double {
    ems * size * (isBold ? 1.1 : 1)
  }

  private static func ems(_ character: Character) -> Double {
    guard character.isASCII else {
      let value = character.unicodeScalars.first?.value ?? 0
      return value >= 0x1100 && !(0x2000...0x2BFF).contains(value) ? 1.05 : 0.84
    }
    switch character {
    case "i", "j", "l", "I", "|", "'", ".", ",", ":", ";", "!", " ", "/": return 0.34
    case "f", "t", "r", "(", ")", "[", "]", "-": return 0.42
    case "m", "w", "M", "W", "%", "@", "#", "+", "=", "<", ">", "~", "^": return 0.99
    case _ where character.isUppercase: return 0.75
    default: return 0.64
    }
  }

  /// The text in lines, broken between words. A word that is wider than a line is shortened.
  package static func wrapped(_ text: String, _ width: Double, size: Double, isBold: Bool = false) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      let longer = lines.last.map { "\($0) \(word)" }
      if let longer, Self.width(longer, size: size, isBold: isBold) <= width {
        lines[lines.count - 1] = longer
      } else {
        lines.append(shortened(String(word), to: width, size: size, isBold: isBold))
      }
    }
    return lines
  }

  // MARK: The head of a picture

  package static let margin = 4.0

  package static func head(_ title: String, _ subtitle: String, width: Double) -> (elements: [String], height: Double) {
    var height = 0.0
    let titles = wrapped(title, width - 8, size: titleSize, isBold: true).map { line in
      height += 19
      return SVG.text(line, at: Point(x: margin, y: height - 3), class: "title", size: titleSize)
    }
    let subtitles = wrapped(subtitle, width - 8, size: smallSize).map { line in
      height += 15
      return small(line, at: Point(x: margin, y: height - 1))
    }
    return (titles + subtitles, height)
  }

  package static func small(_ text: String, at point: Point, anchor: TextAnchor = .start) -> String {
    SVG.text(text, at: point, anchor: anchor, class: "muted", size: smallSize)
  }
}
