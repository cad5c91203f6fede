import FrameBench

extension FlatRows {
  /// The frames against the budget of the run's display: `overrunNanoseconds`, `missedFrames` and
  /// `hitchTimeRatio`.
  static func budgetRows(_ record: BenchmarkRecord, _ options: RunOptions) -> [FlatRow] {
    guard let budget = record.budgetFigures(options) else { return [] }
    let overrun = budget.overrun
    return [
      (FlatRow.Statistic.p50, overrun.p50), (.p90, overrun.p90), (.p99, overrun.p99), (.max, overrun.max),
      (.mean, overrun.mean),
    ].map { FlatRow(record.id, .overrun, statistic: $0, .number($1)) } + [
      FlatRow(record.id, .missedFrames, statistic: .total, .number(Double(budget.missedFrameCount))),
      FlatRow(record.id, .hitchTimeRatio, statistic: .total, .number(budget.hitchTimeRatio)),
    ]
  }

  static func capacityRows(_ id: BenchmarkID, _ document: RunDocument) -> [FlatRow] {
    let sizes = document.benchmarks.map(\.id)
      .filter { $0.isSameSeries(as: id) }.map(\.size)
    guard id.size == sizes.max(),
      let capacity = document.capacities?.first(where: {
        $0.scenario == id.variant && $0.strategy == id.strategy
      }), let count = capacity.itemCount
    else { return [] }
    return [FlatRow(id, .capacityItems, statistic: .total, .number(Double(count)))]
  }
}
