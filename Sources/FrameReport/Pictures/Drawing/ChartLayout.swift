/// Where the parts of a chart stand, in points.
///
/// On a wide chart the labels of the series stand at the right, each at the end of its line; on a narrow
/// one above the plot, as a legend.
struct ChartLayout {
  let width: Double
  let titleLines: [String]
  let subtitleLines: [String]
  let hasSideLabels: Bool
  let labels: [SeriesLabel]
  /// Of the plot.
  let left: Double
  let right: Double
  let top: Double
  let bottom: Double

  /// Baseline of the first line of the legend of a narrow chart.
  let legendTop: Double

  /// Of the title of the horizontal axis, below its ticks.
  var horizontalTitleY: Double { bottom + 36 }
  var height: Double { bottom + 44 }
  /// Of the vertical axis' title, above the plot.
  var verticalTitleY: Double { top - 12 }
  var sideLabelX: Double { right + Self.leaderWidth }

  /// At the left edge.
  static let margin = 4.0
  static let leaderWidth = 34.0
  static let titleStep = 19.0
  static let subtitleStep = 15.0
  private static let wideEnough = 560.0
  private static let rightMargin = 12.0

  init(_ chart: Chart, width: Double) {
    self.width = width
    hasSideLabels = width >= Self.wideEnough
    titleLines = Self.wrapped(chart.title, width - 8, size: TextMetrics.titleSize, isBold: true)
    subtitleLines = Self.wrapped(chart.subtitle, width - 8, size: TextMetrics.smallSize)
    let labelLimit = hasSideLabels ? width * 0.25 : width - 28
    labels = SeriesLabel.all(of: chart.series, width: labelLimit, isInOneLine: !hasSideLabels)
    let tickWidth = chart.y.ticks.map { TextMetrics.width($0.label ?? "") }.max() ?? 0
    left = Self.margin + tickWidth + 8
    let labelWidth = labels.map(\.width).max() ?? 0
    right = width - (hasSideLabels ? Self.leaderWidth + labelWidth + 4 : Self.rightMargin)
    let headHeight =
      Double(titleLines.count) * Self.titleStep + Double(subtitleLines.count) * Self.subtitleStep + 6
    legendTop = headHeight + 16
    let labelHeights = labels.map(\.height).reduce(0, +)
    top = headHeight + (hasSideLabels ? 0 : labelHeights + 8) + 32
    bottom = top + max(hasSideLabels ? 300 : 230, hasSideLabels ? labelHeights : 0)
  }

  /// Left, right, top and bottom of the plot, for a script that follows the pointer.
  var plotText: String { [left, right, top, bottom].map(SVG.number).joined(separator: " ") }

  func x(_ fraction: Double) -> Double { left + fraction * (right - left) }
  func y(_ fraction: Double) -> Double { bottom - fraction * (bottom - top) }

  func place(_ point: Point, on chart: Chart) -> Point {
    Point(x: x(chart.x.fraction(point.x)), y: y(chart.y.fraction(point.y)))
  }

  /// Broken between words; a word that is wider than the line is shortened.
  static func wrapped(_ text: String, _ width: Double, size: Double, isBold: Bool = false) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      let longer = lines.last.map { "\($0) \(word)" }
      if let longer, TextMetrics.width(longer, size: size, isBold: isBold) <= width {
        lines[lines.count - 1] = longer
      } else {
        lines.append(TextMetrics.shortened(String(word), to: width, size: size, isBold: isBold))
      }
    }
    return lines
  }
}
