import Foundation
import FrameBench
import Markup
import Measurements
import Statistics
import TextFormat

/// A picture of a run: one self-contained SVG file, for light and dark pages.
package struct Picture: Sendable {
  package enum Kind: String { case overview, growth, frames, distribution, phases }

  /// The name of the scenario. Empty for the picture of all scenarios.
  package let scenario: String
  package let size: Int?
  package let kind: Kind
  /// The file name without `.svg`, unique among the pictures of a document.
  fileprivate let id: String
  package let drawing: any Drawable

  /// The file name, which is safe in a folder and in a link: `frames-springs-10000.svg`.
  package var name: String { "\(id).svg" }
  /// The complete file, which is drawn at each access. It contains text, not outlines of letters, and fetches nothing.
  package var svg: String { svg(width: SVG.standardWidth) }
  package var figure: String { drawing.figure(id: id) }

  package func svg(width: Double) -> String { drawing.render(id: id, width: width) }
}

extension RunDocument {
  /// The pictures of the run: one of all benchmarks, two for each scenario (growth and phases), and two for each size
  /// of a scenario (costs along the scroll, and their distribution).
  package var pictures: [Picture] {
    let strategies = benchmarks.map(\.id.strategy).unique
    var names = FileNames(allowing: ".")
    let overview = OverviewChart(self).map {
      Picture(scenario: "", size: nil, kind: .overview, id: names.next(Picture.Kind.overview.rawValue), drawing: $0)
    }
    return [overview].compactMap(\.self)
      + ScenarioGroup.all(in: self).flatMap { group -> [Picture] in
        let charts = ScenarioCharts(group: group, strategies: strategies)
        var drawn: [(Picture.Kind, Int?, (any Drawable)?)] = [(.growth, nil, charts.growth())]
        for size in group.sizes {
          drawn += [(.frames, size, charts.frames(size)), (.distribution, size, charts.distribution(size))]
        }
        return (drawn + [(.phases, nil, PhaseChart(group))]).compactMap { kind, size, drawing in
          guard let drawing else { return nil }
          // The name is cut here, because `names` cuts long file names at their end, where the size is.
          let parts = [kind.rawValue, String(group.name.prefix(60))] + (size.map { ["\($0)"] } ?? [])
          return Picture(
            scenario: group.name, size: size, kind: kind, id: names.next(parts.joined(separator: "-")), drawing: drawing
          )
        }
      }
  }
}

/// The charts of a scenario. A chart is nil if nothing was recorded for it.
package struct ScenarioCharts {
  package let group: ScenarioGroup
  /// All strategies of the document, so that each has the same look in all pictures.
  package let strategies: [String]

  private var options: RunOptions { group.options }
  private var unit: WorkUnit { group.unit }
  private var costTitle: String { "cost of a \(unit.noun)" }

  private func look(_ strategy: String) -> SeriesLook { SeriesLook(index: strategies.firstIndex(of: strategy) ?? 0) }

  private func name(of record: BenchmarkRecord) -> String { group.label(record.id.strategy) }

  private func records(_ size: Int) -> [BenchmarkRecord] {
    group.records(at: size).filter { !$0.frame.alignedNanoseconds.isEmpty }
  }

  /// The budgets of frames, to be drawn as lines. Functions have none, because no display waits for a call.
  private var levels: [Chart.Level] {
    (unit == .call ? [] : options.judgedBudgets).map { budget in
      let labels = ["budget at \(budget.label)", budget.label, "\(Format.count(budget.refreshRateHertz)) Hz"]
      return (budget.budgetNanoseconds, labels)
    }
  }

  // MARK: Cost of each frame

  /// A chart of the cost of each frame at one size, with a line for each strategy. A frame's cost is its minimum over
  /// all runs, so a peak shows more work and not noise.
  package func frames(_ size: Int) -> Chart? {
    let records = records(size)
    guard let count = records.map(\.frame.alignedNanoseconds.count).max() else { return nil }
    let costs = records.flatMap(\.frame.alignedNanoseconds)
    let stretches = group.stretches(at: size)
    let lanes = stretches.map(Self.lanes)
    let rate = unit == .frame ? " at \(options.refreshRateHertz) Hz" : ""
    let descriptions = records.map { "\(name(of: $0)): \(frameDetails($0).joined(separator: ", "))." }
    let last = Double(max(1, count - 1))
    let ticks = NiceNumbers.linear(to: last, steps: 8).filter { $0 <= last && $0 == $0.rounded() }
    return Chart(
      title: "\(group.title(ofSize: size)): cost of each \(unit.sample)",
      subtitle: "\(Format.plural(count, unit.sample))\(rate), each the minimum of \(options.runsPhrase(records))"
        + (unit == .frame ? headroom(costs) : ""),
      description: descriptions.joined(separator: " ") + (lanes?.description ?? ""),
      x: Axis(
        .linear, 0...last, ticks: ticks.map { Axis.Tick(value: $0, label: Format.count($0)) },
        title: unit == .frame ? "frame, 1/\(options.refreshRateHertz) s each" : "sample"),
      y: .costs(costs, title: costTitle),
      series: records.map { record in
        let costs = record.frame.alignedNanoseconds
        let points = costs.enumerated().map { Point(x: Double($0.offset), y: $0.element) }
        return Chart.Series(
          look: look(record.id.strategy), name: name(of: record), details: frameDetails(record),
          // A line through a single frame would be invisible.
          shapes: [costs.count == 1 ? .markers(points, isFilled: true) : .trace(points)], end: costs[costs.count - 1],
          figures: [costs])
      }, levels: levels,
      // With more frames, a page would become too large to open, and the pointer could not select a single frame.
      readout: count > 20_000
        ? nil
        : ChartReadout(
          frameCount: count, stretches: stretches?.runs.map { ($0.name, $0.frames.count) } ?? [], columns: [""]),
      lanes: lanes?.lanes ?? [])
  }

  private func frameDetails(_ record: BenchmarkRecord) -> [String] {
    guard let p50 = record.frame.timing(.p50), let most = record.frame.timing(.max), let worst = record.worstFrame
    else { return [] }
    return ["p50 \(p50.text)", "worst \(most.text)", group.frameText(worst, size: record.id.size)]
  }

  /// The percentage of the tightest budget that the slowest frame uses:
  /// `; the slowest fills 0.05% of the budget at 120 Hz (8.33 ms)`. Empty if the frame exceeds this budget.
  private func headroom(_ costs: [Double]) -> String {
    guard let most = costs.max(), most > 0,
      let budget = options.judgedBudgets.min(by: { $0.budgetNanoseconds < $1.budgetNanoseconds }),
      most <= budget.budgetNanoseconds
    else { return "" }
    return "; the slowest fills \(Format.percent(most / budget.budgetNanoseconds)) of the budget at \(budget.label)"
  }

  /// The stretches of the scroll (its named parts) as lanes below the chart, and a sentence for readers who cannot see
  /// them. The sentence begins with a space.
  private static func lanes(_ record: StretchRecord) -> (lanes: [Chart.Lane], description: String) {
    // More lanes than this would make the chart too high.
    let largestCount = 6
    let isShort = record.names.count <= largestCount
    let own = isShort ? record.names : Array(record.names.prefix(largestCount - 1))
    let runs = record.runs.map { (name: own.contains($0.name) ? $0.name : "others", frames: $0.frames) }
    let lanes = (isShort ? own : own + ["others"]).map { name in
      // Spans extend half a frame to either side, so that neighbors touch.
      let spans = runs.filter { $0.name == name }.map {
        Double($0.frames.lowerBound) - 0.5...Double($0.frames.upperBound) - 0.5
      }
      return (name: name, spans: spans)
    }
    let counts = lanes.map { lane in
      let count = runs.filter { $0.name == lane.name }.reduce(0) { $0 + $1.frames.count }
      return "\(lane.name) in \(Format.plural(count, "frame"))"
    }
    return (lanes, " Below the plot: \(Format.list(counts)).")
  }

  // MARK: Distribution

  /// A chart of the distribution of costs: for each percentage of the frames, the cost that they do not exceed. The
  /// slow tail is stretched, as in HdrHistogram's plots.
  package func distribution(_ size: Int) -> Chart? {
    let records = records(size)
    guard let most = records.map(\.frame.alignedNanoseconds.count).max() else { return nil }
    let costs = records.flatMap { $0.frame.alignedNanoseconds + Self.raw($0).map(\.y) }
    let axis = shares(most)
    // Evenly spaced positions along the axis, and the three quantiles whose raw values are known.
    let even = (0...100).map { 1 - pow(1 - axis.upper, Double($0) / 100) }
    let shares = (even + [0.5, 0.9, 0.99].filter { $0 <= axis.upper }).sorted()
    let places = shares.map { share in
      let percent = Format.trimmed(share * 100, decimals: share < 0.99 ? 1 : 3)
      return (axis.fraction(share), "\(percent)% of \(unit.sample)s")
    }
    return Chart(
      title: "\(group.title(ofSize: size)): distribution of the \(costTitle)",
      subtitle: "solid: each \(unit.sample) the minimum of \(options.runsPhrase(records)), the cost of the work;"
        + " hollow: raw p50, p90 and p99 of all runs, the machine's noise included",
      description: records.map(describe).joined(separator: " "), x: axis, y: .costs(costs, title: costTitle),
      series: records.map { distributionSeries($0, shares) }, levels: levels,
      readout: ChartReadout(places: places, columns: ["", "raw"]))
  }

  private func distributionSeries(_ record: BenchmarkRecord, _ shares: [Double]) -> Chart.Series {
    let sorted = record.frame.alignedNanoseconds.sorted()
    let raw = Self.raw(record)
    let aligned = sorted.indices.map { Point(x: Self.share($0, of: sorted.count), y: sorted[$0]) }
    let named = [0.5, 0.9, 0.99].map { Point(x: $0, y: Quantile.type7(sorted: sorted, at: $0)) }.filter {
      $0.x <= aligned[aligned.count - 1].x
    }
    let line: [Chart.Shape] =
      aligned.count == 1
      ? [.markers(aligned, isFilled: true)] : [.line(Self.steps(aligned)), .markers(named, isFilled: true)]
    let rawShapes: [Chart.Shape] = raw.isEmpty ? [] : [.thin(raw), .markers(raw, isFilled: false)]
    let pooled = record.frame.pooled
    let details = [
      record.frame.aligned.map { "worst \(TimeUnit.text($0.max))" },
      pooled.sampleCount > 0 ? "raw worst \(TimeUnit.text(pooled.max))" : nil,
    ]
    return Chart.Series(
      look: look(record.id.strategy), name: name(of: record), details: details.compactMap(\.self),
      shapes: rawShapes + line, end: sorted[sorted.count - 1],
      figures: [
        shares.map { Quantile.type7(sorted: sorted, at: $0) }, shares.map { share in raw.first { $0.x == share }?.y },
      ])
  }

  private func describe(_ record: BenchmarkRecord) -> String {
    let named = [("p50", FlatRow.Statistic.p50), ("p90", .p90), ("p99", .p99), ("worst", .max)]
    let figures = named.compactMap { name, statistic in record.frame.timing(statistic).map { "\(name) \($0.text)" } }
    let pooled = record.frame.pooled
    let raw = named.map { "\($0) \(TimeUnit.text(pooled.figures[$1] ?? 0))" }.joined(separator: ", ")
    return "\(name(of: record)): \(figures.isEmpty ? "no frames" : figures.joined(separator: ", "))"
      + (pooled.sampleCount > 0 ? "; raw \(raw)." : ".")
  }

  /// The quantiles of raw times (those of all runs), within the range of the aligned times. The worst raw sample is
  /// often far away, so only the label mentions it.
  private static func raw(_ record: BenchmarkRecord) -> [Point] {
    let raw = record.frame.pooled
    guard raw.sampleCount > 0 else { return [] }
    let count = record.frame.alignedNanoseconds.count
    let last = share(count - 1, of: count)
    return [(0.5, raw.p50), (0.9, raw.p90), (0.99, raw.p99)].filter { $0.0 <= last }.map { Point(x: $0.0, y: $0.1) }
  }

  /// The fraction of sorted values up to this index (Hazen's position). It is never 1, which the axis cannot show.
  private static func share(_ index: Int, of count: Int) -> Double { (Double(index) + 0.5) / Double(count) }

  /// The steps of a distribution curve, one for each frame. Steps that would lie too close together to be seen are left
  /// out. These are mostly steps of fast frames, because the axis stretches the slow tail.
  private static func steps(_ points: [Point]) -> [Point] {
    var kept: [Point] = []
    var lastPlace = -Double.infinity
    for (index, point) in points.enumerated() {
      let place = -log10(1 - point.x)
      guard place - lastPlace >= 0.008 || index == points.count - 1 else { continue }
      if let last = kept.last { kept.append(Point(x: point.x, y: last.y)) }
      kept.append(point)
      lastPlace = place
    }
    return kept
  }

  private func shares(_ count: Int) -> Axis {
    let last = max(Self.share(count - 1, of: count), 0.5)
    let named = [
      (0, "0"), (0.5, "50"), (0.9, "90"), (0.99, "99"), (0.999, "99.9"), (0.999_9, "99.99"), (0.999_99, "99.999"),
      (0.999_999, "99.9999"),
    ].filter { $0.0 <= last }
    return Axis(
      .tail, 0...last, ticks: named.map { Axis.Tick(value: $0.0, label: $0.1 + "%", isMinor: $0.0 == 0) },
      title: "share of \(unit.sample)s that cost no more (slow tail stretched)")
  }

  // MARK: Growth

  private typealias Size = (size: Double, p50: Timing, p99: Double, mean: Double)

  /// A chart of how the cost of a frame grows with the number of items. Nil if fewer than two sizes have frames.
  package func growth() -> Chart? {
    let measured = group.strategies.map { strategy in
      let sizes = group.records(of: strategy).compactMap { record -> Size? in
        guard let aligned = record.frame.aligned, let p50 = record.frame.timing(.p50) else { return nil }
        return (Double(record.id.size), p50, aligned.p99, aligned.mean)
      }
      return (strategy: strategy, sizes: sizes)
    }.filter { !$0.sizes.isEmpty }
    let sizes = Set(measured.flatMap { $0.sizes.map(\.size) }).sorted()
    guard sizes.count > 1 else { return nil }
    let isDivided = group.strategies.contains { group.growth(of: $0).isDivided }
    let costs = measured.flatMap { $0.sizes.flatMap { [$0.p50.nanoseconds, $0.p99] } }
    // Leaves out budgets far above the costs, which would squeeze the lines at the bottom of the chart.
    let levels = self.levels.filter { $0.value <= 10 * (costs.max() ?? 0) }
    let far = levels.isEmpty ? self.levels.last.map { "; the \($0.labels[0]) is off the scale" } ?? "" : ""
    // Leaves room for the markers at both ends.
    let margin = pow(sizes[sizes.count - 1] / sizes[0], 0.025)
    let axis = Axis(
      .logarithmic, (sizes[0] / margin)...(sizes[sizes.count - 1] * margin),
      ticks: sizes.map { Axis.Tick(value: $0, label: Format.integer(Int($0))) }, title: "items, log scale")
    return Chart(
      title: "\(group.name): \(costTitle) against the number of items",
      subtitle: "filled: p50, hollow: p99, \(isDivided ? "without marks: the mean, " : "")of \(unit.sample)s each the"
        + " minimum of \(options.runsPhrase(group.recordsByStrategy)); ~ items^k is fitted to the p50\(far)",
      description: measured.map { describe($0.strategy, $0.sizes) }.joined(separator: " "), x: axis,
      y: .costs(costs + levels.map(\.value), title: costTitle, isLogarithmic: true),
      series: measured.map { growthSeries($0.strategy, $0.sizes, all: sizes) }, levels: levels,
      readout: ChartReadout(
        places: sizes.map { (axis.fraction($0), Format.items(Int($0))) }, columns: ["p50", "p99", "mean"]))
  }

  private func growthSeries(_ strategy: String, _ sizes: [Size], all: [Double]) -> Chart.Series {
    let known = all.map { size in sizes.first { $0.size == size } }
    let p50 = sizes.map { Point(x: $0.size, y: $0.p50.nanoseconds) }
    let p99 = sizes.map { Point(x: $0.size, y: $0.p99) }
    let mean = sizes.map { Point(x: $0.size, y: $0.mean) }
    let largest = sizes.last.map { "p50 \($0.p50.text) at \(Format.integer(Int($0.size)))" }
    let growth = group.growth(of: strategy)
    let ofMean = growth.isDivided ? growth.mean.map { "mean \(Self.law($0))" } : nil
    return Chart.Series(
      look: look(strategy), name: group.label(strategy),
      details: [growth.median.map(Self.law), ofMean, largest].compactMap(\.self),
      shapes: [.band(lower: p50, upper: p99), .thin(p99), .line(p50)] + (ofMean == nil ? [] : [.thin(mean)]) + [
        .markers(p99, isFilled: false), .markers(p50, isFilled: true),
      ], end: p50[p50.count - 1].y,
      figures: [known.map { $0?.p50.nanoseconds }, known.map { $0?.p99 }, known.map { $0?.mean }])
  }

  /// The fitted law in words: `~ items^0.61`.
  private static func law(_ law: PowerLaw) -> String { "~ items^\(Format.fixed(law.exponent, decimals: 2))" }

  private func describe(_ strategy: String, _ sizes: [Size]) -> String {
    let costs = sizes.map { "p50 \($0.p50.text) and p99 \(TimeUnit.text($0.p99)) at \(Format.items(Int($0.size)))" }
    let (growth, name) = (group.growth(of: strategy), group.label(strategy))
    let divided = growth.sentence(name, unit).map { " \($0)" } ?? ""
    return "\(name)\(growth.median.map { " \(Self.law($0))" } ?? ""): \(Format.list(costs)).\(divided)"
  }
}

/// A chart of the percentage of a frame that each phase takes, with a bar for each strategy and size. All bars show
/// the phases in the same order, with the same colors and numbers.
package struct PhaseChart: Drawable {
  package let title: String
  package let description: String
  private let subtitle: String
  private let phaseNames: [String]
  private let rows: [Row]

  private struct Row {
    var size: Int
    var strategy: String
    /// The mean time of each phase over the frames, nanoseconds. Nil if the strategy has no such phase.
    var costs: [Double?]

    var total: Double { costs.reduce(0) { $0 + ($1 ?? 0) } }
  }

  package init?(_ group: ScenarioGroup) {
    let records = group.allRecords
    let names = records.phaseNames
    let rows = records.map { record in
      Row(
        size: record.id.size, strategy: group.label(record.id.strategy),
        costs: names.map { name in record.phase(name)?.time.aligned.map { min($0.mean, 1e18) } })
    }.filter { $0.total > 0 }
    guard !rows.isEmpty else { return nil }
    self.rows = rows
    phaseNames = names
    title = "\(group.name): where the time of a frame goes"
    let shortest = group.clock.shortestNanoseconds
    let hasShort = rows.contains { row in row.costs.contains { ($0 ?? .infinity) < shortest } }
    subtitle =
      "share of each phase over frames that are each the minimum of \(group.options.runsPhrase(group.recordsByStrategy));"
      + " the line below a bar is their sum, beside the longest of its size"
      + (hasShort ? "; times below \(TimeUnit.text(shortest)) are too short for the clock" : "")
    description = rows.map { row in
      let parts = zip(names, row.costs).compactMap { name, cost in
        cost.map { "\(name) \(Format.percent($0 / row.total))" }
      }
      return "\(row.strategy) at \(Format.items(row.size)): \(Format.list(parts)) of \(TimeUnit.text(row.total))."
    }.joined(separator: " ")
  }

  private static let barHeight = 22.0

  package func drawn(width: Double) -> (elements: [String], height: Double, plot: [Double]) {
    let names = rows.map { TextMetrics.shortened($0.strategy, to: width * 0.2, size: TextMetrics.standardSize) }
    let left = TextMetrics.margin + (names.map { TextMetrics.width($0) }.max() ?? 0) + 10
    let sums = rows.map { TextMetrics.width(TimeUnit.text($0.total), size: TextMetrics.smallSize) }
    let right = width - (sums.max() ?? 0) - 10
    var (elements, height) = TextMetrics.head(title, subtitle, width: width)
    elements += legend(width: width, &height)
    let top = height
    for (index, row) in rows.enumerated() {
      if index == 0 || rows[index - 1].size != row.size {
        height += 26
        elements.append(TextMetrics.small(Format.items(row.size), at: Point(x: TextMetrics.margin, y: height - 6)))
      }
      let baseline = height + 15
      elements.append(SVG.text(names[index], at: Point(x: left - 10, y: baseline), anchor: .end))
      elements += bars(row, from: left, to: right, top: height)
      let longest = rows.filter { $0.size == row.size }.map(\.total).max() ?? row.total
      let (end, bottom) = (left + (right - left) * row.total / longest, height + Self.barHeight)
      let sum = SVG.box(Point(x: left, y: bottom + 2), Point(x: end, y: bottom + 5))
      elements.append(SVG.element("path", [("class", "stretches"), ("d", sum)]))
      elements.append(TextMetrics.small(TimeUnit.text(row.total), at: Point(x: right + 6, y: baseline)))
      height += 32
    }
    return (elements, height, [left, right, top, height])
  }

  private func legend(width: Double, _ height: inout Double) -> [String] {
    height += 26
    var x = TextMetrics.margin
    var elements: [String] = []
    for (index, name) in phaseNames.enumerated() {
      let text = TextMetrics.shortened("\(index + 1) \(name)", to: width - 32, size: TextMetrics.standardSize)
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
      // A gap of one point separates neighbors of similar color. Very narrow parts have no gap.
      let end = to - from > 2 ? to - 1 : to
      elements.append(box(index, Point(x: from, y: top), Point(x: end, y: top + Self.barHeight)))
      let labels = ["\(index + 1): \(Format.percent(cost / row.total))", "\(index + 1)"]
      if let label = labels.first(where: { TextMetrics.width($0, size: TextMetrics.smallSize) + 8 <= end - from }) {
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
