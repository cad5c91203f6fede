import FrameBench
import Measurements
import Statistics
import TextFormat

/// What the overview says about one benchmark, in every output.
struct OverviewRow {
  let record: BenchmarkRecord
  /// Cost ÷ the reference strategy's, `1×` for that strategy itself; empty where there is nothing to compare with.
  let medianRatio: String
  let tailRatio: String
  /// Of the comparison by the p99 frame: below 0 where this strategy is cheaper, above 0 where it is more expensive.
  let tailSign: Int?
  /// The share of the budget that the p99 frame uses; nil for calls of functions.
  let budgetShare: Double?
  /// The most expensive frame: `frame 728 (rest)`; nil where no frame was recorded.
  let worstFrame: String?

  var id: BenchmarkID { record.id }

  /// Of all benchmarks of a document, by scenario, size and strategy.
  static func all(in document: RunDocument) -> [OverviewRow] {
    let resolution = Resolution(document.environment.clock)
    let budget = document.options.frameBudget
    return ScenarioGroup.all(in: document).flatMap { group in
      group.allRecords.map { record in
        OverviewRow(record, in: group, budget: budget, resolution: resolution)
      }
    }
  }

  /// The strategy that all scenarios compare with: `naive`; `reference` where they differ.
  static func referenceName(_ document: RunDocument) -> String {
    let names = Set(
      ScenarioGroup.all(in: document).filter { !$0.challengers.isEmpty }.compactMap(\.reference))
    return names.count == 1 ? names.first ?? "" : "reference"
  }

  private init(
    _ record: BenchmarkRecord, in group: ScenarioGroup, budget: FrameBudget, resolution: Resolution
  ) {
    self.record = record
    worstFrame = record.worstFrame.map { group.frameText($0, size: record.id.size) }
    budgetShare = record.isFunction ? nil : record.frame.aligned.map { $0.p99 / budget.budgetNanoseconds }
    guard !group.challengers.isEmpty, let name = group.reference,
      let reference = group.record(name, record.id.size)
    else {
      (medianRatio, tailRatio, tailSign) = ("", "", nil)
      return
    }
    guard record.id != reference.id else {
      (medianRatio, tailRatio, tailSign) = ("1×", "1×", nil)
      return
    }
    let tail = FrameStatistic.p99.comparison(record, with: reference, resolution)
    medianRatio = FrameStatistic.p50.comparison(record, with: reference, resolution)?.ratio ?? ""
    tailRatio = tail?.ratio ?? ""
    tailSign = tail?.sign
  }

  func time(_ statistic: FrameStatistic) -> String {
    statistic.timing(record).map { TimeUnit.text($0.nanoseconds) } ?? Format.absent
  }

  /// `271 ns ±3%`
  func interval(_ statistic: FrameStatistic) -> String { statistic.timing(record)?.text ?? Format.absent }

  /// Per frame, on average; a dash where they were not counted.
  var allocations: String {
    record.allocations?.frameThread.count.mean.map(Format.count) ?? Format.absent
  }

  /// `12.3 MB/s`, of the median call; nil where the suite does not say what a call works through.
  var throughput: String? {
    guard let rate = record.ratePerSecond, let unit = record.throughput?.unit else { return nil }
    let (scaled, prefix) =
      [(1e9, "G"), (1e6, "M"), (1e3, "k")].first { rate >= $0.0 }.map { (rate / $0.0, $0.1) }
      ?? (rate, "")
    let name =
      switch unit {
      case .items: prefix.isEmpty ? "items/s" : "\(prefix) items/s"
      case .bytes: "\(prefix)B/s"
      }
    return "\(Format.significant(scaled)) \(name)"
  }

  /// Empty for calls of functions.
  var budget: String { record.isFunction ? "" : budgetShare.map(Format.percent) ?? Format.absent }

  /// The cost of each frame along the scroll, as a share of the worst.
  var sparkline: Sparkline {
    Sparkline(
      record.frame.alignedNanoseconds,
      description: worstFrame.map {
        "Cost along the \(Format.plural(record.frame.alignedNanoseconds.count, WorkUnit([record]).sample)); the worst is \($0)."
      } ?? "")
  }
}

extension BenchmarkRecord {
  /// The number of the most expensive frame, counted from 0.
  var worstFrame: Int? {
    let costs = frame.alignedNanoseconds
    return costs.indices.max { costs[$0] < costs[$1] }
  }

  /// The phase that takes most of the frames from the p99 up, and its share of what the phases of these frames take.
  var slowestPhase: (name: String, share: Double)? {
    guard let limit = frame.aligned?.p99 else { return nil }
    let costs = frame.alignedNanoseconds
    let slow = costs.indices.filter { costs[$0] >= limit }
    let times = phases.map { phase in
      let own = phase.time.alignedNanoseconds
      return (name: phase.name, time: slow.reduce(0.0) { $0 + (own.indices.contains($1) ? own[$1] : 0) })
    }
    let total = times.reduce(0) { $0 + $1.time }
    guard total > 0, let most = times.max(by: { $0.time < $1.time }) else { return nil }
    return (most.name, most.time / total)
  }
}
