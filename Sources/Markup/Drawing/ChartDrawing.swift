/// Draws a chart for a given width. The labels of series are at the ends of their lines, or above the plot if the chart
/// is narrow.
package struct ChartDrawing {
  private let chart: Chart
  private let width: Double
  private let heading: [String]
  private let hasSideLabels: Bool
  private let seriesLabels: [SeriesLabel]
  private let left: Double
  private let right: Double
  private let top: Double
  private let bottom: Double
  private let legendTop: Double
  private let laneNames: [String]

  /// The vertical position of the horizontal axis's ticks, which are below the plot and its lanes.
  private var axisY: Double {
    bottom + (laneNames.isEmpty ? 0 : 2 * Self.laneGap + Double(laneNames.count) * Self.laneStep)
  }
  package var height: Double { axisY + 44 }

  private static let leaderWidth = 34.0
  /// The distance between lanes, which is the height of a line of small text.
  private static let laneStep = 13.0
  /// The gap above the first lane, where the lowest label of the vertical axis needs room, and below the last lane.
  private static let laneGap = 8.0

  package init(_ chart: Chart, width: Double) {
    (self.width, self.chart) = (width, chart)
    hasSideLabels = width >= 560
    let head = TextMetrics.head(chart.title, chart.subtitle, width: width)
    heading = head.elements
    let labelLimit = hasSideLabels ? width * 0.25 : width - 28
    seriesLabels = SeriesLabel.all(of: chart.series, width: labelLimit, isInOneLine: !hasSideLabels)
    let tickWidth = chart.y.ticks.map { TextMetrics.width($0.label) }.max() ?? 0
    laneNames = chart.lanes.map {
      TextMetrics.shortened($0.name, to: max(60, width * 0.12), size: TextMetrics.smallSize)
    }
    let laneNameWidth = laneNames.map { TextMetrics.width($0, size: TextMetrics.smallSize) }.max() ?? 0
    left = TextMetrics.margin + max(tickWidth, laneNameWidth) + 8
    let labelWidth = seriesLabels.map(\.width).max() ?? 0
    right = width - (hasSideLabels ? Self.leaderWidth + labelWidth + 4 : 12)
    legendTop = head.height + 10
    let labelHeights = seriesLabels.map(\.height).reduce(0, +)
    top = head.height + 38 + (hasSideLabels ? 0 : labelHeights + 8)
    bottom = top + (hasSideLabels ? max(300, labelHeights) : 230)
  }

  package var plot: [Double] { [left, right, top, axisY] }

  private func x(_ value: Double) -> Double { left + chart.x.fraction(value) * (right - left) }
  private func y(_ value: Double) -> Double { bottom - chart.y.fraction(value) * (bottom - top) }

  package var elements: [String] {
    heading + verticalAxis + lanes + horizontalAxis + levels + chart.series.indices.map(series)
      + (hasSideLabels ? sideLabels : legend)
  }

  // MARK: Axes

  private var verticalAxis: [String] {
    let title = TextMetrics.small(chart.y.title, at: Point(x: TextMetrics.margin, y: top - 12))
    var lowestFree = Double.infinity
    return [title]
      + chart.y.ticks.flatMap { tick -> [String] in
        let y = y(tick.value)
        let line = across(y, class: "grid")
        guard y <= lowestFree else { return [line] }
        lowestFree = y - TextMetrics.standardSize * 1.15
        return [line, SVG.text(tick.label, at: Point(x: left - 6, y: y + 4), anchor: .end, class: "muted")]
      }
  }

  /// A bar for each span of a lane. Lanes have labels, so they need no color key.
  private var lanes: [String] {
    zip(chart.lanes, laneNames).enumerated().flatMap { index, lane -> [String] in
      let y = bottom + Self.laneGap + (Double(index) + 0.5) * Self.laneStep
      let bars = lane.0.spans.map { span -> String in
        SVG.box(Point(x: x(span.lowerBound), y: y - 3.5), Point(x: x(span.upperBound), y: y + 3.5))
      }
      return [
        TextMetrics.small(lane.1, at: Point(x: left - 6, y: y + 4), anchor: .end),
        SVG.group(class: "stretches", title: lane.0.name, SVG.element("path", [("d", bars.joined())])),
      ]
    }
  }

  private var horizontalAxis: [String] {
    let lines = Set([bottom, axisY]).sorted().map { across($0, class: "axis") }
    let center = centered(chart.x.title, at: (left + right) / 2, size: TextMetrics.smallSize)
    let title = TextMetrics.small(chart.x.title, at: Point(x: center, y: axisY + 36), anchor: .middle)
    let marks = chart.x.ticks.map { tick in
      let x = x(tick.value)
      return SVG.line([Point(x: x, y: axisY), Point(x: x, y: axisY + 4)], class: "axis")
    }
    return lines + marks + horizontalTickLabels + [title]
  }

  private func across(_ y: Double, from: Double? = nil, to: Double? = nil, class name: String) -> String {
    let from = from ?? left
    return SVG.line([Point(x: from, y: y), Point(x: max(from, to ?? right), y: y)], class: name)
  }

  private var horizontalTickLabels: [String] {
    var taken: [ClosedRange<Double>] = []
    let byPriority = chart.x.ticks.filter { !$0.isMinor } + chart.x.ticks.filter(\.isMinor)
    return byPriority.compactMap { tick in
      let center = centered(tick.label, at: x(tick.value), size: TextMetrics.standardSize)
      let half = TextMetrics.width(tick.label) / 2
      let room = (center - half - 3)...(center + half + 3)
      guard !taken.contains(where: room.overlaps) else { return nil }
      taken.append(room)
      return SVG.text(tick.label, at: Point(x: center, y: axisY + 18), anchor: .middle, class: "muted")
    }
  }

  /// The position of the middle of a text that is centered at x, but must not leave the picture.
  private func centered(_ text: String, at x: Double, size: Double) -> Double {
    let half = TextMetrics.width(text, size: size) / 2
    return max(half, min(x, width - half))
  }

  // MARK: Series

  private func series(_ index: Int) -> String {
    let series = chart.series[index]
    let shapes = series.shapes.flatMap { shape -> [String] in
      switch shape {
      case .trace(let points): [SVG.line(place(points).thinned, class: "trace")] + traceMarkers(points, index)
      case .line(let points): [SVG.line(place(points), class: "line")]
      case .thin(let points): [SVG.line(place(points), class: "thin")]
      case .markers(let points, let isFilled):
        place(points).map { series.look.marker(at: $0, radius: isFilled ? 4 : 3.4, isFilled: isFilled) }
      case .band(let lower, let upper):
        [SVG.element("path", [("class", "band"), ("d", SVG.path(place(upper) + place(lower).reversed()) + "Z")])]
      }
    }
    return SVG.group(class: series.look.className, shapes.joined(separator: "\n"))
  }

  /// Returns a few markers along a trace, at frames with usual costs. Each series has markers at different frames.
  private func traceMarkers(_ points: [Point], _ index: Int) -> [String] {
    let count = hasSideLabels ? 6 : 3
    let phase = (Double(index) + 0.5) / Double(max(1, chart.series.count))
    return (0..<count).compactMap { step in
      let position = Int((Double(step) + phase) / Double(count) * Double(points.count))
      let near = points.indices.clamped(to: (position - points.count / 60)..<(position + points.count / 60 + 1))
      guard points.count > count, !near.isEmpty else { return nil }
      let common = near.sorted { points[$0].y < points[$1].y }[near.count / 3]
      return chart.series[index].look.marker(at: place(points[common]), radius: 3.6)
    }
  }

  private func place(_ points: [Point]) -> [Point] { points.map(place) }
  private func place(_ point: Point) -> Point { Point(x: x(point.x), y: y(point.y)) }

  // MARK: Labels

  private var sideLabels: [String] {
    let ends = chart.series.map { y($0.end) }
    let x = right + Self.leaderWidth
    let centers = Spread.centers(wishes: ends, heights: seriesLabels.map(\.height), within: (top - 12)...(bottom + 12))
    return seriesLabels.indices.map { index in
      let leader = SVG.line([Point(x: right + 3, y: ends[index]), Point(x: x - 12, y: centers[index])], class: "line")
      let top = centers[index] - seriesLabels[index].height / 2
      return label(index, leader, marker: Point(x: x - 9, y: centers[index]), x: x, top: top)
    }
  }

  private var legend: [String] {
    var top = legendTop
    return seriesLabels.indices.map { index in
      defer { top += seriesLabels[index].height }
      let marker = Point(x: TextMetrics.margin + 5, y: top + 3 + TextMetrics.standardSize * 0.65)
      return label(index, marker: marker, x: TextMetrics.margin + 15, top: top)
    }
  }

  /// The label of a series. Its tooltip is the full name, because the name in the label may be cut.
  private func label(_ index: Int, _ leader: String? = nil, marker: Point, x: Double, top: Double) -> String {
    let look = chart.series[index].look
    var y = top + 3
    let lines = seriesLabels[index].lines.enumerated().map { number, line in
      let size = SeriesLabel.size(ofLine: number)
      defer { y += size * TextMetrics.lineHeight }
      return SVG.text(line, at: Point(x: x, y: y + size), class: number == 0 ? "name" : "muted", size: size)
    }
    let parts = ["", leader, look.marker(at: marker, radius: 3.6)].compactMap(\.self) + lines
    let name = chart.series.first { $0.look == look }?.name ?? ""
    return SVG.group(class: look.className, title: name, parts.joined(separator: "\n"))
  }

  /// Horizontal lines across the chart, with gaps for their labels. The labels are side by side, where they cover as
  /// little of the series as possible.
  private var levels: [String] {
    let shown = chart.levels.filter { (chart.y.lower...chart.y.upper).contains($0.value) }
    let placed = shown.isEmpty ? [] : place(shown)
    return placed.flatMap { level -> [String] in
      lines(of: level, around: placed) + [TextMetrics.small(level.label, at: Point(x: level.start, y: level.y + 4))]
    }
  }

  private struct Placed {
    var label: String
    var y: Double
    var start: Double
    var end: Double
    var box: (x: ClosedRange<Double>, y: ClosedRange<Double>) { ((start - 5)...(end + 5), (y - 9)...(y + 9)) }
  }

  /// The line of a level, with gaps for its own label and the labels of nearby levels.
  private func lines(of level: Placed, around placed: [Placed]) -> [String] {
    let gaps = placed.filter { $0.box.y.contains(level.y) }.map(\.box.x)
    return zip([left] + gaps.map(\.upperBound), gaps.map(\.lowerBound) + [right]).map {
      across(level.y, from: $0, to: $1, class: "budget")
    }
  }

  private func place(_ levels: [Chart.Level]) -> [Placed] {
    let room = right - left - 20
    func width(_ label: String) -> Double { TextMetrics.width(label, size: TextMetrics.smallSize) + 22 }
    let lengths = (0..<(levels.map(\.labels.count).min() ?? 0)).map { length in levels.map { $0.labels[length] } }
    let labels = lengths.first { $0.map(width).reduce(0, +) <= room } ?? lengths.last ?? levels.map { _ in "" }
    let slack = max(0, room - labels.map(width).reduce(0, +))
    let candidates = (0...6).map { step in
      var x = left + 10 + slack * Double(step) / 6
      return zip(levels, labels).map { level, label -> Placed in
        defer { x += width(label) }
        return Placed(label: label, y: y(level.value), start: x, end: x + width(label) - 22)
      }
    }
    let ink = ink(near: candidates[0].map(\.y))
    let scores = candidates.map { placed in
      ink.count { point in placed.contains { $0.box.x.contains(point.x) && $0.box.y.contains(point.y) } }
    }
    return candidates[scores.firstIndex(of: scores.min() ?? 0) ?? 0]
  }

  /// Points along the lines of all series, so close together that no label fits between two neighbors. The more points
  /// a label contains, the more it would cover.
  private func ink(near heights: [Double]) -> [Point] {
    let reach = ((heights.min() ?? 0) - 10)...((heights.max() ?? 0) + 10)
    return chart.series.flatMap(\.shapes).flatMap { shape -> [Point] in
      switch shape {
      case .trace(let points), .line(let points), .thin(let points):
        let placed = place(points)
        return zip(placed, placed.dropFirst()).flatMap { Self.between($0, $1, reach) }
      case .markers(let points, _): return place(points)
      case .band: return []
      }
    }
  }

  private static func between(_ from: Point, _ to: Point, _ reach: ClosedRange<Double>) -> [Point] {
    guard max(from.y, to.y) >= reach.lowerBound, min(from.y, to.y) <= reach.upperBound else { return [] }
    let count = Int(max(abs(to.x - from.x), abs(to.y - from.y)) / 6) + 1
    return (0...count).map { step in
      let share = Double(step) / Double(count)
      return Point(x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y))
    }
  }
}

extension [Point] {
  /// The points without those that a picture cannot show. The points must be in the order of x. In each column of one
  /// point's width, the first, lowest, highest and last point stay, so no spike is lost (M4: Jugel et al., VLDB 2014).
  package var thinned: [Point] {
    var thinned: [Point] = []
    var start = 0
    while start < count {
      let x = self[start].x.rounded(.down)
      let column = self[start...].prefix { $0.x.rounded(.down) == x }
      if column.count > 4, let lowest = column.indices.min(by: { self[$0].y < self[$1].y }),
        let highest = column.indices.max(by: { self[$0].y < self[$1].y })
      {
        thinned += Set([start, lowest, highest, column.endIndex - 1]).sorted().map { self[$0] }
      } else {
        thinned += column
      }
      start = column.endIndex
    }
    return thinned
  }
}

package struct SeriesLabel {
  /// The name, then details in small text.
  package let lines: [String]
  package let width: Double

  package var height: Double { lines.indices.reduce(6) { $0 + Self.size(ofLine: $1) * TextMetrics.lineHeight } }

  package static func size(ofLine line: Int) -> Double { line == 0 ? TextMetrics.standardSize : TextMetrics.smallSize }

  /// Labels that are no wider than the limit. If names would be cut to the same text, all but the first get a number.
  package static func all(of series: [Chart.Series], width limit: Double, isInOneLine: Bool) -> [SeriesLabel] {
    // With more than 12 series, labels with details would take more room than the picture.
    let hasDetails = series.count <= 12
    func short(_ name: String, _ limit: Double) -> String {
      TextMetrics.shortened(name, to: limit, size: TextMetrics.standardSize, isBold: true)
    }
    var taken: [String: Int] = [:]
    return series.map { series in
      var name = short(series.name, limit)
      let copy = taken[name, default: 0] + 1
      taken[name] = copy
      if copy > 1 { name = short(series.name, limit - 28) + " (\(copy))" }
      let details = isInOneLine ? [series.details.joined(separator: ", ")] : series.details
      let lines =
        [name] + (hasDetails ? details : []).map { TextMetrics.shortened($0, to: limit, size: TextMetrics.smallSize) }
      let widths = lines.enumerated().map { TextMetrics.width($1, size: size(ofLine: $0), isBold: $0 == 0) }
      return SeriesLabel(lines: lines, width: widths.max() ?? 0)
    }
  }
}

/// Moves boxes on one line as little as possible to avoid overlaps.
package enum Spread {
  /// The centers of the boxes, as near to the desired centers as possible, and within the bounds if they fit. Takes
  /// O(n²).
  package static func centers(wishes: [Double], heights: [Double], within bounds: ClosedRange<Double>) -> [Double] {
    precondition(wishes.count == heights.count, "\(wishes.count) wishes for \(heights.count) boxes")
    typealias Cluster = (members: [Int], start: Double, height: Double)
    /// Stacks boxes that would overlap, and puts the stack at the mean of their desired positions.
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
