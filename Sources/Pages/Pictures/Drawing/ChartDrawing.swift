/// A chart at a size, as SVG elements.
struct ChartDrawing {
  private let chart: Chart
  private let layout: ChartLayout

  init(_ chart: Chart, _ layout: ChartLayout) {
    self.chart = chart
    self.layout = layout
  }

  func render() -> String {
    let parts =
      [layout.heading, verticalAxis, lanes, horizontalAxis, levels] + chart.series.indices.map(series)
      + labels
    return parts.flatMap { $0 }.joined(separator: "\n")
  }

  // MARK: Axes

  private var verticalAxis: [String] {
    let title = TextMetrics.small(
      chart.y.title, at: Point(x: TextMetrics.margin, y: layout.verticalTitleY))
    var lowestFree = Double.infinity
    return [title]
      + chart.y.ticks.flatMap { tick -> [String] in
        let y = layout.y(tick.value)
        let line = across(y, class: "grid")
        guard let label = tick.label, y <= lowestFree else { return [line] }
        lowestFree = y - TextMetrics.standardSize * 1.15
        return [
          line, SVG.text(label, at: Point(x: layout.left - 6, y: y + 4), anchor: .end, class: "muted"),
        ]
      }
  }

  /// A bar for each span; lanes are labelled, so that no color key is needed.
  private var lanes: [String] {
    zip(chart.lanes, layout.laneNames).enumerated().flatMap { index, lane -> [String] in
      let y = layout.laneY(index)
      let bars = lane.0.spans.map { span -> String in
        SVG.box(
          Point(x: layout.x(span.lowerBound), y: y - 3.5),
          Point(x: layout.x(span.upperBound), y: y + 3.5))
      }
      return [
        TextMetrics.small(lane.1, at: Point(x: layout.left - 6, y: y + 4), anchor: .end),
        SVG.group(
          class: "stretches", title: lane.0.name, SVG.element("path", [("d", bars.joined())])),
      ]
    }
  }

  private var horizontalAxis: [String] {
    let lines = Set([layout.bottom, layout.axisY]).sorted().map { across($0, class: "axis") }
    let center = centered(
      chart.x.title, at: (layout.left + layout.right) / 2, size: TextMetrics.smallSize)
    let title = TextMetrics.small(
      chart.x.title, at: Point(x: center, y: layout.horizontalTitleY), anchor: .middle)
    let marks = chart.x.ticks.map { tick in
      let x = layout.x(tick.value)
      return SVG.line([Point(x: x, y: layout.axisY), Point(x: x, y: layout.axisY + 4)], class: "axis")
    }
    return lines + marks + horizontalTickLabels + [title]
  }

  private func across(_ y: Double, from: Double? = nil, to: Double? = nil, class name: String) -> String {
    let from = from ?? layout.left
    return SVG.line([Point(x: from, y: y), Point(x: max(from, to ?? layout.right), y: y)], class: name)
  }

  /// As many as fit side by side.
  private var horizontalTickLabels: [String] {
    var taken: [ClosedRange<Double>] = []
    let byPriority = chart.x.ticks.filter { !$0.isMinor } + chart.x.ticks.filter(\.isMinor)
    return byPriority.compactMap { tick in
      guard let label = tick.label else { return nil }
      let center = centered(label, at: layout.x(tick.value), size: TextMetrics.standardSize)
      let half = TextMetrics.width(label) / 2
      let room = (center - half - 3)...(center + half + 3)
      guard !taken.contains(where: room.overlaps) else { return nil }
      taken.append(room)
      return SVG.text(label, at: Point(x: center, y: layout.axisY + 18), anchor: .middle, class: "muted")
    }
  }

  /// Position of the middle of a text that should be centered but must not leave the picture.
  private func centered(_ text: String, at x: Double, size: Double) -> Double {
    let half = TextMetrics.width(text, size: size) / 2
    return max(half, min(x, layout.width - half))
  }

  // MARK: Series

  private func series(_ index: Int) -> [String] {
    let series = chart.series[index]
    let shapes = series.shapes.flatMap { shape -> [String] in
      switch shape {
      case .trace(let points):
        [SVG.line(Envelope.reduced(place(points)), class: "trace")] + traceMarkers(points, index)
      case .line(let points):
        [SVG.line(place(points), class: "line")]
      case .thin(let points):
        [SVG.line(place(points), class: "thin")]
      case .markers(let points, let isFilled):
        place(points).map { series.look.marker(at: $0, radius: isFilled ? 4 : 3.4, isFilled: isFilled) }
      case .band(let lower, let upper):
        [
          SVG.element(
            "path", [("class", "band"), ("d", SVG.path(place(upper) + place(lower).reversed()) + "Z")])
        ]
      }
    }
    return [SVG.group(class: series.look.className, shapes.joined(separator: "\n"))]
  }

  /// A few markers along a trace, staggered from series to series, on its common frames.
  private func traceMarkers(_ points: [Point], _ index: Int) -> [String] {
    let count = layout.hasSideLabels ? 6 : 3
    let phase = (Double(index) + 0.5) / Double(max(1, chart.series.count))
    return (0..<count).compactMap { step in
      let position = Int((Double(step) + phase) / Double(count) * Double(points.count))
      let near = points.indices.clamped(
        to: (position - points.count / 60)..<(position + points.count / 60 + 1))
      guard points.count > count, !near.isEmpty else { return nil }
      let common = near.sorted { points[$0].y < points[$1].y }[near.count / 3]
      return chart.series[index].look.marker(at: place(points[common]), radius: 3.6)
    }
  }

  private func place(_ points: [Point]) -> [Point] { points.map(place) }
  private func place(_ point: Point) -> Point { Point(x: layout.x(point.x), y: layout.y(point.y)) }

  // MARK: Labels

  private var labels: [[String]] { layout.hasSideLabels ? sideLabels : legend }

  private var sideLabels: [[String]] {
    let ends = chart.series.map { layout.y($0.end) }
    let centers = Spread.centers(
      wishes: ends, heights: layout.labels.map(\.height), within: (layout.top - 12)...(layout.bottom + 12))
    return layout.labels.indices.map { index in
      let label = layout.labels[index]
      let look = chart.series[index].look
      let leader = SVG.line(
        [
          Point(x: layout.right + 3, y: ends[index]), Point(x: layout.sideLabelX - 12, y: centers[index]),
        ], class: "line")
      let marker = look.marker(at: Point(x: layout.sideLabelX - 9, y: centers[index]), radius: 3.6)
      return group(
        look,
        [leader, marker] + text(of: label, x: layout.sideLabelX, top: centers[index] - label.height / 2))
    }
  }

  private var legend: [[String]] {
    var top = layout.legendTop - 12
    return layout.labels.indices.map { index in
      let label = layout.labels[index]
      let look = chart.series[index].look
      let y = top + 3 + TextMetrics.standardSize * 0.65
      let parts =
        [look.marker(at: Point(x: TextMetrics.margin + 5, y: y), radius: 3.6)]
        + text(of: label, x: TextMetrics.margin + 15, top: top)
      top += label.height
      return group(look, parts)
    }
  }

  /// The pointer shows the full name if the label had to be cut.
  private func group(_ look: SeriesLook, _ parts: [String]) -> [String] {
    let name = chart.series.first { $0.look == look }?.name ?? ""
    return [SVG.group(class: look.className, title: name, ([""] + parts).joined(separator: "\n"))]
  }

  private func text(of label: SeriesLabel, x: Double, top: Double) -> [String] {
    var y = top + 3
    return label.lines.map { line in
      defer { y += line.size * TextMetrics.lineHeight }
      return SVG.text(line.text, at: Point(x: x, y: y + line.size), class: line.className, size: line.size)
    }
  }
}

/// The levels of a chart: lines across it, each interrupted by its own label. The labels stand side by
/// side, since levels may be closer than lines of text, and avoid the series.
extension ChartDrawing {
  private var levels: [String] {
    let shown = chart.levels.filter { (chart.y.lower...chart.y.upper).contains($0.value) }
    let placed = shown.isEmpty ? [] : place(shown)
    return placed.flatMap { level -> [String] in
      lines(of: level, around: placed)
        + [TextMetrics.small(level.label, at: Point(x: level.start, y: level.y + 4))]
    }
  }

  private struct Placed {
    var label: String
    var y: Double
    var start: Double
    var end: Double
    /// The text's area with a margin.
    var box: (x: ClosedRange<Double>, y: ClosedRange<Double>) {
      ((start - 5)...(end + 5), (y - 9)...(y + 9))
    }
  }

  /// A line with gaps for labels, its own and that of a level nearby.
  private func lines(of level: Placed, around placed: [Placed]) -> [String] {
    var from = layout.left
    var lines: [String] = []
    for gap in placed where gap.box.y.contains(level.y) {
      lines.append(across(level.y, from: from, to: gap.box.x.lowerBound, class: "budget"))
      from = gap.box.x.upperBound
    }
    return lines + [across(level.y, from: from, class: "budget")]
  }

  private func place(_ levels: [Chart.Level]) -> [Placed] {
    let room = layout.right - layout.left - 20
    func width(_ label: String) -> Double { TextMetrics.width(label, size: TextMetrics.smallSize) + 22 }
    let lengths = (0..<(levels.map(\.labels.count).min() ?? 0)).map { length in
      levels.map { $0.labels[length] }
    }
    let labels =
      lengths.first { $0.map(width).reduce(0, +) <= room } ?? lengths.last ?? levels.map { _ in "" }
    let slack = max(0, room - labels.map(width).reduce(0, +))
    let candidates = (0...6).map { step in
      var x = layout.left + 10 + slack * Double(step) / 6
      return zip(levels, labels).map { level, label -> Placed in
        defer { x += width(label) }
        return Placed(
          label: label, y: layout.y(level.value), start: x, end: x + width(label) - 22)
      }
    }
    let ink = ink(near: candidates[0].map(\.y))
    func hits(_ placed: [Placed]) -> Int {
      ink.count { point in
        placed.contains { $0.box.x.contains(point.x) && $0.box.y.contains(point.y) }
      }
    }
    let scores = candidates.map(hits)
    let best = candidates.indices.min { (scores[$0], $0) < (scores[$1], $1) } ?? 0
    return candidates[best]
  }

  /// Points along the lines of all series, close enough that no label slips between two.
  private func ink(near heights: [Double]) -> [Point] {
    let reach = ((heights.min() ?? 0) - 10)...((heights.max() ?? 0) + 10)
    return chart.series.flatMap(\.shapes).flatMap { shape -> [Point] in
      switch shape {
      case .trace(let points), .line(let points), .thin(let points):
        let placed = place(points)
        return zip(placed, placed.dropFirst()).flatMap { Self.between($0, $1, reach) }
      case .markers(let points, _):
        return place(points)
      case .band:
        return []
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

/// Thins out a line to the resolution of its picture.
enum Envelope {
  /// Keeps the first, the lowest, the highest and the last point of each column, one point wide, in the
  /// order of the line (M4: Jugel et al., "M4: A Visualization-Oriented Time Series Data Aggregation", VLDB
  /// 2014). So the line covers the same area; no spike is lost.
  ///
  /// - Parameter points: In points of the picture, x ascending.
  static func reduced(_ points: [Point]) -> [Point] {
    var reduced: [Point] = []
    var start = 0
    while start < points.count {
      let column = points[start].x.rounded(.down)
      let end = points[start...].firstIndex { $0.x.rounded(.down) != column } ?? points.count
      reduced += corners(points[start..<end])
      start = end
    }
    return reduced
  }

  private static func corners(_ column: ArraySlice<Point>) -> [Point] {
    guard column.count > 4,
      let lowest = column.indices.min(by: { column[$0].y < column[$1].y }),
      let highest = column.indices.max(by: { column[$0].y < column[$1].y })
    else { return Array(column) }
    return Set([column.startIndex, lowest, highest, column.endIndex - 1]).sorted().map { column[$0] }
  }
}
