import FrameBench
import Measurements
import TextFormat

/// Where the time of a frame goes: for each strategy and size a bar, cut by the shares of the phases. A phase
/// is recognized by its color, and without color by its number and its place in the bar.
struct PhaseChart {
  let title: String
  let description: String
  private let subtitle: String
  private let phaseNames: [String]
  private let rows: [Row]

  private struct Row {
    var size: Int
    var strategy: String
    /// Mean over the frames by phase, nanoseconds; nil where the strategy has no such phase.
    var costs: [Double?]

    var total: Double { costs.reduce(0) { $0 + ($1 ?? 0) } }
  }

  /// Nil where no phase took any time.
  init?(_ group: ScenarioGroup, options: RunOptions, clock: ClockRecord) {
    let records = group.allRecords
    let names = records.phaseNames
    let rows = records.map { record in
      Row(
        size: record.id.size, strategy: record.id.strategy,
        costs: names.map { name in record.phase(name)?.time.aligned.map { min($0.mean, 1e18) } })
    }.filter { $0.total > 0 }
    guard !rows.isEmpty else { return nil }
    self.rows = rows
    phaseNames = names
    title = "\(group.name): where the time of a frame goes"
    subtitle =
      "mean of each phase over frames that are each the minimum of \(options.runsPhrase(group.strategies.flatMap(group.records(of:))));"
      + " the sum is on the right" + Self.doubt(rows, clock)
    description = rows.map { row in
      let parts = zip(names, row.costs).compactMap { name, cost in
        cost.map { "\(name) \(Format.percent($0 / row.total))" }
      }
      return
        "\(row.strategy) at \(Format.items(row.size)): \(Format.list(parts)) of \(TimeUnit.text(row.total))."
    }.joined(separator: " ")
  }

  private static func doubt(_ rows: [Row], _ clock: ClockRecord) -> String {
    let hasShort = rows.contains { row in row.costs.contains { ($0 ?? .infinity) < clock.shortestNanoseconds }
    }
    guard hasShort else { return "" }
    return
      "; times below \(TimeUnit.text(clock.shortestNanoseconds)) are too short for the clock"
  }

  private static let barHeight = 22.0
  private static let rowStep = 28.0
  private static let groupGap = 26.0

  func render(id: String, width: Double) -> String {
    let drawing = Drawing(self, width: width)
    return SVG.document(
      id: id, size: Point(x: width, y: drawing.height), title: title, description: description,
      plot: [drawing.left, drawing.right, drawing.top, drawing.height].map(SVG.number).joined(separator: " "),
      content: drawing.elements.joined(separator: "\n"))
  }

  private struct Drawing {
    let left: Double
    let right: Double
    private(set) var top = 0.0
    private(set) var height = 0.0
    private(set) var elements: [String] = []
    private let chart: PhaseChart
    private let width: Double
    private let names: [String]

    init(_ chart: PhaseChart, width: Double) {
      self.chart = chart
      self.width = width
      let small = TextMetrics.smallSize
      names = chart.rows.map {
        TextMetrics.shortened($0.strategy, to: width * 0.2, size: TextMetrics.standardSize)
      }
      left = ChartLayout.margin + (names.map { TextMetrics.width($0) }.max() ?? 0) + 10
      let sums = chart.rows.map { TextMetrics.width(TimeUnit.text($0.total), size: small) }
      right = width - (sums.max() ?? 0) - 10
      drawHead()
      drawLegend()
      drawRows()
    }

    private mutating func drawHead() {
      let title = ChartLayout.wrapped(chart.title, width - 8, size: TextMetrics.titleSize, isBold: true)
      for line in title {
        height += ChartLayout.titleStep
        let place = Point(x: ChartLayout.margin, y: height - 3)
        elements.append(SVG.text(line, at: place, class: "title", size: TextMetrics.titleSize))
      }
      for line in ChartLayout.wrapped(chart.subtitle, width - 8, size: TextMetrics.smallSize) {
        height += ChartLayout.subtitleStep
        let place = Point(x: ChartLayout.margin, y: height - 1)
        elements.append(SVG.text(line, at: place, class: "muted", size: TextMetrics.smallSize))
      }
    }

    /// The phases with their numbers, in as many lines as it takes.
    private mutating func drawLegend() {
      height += 26
      var x = ChartLayout.margin
      for (index, name) in chart.phaseNames.enumerated() {
        let text = TextMetrics.shortened(
          "\(index + 1) \(name)", to: width - 32, size: TextMetrics.standardSize)
        let room = 18 + TextMetrics.width(text) + 16
        if x > ChartLayout.margin, x + room > width {
          x = ChartLayout.margin
          height += 20
        }
        let swatch = rectangle(Point(x: x, y: height - 10), Point(x: x + 12, y: height + 2))
        elements.append(colored(index, swatch))
        elements.append(SVG.text(text, at: Point(x: x + 18, y: height)))
        x += room
      }
      height += 4
      top = height
    }

    private mutating func drawRows() {
      var size: Int?
      for (index, row) in chart.rows.enumerated() {
        if row.size != size {
          height += PhaseChart.groupGap
          elements.append(
            SVG.text(
              Format.items(row.size), at: Point(x: ChartLayout.margin, y: height - 6), class: "muted",
              size: TextMetrics.smallSize))
          size = row.size
        }
        draw(row, name: names[index])
        height += PhaseChart.rowStep
      }
    }

    private mutating func draw(_ row: Row, name: String) {
      let baseline = height + 15
      elements.append(SVG.text(name, at: Point(x: left - 10, y: baseline), anchor: .end))
      var sum = 0.0
      for (index, cost) in row.costs.enumerated() {
        guard let cost, cost > 0 else { continue }
        let from = left + (right - left) * sum / row.total
        sum += cost
        let to = left + (right - left) * min(1, sum / row.total)
        // A gap of a point parts neighbors of similar color; what is narrower than that stays whole.
        let end = to - from > 2 ? to - 1 : to
        let bar = rectangle(Point(x: from, y: height), Point(x: end, y: height + PhaseChart.barHeight))
        elements.append(colored(index, bar))
        label(index, share: cost / row.total, from: from, to: end, baseline: baseline)
      }
      elements.append(
        SVG.text(
          TimeUnit.text(row.total), at: Point(x: right + 6, y: baseline), class: "muted",
          size: TextMetrics.smallSize))
    }

    /// Number and share where the bar holds both, else the number, else nothing.
    private mutating func label(_ index: Int, share: Double, from: Double, to: Double, baseline: Double) {
      let labels = ["\(index + 1): \(Format.percent(share))", "\(index + 1)"]
      guard
        let label = labels.first(where: {
          TextMetrics.width($0, size: TextMetrics.smallSize) + 8 <= to - from
        })
      else { return }
      elements.append(
        SVG.text(
          label, at: Point(x: (from + to) / 2, y: baseline), anchor: .middle, class: "onbar",
          size: TextMetrics.smallSize))
    }

    private func rectangle(_ from: Point, _ to: Point) -> String {
      let corners = [from, Point(x: to.x, y: from.y), to, Point(x: from.x, y: to.y)]
      return SVG.element("path", [("class", "bar"), ("d", SVG.path(corners) + "Z")])
    }

    private func colored(_ phase: Int, _ element: String) -> String {
      let name = chart.phaseNames[phase]
      return SVG.element(
        "g", [("class", "p\(phase % Palette.phases.count)")], "<title>\(SVG.escape(name))</title>" + element)
    }
  }
}
