/// A chart at a size, as SVG elements.
struct ChartDrawing {
  private let chart: Chart
  private let layout: ChartLayout

  init(_ chart: Chart, _ layout: ChartLayout) {
    self.chart = chart
    self.layout = layout
  }

  func render() -> String {
    let levels = ChartLevels(chart, layout).render()
    let parts =
      [headings, verticalAxis, lanes, horizontalAxis, levels] + chart.series.indices.map(series) + labels
    return parts.flatMap { $0 }.joined(separator: "\n")
  }

  // MARK: Words and axes

  private var headings: [String] {
    var y = 1.0
    let titles = layout.titleLines.map { line in
      y += ChartLayout.titleStep
      return SVG.text(
        line, at: Point(x: ChartLayout.margin, y: y - 4), class: "title", size: TextMetrics.titleSize)
    }
    let subtitles = layout.subtitleLines.map { line in
      y += ChartLayout.subtitleStep
      return SVG.text(
        line, at: Point(x: ChartLayout.margin, y: y - 2), class: "muted", size: TextMetrics.smallSize)
    }
    return titles + subtitles
  }

  private var verticalAxis: [String] {
    let title = SVG.text(
      chart.y.title, at: Point(x: ChartLayout.margin, y: layout.verticalTitleY), class: "muted",
      size: TextMetrics.smallSize)
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

  /// A bar for each span; lanes are labelled, so that no color key is needed.
  private var lanes: [String] {
    zip(chart.lanes, layout.laneNames).enumerated().flatMap { index, lane -> [String] in
      let y = layout.laneY(index)
      let name = SVG.text(
        lane.1, at: Point(x: layout.left - 6, y: y + 4), anchor: .end, class: "muted",
        size: TextMetrics.smallSize)
      let bars = lane.0.spans.map { span -> String in
        let (from, to) = (
          layout.x(chart.x.fraction(span.lowerBound)), layout.x(chart.x.fraction(span.upperBound))
        )
        return SVG.path([
          Point(x: from, y: y - 3.5), Point(x: to, y: y - 3.5), Point(x: to, y: y + 3.5),
          Point(x: from, y: y + 3.5),
        ]) + "Z"
      }
      return [
        name,
        SVG.element(
          "g", [("class", "stretches")],
          "<title>\(SVG.escape(lane.0.name))</title>" + SVG.element("path", [("d", bars.joined())])),
      ]
    }
  }

  private var horizontalAxis: [String] {
    let lines = Set([layout.bottom, layout.axisY]).sorted().map { y in
      SVG.line(Point(x: layout.left, y: y), Point(x: layout.right, y: y), class: "axis")
    }
    let center = centered(
      chart.x.title, at: (layout.left + layout.right) / 2, size: TextMetrics.smallSize)
    let title = SVG.text(
      chart.x.title, at: Point(x: center, y: layout.horizontalTitleY),
      anchor: .middle, class: "muted", size: TextMetrics.smallSize)
    let marks = chart.x.ticks.map { tick in
      let x = layout.x(chart.x.fraction(tick.value))
      return SVG.line(Point(x: x, y: layout.axisY), Point(x: x, y: layout.axisY + 4), class: "axis")
    }
    return lines + marks + horizontalTickLabels + [title]
  }

  /// As many as fit beside each other.
  private var horizontalTickLabels: [String] {
    var taken: [ClosedRange<Double>] = []
    let byPriority = chart.x.ticks.filter { !$0.isMinor } + chart.x.ticks.filter(\.isMinor)
    return byPriority.compactMap { tick in
      guard let label = tick.label else { return nil }
      let center = centered(label, at: layout.x(chart.x.fraction(tick.value)), size: TextMetrics.standardSize)
      let half = TextMetrics.width(label) / 2
      let room = (center - half - 3)...(center + half + 3)
      guard !taken.contains(where: room.overlaps) else { return nil }
      taken.append(room)
      return SVG.text(label, at: Point(x: center, y: layout.axisY + 18), anchor: .middle, class: "muted")
    }
  }

  /// Where the middle of a text stands that is to be centered but may not leave the picture.
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
  private func place(_ point: Point) -> Point { layout.place(point, on: chart) }

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
        [look.marker(at: Point(x: ChartLayout.margin + 5, y: y), radius: 3.6)]
        + text(of: label, x: ChartLayout.margin + 15, top: top)
      top += label.height
      return group(look, parts)
    }
  }

  /// The full name comes up under the pointer, where the label had to be cut.
  private func group(_ look: SeriesLook, _ parts: [String]) -> [String] {
    let name = chart.series.first { $0.look == look }?.name ?? ""
    return [
      SVG.element(
        "g", [("class", look.className)],
        (["<title>\(SVG.escape(name))</title>"] + parts).joined(separator: "\n"))
    ]
  }

  private func text(of label: SeriesLabel, x: Double, top: Double) -> [String] {
    var y = top + 3
    return label.lines.map { line in
      defer { y += line.size * TextMetrics.lineHeight }
      return SVG.text(line.text, at: Point(x: x, y: y + line.size), class: line.className, size: line.size)
    }
  }
}
