import TextFormat

package enum SVG {
  /// Widths in points, for the column of a page on GitHub, for a desktop, and for a phone of 360 points.
  package static let (standardWidth, wideWidth, narrowWidth) = (840.0, 1_000.0, 344.0)

  /// An element with its attributes in this order. The content is markup, so it is not escaped.
  package static func element(_ name: String, _ attributes: [(String, String)] = [], _ content: String = "") -> String {
    let opening = attributes.reduce("<\(name)") { $0 + " \($1.0)=\"\(XMLText.escape($1.1))\"" }
    return content.isEmpty ? opening + "/>" : "\(opening)>\(content)</\(name)>"
  }

  /// A coordinate rounded to a tenth of a point, because finer steps are invisible.
  package static func number(_ value: Double) -> String {
    precondition(value.isFinite && abs(value) < 1e9, "a coordinate of \(value)")
    let tenths = Int((value * 10).rounded())
    let whole = tenths / 10
    guard tenths % 10 != 0 else { return "\(whole)" }
    return "\(tenths < 0 ? "-" : "")\(abs(whole)).\(abs(tenths % 10))"
  }

  package static func path(_ points: [Point]) -> String {
    points.isEmpty ? "" : "M" + points.map { "\(number($0.x)) \(number($0.y))" }.joined(separator: "L")
  }

  package static func line(_ points: [Point], class name: String) -> String {
    element("path", [("class", name), ("d", path(points))])
  }

  package static func box(_ from: Point, _ to: Point) -> String {
    path([from, Point(x: to.x, y: from.y), to, Point(x: from.x, y: to.y)]) + "Z"
  }

  package static func circle(_ center: Point, radius: Double, class name: String) -> String {
    element("circle", [("class", name), ("cx", number(center.x)), ("cy", number(center.y)), ("r", number(radius))])
  }

  /// - Parameter title: The tooltip.
  package static func group(class name: String, title: String? = nil, _ content: String) -> String {
    element("g", [("class", name)], (title.map { "<title>\(XMLText.escape($0))</title>" } ?? "") + content)
  }

  package static func text(
    _ content: String, at point: Point, anchor: TextAnchor = .start, class name: String? = nil,
    size: Double = TextMetrics.standardSize
  ) -> String {
    var attributes = [("x", number(point.x)), ("y", number(point.y))]
    if let name { attributes.append(("class", name)) }
    if anchor != .start { attributes.append(("text-anchor", anchor.rawValue)) }
    if size != TextMetrics.standardSize { attributes.append(("font-size", number(size))) }
    return element("text", attributes, XMLText.escape(content))
  }

  // MARK: In pages of HTML

  /// A series as bars without numbers, in a cell of a table. Other cells contain the figures.
  package static func bars(_ line: Sparkline) -> String {
    guard !line.levels.isEmpty else { return "" }
    let (barWidth, height) = (2.0, 22.0)
    // All bars are one path, because a page may have hundreds of such pictures.
    let bars = line.levels.enumerated().map { index, level in
      let top = height - max(1, level * height)
      return "M\(number((Double(index) + 0.5) * barWidth)) \(number(height))V\(number(top))"
    }
    return small(
      "bars", Point(x: Double(line.levels.count) * barWidth, y: height),
      [("role", "img"), ("aria-label", line.description)], element("path", [("d", bars.joined())]))
  }

  /// A trend as a small line without numbers, in a cell of a table. Other cells contain the figures. Each dot marks a
  /// position in the values, and its tone is a CSS class.
  package static func trend(_ values: [Double], dots: [(position: Int, tone: String)]) -> String {
    guard let low = values.min(), let high = values.max(), low.isFinite, high.isFinite else { return "" }
    let size = Point(x: 132, y: 26)
    let span = max(high - low, abs(high) * Sparkline.leastSpan, 1e-12)
    let middle = (high + low) / 2
    func place(_ position: Int) -> Point {
      let share = Double(position) / Double(values.count - 1)
      return Point(
        x: values.count == 1 ? size.x / 2 : 3 + share * (size.x - 6),
        y: size.y / 2 - (values[position] - middle) / span * (size.y - 8))
    }
    let line = path(values.indices.map(place).thinned)
    let marks = dots.filter { values.indices.contains($0.position) }.map { position, tone in
      circle(place(position), radius: 3, class: "dot \(tone)")
    }
    return small("spark", size, [("aria-hidden", "true")], element("path", [("d", line)]) + marks.joined())
  }

  private static func small(_ name: String, _ size: Point, _ attributes: [(String, String)], _ content: String)
    -> String
  {
    let (width, height) = (number(size.x), number(size.y))
    return element(
      "svg",
      [("class", name), ("viewBox", "0 0 \(width) \(height)"), ("width", width), ("height", height)] + attributes,
      content)
  }
}

/// A position in points. `y` grows downwards.
package struct Point: Sendable, Hashable {
  package var x: Double
  package var y: Double

  package init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
}

package enum TextAnchor: String, Sendable { case start, middle, end }

/// The colors of the pictures, each with a variant for light pages and one for dark pages. The hues are those of Okabe
/// and Ito ("Color Universal Design", 2008), which people who confuse red and green can tell apart. Colors of text have
/// a contrast ratio of at least 4.5 : 1 (WCAG 2, level AA) to the page, which is white or #0d1117.
package enum Palette {
  package typealias Pair = (light: String, dark: String)

  package static let pages: Pair = ("#ffffff", "#0d1117")
  package static let ink: Pair = ("#1f2328", "#e6edf3")
  package static let muted: Pair = ("#59636e", "#9198a1")
  /// The background of highlighted text.
  package static let panel: Pair = ("#f6f8fa", "#161b22")
  /// The color of grid lines, which may be fainter than text.
  package static let grid: Pair = ("#e4e8ec", "#262c36")
  package static let axis: Pair = ("#8c959f", "#656c76")

  package static let series: [Pair] = [
    ("#c24a00", "#ff8f4d"),  // vermilion
    ("#0067b0", "#56b4e9"),  // blue, sky blue
    ("#00795a", "#2fd0a0"),  // bluish green
    ("#a03c7c", "#e59cc8"),  // reddish purple
    ("#7d5c00", "#f0c040"),  // orange
    ("#4d4fbf", "#a5a8ff"),  // a violet in place of sky blue, which on white is too near to blue
    ("#3a424a", "#d5dbe1"),  // black
    ("#6b6a00", "#e8e070"),  // yellow
  ]

  /// The colors of phases, in a different order from the colors of strategies, because a bar of phases is next to the
  /// name of a strategy.
  package static let phases: [Pair] = [1, 4, 2, 3, 5, 0, 7, 6].map { series[$0] }

  /// The style sheet of a picture. Its selectors match only inside pictures, so it does not change the rest of a page.
  package static var styleSheet: String {
    let colors: [(selector: String, property: String, pair: Pair)] =
      [
        ("text", "fill", ink), (".page", "fill", pages), (".onbar", "fill", pages), (".muted", "fill", muted),
        (".grid", "stroke", grid), (".axis", "stroke", axis), (".stretches", "fill", muted),
        (".cursor", "color", muted), (".budget", "stroke", muted),
      ] + series.enumerated().map { (".c\($0.offset)", "color", $0.element) }
      + phases.enumerated().map { (".p\($0.offset)", "color", $0.element) }
    func rules(_ value: (Pair) -> String) -> String {
      colors.map { ".sbp \($0.selector){\($0.property):\(value($0.pair))}" }.joined()
    }
    return rules(\.light)
      + ".sbp .line,.sbp .thin,.sbp .ring{fill:none;stroke:currentColor;stroke-width:1.6;stroke-linejoin:round}"
      + ".sbp .thin{stroke-width:1;stroke-dasharray:2 2}.sbp .ring{stroke-width:1.2}"
      + ".sbp .trace{fill:none;stroke:currentColor;stroke-width:1.1;stroke-linejoin:round}"
      + ".sbp .mark,.sbp .bar,.sbp .name{fill:currentColor}.sbp .name{font-weight:600}"
      + ".sbp .title{font-weight:600}.sbp .band{fill:currentColor;opacity:.13}"
      + ".sbp .budget{fill:none;stroke-width:1;stroke-dasharray:6 3}"
      + ".sbp .cursor{fill:none;stroke:currentColor;stroke-width:1}.sbp .grid,.sbp .axis{fill:none;stroke-width:1}"
      + "@media screen and (prefers-color-scheme:dark){\(rules(\.dark))}"
  }
}
