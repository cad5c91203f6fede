import Measurements
import TextFormat

package protocol Drawable: Sendable {
  var title: String { get }
  /// A description in plain text for readers who cannot see the picture.
  var description: String { get }
  /// JSON of the values that a page shows under the pointer; nil if there are none.
  var data: String? { get }

  /// Returns the SVG elements, the height, and the plot's left, right, top and bottom, in points. The width is at least
  /// 300.
  func drawn(width: Double) -> (elements: [String], height: Double, plot: [Double])
}

extension Drawable {
  package var data: String? { nil }

  /// Returns the complete SVG file, which is readable on light and on dark pages. The id must be unique in a page and
  /// have no blanks.
  package func render(id: String, width: Double) -> String {
    precondition(width >= 300, "a chart \(width) points wide; its labels need 300")
    let (elements, height, plot) = drawn(width: width)
    let head =
      SVG.element("title", [("id", "\(id)-title")], XMLText.escape(title))
      + SVG.element("desc", [("id", "\(id)-desc")], XMLText.escape(description))
      + SVG.element("style", [], Palette.styleSheet)
    // The picture has its own background. Otherwise, its text could be dark on a dark page.
    let page = SVG.element("rect", [("class", "page"), ("width", "100%"), ("height", "100%")])
    return SVG.element(
      "svg",
      [
        ("xmlns", "http://www.w3.org/2000/svg"), ("class", "sbp"),
        ("viewBox", "0 0 \(SVG.number(width)) \(SVG.number(height))"), ("width", SVG.number(width)),
        ("height", SVG.number(height)), ("role", "img"), ("aria-labelledby", "\(id)-title \(id)-desc"),
        ("font-size", SVG.number(TextMetrics.standardSize)), ("font-family", TextMetrics.fonts),
        ("data-plot", plot.map(SVG.number).joined(separator: " ")),
      ], ([head, page] + elements).joined(separator: "\n") + "\n") + "\n"
  }

  /// The chart as HTML in two widths, with the data for the readout. The style sheet of the page shows one of the two.
  package func figure(id: String) -> String {
    let data = data.map { "<script type=\"application/json\">\($0)</script>" } ?? ""
    return """
      <figure class="chart">
      <div class="wide">\(render(id: id, width: SVG.wideWidth))</div>
      <div class="narrow">\(render(id: id + "~narrow", width: SVG.narrowWidth))</div>
      \(data)</figure>
      """
  }
}

/// The content of a chart before it has a size: its axes, its series and its texts.
package struct Chart: Drawable {
  package struct Series: Sendable {
    package var look: SeriesLook
    package var name: String
    /// The lines of the label below the name, in plain text.
    package var details: [String]
    package var shapes: [Shape]
    /// The last value of the series. The label of the series is at the height of this value.
    package var end: Double
    /// The values to show under the pointer, by column, then by position. Nil if a position has no value.
    package var figures: [[Double?]] = []

    package init(
      look: SeriesLook, name: String, details: [String], shapes: [Shape], end: Double, figures: [[Double?]] = []
    ) {
      (self.look, self.name, self.details, self.shapes, self.end, self.figures) = (
        look, name, details, shapes, end, figures
      )
    }
  }

  /// The shapes of a series. Their points are values on the two axes.
  package enum Shape: Sendable {
    case trace([Point])
    case line([Point])
    case thin([Point])
    case markers([Point], isFilled: Bool)
    /// The area between two lines whose points have the same x.
    case band(lower: [Point], upper: [Point])
  }

  /// A horizontal line, such as a budget, with alternative labels, the longest first. The first that fits is used.
  package typealias Level = (value: Double, labels: [String])

  /// A row below the plot, with bars for some ranges of the horizontal axis. The ranges are in ascending order.
  package typealias Lane = (name: String, spans: [ClosedRange<Double>])

  package var title: String
  package var subtitle: String
  package var description: String
  package var x: Axis
  package var y: Axis
  package var series: [Series]
  package var levels: [Level] = []
  package var readout: ChartReadout?
  package var lanes: [Lane] = []

  package init(
    title: String, subtitle: String, description: String, x: Axis, y: Axis, series: [Series], levels: [Level] = [],
    readout: ChartReadout? = nil, lanes: [Lane] = []
  ) {
    (self.title, self.subtitle, self.description, self.x, self.y, self.series, self.levels, self.readout, self.lanes) =
      (title, subtitle, description, x, y, series, levels, readout, lanes)
  }

  package var data: String? { readout?.json(series) }

  package func drawn(width: Double) -> (elements: [String], height: Double, plot: [Double]) {
    let drawing = ChartDrawing(self, width: width)
    return (drawing.elements, drawing.height, drawing.plot)
  }
}

/// How a page shows the figures of a chart's series under the pointer.
package struct ChartReadout: Sendable {
  /// The number of frames, evenly spaced along the axis. Nil if the readout uses `places`.
  package var frameCount: Int?
  /// The positions of the readout along the horizontal axis, from 0 to 1, with labels in plain text.
  package var places: [(fraction: Double, label: String)] = []
  /// The parts of the scroll in order, such as a drag, with names in plain text. Empty if they have no names.
  package var stretches: [(name: String, frameCount: Int)] = []
  package var unit = Metric.Unit.nanoseconds
  /// The names of the figures of a series, in plain text. The name of the main figure may be empty.
  package var columns: [String]

  package init(
    frameCount: Int? = nil, places: [(fraction: Double, label: String)] = [],
    stretches: [(name: String, frameCount: Int)] = [], unit: Metric.Unit = .nanoseconds, columns: [String]
  ) {
    (self.frameCount, self.places, self.stretches) = (frameCount, places, stretches)
    (self.unit, self.columns) = (unit, columns)
  }

  /// The data for a `script` element. They contain no `<`, which could end the element.
  fileprivate func json(_ series: [Chart.Series]) -> String {
    func strings(_ texts: [String]) -> String { JSONText.array(texts.map(JSONText.string)) }
    let lines = series.filter { !$0.figures.isEmpty }.map { series in
      let columns = series.figures.map { JSONText.array($0.map { $0.map(rounded) ?? "null" }) }
      return JSONText.compact([
        ("name", JSONText.string(series.name)), ("look", JSONText.string(series.look.className)),
        ("ns", JSONText.array(columns)),
      ])
    }
    let runs = stretches.map { "[\(JSONText.string($0.name)),\($0.frameCount)]" }
    let fractions = places.map { JSONText.number(($0.fraction * 1e5).rounded() / 1e5) }
    let hasFrames = frameCount != nil
    return JSONText.compact([
      ("columns", strings(columns)), ("series", JSONText.array(lines)), ("quantity", quantity.map(JSONText.string)),
      ("frames", frameCount.map(String.init)), ("stretches", hasFrames && !runs.isEmpty ? JSONText.array(runs) : nil),
      ("at", hasFrames ? nil : JSONText.array(fractions)), ("labels", hasFrames ? nil : strings(places.map(\.label))),
    ]).replacing("<", with: "\\u003c")
  }

  /// The name of the format that the page's script uses for values. Nil for times.
  private var quantity: String? {
    switch unit {
    case .nanoseconds: nil
    case .bytes, .bytesPerSecond: "bytes"
    case .points: "points"
    case .count, .items, .itemsPerSecond, .hitchRatio, .hexadecimal: "count"
    }
  }

  /// Returns a time or a number of bytes rounded to tenths, and other values as they are.
  private func rounded(_ value: Double) -> String {
    let isRounded = [.nanoseconds, .bytes].contains(unit) && abs(value) < 1e15
    return JSONText.number(isRounded ? (value * 10).rounded() / 10 : value)
  }
}

/// How a strategy is distinguished from others in all pictures of a document: by color, shape of markers and label.
package struct SeriesLook: Sendable, Hashable {
  package let index: Int

  package init(index: Int) { self.index = index }

  package var className: String { "c\(index % Palette.series.count)" }

  package func marker(at point: Point, radius r: Double, isFilled: Bool = true) -> String {
    // The shape shifts by one each time the colors repeat. So pairs of color and shape repeat only after 64 strategies.
    let outline = Self.outlines[(index + index / Palette.series.count) % 8].map { x, y in
      Point(x: point.x + x * r, y: point.y + y * r)
    }
    let name = isFilled ? "mark" : "ring"
    guard !outline.isEmpty else { return SVG.circle(point, radius: r, class: name) }
    return SVG.element("path", [("class", name), ("d", SVG.path(outline) + "Z")])
  }

  /// The outlines of markers relative to their center, for a radius of 1. An empty outline means a circle.
  private static let outlines: [[(x: Double, y: Double)]] = [
    [], [(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)], [(0, -1.2), (1.1, 0.8), (-1.1, 0.8)],
    [(0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)], [(0, 1.2), (1.1, -0.8), (-1.1, -0.8)],
    [
      (-0.4, -1.2), (0.4, -1.2), (0.4, -0.4), (1.2, -0.4), (1.2, 0.4), (0.4, 0.4), (0.4, 1.2), (-0.4, 1.2), (-0.4, 0.4),
      (-1.2, 0.4), (-1.2, -0.4), (-0.4, -0.4),
    ], [(-1.2, -0.6), (0, -1.3), (1.2, -0.6), (1.2, 0.6), (0, 1.3), (-1.2, 0.6)], [(-1.2, 0), (1.0, -1.1), (1.0, 1.1)],
  ]
}
