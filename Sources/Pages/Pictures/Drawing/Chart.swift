import Measurements
import TextFormat

/// A drawing for any width.
protocol Drawable: Sendable {
  var title: String { get }
  var description: String { get }
  var readout: ChartReadout? { get }

  /// The whole SVG file.
  ///
  /// - Parameters:
  ///   - id: Unique in the page that will contain the picture; letters, digits, `-`, `_`, `.` and `~`.
  ///   - width: Points, at least 300.
  func render(id: String, width: Double) -> String
}

/// The content of a chart before it has a size: its axes, its series and its words.
struct Chart: Drawable {
  struct Series: Sendable {
    var look: SeriesLook
    var name: String
    /// The label's lines below the name, plain text.
    var details: [String]
    var shapes: [Shape]
    /// Position on the vertical axis at which the series leaves the chart on the right.
    var end: Double
  }

  /// Points are values on the two axes.
  enum Shape: Sendable {
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
    /// Longest first: the first that fits is used.
    var labels: [String]
  }

  /// A row below the plot that marks parts of the horizontal axis.
  struct Lane: Sendable {
    var name: String
    /// Ranges on the horizontal axis, ascending.
    var spans: [ClosedRange<Double>]
  }

  var title: String
  var subtitle: String
  var description: String
  var x: Axis
  var y: Axis
  var series: [Series]
  var levels: [Level] = []
  var readout: ChartReadout?
  var lanes: [Lane] = []
}

extension Chart {
  func render(id: String, width: Double) -> String {
    precondition(width >= 300, "a chart \(width) points wide; its labels need 300")
    let drawing = ChartDrawing(self, width: width)
    return SVG.document(
      id: id, size: Point(x: width, y: drawing.height), title: title, description: description, plot: drawing.plotText,
      content: drawing.elements)
  }
}

/// The figures behind a chart, for a page that shows those under the pointer.
struct ChartReadout: Sendable {
  /// This many frames, evenly along the axis; nil if there are places.
  var frameCount: Int?
  /// Along the horizontal axis, 0 to 1, with plain text.
  var places: [(fraction: Double, label: String)] = []
  /// Names of consecutive frames that belong together, plain text, from the first one on; empty without
  /// names.
  var stretches: [(name: String, frameCount: Int)] = []
  var unit = Metric.Unit.nanoseconds
  /// Names of the figures of a series, plain text; empty for the one that needs none.
  var columns: [String]
  /// Values by column, then by position; nil if there is no figure.
  var series: [(name: String, look: SeriesLook, values: [[Double?]])]

  /// For a `script` element: contains no `<`.
  func json() -> String {
    func strings(_ texts: [String]) -> String { JSONText.array(texts.map(JSONText.string)) }
    let lines = series.map { name, look, values in
      let columns = values.map { JSONText.array($0.map { $0.map(Self.tenths) ?? "null" }) }
      return JSONText.compact([
        ("name", JSONText.string(name)), ("look", JSONText.string(look.className)), ("ns", JSONText.array(columns)),
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

  /// How the page's script writes values; nil for times.
  private var quantity: String? {
    switch unit {
    case .nanoseconds: nil
    case .bytes, .bytesPerSecond: "bytes"
    case .points: "points"
    case .count, .items, .itemsPerSecond, .hitchRatio, .hexadecimal: "count"
    }
  }

  private static func tenths(_ value: Double) -> String {
    JSONText.number(abs(value) < 1e15 ? (value * 10).rounded() / 10 : value)
  }
}

/// How a strategy is distinguished from the others: by its color, and without color by the shape of its
/// markers and a label beside it. The same in all pictures of a document.
struct SeriesLook: Sendable, Hashable {
  let index: Int

  /// By first appearance in the document, so that a strategy keeps its look from picture to picture.
  static func byStrategy(_ document: RunDocument) -> [String: SeriesLook] {
    var looks: [String: SeriesLook] = [:]
    for strategy in document.benchmarks.map(\.id.strategy) where looks[strategy] == nil {
      looks[strategy] = SeriesLook(index: looks.count)
    }
    return looks
  }

  var className: String { "c\(index % Palette.series.count)" }

  /// A closed outline around a point.
  func marker(at point: Point, radius r: Double, isFilled: Bool = true) -> String {
    let outline = outline(r).map { Point(x: point.x + $0.x, y: point.y + $0.y) }
    let name = isFilled ? "mark" : "ring"
    guard !outline.isEmpty else { return SVG.circle(point, radius: r, class: name) }
    return SVG.element("path", [("class", name), ("d", SVG.path(outline) + "Z")])
  }

  /// Relative to the center; empty for a circle. Shifted by one in every round of colors, so that a pair of
  /// color and shape repeats only after 64 strategies.
  private func outline(_ r: Double) -> [Point] {
    func points(_ pairs: [(Double, Double)]) -> [Point] { pairs.map { Point(x: $0.0 * r, y: $0.1 * r) } }
    switch (index + index / Palette.series.count) % 8 {
    case 1: return points([(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)])
    case 2: return points([(0, -1.2), (1.1, 0.8), (-1.1, 0.8)])
    case 3: return points([(0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)])
    case 4: return points([(0, 1.2), (1.1, -0.8), (-1.1, -0.8)])
    case 5:
      return points([
        (-0.4, -1.2), (0.4, -1.2), (0.4, -0.4), (1.2, -0.4), (1.2, 0.4), (0.4, 0.4), (0.4, 1.2), (-0.4, 1.2),
        (-0.4, 0.4), (-1.2, 0.4), (-1.2, -0.4), (-0.4, -0.4),
      ])
    case 6: return points([(-1.2, -0.6), (0, -1.3), (1.2, -0.6), (1.2, 0.6), (0, 1.3), (-1.2, 0.6)])
    case 7: return points([(-1.2, 0), (1.0, -1.1), (1.0, 1.1)])
    default: return []
    }
  }
}
