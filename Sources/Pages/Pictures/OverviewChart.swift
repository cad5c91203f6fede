import Judging
import Markup
import Measurements
import Statistics
import TextFormat

/// A chart of all benchmarks of a run, one below the other. Each benchmark is a line from its median to its p99, which
/// shows at a glance what is expensive.
package struct OverviewChart: Drawable {
  package let title: String
  package let description: String
  private let subtitle: String
  private let records: [BenchmarkRecord]
  private let axis: Axis
  private let budgets: [FrameBudget]

  private static let mostRows = 20
  private static let rowHeight = 18.0

  /// Creates the chart. Returns nil for a single scenario, whose own charts say more, or if nothing was recorded.
  package init?(_ document: RunDocument) {
    let recorded = ScenarioGroup.all(in: document).flatMap(\.allRecords).filter { $0.frame.aligned != nil }
    // If there are too many benchmarks, only the most expensive are shown, each strategy at its largest size.
    let all = recorded.count > Self.mostRows ? recorded.grouped(by: \.id.series).compactMap(\.rows.last) : recorded
    let least = all.map(Self.cost).sorted(by: >).prefix(Self.mostRows).last ?? 0
    records = Array(all.filter { Self.cost($0) >= least }.prefix(Self.mostRows))
    guard Set(document.benchmarks.map(\.id.variant)).count > 1, !records.isEmpty else { return nil }
    title = "What each benchmark costs"
    let rest = records.count < recorded.count ? "; the dearest of \(Format.integer(recorded.count))" : ""
    subtitle = "filled: p50, hollow: p99, of a \(document.unit.noun)\(rest)"
    description = records.map(Self.words).joined(separator: "; ") + "."
    let costs = records.compactMap(\.frame.aligned).flatMap { [$0.p50, $0.p99] }
    let axis = Axis.costs(costs, title: "")
    self.axis = axis
    budgets = document.options.judgedBudgets.filter { (axis.lower...axis.upper).contains($0.budgetNanoseconds) }
  }

  private static func cost(_ record: BenchmarkRecord) -> Double {
    record.frame.aligned?[WorkUnit([record]).decisive] ?? 0
  }

  private static func words(_ record: BenchmarkRecord) -> String {
    let times = [FlatRow.Statistic.p50, .p99].compactMap { statistic in
      record.frame.aligned?[statistic].map { "\(statistic.rawValue) \(TimeUnit.text($0))" }
    }
    return "\(record.id): \(times.joined(separator: ", "))"
  }

  package func drawn(width: Double) -> (elements: [String], height: Double, plot: [Double]) {
    let small = TextMetrics.smallSize
    var (elements, height) = TextMetrics.head(title, subtitle, width: width)
    let names = records.map { TextMetrics.shortened("\($0.id)", to: width * 0.42, size: small) }
    let left = TextMetrics.margin + (names.map { TextMetrics.width($0, size: small) }.max() ?? 0) + 12
    let right = width - 16
    let (top, bottom) = (height + 10, height + 14 + Double(records.count) * Self.rowHeight)
    func x(_ nanoseconds: Double) -> Double { left + axis.fraction(nanoseconds) * (right - left) }
    func upright(_ nanoseconds: Double, _ name: String) -> String {
      SVG.line([Point(x: x(nanoseconds), y: top), Point(x: x(nanoseconds), y: bottom)], class: name)
    }
    var free = -Double.infinity
    for tick in axis.ticks {
      elements.append(upright(tick.value, "grid"))
      let half = TextMetrics.width(tick.label, size: small) / 2
      guard x(tick.value) - half > free else { continue }
      free = x(tick.value) + half + 6
      let place = Point(x: min(x(tick.value), width - half - 2), y: bottom + 14)
      elements.append(TextMetrics.small(tick.label, at: place, anchor: .middle))
    }
    for budget in budgets {
      let title = SVG.element("title", [], "budget at \(XMLText.escape(budget.label))")
      elements.append(SVG.element("g", [], title + upright(budget.budgetNanoseconds, "budget")))
    }
    for (record, name) in zip(records, names) {
      height += Self.rowHeight
      guard let costs = record.frame.aligned else { continue }
      let look = SeriesLook(index: record.isFunction ? 2 : 1)
      let ends = [costs.p50, costs.p99].map { Point(x: x($0), y: height) }
      let marks = look.marker(at: ends[1], radius: 3.4, isFilled: false) + look.marker(at: ends[0], radius: 4)
      elements += [
        TextMetrics.small(name, at: Point(x: left - 10, y: height + 4), anchor: .end),
        SVG.group(class: look.className, title: Self.words(record), SVG.line(ends, class: "line") + marks),
      ]
    }
    return (elements, bottom + 20, [left, right, top, bottom])
  }
}
