import FrameBench
import Judging
import Markup
import Pages
import Statistics
import TextFormat

/// The page of one benchmark: charts of its figures over the nights, its change points, and a table of all its figures.
package struct BenchmarkPage {
  private typealias Series = Chart.Series

  package let part: Site.Part
  package let id: BenchmarkID
  package let budget: (BenchmarkID, String) -> Site.Budget?

  private var analysis: HistoryAnalysis { part.analysis }
  private var trends: [Trend] { analysis.trends(of: id) }

  package func render(_ number: Int) -> String {
    let all = charted.map(chart) + [codeChart].compactMap(\.self)
    let charts = all.enumerated().map { ("chart-\($0.offset)", $0.element) }
    let blocks: [Block] =
      [.heading(level: 1, "\(id)")] + lead + changes + codeChanges + withdrawals + [
        .heading(level: 2, "Over the nights")
      ] + charts.map { .paragraph(RichText([.image(alternative: "", source: $0.0)])) } + [
        .heading(level: 2, "All figures"), figures,
      ] + environments
    return blocks.html(
      title: "\(id), \(part.name)",
      figures: Dictionary(uniqueKeysWithValues: charts.map { ($0.0, $0.1.figure(id: $0.0)) }),
      links: part.links(from: number))
  }

  private var lead: [Block] {
    guard let trend = analysis.mainTrend(of: id) else { return [] }
    let state = part.state(of: trend)
    let sentence = "\(Self.capitalized(trend.title)): \(trend.levelText) on \(part.machine), \(state.text)."
    return [.paragraph(.strong(sentence, state.tone))]
  }

  private static func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

  // MARK: Charts

  /// The figures with a chart: the time of the whole frame, and all figures that ever changed or have a budget.
  private var charted: [Trend] {
    let always = ["frameNanoseconds.p50", "frameNanoseconds.p99"]
    let risen = (part.risenCounts[id] ?? []).map(\.metric)
    return trends.filter { trend in
      always.contains(trend.metric) || !trend.findings.isEmpty || budget(id, trend.metric) != nil
        || risen.contains(trend.metric)
    }
  }

  func chart(_ trend: Trend) -> Chart {
    let first = max(0, trend.values.count - Site.shownNights)
    let values = Array(trend.values[first...])
    let levels = Array(Self.levels(trend)[first...])
    let shifts = trend.findings.map(\.shift).filter { $0.position > first }
    let budget = budget(id, trend.metric)
    let (low, high) = (values.min() ?? 0, values.max() ?? 0)
    let room = max(high - low, abs(high) * 0.1) * 2
    let nearBudget = budget.flatMap { $0.value <= high + room && $0.value >= low - room ? $0 : nil }
    let y = Axis.zoomed(values + levels + (nearBudget.map { [$0.value] } ?? []), trend.unit)
    let far = nearBudget == nil ? budget.map { "The \($0.text) is off the scale." } : nil
    let shown = first > 0 ? ", the last \(Format.integer(Site.shownNights)) nights" : ""
    let count = shifts.isEmpty ? "no change points" : Format.plural(shifts.count, "change point")
    return Chart(
      title: Self.capitalized(trend.title) + shown,
      subtitle: [y.lower == 0 ? nil : "The axis does not begin at 0.", far].compactMap(\.self).joined(separator: " "),
      description: "\(trend.title) of \(id) over \(Format.plural(values.count, "night")): \(count)"
        + (shifts.isEmpty ? "." : ", listed in the table."),
      x: nightAxis(trend.nights[first...].map { analysis.nights[$0] }), y: y,
      series: lines(trend, values, levels, first) + marks(trend, levels, first, shifts, y),
      levels: nearBudget.map { [($0.value, [$0.text, "budget"])] } ?? [],
      readout: ChartReadout(
        places: values.indices.map { ((Double($0) + 0.5) / Double(values.count), label(trend, first + $0)) },
        unit: trend.unit, columns: [""]))
  }

  /// A chart of how long the code of each night takes, in percent of the first night. It multiplies the ratios of
  /// comparisons in which two builds took turns on one core, so changes of the machine do not show. Nil if no night was
  /// compared.
  private var codeChart: Chart? {
    let whole = analysis.codeCurve(of: id)
    guard let first = whole.first, let last = whole.last else { return nil }
    let curve = Array(whole.suffix(Site.shownNights))
    func values(_ end: (CodeRatio) -> Double) -> [Double] { curve.map { 100 * (1 + end($0.ratio)) } }
    func points(_ values: [Double]) -> [Point] {
      values.enumerated().map { Point(x: Double($0.offset), y: $0.element) }
    }
    let (middle, low, high) = (values(\.change), values(\.low), values(\.high))
    let end = middle[middle.count - 1]
    let count = Format.plural(whole.count - 1, "comparison")
    return Chart(
      title: "Cost of the code by lock step, % of \(first.night.day)",
      subtitle: "The ratios of \(count) multiplied up, with their 98% interval. No machine moves it.",
      description: "The cost of the code of \(id) after \(count): \(last.ratio.text).",
      x: nightAxis(curve.map(\.night)), y: .zoomed(middle + low + high, .count),
      series: [
        Series(
          look: SeriesLook(index: 4), name: "code", details: [last.ratio.text],
          shapes: [.band(lower: points(low), upper: points(high)), .line(points(middle))], end: end, figures: [middle])
      ],
      readout: ChartReadout(
        places: curve.indices.map { place in
          ((Double(place) + 0.5) / Double(curve.count), "\(label(curve[place].night)), \(curve[place].ratio.text)")
        }, unit: .count, columns: [""]))
  }

  private func nightAxis(_ nights: [Night]) -> Axis {
    let last = nights.count - 1
    let count = min(6, last + 1)
    let positions = count == 1 ? [0] : (0..<count).map { $0 * last / (count - 1) }
    // If there is not room for all labels, the first and the last night keep their labels.
    let ticks = positions.map { position in
      Axis.Tick(
        value: Double(position), label: nights[position].day, isMinor: position != positions[0] && position != last)
    }
    return Axis(.linear, -0.5...(Double(last) + 0.5), ticks: ticks, title: "night")
  }

  /// The series of nightly values, and the series of levels. Each level is a line across its nights.
  private func lines(_ trend: Trend, _ values: [Double], _ levels: [Double], _ first: Int) -> [Series] {
    let points = values.enumerated().map { Point(x: Double($0.offset), y: $0.element) }
    let starts = Set(Self.levelStarts(trend).map { max(0, $0 - first) }).sorted()
    let steps = zip(starts, starts.dropFirst() + [levels.count]).map { start, end in
      Chart.Shape.line([
        Point(x: Double(start) - 0.5, y: levels[start]), Point(x: Double(end) - 0.5, y: levels[end - 1]),
      ])
    }
    let (value, level) = (values[values.count - 1], levels[levels.count - 1])
    return [
      Series(
        look: SeriesLook(index: 1), name: "night", details: [trend.unit.text(value)],
        shapes: [values.count == 1 ? .markers(points, isFilled: true) : .line(points)], end: value, figures: [values]),
      Series(
        look: SeriesLook(index: 6), name: "level", details: [trend.unit.text(level)], shapes: steps, end: level,
        figures: [levels]),
    ]
  }

  /// Markers at change points, and lines before the first nights in another environment.
  private func marks(_ trend: Trend, _ levels: [Double], _ first: Int, _ shifts: [LevelShift], _ y: Axis) -> [Series] {
    func series(_ look: Int, _ name: String, _ positions: [Int], _ shapes: [Chart.Shape], end: Double) -> Series? {
      positions.last.map { newest in
        let details = ["last \(analysis.night(trend, at: first + newest).day)"]
        return Series(look: SeriesLook(index: look), name: name, details: details, shapes: shapes, end: end)
      }
    }
    let changes = [(0, true), (2, false)].map { look, isWorse in
      let positions = shifts.filter { $0.isRegression == isWorse }.map { $0.position - first }
      let points = positions.map { Point(x: Double($0), y: levels[$0]) }
      let amount = isWorse == (trend.kind.direction == .higherIsBetter) ? "less" : "more"
      return series(
        look, "\(Words.pace(isWorse: isWorse)), or \(amount)", positions, [.markers(points, isFilled: true)],
        end: levels[positions.last ?? 0])
    }
    let starts = trend.segmentStarts.filter { $0 > first }.map { $0 - first }
    let breaks = starts.map { start in
      let x = Double(start) - 0.5
      return Chart.Shape.thin([Point(x: x, y: y.lower), Point(x: x, y: y.upper)])
    }
    return (changes + [series(3, "other environment", starts, breaks, end: y.upper)]).compactMap(\.self)
  }

  private func label(_ trend: Trend, _ position: Int) -> String {
    let changes = trend.findings.map(\.shift).filter { $0.position == position }.map(trend.text)
    let isStart = trend.segmentStarts.contains(position)
    let others = isStart ? analysis.environmentChanges(trend, at: position) : []
    return ([label(analysis.night(trend, at: position))] + changes + others).joined(separator: ", ")
  }

  private func label(_ night: Night) -> String {
    "\(night.day), \(night.shortCommit ?? "no commit")\(night.environment.isDirty == true ? "+" : "")"
  }

  /// The positions at which levels begin, in ascending order. The nights of a drift count as a level.
  private static func levelStarts(_ trend: Trend) -> [Int] {
    let reported = trend.findings.flatMap { [$0.shift.position, $0.shift.levelPosition] }
    return Set(reported + trend.segmentStarts + [0]).sorted()
  }

  /// The level of each night: the median of the values between two change points or changes of the environment.
  private static func levels(_ trend: Trend) -> [Double] {
    let starts = levelStarts(trend)
    return zip(starts, starts.dropFirst() + [trend.values.count]).flatMap { start, end in
      [Double](repeating: Quantile.median(trend.values[start..<end]), count: end - start)
    }
  }

  // MARK: Tables

  private var changes: [Block] {
    let all = trends.flatMap(\.findings)
    guard !all.isEmpty else {
      return [.paragraph("No change points in \(Format.plural(analysis.nights.count, "night")).")]
    }
    return [.heading(level: 2, "Change points")] + analysis.tables(of: all)
  }

  private var codeChanges: [Block] { Block.section("Found by nightly comparisons", part.codeChanges[id] ?? []) }

  private var withdrawals: [Block] {
    let own = (part.withdrawals[id] ?? []).map { withdrawal -> RichText in
      "\(analysis.text(withdrawal)), withdrawn on \(analysis.nights[withdrawal.night].day)"
    }
    return Block.section("Withdrawn", own, "These were reported, and contradicted by later nights.")
  }

  private var figures: Block {
    .table(
      Table(
        trends, .left("figure") { .text($0.title) }, .right("level") { .text($0.levelText) },
        .right("newest night") { trend in
          guard analysis.isCurrent(trend) else { return .text(Format.absent) }
          return .text(trend.values.last.map(trend.unit.text) ?? "")
        },
        part.spreads.isEmpty
          ? nil
          : .right("its machines") { trend in
            .text(
              part.spreads[trend.name].map { "\(trend.unit.text($0.lowerBound)) to \(trend.unit.text($0.upperBound))" }
                ?? "")
          }, .right("since yesterday", analysis.sinceYesterday), .right("since a week ago", analysis.sinceLastWeek),
        .right("budget") { trend in .text(budget(id, trend.metric).map { trend.unit.text($0.value) } ?? "") }))
  }

  private var environments: [Block] {
    guard let trend = analysis.mainTrend(of: id) else { return [] }
    let lines = trend.segmentStarts.reversed().map { start -> RichText in
      let changes = analysis.environmentChanges(trend, at: start).joined(separator: "; ")
      return "\(analysis.night(trend, at: start).day): \(changes)"
    }
    return Block.section("Other environments", lines, "Figures are not compared across these.")
  }
}
