import FrameBench
import Measurements
import Statistics
import TextFormat

/// What a run measured, in the words of limits.
struct Measured {
  enum Answer {
    case value(Double)
    /// With a line that says why, and what to do.
    case absent(String)
  }

  private let records: [BenchmarkID: BenchmarkRecord]
  private let failures: [BenchmarkID: String]
  private let rows: [BenchmarkID: [FlatRow]]
  private let file: BudgetFile

  /// Metrics that runs can have, with what to do where one has them not.
  private static let optional = [
    "instructionCount": "run with --instructions, where valgrind is installed",
    "hardwareInstructionCount": "run with --instructions, where the processor's counter can be read",
    "capacityItems": "run with --capacity; the benchmark of the largest size has it",
    "allocationCount": "build with jemalloc, without SPRINGBENCH_SYSTEM_ALLOCATOR",
    "allocatedBytes": "build with jemalloc, without SPRINGBENCH_SYSTEM_ALLOCATOR",
    "otherThreadAllocationCount": "build with jemalloc, without SPRINGBENCH_SYSTEM_ALLOCATOR",
    "liveHeapBytes": "build with jemalloc, without SPRINGBENCH_SYSTEM_ALLOCATOR",
    "peakResidentBytes": "the system does not tell it here",
    "deviationPoints": "run the scenario's first strategy too",
    "deviationItems": "run the scenario's first strategy too",
  ]

  /// The metrics that the harness itself has; a scenario's counters come beside them.
  static let metrics = ["frameNanoseconds", "pooledFrameNanoseconds"] + optional.keys.sorted()

  init(_ document: RunDocument, slowdown: Double, file: BudgetFile) {
    records = Dictionary(document.benchmarks.map { ($0.id, $0) }) { first, _ in first }
    failures = Dictionary(document.failures.map { ($0.id, $0.reason) }) { first, _ in first }
    rows = Dictionary(grouping: FlatRows(document).rows, by: \.id)
    self.file = file
  }

  func value(of limit: BudgetLimit, for id: BenchmarkID) throws(BudgetError) -> Answer {
    switch limit.key {
    case .figure(let metric, let phase, let statistic):
      guard let rows = rows[id] else { return .absent(reason(id)) }
      return try figure(metric, phase, statistic, rows, limit)
    case .missedFrames:
      guard let times = times(id) else { return .absent(reason(id)) }
      return .value(Double(budget.missedCount(in: times)))
    case .hitchTimeRatio:
      guard let times = times(id), let ratio = budget.hitchTimeRatio(in: times) else {
        return .absent(reason(id))
      }
      return .value(ratio)
    case .growthExponent: return growth(id)
    case .ratio(let above, let below, let statistic): return ratio(id, above, below, statistic)
    }
  }

  private var budget: FrameBudget {
    FrameBudget(refreshRateHertz: file.refreshRateHertz, share: file.share)
  }

  /// As the target device would take.
  private func times(_ id: BenchmarkID) -> [Double]? {
    records[id].map { $0.frame.alignedNanoseconds.map { $0 * file.cpuSlowdown } }
  }

  private func reason(_ id: BenchmarkID) -> String {
    failures[id].map { "the benchmark failed (\($0)); mend it" }
      ?? "\(id) is not in the run; run it too"
  }

  private func figure(
    _ metric: String, _ phase: String?, _ statistic: FlatRow.Statistic, _ rows: [FlatRow],
    _ limit: BudgetLimit
  ) throws(BudgetError) -> Answer {
    let ofMetric = rows.filter { $0.metric == metric }
    if ofMetric.isEmpty {
      if let remedy = Self.optional[metric] { return .absent(remedy) }
      let names = Set(self.rows.values.joined().map(\.metric)).subtracting(["checksum"]).sorted()
      throw error(
        limit, "no metric \"\(metric)\"; " + Suggestion.remedy(for: metric, among: names, called: "there are")
      )
    }
    let ofPhase = ofMetric.filter { $0.phase == phase }
    if let phase, ofPhase.isEmpty {
      let phases = ofMetric.compactMap(\.phase)
      let names = phases.indices.filter { phases.firstIndex(of: phases[$0]) == $0 }.map { phases[$0] }
      throw error(
        limit,
        names.isEmpty
          ? "\(metric) is not told by phase; write \(metric).\(statistic.rawValue)"
          : "no phase \"\(phase)\"; " + Suggestion.remedy(for: phase, among: names, called: "the phases are"))
    }
    guard let row = ofPhase.first(where: { $0.statistic == statistic }) else {
      let statistics = ofPhase.map(\.statistic.rawValue).joined(separator: ", ")
      throw error(limit, "\(metric) has no \(statistic.rawValue); its statistics are \(statistics)")
    }
    switch row.value {
    case .number(let number):
      guard limit.key.quantity == .time else { return .value(number) }
      // Rows have it of the run's display, and of this machine: what is slower overruns by more than that.
      if metric == "overrunNanoseconds", let cost = cost(row.id, statistic) {
        return .value(budget.overrunNanoseconds(ofFrame: cost * file.cpuSlowdown))
      }
      return .value(number * file.cpuSlowdown)
    case .text: throw error(limit, "\(metric) is no number and has no limit")
    }
  }

  private func growth(_ id: BenchmarkID) -> Answer {
    let points = records.values
      .filter { $0.id.scenario == id.scenario && $0.id.strategy == id.strategy }
      .sorted { $0.id.size < $1.id.size }
      .compactMap { record in
        cost(record.id, .p50).map { (size: Double(record.id.size), cost: $0) }
      }
    guard let law = PowerLaw(fitting: points) else {
      return .absent("growth needs two sizes of \(id.scenario)/\(id.strategy); run more --sizes")
    }
    return .value(law.exponent)
  }

  private func ratio(
    _ id: BenchmarkID, _ above: String, _ below: String, _ statistic: FlatRow.Statistic
  ) -> Answer {
    let sides = [above, below].map { BenchmarkID(scenario: id.scenario, strategy: $0, size: id.size) }
    let costs = sides.map { cost($0, statistic) }
    for (side, cost) in zip(sides, costs) where cost == nil { return .absent(reason(side)) }
    guard let numerator = costs[0], let denominator = costs[1], denominator > 0 else {
      return .absent("\(sides[1]) is too short for the clock; measure a larger size")
    }
    return .value(numerator / denominator)
  }

  private func cost(_ id: BenchmarkID, _ statistic: FlatRow.Statistic) -> Double? {
    let row = rows[id]?.first {
      $0.metric == "frameNanoseconds" && $0.phase == nil && $0.statistic == statistic
    }
    guard case .number(let number)? = row?.value else { return nil }
    return number
  }

  private func error(_ limit: BudgetLimit, _ message: String) -> BudgetError {
    BudgetError(path: file.path, place: limit.keyPlace, message: message)
  }
}
