import FrameBench

extension FlatRows {
  /// The frames beside the budget of the run's display: `overrunNanoseconds`, `missedFrames` and
  /// `hitchTimeRatio`.
  static func budgetRows(_ record: BenchmarkRecord, _ options: RunOptions) -> [FlatRow] {
    guard let budget = BudgetRecord(frames: record.frame.alignedNanoseconds, options: options) else {
      return []
    }
    func row(_ metric: String, _ statistic: FlatRow.Statistic, _ value: Double, _ unit: String) -> FlatRow {
      FlatRow(
        id: record.id, metric: metric, phase: nil, statistic: statistic, value: .number(value), unit: unit)
    }
    let overrun = budget.overrun
    return [
      (FlatRow.Statistic.p50, overrun.p50), (.p90, overrun.p90), (.p99, overrun.p99), (.max, overrun.max),
      (.mean, overrun.mean),
    ].map { row("overrunNanoseconds", $0, $1, "ns") } + [
      row("missedFrames", .total, Double(budget.missedFrameCount), "count"),
      row("hitchTimeRatio", .total, budget.hitchTimeRatio, "ms/s"),
    ]
  }

  /// `capacityItems`, at the largest benchmark of the scenario and strategy, whose search started there.
  /// No row where no size was seen to fit.
  static func capacityRows(_ id: BenchmarkID, _ document: RunDocument) -> [FlatRow] {
    let sizes = document.benchmarks.map(\.id)
      .filter { $0.scenario == id.scenario && $0.strategy == id.strategy }.map(\.size)
    guard id.size == sizes.max(),
      let capacity = document.capacities?.first(where: {
        $0.scenario == id.scenario && $0.strategy == id.strategy
      }), let count = capacity.itemCount
    else { return [] }
    return [
      FlatRow(
        id: id, metric: "capacityItems", phase: nil, statistic: .total, value: .number(Double(count)),
        unit: "items")
    ]
  }
}
