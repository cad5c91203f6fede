import FrameBench
import Measurements
import TextFormat

/// The share of each phase in a frame: a bar for each strategy and size. A phase is recognized by its
/// color, and without color by its number and its place in the bar.
struct PhaseChart: Drawable {
  let title: String
  let description: String
  var readout: ChartReadout? { nil }
  private let subtitle: String
  private let phaseNames: [String]
  private let rows: [Row]

  private struct Row {
    var size: Int
    var strategy: String
    /// Mean over the frames by phase, nanoseconds; nil if the strategy has no such phase.
    var costs: [Double?]

    var total: Double { costs.reduce(0) { $0 + ($1 ?? 0) } }
  }

  /// Nil if no phase took any time.
  init?(_ group: ScenarioGroup) {
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
      "mean of each phase over frames that are each the minimum of \(group.options.runsPhrase(group.recordsByStrategy));"
      + " the sum is on the right" + Self.doubt(rows, group.clock)
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
    let names = rows.map {
      TextMetrics.shortened($0.strategy, to: width * 0.2, size: TextMetrics.standardSize)
    }
    let left = TextMetrics.margin + (names.map { TextMetrics.width($0) }.max() ?? 0) + 10
    let sums = rows.map { TextMetrics.width(TimeUnit.text($0.total), size: TextMetrics.smallSize) }
    let right = width - (sums.max() ?? 0) - 10
    var (elements, height) = TextMetrics.head(title, subtitle, width: width)
    elements += legend(width: width, &height)
    let top = height
    for (index, row) in rows.enumerated() {
      if index == 0 || rows[index - 1].size != row.size {
        height += Self.groupGap
        elements.append(
          TextMetrics.small(Format.items(row.size), at: Point(x: TextMetrics.margin, y: height - 6)))
      }
      let baseline = height + 15
      elements.append(SVG.text(names[index], at: Point(x: left - 10, y: baseline), anchor: .end))
      elements += bars(row, from: left, to: right, top: height)
      elements.append(TextMetrics.small(TimeUnit.text(row.total), at: Point(x: right + 6, y: baseline)))
      height += Self.rowStep
    }
    return SVG.document(
      id: id, size: Point(x: width, y: height), title: title, description: description,
      plot: [left, right, top, height].map(SVG.number).joined(separator: " "),
      content: elements.joined(separator: "\n"))
  }

  /// The phases with their numbers, in as many lines as needed.
  private func legend(width: Double, _ height: inout Double) -> [String] {
    height += 26
    var x = TextMetrics.margin
    var elements: [String] = []
    for (index, name) in phaseNames.enumerated() {
      let text = TextMetrics.shortened(
        "\(index + 1) \(name)", to: width - 32, size: TextMetrics.standardSize)
      let room = 18 + TextMetrics.width(text) + 16
      if x > TextMetrics.margin, x + room > width {
        x = TextMetrics.margin
        height += 20
      }
      elements.append(box(index, Point(x: x, y: height - 10), Point(x: x + 12, y: height + 2)))
      elements.append(SVG.text(text, at: Point(x: x + 18, y: height)))
      x += room
    }
    height += 4
    return elements
  }

  private func bars(_ row: Row, from left: Double, to right: Double, top: Double) -> [String] {
    var elements: [String] = []
    var sum = 0.0
    for (index, cost) in row.costs.enumerated() {
      guard let cost, cost > 0 else { continue }
      let from = left + (right - left) * sum / row.total
      sum += cost
      let to = left + (right - left) * min(1, sum / row.total)
      // A gap of a point separates neighbors of similar color; narrower bars stay whole.
      let end = to - from > 2 ? to - 1 : to
      elements.append(box(index, Point(x: from, y: top), Point(x: end, y: top + Self.barHeight)))
      // Number and share if they fit into the bar, else the number, else nothing.
      let labels = ["\(index + 1): \(Format.percent(cost / row.total))", "\(index + 1)"]
      if let label = labels.first(where: {
        TextMetrics.width($0, size: TextMetrics.smallSize) + 8 <= end - from
      }) {
        elements.append(
          SVG.text(
            label, at: Point(x: (from + end) / 2, y: top + 15), anchor: .middle, class: "onbar",
            size: TextMetrics.smallSize))
      }
    }
    return elements
  }

  private func box(_ phase: Int, _ from: Point, _ to: Point) -> String {
    SVG.group(
      class: "p\(phase % Palette.phases.count)", title: phaseNames[phase],
      SVG.element("path", [("class", "bar"), ("d", SVG.box(from, to))]))
  }
}
