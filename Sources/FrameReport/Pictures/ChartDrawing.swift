/// A chart at a size, as SVG elements.
struct ChartDrawing {
  private let chart: Chart
  private let layout: ChartLayout

  init(_ chart: Chart, _ layout: ChartLayout) {
    self.chart = chart
    self.layout = layout
  }

  func render() -> String {
    let parts = [headings, verticalAxis, horizontalAxis] + [levels] + chart.series.indices.map(series) + labels
    return parts.flatMap { $0 }.joined(separator: "\n")
  }

  // MARK: Words and axes

  private var headings: [String] {
    var y = 1.0
    let titles = layout.titleLines.map { line in
      y += ChartLayout.titleStep
      return SVG.text(line, at: Point(x: ChartLayout.margin, y: y - 4), class: "title", size: TextMetrics.titleSize)
    }
    let subtitles = layout.subtitleLines.map { line in
      y += ChartLayout.subtitleStep
      return SVG.text(line, at: Point(x: ChartLayout.margin, y: y - 2), class: "muted", size: TextMetrics.smallSize)
    }
    return titles + subtitles
  }

  private var verticalAxis: [String] {
    let title = SVG.text(
      chart.y.title, at: Point(x: ChartLayout.margin, y: layout.verticalTitleY), class: "muted", size: TextMetrics.smallSize)
    var lowestFree = Double.infinity
    return [title]
      + chart.y.ticks.flatMap { tick -> [String] in
        let y = layout.y(chart.y.fraction(tick.value))
        let line = SVG.line(Point(x: layout.left, y: y), Point(x: layout.right, y: y), class: "grid")
        guard let label = tick.label, y <= lowestFree else { return [line] }
        lowestFree = y - TextMetrics.standardSize * 1.15
        return [
          line, SVG.text(label, at: Point(x: layout.left - 6, y: y + 4), anchor: .end, class: "muted"),
        ]
      }
  }

  private var horizontalAxis: [String] {
    let baseline = SVG.line(
      Point(x: layout.left, y: layout.bottom), Point(x: layout.right, y: layout.bottom), class: "axis")
    let title = SVG.text(
      chart.x.title, at: Point(x: (layout.left + layout.right) / 2, y: layout.horizontalTitleY),
      anchor: .middle, class: "muted", size: TextMetrics.smallSize)
    var freeFrom = -Double.infinity
    let ticks = chart.x.ticks.flatMap { tick -> [String] in
      let x = layout.x(chart.x.fraction(tick.value))
      let mark = SVG.line(Point(x: x, y: layout.bottom), Point(x: x, y: layout.bottom + 4), class: "axis")
      guard let label = tick.label else { return [mark] }
      let half = TextMetrics.width(label) / 2
      // Beside a label of the vertical axis there is room; beyond the edge of the picture there is none.
      let center = min(max(x, half), layout.width - half)
      guard center - half > freeFrom else { return [mark] }
      freeFrom = center + half + 6
      return [
        mark,
        SVG.text(label, at: Point(x: center, y: layout.bottom + 18), anchor: .middle, class: "muted"),
      ]
    }
    return [baseline] + ticks + [title]
  }

  // MARK: Series

  private func series(_ index: Int) -> [String] {
    let series = chart.series[index]
    let shapes = series.shapes.flatMap { shape -> [String] in
      switch shape {
      case .trace(let points):
        [path("trace", Envelope.reduced(place(points)))] + traceMarkers(points, index)
      case .line(let points):
        [path("line", place(points))]
      case .thin(let points):
        [path("thin", place(points))]
      case .markers(let points, let isFilled):
        place(points).map { series.look.marker(at: $0, radius: isFilled ? 4 : 3.4, isFilled: isFilled) }
      case .band(let lower, let upper):
        [
          SVG.element(
            "path", [("class", "band"), ("d", SVG.path(place(upper) + place(lower).reversed()) + "Z")])
        ]
      }
    }
    return [SVG.element("g", [("class", series.look.className)], shapes.joined(separator: "\n"))]
  }

  private func path(_ name: String, _ points: [Point]) -> String {
    SVG.element("path", [("class", name), ("d", SVG.path(points))])
  }

  /// A few markers along a trace, staggered from series to series, on its quiet frames.
  private func traceMarkers(_ points: [Point], _ index: Int) -> [String] {
    let count = layout.hasSideLabels ? 6 : 3
    let phase = (Double(index) + 0.5) / Double(max(1, chart.series.count))
    return (0..<count).compactMap { step in
      let position = Int((Double(step) + phase) / Double(count) * Double(points.count))
      let near = points.indices.clamped(to: (position - points.count / 60)..<(position + points.count / 60 + 1))
      guard points.count > count, let quiet = near.min(by: { points[$0].y < points[$1].y }) else { return nil }
      return chart.series[index].look.marker(at: place(points[quiet]), radius: 3.6)
    }
  }

  private func place(_ points: [Point]) -> [Point] { points.map(place) }

  private func place(_ point: Point) -> Point {
    Point(x: layout.x(chart.x.fraction(point.x)), y: layout.y(chart.y.fraction(point.y)))
  }

  // MARK: Labels

  private var labels: [[String]] { layout.hasSideLabels ? sideLabels : legend }

  private var sideLabels: [[String]] {
    let ends = chart.series.map { layout.y(chart.y.fraction($0.end)) }
    let centers = Spread.centers(
      wishes: ends, heights: layout.labels.map(\.height), within: (layout.top - 12)...(layout.bottom + 12))
    return layout.labels.indices.map { index in
      let label = layout.labels[index]
      let look = chart.series[index].look
      let leader = SVG.element(
        "path",
        [
          ("class", "line"),
          (
            "d",
            SVG.path([
              Point(x: layout.right + 3, y: ends[index]), Point(x: layout.sideLabelX - 12, y: centers[index]),
            ])
          ),
        ])
      let marker = look.marker(at: Point(x: layout.sideLabelX - 9, y: centers[index]), radius: 3.6)
      return group(
        look, [leader, marker] + text(of: label, x: layout.sideLabelX, top: centers[index] - label.height / 2))
    }
  }

  private var legend: [[String]] {
    var top = layout.legendTop - 12
    return layout.labels.indices.map { index in
      let label = layout.labels[index]
      let look = chart.series[index].look
      let y = top + 3 + TextMetrics.standardSize * 0.65
      let parts = [look.marker(at: Point(x: ChartLayout.margin + 5, y: y), radius: 3.6)] + text(of: label, x: ChartLayout.margin + 15, top: top)
      top += label.height
      return group(look, parts)
    }
  }

  /// The full name comes up under the pointer, where the label had to be cut.
  private func group(_ look: SeriesLook, _ parts: [String]) -> [String] {
    let name = chart.series.first { $0.look == look }?.name ?? ""
    return [
      SVG.element(
        "g", [("class", look.className)], (["<title>\(SVG.escape(name))</title>"] + parts).joined(separator: "\n"))
    ]
  }

  private func text(of label: SeriesLabel, x: Double, top: Double) -> [String] {
    var y = top + 3
    return label.lines.map { line in
      defer { y += line.size * TextMetrics.lineHeight }
      return SVG.text(line.text, at: Point(x: x, y: y + line.size), class: line.className, size: line.size)
    }
  }

  /// Levels inside the chart, each interrupted by its own label; labels stand side by side, so that levels
  /// that are near each other can be told apart.
  private var levels: [String] {
    let shown = chart.levels.filter { (chart.y.lower...chart.y.upper).contains($0.value) }
    var x = layout.left + 10
    let placed = shown.map { level in
      defer { x += TextMetrics.width(level.label, size: TextMetrics.smallSize) + 22 }
      return PlacedLevel(
        label: level.label, y: layout.y(chart.y.fraction(level.value)), start: x,
        end: x + TextMetrics.width(level.label, size: TextMetrics.smallSize))
    }
    return placed.flatMap { level in
      let gaps = placed.filter { abs($0.y - level.y) < 9 && $0.end < layout.right }
      var from = layout.left
      var lines: [String] = []
      for gap in gaps {
        lines.append(levelLine(from, gap.start - 5, level.y))
        from = gap.end + 5
      }
      lines.append(levelLine(from, layout.right, level.y))
      let text = SVG.text(
        level.label, at: Point(x: level.start, y: level.y + 4), class: "muted", size: TextMetrics.smallSize)
      return lines + (level.end < layout.right ? [text] : [])
    }
  }

  private struct PlacedLevel {
    var label: String
    var y: Double
    var start: Double
    var end: Double
  }

  private func levelLine(_ from: Double, _ to: Double, _ y: Double) -> String {
    SVG.line(Point(x: from, y: y), Point(x: max(from, to), y: y), class: "budget")
  }
}
