/// What a chart shows, before it has a size: its axes, its series and its words.
struct Chart: Sendable {
  struct Series: Sendable {
    var look: SeriesLook
    var name: String
    /// What the label says below the name: lines of plain text.
    var details: [String]
    var shapes: [Shape]
    /// Where the series leaves the chart on the right, on the vertical axis.
    var end: Double
  }

  /// Points are values on the two axes.
  enum Shape: Sendable {
    /// A line through many points, as thin as shows them all.
    case trace([Point])
    case line([Point])
    case thin([Point])
    case markers([Point], isFilled: Bool)
    /// The area between two lines over the same x.
    case band(lower: [Point], upper: [Point])
  }

  /// A line across the chart at a value of the vertical axis.
  struct Level: Sendable {
    var value: Double
    /// Longest first: the first that fits is set.
    var labels: [String]
  }

  var title: String
  /// Plain text, set below the title.
  var subtitle: String
  /// What the picture says, for who cannot see it.
  var description: String
  var x: Axis
  var y: Axis
  var series: [Series]
  var levels: [Level] = []
  /// What a page shows under the pointer.
  var readout: ChartReadout?
}

extension Chart {
  /// The whole SVG file.
  ///
  /// - Parameters:
  ///   - id: Unique in the page where the picture is to stand; letters, digits, `-`, `_`, `.` and `~`.
  ///   - width: Points, at least 300.
  func render(id: String, width: Double) -> String {
    precondition(width >= 300, "a chart \(width) points wide; its labels need 300")
    let layout = ChartLayout(self, width: width)
    let drawing = ChartDrawing(self, layout)
    let head =
      SVG.element("title", [("id", "\(id)-title")], SVG.escape(title))
      + SVG.element("desc", [("id", "\(id)-desc")], SVG.escape(description))
      + SVG.element("style", [], Palette.styleSheet)
    // Readers whose page is of another color than their system prefers would see dark on dark.
    let page = SVG.element("rect", [("class", "page"), ("width", "100%"), ("height", "100%")])
    return SVG.element(
      "svg",
      [
        ("xmlns", "http://www.w3.org/2000/svg"), ("class", "sbp"),
        ("viewBox", "0 0 \(SVG.number(width)) \(SVG.number(layout.height))"),
        ("width", SVG.number(width)), ("height", SVG.number(layout.height)), ("role", "img"),
        ("aria-labelledby", "\(id)-title \(id)-desc"), ("font-size", SVG.number(TextMetrics.standardSize)),
        ("font-family", Self.fonts), ("data-plot", layout.plotText),
      ], head + "\n" + page + "\n" + drawing.render() + "\n") + "\n"
  }

  private static let fonts =
    "system-ui, -apple-system, Segoe UI, Roboto, Helvetica Neue, Noto Sans, Arial, sans-serif"
}
