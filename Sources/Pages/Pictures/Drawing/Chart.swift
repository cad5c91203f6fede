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

  /// A row below the plot that marks parts of the horizontal axis.
  struct Lane: Sendable {
    var name: String
    /// On the horizontal axis, ascending.
    var spans: [ClosedRange<Double>]
  }

  var title: String
  /// Plain text, set below the title.
  var subtitle: String
  /// What the picture says, for readers who cannot see it.
  var description: String
  var x: Axis
  var y: Axis
  var series: [Series]
  var levels: [Level] = []
  /// What a page shows under the pointer.
  var readout: ChartReadout?
  /// From the plot downwards.
  var lanes: [Lane] = []
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
    return SVG.document(
      id: id, size: Point(x: width, y: layout.height), title: title, description: description,
      plot: layout.plotText, content: drawing.render())
  }
}
