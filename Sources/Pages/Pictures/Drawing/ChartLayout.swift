/// The positions of the parts of a chart, in points.
///
/// On a wide chart the labels of the series stand at the right, each at the end of its line; on a narrow
/// one above the plot, as a legend.
struct ChartLayout {
  let width: Double
  let heading: [String]
  let hasSideLabels: Bool
  let labels: [SeriesLabel]
  /// Left edge of the plot.
  let left: Double
  let right: Double
  let top: Double
  let bottom: Double

  /// Baseline of the first line of the legend of a narrow chart.
  let legendTop: Double
  /// Names of the lanes below the plot, as many as there is room for.
  let laneNames: [String]
  private let xAxis: Axis
  private let yAxis: Axis

  /// Position of the ticks of the horizontal axis: below the plot and its lanes.
  var axisY: Double {
    bottom + (laneNames.isEmpty ? 0 : 2 * Self.laneGap + Double(laneNames.count) * Self.laneStep)
  }
  /// Baseline of the title of the horizontal axis, below its ticks.
  var horizontalTitleY: Double { axisY + 36 }
  var height: Double { axisY + 44 }
  /// The middle of a lane.
  func laneY(_ index: Int) -> Double { bottom + Self.laneGap + (Double(index) + 0.5) * Self.laneStep }
  /// Baseline of the vertical axis' title, above the plot.
  var verticalTitleY: Double { top - 12 }
  var sideLabelX: Double { right + Self.leaderWidth }

  static let leaderWidth = 34.0
  /// Distance between lanes: a line of small text.
  static let laneStep = 13.0
  /// Gap above the first lane, for the lowest label of the vertical axis, and below the last.
  private static let laneGap = 8.0
  private static let wideEnough = 560.0
  private static let rightMargin = 12.0

  init(_ chart: Chart, width: Double) {
    self.width = width
    (xAxis, yAxis) = (chart.x, chart.y)
    hasSideLabels = width >= Self.wideEnough
    let head = TextMetrics.head(chart.title, chart.subtitle, width: width)
    heading = head.elements
    let labelLimit = hasSideLabels ? width * 0.25 : width - 28
    labels = SeriesLabel.all(of: chart.series, width: labelLimit, isInOneLine: !hasSideLabels)
    let tickWidth = chart.y.ticks.map { TextMetrics.width($0.label ?? "") }.max() ?? 0
    laneNames = chart.lanes.map {
      TextMetrics.shortened($0.name, to: max(60, width * 0.12), size: TextMetrics.smallSize)
    }
    let laneNameWidth = laneNames.map { TextMetrics.width($0, size: TextMetrics.smallSize) }.max() ?? 0
    left = TextMetrics.margin + max(tickWidth, laneNameWidth) + 8
    let labelWidth = labels.map(\.width).max() ?? 0
    right = width - (hasSideLabels ? Self.leaderWidth + labelWidth + 4 : Self.rightMargin)
    let headHeight = head.height + 6
    legendTop = headHeight + 16
    let labelHeights = labels.map(\.height).reduce(0, +)
    top = headHeight + (hasSideLabels ? 0 : labelHeights + 8) + 32
    bottom = top + max(hasSideLabels ? 300 : 230, hasSideLabels ? labelHeights : 0)
  }

  /// Left, right, top and bottom of the plot and its lanes, for a script that follows the pointer.
  var plotText: String { [left, right, top, axisY].map(SVG.number).joined(separator: " ") }

  /// Positions of values of the two axes.
  func x(_ value: Double) -> Double { left + xAxis.fraction(value) * (right - left) }
  func y(_ value: Double) -> Double { bottom - yAxis.fraction(value) * (bottom - top) }
}

/// The label of one series: its name, and figures below it.
struct SeriesLabel {
  let lines: [(text: String, size: Double, className: String)]
  let width: Double

  var height: Double { lines.reduce(6) { $0 + $1.size * TextMetrics.lineHeight } }

  /// Labels no wider than the width. Names that are cut to the same text are told apart by a number.
  ///
  /// - Parameter isInOneLine: Whether the details share a line.
  static func all(of series: [Chart.Series], width limit: Double, isInOneLine: Bool) -> [SeriesLabel] {
    // With more series than this, the labels would take more room than the picture.
    let hasDetails = series.count <= 12
    var taken: [String: Int] = [:]
    return series.map { series in
      var name = short(series.name, limit)
      let copy = taken[name, default: 0] + 1
      taken[name] = copy
      if copy > 1 { name = short(series.name, limit - 28) + " (\(copy))" }
      let lines =
        [(text: name, size: TextMetrics.standardSize, className: "name")]
        + (!hasDetails
        ? [] : isInOneLine ? [series.details.joined(separator: ", ")] : series.details).map { detail in
          (
            text: TextMetrics.shortened(detail, to: limit, size: TextMetrics.smallSize),
            size: TextMetrics.smallSize, className: "muted"
          )
        }
      let widths = lines.map { TextMetrics.width($0.text, size: $0.size, isBold: $0.className == "name") }
      return SeriesLabel(lines: lines, width: widths.max() ?? 0)
    }
  }

  private static func short(_ name: String, _ limit: Double) -> String {
    TextMetrics.shortened(name, to: limit, size: TextMetrics.standardSize, isBold: true)
  }
}

/// Moves boxes on one line as little as possible to avoid overlaps.
enum Spread {
  /// Centers for boxes of the given heights, as near to their wishes as possible, in the order of the
  /// wishes, within the bounds if they fit. O(n²).
  static func centers(wishes: [Double], heights: [Double], within bounds: ClosedRange<Double>) -> [Double] {
    precondition(wishes.count == heights.count, "\(wishes.count) wishes for \(heights.count) boxes")
    typealias Cluster = (members: [Int], start: Double, height: Double)
    /// Neighbors that would overlap, at the mean of their desired starts.
    func cluster(_ members: [Int]) -> Cluster {
      var (sum, height) = (0.0, 0.0)
      for index in members {
        sum += wishes[index] - heights[index] / 2 - height
        height += heights[index]
      }
      let start = min(sum / Double(members.count), bounds.upperBound - height)
      return (members, max(bounds.lowerBound, start), height)
    }
    var clusters: [Cluster] = []
    for index in wishes.indices.sorted(by: { (wishes[$0], $0) < (wishes[$1], $1) }) {
      var last = cluster([index])
      while let before = clusters.last, before.start + before.height > last.start + 1e-9 {
        clusters.removeLast()
        last = cluster(before.members + last.members)
      }
      clusters.append(last)
    }
    var centers = wishes
    for cluster in clusters {
      var start = cluster.start
      for index in cluster.members {
        centers[index] = start + heights[index] / 2
        start += heights[index]
      }
    }
    return centers
  }
}
