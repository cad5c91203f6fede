/// The levels of a chart: lines across it, each interrupted by its own label. The labels stand side by side,
/// since levels may be nearer to each other than lines of text, and where the series leave room.
struct ChartLevels {
  private let chart: Chart
  private let layout: ChartLayout
  private let levels: [Chart.Level]

  init(_ chart: Chart, _ layout: ChartLayout) {
    self.chart = chart
    self.layout = layout
    levels = chart.levels.filter { (chart.y.lower...chart.y.upper).contains($0.value) }
  }

  func render() -> [String] {
    guard !levels.isEmpty else { return [] }
    let placed = place()
    return placed.flatMap { level -> [String] in
      let text = SVG.text(
        level.label, at: Point(x: level.start, y: level.y + 4), class: "muted", size: TextMetrics.smallSize)
      return lines(of: level, around: placed) + [text]
    }
  }

  private struct Placed {
    var label: String
    var y: Double
    var start: Double
    var end: Double
    /// What the text covers, and a little around it.
    var box: (x: ClosedRange<Double>, y: ClosedRange<Double>) {
      ((start - 5)...(end + 5), (y - 9)...(y + 9))
    }
  }

  /// A line that is open where a label stands, its own or that of a level nearby.
  private func lines(of level: Placed, around placed: [Placed]) -> [String] {
    var from = layout.left
    var lines: [String] = []
    for gap in placed where gap.box.y.contains(level.y) {
      lines.append(line(from, gap.box.x.lowerBound, level.y))
      from = gap.box.x.upperBound
    }
    return lines + [line(from, layout.right, level.y)]
  }

  private func line(_ from: Double, _ to: Double, _ y: Double) -> String {
    SVG.line(Point(x: from, y: y), Point(x: max(from, to), y: y), class: "budget")
  }

  private func place() -> [Placed] {
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
          label: label, y: layout.y(chart.y.fraction(level.value)), start: x, end: x + width(label) - 22)
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
        let placed = points.map { layout.place($0, on: chart) }
        return zip(placed, placed.dropFirst()).flatMap { Self.between($0, $1, reach) }
      case .markers(let points, _):
        return points.map { layout.place($0, on: chart) }
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
