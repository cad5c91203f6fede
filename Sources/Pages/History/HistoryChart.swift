/// A figure over the nights: its values, its levels, its change points, and changes of the environment.
struct HistoryChart {
  struct Night {
    /// `2026-11-21`.
    var day: String
    /// The night's name under the pointer: `2026-11-21, a1b2c3d`.
    var label: String
    var value: Double
    /// Median of the night's level.
    var level: Double
  }

  var title: String
  var description: String
  var quantity: FigureText.Quantity
  /// At least one.
  var nights: [Night]
  /// Positions of the first nights of new levels.
  var regressions: [Int]
  var improvements: [Int]
  /// Positions of the first nights in another environment.
  var breaks: [Int]
  var budget: (value: Double, text: String)?

  /// The chart in two widths, of which a page shows one, with the figures behind it, as HTML.
  ///
  /// - Parameter id: Unique in the page; letters, digits, `-` and `_`.
  func figure(id: String) -> String {
    let chart = chart
    return SVG.figure(
      wide: chart.render(id: id, width: Pictures.wideWidth),
      narrow: chart.render(id: id + "~narrow", width: Pictures.narrowWidth), readout: chart.readout)
  }

  var chart: Chart {
    let isBudgetNear = budget.map { isNear($0.value) } ?? false
    let scale =
      nights.map(\.value) + nights.map(\.level) + (isBudgetNear ? budget.map { [$0.value] } ?? [] : [])
    let y = Axis.zoomed(scale, quantity)
    let far = budget.flatMap { isBudgetNear ? nil : " The \($0.text) is off the scale." } ?? ""
    let subtitle = y.lower == 0 ? String(far.dropFirst()) : "The axis does not begin at 0.\(far)"
    return Chart(
      title: title, subtitle: subtitle, description: description, x: horizontal, y: y, series: series(y),
      levels: isBudgetNear
        ? budget.map { [Chart.Level(value: $0.value, labels: [$0.text, "budget"])] } ?? [] : [],
      readout: readout)
  }

  private func isNear(_ value: Double) -> Bool {
    let all = nights.map(\.value)
    guard let low = all.min(), let high = all.max() else { return false }
    let room = max(high - low, abs(high) * 0.1) * 2
    return value <= high + room && value >= low - room
  }

  // MARK: Axes

  private var horizontal: Axis {
    let last = nights.count - 1
    let count = min(6, nights.count)
    let positions = count == 1 ? [0] : (0..<count).map { $0 * last / (count - 1) }
    // The ends get their names first if there is not room for all.
    let ticks = positions.enumerated().map { index, position in
      Axis.Tick(
        value: Double(position), label: nights[position].day,
        isMinor: index != 0 && index != positions.count - 1)
    }
    return Axis(.linear, -0.5...(Double(last) + 0.5), ticks: ticks, title: "night")
  }

  // MARK: Series

  private func series(_ y: Axis) -> [Chart.Series] {
    let values = nights.enumerated().map { Point(x: Double($0), y: $1.value) }
    let last = nights[nights.count - 1]
    var series = [
      Chart.Series(
        look: SeriesLook(index: 1), name: "night", details: [quantity.text(last.value)],
        shapes: nights.count == 1 ? [.markers(values, isFilled: true)] : [.line(values)], end: last.value),
      Chart.Series(
        look: SeriesLook(index: 6), name: "level", details: [quantity.text(last.level)],
        shapes: levels.map(Chart.Shape.line), end: last.level),
    ]
    series += marks(Words.mark(isWorse: true), regressions, SeriesLook(index: 0))
    series += marks(Words.mark(isWorse: false), improvements, SeriesLook(index: 2))
    if let newest = breaks.last {
      let lines = breaks.map { position in
        let x = Double(position) - 0.5
        return Chart.Shape.thin([Point(x: x, y: y.lower), Point(x: x, y: y.upper)])
      }
      series.append(
        Chart.Series(
          look: SeriesLook(index: 3), name: "other environment", details: ["last \(nights[newest].day)"],
          shapes: lines, end: y.upper))
    }
    return series
  }

  private func marks(_ name: String, _ positions: [Int], _ look: SeriesLook) -> [Chart.Series] {
    guard let newest = positions.last else { return [] }
    let points = positions.map { Point(x: Double($0), y: nights[$0].level) }
    return [
      Chart.Series(
        look: look, name: name, details: ["last \(nights[newest].day)"],
        shapes: [.markers(points, isFilled: true)], end: nights[newest].level)
    ]
  }

  /// A line for each stretch of nights on the same level.
  private var levels: [[Point]] {
    let starts = Set(regressions + improvements + breaks)
    var lines: [[Point]] = []
    for (position, night) in nights.enumerated() {
      if position == 0 || starts.contains(position) {
        lines.append([Point(x: Double(position) - 0.5, y: night.level)])
      }
      let end = Point(x: Double(position) + 0.5, y: night.level)
      if lines[lines.count - 1].count == 2 { lines[lines.count - 1].removeLast() }
      lines[lines.count - 1].append(end)
    }
    return lines
  }

  private var readout: ChartReadout {
    ChartReadout(
      places: nights.enumerated().map { ((Double($0) + 0.5) / Double(nights.count), $1.label) },
      quantity: quantity, columns: [""],
      series: [
        ("night", SeriesLook(index: 1), [nights.map(\.value)]),
        ("level", SeriesLook(index: 6), [nights.map(\.level)]),
      ])
  }
}
