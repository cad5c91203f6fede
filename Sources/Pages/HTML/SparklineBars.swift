/// A series in a cell as bars; its figures stand beside it.
enum SparklineBars {
  private static let barWidth = 2.0
  private static let height = 22.0

  static func render(_ line: Sparkline) -> String {
    guard !line.levels.isEmpty else { return "" }
    let width = Double(line.levels.count) * barWidth
    // One path for all of them: hundreds of rows hold such a picture.
    let bars = line.levels.enumerated().map { index, level in
      let top = height - max(1, level * height)
      return "M\(SVG.number((Double(index) + 0.5) * barWidth)) \(SVG.number(height))V\(SVG.number(top))"
    }
    return SVG.element(
      "svg",
      [
        ("class", "bars"), ("viewBox", "0 0 \(SVG.number(width)) \(SVG.number(height))"),
        ("width", SVG.number(width)), ("height", SVG.number(height)), ("role", "img"),
        ("aria-label", line.description),
      ],
      SVG.element("path", [("d", bars.joined())]))
  }
}
