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
  /// Names of the lanes below the plot, as far as there is room for them.
  let laneNames: [String]

  /// Where the ticks of the horizontal axis hang: below the plot and its lanes.
  var axisY: Double {
    bottom + (laneNames.isEmpty ? 0 : 2 * Self.laneGap + Double(laneNames.count) * Self.laneStep)
  }
  /// Of the title of the horizontal axis, below its ticks.
  var horizontalTitleY: Double { axisY + 36 }
  var height: Double { axisY + 44 }
  /// The middle of a lane.
  func laneY(_ index: Int) -> Double { bottom + Self.laneGap + (Double(index) + 0.5) * Self.laneStep }
  /// Of the vertical axis' title, above the plot.
  var verticalTitleY: Double { top - 12 }
  var sideLabelX: Double { right + Self.leaderWidth }

  /// At the left edge.
  static let margin = 4.0
  static let leaderWidth = 34.0
  static let titleStep = 19.0
  static let subtitleStep = 15.0
  /// From lane to lane: a line of small text.
  static let laneStep = 13.0
  /// Above the first lane, where the lowest label of the vertical axis reaches, and below the last.
  private static let laneGap = 8.0
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
    laneNames = chart.lanes.map {
      TextMetrics.shortened($0.name, to: max(60, width * 0.12), size: TextMetrics.smallSize)
    }
    let laneNameWidth = laneNames.map { TextMetrics.width($0, size: TextMetrics.smallSize) }.max() ?? 0
    left = Self.margin + max(tickWidth, laneNameWidth) + 8
    let labelWidth = labels.map(\.width).max() ?? 0
    right = width - (hasSideLabels ? Self.leaderWidth + labelWidth + 4 : Self.rightMargin)
    let headHeight =
      Double(titleLines.count) * Self.titleStep + Double(subtitleLines.count) * Self.subtitleStep + 6
    legendTop = headHeight + 16
    let labelHeights = labels.map(\.height).reduce(0, +)
    top = headHeight + (hasSideLabels ? 0 : labelHeights + 8) + 32
    bottom = top + max(hasSideLabels ? 300 : 230, hasSideLabels ? labelHeights : 0)
  }

  /// Left, right, top and bottom of the plot and its lanes, for a script that follows the pointer.
  var plotText: String { [left, right, top, axisY].map(SVG.number).joined(separator: " ") }

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
