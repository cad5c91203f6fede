/// Elements of an SVG file, as text.
enum SVG {
  /// Attributes in the order given; the content is markup.
  static func element(_ name: String, _ attributes: [(String, String)] = [], _ content: String = "") -> String
  {
    let opening = attributes.reduce("<\(name)") { $0 + " \($1.0)=\"\(escape($1.1))\"" }
    return content.isEmpty ? opening + "/>" : "\(opening)>\(content)</\(name)>"
  }

  /// A whole file, readable on light and on dark pages.
  ///
  /// - Parameters:
  ///   - id: Unique in the page where the picture is to stand.
  ///   - plot: Left, right, top and bottom of the plot.
  static func document(
    id: String, size: Point, title: String, description: String, plot: String, content: String
  ) -> String {
    // Readers whose page is of another color than their system prefers would see dark on dark.
    let page = element("rect", [("class", "page"), ("width", "100%"), ("height", "100%")])
    let head =
      element("title", [("id", "\(id)-title")], escape(title))
      + element("desc", [("id", "\(id)-desc")], escape(description))
      + element("style", [], Palette.styleSheet)
    return element(
      "svg",
      [
        ("xmlns", "http://www.w3.org/2000/svg"), ("class", "sbp"),
        ("viewBox", "0 0 \(number(size.x)) \(number(size.y))"), ("width", number(size.x)),
        ("height", number(size.y)), ("role", "img"), ("aria-labelledby", "\(id)-title \(id)-desc"),
        ("font-size", number(TextMetrics.standardSize)), ("font-family", fonts), ("data-plot", plot),
      ], [head, page, content].joined(separator: "\n") + "\n") + "\n"
  }

  private static let fonts =
    "system-ui, -apple-system, Segoe UI, Roboto, Helvetica Neue, Noto Sans, Arial, sans-serif"

  /// Plain text as markup, for content and attributes of XML and HTML alike. Characters that XML cannot
  /// hold become a replacement character.
  static func escape(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      case "\t", "\n", "\r": escaped += " "
      case _
      where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
        || (scalar.value & 0xFFFE) == 0xFFFE:
        escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// A coordinate, to a tenth of a point: finer is invisible.
  static func number(_ value: Double) -> String {
    precondition(value.isFinite && abs(value) < 1e9, "a coordinate of \(value)")
    let tenths = Int((value * 10).rounded())
    let whole = tenths / 10
    guard tenths % 10 != 0 else { return "\(whole)" }
    return "\(tenths < 0 ? "-" : "")\(abs(whole)).\(abs(tenths % 10))"
  }

  /// A line through points.
  static func path(_ points: [Point]) -> String {
    var text = ""
    for (index, point) in points.enumerated() {
      text += "\(index == 0 ? "M" : "L")\(number(point.x)) \(number(point.y))"
    }
    return text
  }

  static func line(_ from: Point, _ to: Point, class name: String) -> String {
    element("path", [("class", name), ("d", path([from, to]))])
  }

  static func text(
    _ content: String, at point: Point, anchor: TextAnchor = .start, class name: String? = nil,
    size: Double = TextMetrics.standardSize
  ) -> String {
    var attributes = [("x", number(point.x)), ("y", number(point.y))]
    if let name { attributes.append(("class", name)) }
    if anchor != .start { attributes.append(("text-anchor", anchor.rawValue)) }
    if size != TextMetrics.standardSize { attributes.append(("font-size", number(size))) }
    return element("text", attributes, escape(content))
  }
}

/// In points; y grows downwards.
struct Point: Sendable, Hashable {
  var x: Double
  var y: Double
}

enum TextAnchor: String, Sendable {
  case start, middle, end
}
