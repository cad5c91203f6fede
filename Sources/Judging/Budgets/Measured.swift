import FrameBench
import Measurements
import Statistics
import TextFormat

/// What a run measured, as limits name it.
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

  /// What to do where a run does not have a metric that runs can have.
  private static func remedy(_ metric: Metric?) -> String? {
    switch metric {
    case .instructionCount?: "run with --instructions, with valgrind installed"
    case .hardwareInstructionCount?:
      "run with --instructions, on a machine whose processor counter can be read"
    case .capacityItems?: "run with --capacity; the benchmark of the largest size has it"
    case .allocationCount?, .allocatedBytes?, .otherThreadAllocationCount?, .otherThreadAllocatedBytes?,
      .liveHeapBytes?:
      "build with jemalloc, without SPRINGBENCH_SYSTEM_ALLOCATOR"
    case .peakResidentBytes?: "this system does not report it"
    case .deviationPoints?, .deviationItems?: "also run the scenario's reference strategy"
    default: nil
    }
  }

  init(_ document: RunDocument, slowdown: Double, file: BudgetFile) {
    records = Dictionary(document.benchmarks.map { ($0.id, $0) }) { first, _ in first }
    failures = Dictionary(document.failures.map { ($0.id, $0.reason) }) { first, _ in first }
    rows = Dictionary(grouping: FlatRows(document).rows, by: \.id)
    self.file = file
  }

  func value(of limit: BudgetLimit, for id: BenchmarkID) throws(BudgetError) -> Answer {
    if limit.key.isOfDisplay, records[id]?.isFunction == true { return .value(0) }
    switch limit.key {
    case .figure(let name):
      guard let rows = rows[id] else { return .absent(reason(id)) }
      return try figure(name, rows, limit)
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

  /// The limit of a counter in the unit that the run says the counter has, and what values are counted in.
  /// - Throws: Where the limit is written in another.
  func counted(_ limit: BudgetLimit, for id: BenchmarkID) throws(BudgetError) -> (BudgetLimit, Quantity) {
    if let quantity = limit.key.quantity { return (limit, quantity) }
    guard case .figure(let name) = limit.key, let record = records[id], record.counters[name.metric] != nil
    else { return (limit, .number) }
    let quantity = Quantity(Metric.named(name.metric, declared: record.counterKinds).unit)
    var counted = limit
    do throws(LimitKey.KeyError) {
      counted.bound = try quantity.parse("\(limit.bound.direction.rawValue) \(limit.bound.text)")
    } catch {
      throw BudgetError(path: file.path, place: limit.place, message: error.message)
    }
    return (counted, quantity)
  }

  private var budget: FrameBudget {
    FrameBudget(refreshRateHertz: file.refreshRateHertz, share: file.share)
  }

  /// As the target device would take.
  private func times(_ id: BenchmarkID) -> [Double]? {
    records[id].map { $0.frame.alignedNanoseconds.map { $0 * file.cpuSlowdown } }
  }

  private func reason(_ id: BenchmarkID) -> String {
    failures[id].map { "the benchmark failed (\($0)); fix it" }
      ?? "\(id) is not in the run; run it as well"
  }

  private func figure(
    _ name: FigureName, _ rows: [FlatRow], _ limit: BudgetLimit
  ) throws(BudgetError) -> Answer {
    let (metric, phase) = (name.metric, name.phase)
    guard let statistic = name.statistic else { preconditionFailure("a limit of no statistic: \(name)") }
    let ofMetric = rows.filter { $0.metric == metric }
    if ofMetric.isEmpty {
      if let remedy = Self.remedy(.named(metric)) { return .absent(remedy) }
      let names = Set(self.rows.values.joined().map(\.metric)).subtracting([Metric.checksum.name]).sorted()
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
          ? "\(metric) is not measured by phase; write \(metric).\(statistic.rawValue)"
          : "no phase \"\(phase)\"; " + Suggestion.remedy(for: phase, among: names, called: "the phases are"))
    }
    guard let row = ofPhase.first(where: { $0.statistic == statistic }) else {
      let statistics = ofPhase.map(\.statistic.rawValue).joined(separator: ", ")
      throw error(limit, "\(metric) has no \(statistic.rawValue); its statistics are \(statistics)")
    }
    switch row.value {
    case .number(let number):
      guard Metric.named(metric)?.isTimed ?? false else { return .value(number) }
      // Rows have it for the run's display and this machine; a slower machine overruns by more.
      if metric == Metric.overrun.name, let cost = cost(row.id, statistic) {
        return .value(budget.overrunNanoseconds(ofFrame: cost * file.cpuSlowdown))
      }
      // A rate falls where times rise.
      let isRate = Metric.named(metric)?.direction == .higherIsBetter
      return .value(isRate ? number / file.cpuSlowdown : number * file.cpuSlowdown)
    case .text: throw error(limit, "\(metric) is not a number and has no limit")
    }
  }

  private func growth(_ id: BenchmarkID) -> Answer {
    let points = records.values
      .filter { $0.id.isSameSeries(as: id) }
      .sorted { $0.id.size < $1.id.size }
      .compactMap { record in
        cost(record.id, .p50).map { (size: Double(record.id.size), cost: $0) }
      }
    guard let law = PowerLaw(fitting: points) else {
      return .absent("growth needs two sizes of \(id.series); run more --sizes")
    }
    return .value(law.exponent)
  }

  private func ratio(
    _ id: BenchmarkID, _ above: String, _ below: String, _ statistic: FlatRow.Statistic
  ) -> Answer {
    let sides = [above, below].map { id.with(strategy: $0) }
    let costs = sides.map { cost($0, statistic) }
    for (side, cost) in zip(sides, costs) where cost == nil { return .absent(reason(side)) }
    guard let numerator = costs[0], let denominator = costs[1], denominator > 0 else {
      return .absent("\(sides[1]) is too short for the clock; measure a larger size")
    }
    return .value(numerator / denominator)
  }

  private func cost(_ id: BenchmarkID, _ statistic: FlatRow.Statistic) -> Double? {
    let row = rows[id]?.first {
      $0.metric == Metric.frameTime.name && $0.phase == nil && $0.statistic == statistic
    }
    guard case .number(let number)? = row?.value else { return nil }
    return number
  }

  private func error(_ limit: BudgetLimit, _ message: String) -> BudgetError {
    BudgetError(path: file.path, place: limit.keyPlace, message: message)
  }
}
