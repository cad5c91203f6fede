import FrameBench
import Measurements
import Statistics
import TextFormat

/// What each frame costs, strategy by strategy, at one size: the minimum of all runs, so
/// that what stands out is work and not noise.
struct FrameCostChart {
  /// Nil where no frame was recorded.
  let chart: Chart?

  init(_ group: ScenarioGroup, _ size: Int, options: RunOptions, looks: [String: SeriesLook]) {
    let records = group.records(at: size).filter { !$0.frame.alignedNanoseconds.isEmpty }
    guard let frameCount = records.map(\.frame.alignedNanoseconds.count).max() else {
      chart = nil
      return
    }
    let series = records.map { record in
      Self.series(record, group, look: looks[record.id.strategy] ?? SeriesLook(index: 0))
    }
    let costs = records.flatMap(\.frame.alignedNanoseconds)
    let stretches = group.stretches(at: size)
    let lanes = stretches.map(StretchLanes.init)
    let rate = group.unit == .frame ? " at \(options.refreshRateHertz) Hz" : ""
    chart = Chart(
      title: "\(group.name), \(Format.items(size)): cost of each \(group.unit.sample)",
      subtitle: "\(Format.plural(frameCount, group.unit.sample))\(rate), each the minimum of"
        + " \(options.runsPhrase(records))" + (group.unit == .frame ? Chart.headroom(costs, options) : ""),
      description: Self.describe(records, group) + (lanes?.description ?? ""),
      x: Self.frames(frameCount, options, group.unit),
      y: .costs(costs, title: "cost of a \(group.unit.noun)"), series: series,
      levels: Chart.levels(group, options),
      readout: Self.readout(records, frameCount, stretches, looks), lanes: lanes?.lanes ?? [])
  }

  /// Nil for this many frames that a page would become too large to open, and a pointer could not tell one from
  /// the next.
  private static func readout(
    _ records: [BenchmarkRecord], _ frameCount: Int, _ stretches: StretchRecord?,
    _ looks: [String: SeriesLook]
  ) -> ChartReadout? {
    guard frameCount <= 20_000 else { return nil }
    return ChartReadout(
      positions: .frames(frameCount),
      stretches: stretches?.runs.map { ChartReadout.Stretch(name: $0.name, frameCount: $0.frames.count) }
        ?? [],
      columns: [""],
      series: records.map { record in
        ChartReadout.Series(
          name: record.id.strategy, look: looks[record.id.strategy] ?? SeriesLook(index: 0),
          nanoseconds: [record.frame.alignedNanoseconds])
      })
  }

  private static func series(
    _ record: BenchmarkRecord, _ group: ScenarioGroup, look: SeriesLook
  ) -> Chart.Series {
    let costs = record.frame.alignedNanoseconds
    let points = costs.enumerated().map { Point(x: Double($0.offset), y: $0.element) }
    // A line through a single frame would not be seen.
    let shape = costs.count == 1 ? Chart.Shape.markers(points, isFilled: true) : .trace(points)
    return Chart.Series(
      look: look, name: record.id.strategy, details: details(record, group), shapes: [shape],
      end: costs[costs.count - 1])
  }

  private static func details(_ record: BenchmarkRecord, _ group: ScenarioGroup) -> [String] {
    guard let p50 = record.frame.timing(.p50), let most = record.frame.timing(.max),
      let worst = record.worstFrame
    else { return [] }
    return [
      "p50 \(p50.text)", "worst \(most.text)", group.frameText(worst, size: record.id.size),
    ]
  }

  private static func describe(_ records: [BenchmarkRecord], _ group: ScenarioGroup) -> String {
    records.map { "\($0.id.strategy): \(details($0, group).joined(separator: ", "))." }.joined(separator: " ")
  }

  private static func frames(_ count: Int, _ options: RunOptions, _ unit: WorkUnit) -> Axis {
    let last = Double(max(1, count - 1))
    let ticks = NiceNumbers.linear(to: last, steps: 8).filter { $0 <= last && $0 == $0.rounded() }
    return Axis(
      .linear, 0...last, ticks: ticks.map { Axis.Tick(value: $0, label: Format.count($0)) },
      title: unit == .frame ? "frame, 1/\(options.refreshRateHertz) s each" : "sample")
  }
}

extension Chart {
  /// What displays leave for a frame; no display waits for the call of a function.
  static func levels(_ group: ScenarioGroup, _ options: RunOptions) -> [Level] {
    group.unit == .frame ? options.judgedBudgets.map(Level.init) : []
  }

  /// How far the budgets are away that lie above everything that is drawn: `; the slowest fills 0.05% of the
  /// budget at 120 Hz (8.33 ms)`. Empty where the tightest budget is exceeded.
  static func headroom(_ costs: [Double], _ options: RunOptions) -> String {
    guard let most = costs.max(), most > 0,
      let budget = options.judgedBudgets.min(by: { $0.budgetNanoseconds < $1.budgetNanoseconds })
    else { return "" }
    guard most <= budget.budgetNanoseconds else { return "" }
    return
      "; the slowest fills \(Format.percent(most / budget.budgetNanoseconds)) of the budget at \(budget.label)"
  }
}

extension Chart.Level {
  init(_ budget: FrameBudget) {
    let rate = "\(Format.count(budget.refreshRateHertz)) Hz"
    self.init(
      value: budget.budgetNanoseconds, labels: ["budget at \(budget.label)", budget.label, rate])
  }
}
