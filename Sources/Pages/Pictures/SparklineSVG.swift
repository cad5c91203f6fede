/// A trend as a small line in a table; its figures stand beside it.
package enum SparklineSVG {
  private static let width = 132.0
  private static let height = 26.0

  /// - Parameters:
  ///   - values: Oldest first; thinned out where there are more than the line can show.
  ///   - regressions: Positions in `values` that get a dot of the bad color; `improvements` likewise.
  package static func render(_ values: [Double], regressions: [Int], improvements: [Int]) -> String {
    guard let low = values.min(), let high = values.max(), low.isFinite, high.isFinite else { return "" }
    let span = max(high - low, abs(high) * 0.02, 1e-12)
    let middle = (high + low) / 2
    func place(_ position: Int) -> Point {
      let x = values.count == 1 ? width / 2 : 3 + Double(position) / Double(values.count - 1) * (width - 6)
      return Point(x: x, y: height / 2 - (values[position] - middle) / span * (height - 8))
    }
    let line = SVG.path(Envelope.reduced(values.indices.map(place)))
    let marks = regressions.map { ($0, "dot bad") } + improvements.map { ($0, "dot good") }
    let dots = marks.filter { values.indices.contains($0.0) }.map { position, name in
      let point = place(position)
      return SVG.element(
        "circle", [("class", name), ("cx", SVG.number(point.x)), ("cy", SVG.number(point.y)), ("r", "3")])
    }
    return SVG.element(
      "svg",
      [
        ("class", "spark"), ("viewBox", "0 0 \(SVG.number(width)) \(SVG.number(height))"),
        ("width", SVG.number(width)), ("height", SVG.number(height)), ("aria-hidden", "true"),
      ], SVG.element("path", [("d", line)]) + dots.joined())
  }
}
