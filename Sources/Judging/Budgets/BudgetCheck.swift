import FrameBench
import Measurements
import Statistics
import TextFormat

package struct BudgetCheck {
  private let file: BudgetFile
  private let known: [BenchmarkID]
  private let expected: [BenchmarkID]
  private let today: String
  private let document: RunDocument
  private let records: [BenchmarkID: BenchmarkRecord]
  /// The series (scenarios with a strategy) of which at least one size was measured.
  private let measuredSeries: Set<String>
  private let failures: [BenchmarkID: String]
  private let rows: [BenchmarkID: [FlatRow]]

  /// Checks every limit for every benchmark that its rule matches.
  /// - Parameters:
  ///   - known: All benchmarks of the suite.
  ///   - expected: The selected benchmarks.
  ///   - today: The date in UTC: `2026-11-21`.
  /// - Throws: An error with line and column if a pattern matches no known benchmark, or a limit has an unknown metric.
  package static func findings(
    _ file: BudgetFile, _ document: RunDocument, known: [BenchmarkID], expected: [BenchmarkID], today: String
  ) throws(BudgetError) -> [BudgetFinding] {
    try file.checkPatterns(known)
    let check = BudgetCheck(
      file: file, known: known, expected: expected, today: today, document: document,
      records: Dictionary(document.benchmarks.map { ($0.id, $0) }) { first, _ in first },
      measuredSeries: Set(document.benchmarks.map(\.id.series)),
      failures: Dictionary(document.failures.map { ($0.id, $0.reason) }) { first, _ in first },
      rows: Dictionary(grouping: FlatRows(document).rows, by: \.id))
    var found: [BudgetFinding] = []
    for rule in file.rules {
      for limit in rule.limits {
        for subject in check.subjects(of: limit.key, matching: rule.pattern) {
          var finding = try check.finding(subject, rule, limit)
          if let earlier = found.firstIndex(where: { $0.subject == subject.name && $0.limit.key == limit.key }) {
            let replaced = found.remove(at: earlier)
            finding.replaced = replaced.replaced + [replaced.limit.place]
          }
          found.append(finding)
        }
      }
    }
    return found
  }

  /// What a limit applies to: a name (an id, or a scenario and strategy), a benchmark, and the other benchmarks from
  /// which the value is computed.
  private typealias Subject = (name: String, id: BenchmarkID, others: [BenchmarkID])

  private func subjects(of key: LimitKey, matching pattern: IDPattern) -> [Subject] {
    let matching = expected.filter(pattern.matches)
    let all = matching.compactMap { id -> Subject? in
      switch key {
      case .figure: return (id.description, id, [])
      case .growthExponent: return (id.series, id, expected.filter { $0.isSameSeries(as: id) })
      case .ratio(let above, let below, _):
        guard [above, below].contains(id.strategy) else { return nil }
        let own = id.with(strategy: below)
        return (own.description, own, [id.with(strategy: above)])
      }
    }
    return all.unique(by: \.name)
  }

  /// Why a limit cannot be checked; nil if it can. The benchmark may lack the phase or counter. If the limit needs
  /// several benchmarks, some may not be selected, or they may have been measured in different environments.
  private func leftOut(_ key: LimitKey, _ subject: Subject, _ pattern: IDPattern) -> String? {
    let facts = ([subject.id] + subject.others).filter { records[$0] != nil }.map { id in
      document.environment(of: id).timingFacts().filter { $0.name != "machine" }
    }
    if let change = facts.lazy.flatMap({ facts[0].changes(to: $0) }).first {
      return "its benchmarks were not measured in the same environment (\(change))"
    }
    switch key {
    case .figure(let name):
      let (id, record) = (subject.id, records[subject.id])
      if Metric.named(name.metric)?.isDeviation == true, record?.deviation == nil,
        records.contains(where: { $0.with(strategy: id.strategy) == id && $1.deviation?.reference == id.strategy })
      {
        return "it is the reference strategy, from which the others deviate"
      }
      if record != nil, name.metric == Metric.capacityItems.name, let largest = document.largestSize(searchedLike: id) {
        return largest == id.size ? nil : "only the largest size has it"
      }
      // A pattern may match benchmarks with and without the phase or counter. A series that failed, or that was not
      // selected, may have it.
      func mayHaveIt(_ other: BenchmarkID) -> Bool {
        records[other].map { $0.canHave(name) } ?? !measuredSeries.contains(other.series)
      }
      guard record?.canHave(name) == false, known.contains(where: { pattern.matches($0) && mayHaveIt($0) }) else {
        return nil
      }
      return "it has no \(name.phase.map { "phase \($0)" } ?? name.metric)"
    case .growthExponent:
      let all = known.filter { $0.isSameSeries(as: subject.id) }
      let sizes = [subject.others, all].map { Set($0.map(\.size)).count }
      return sizes[0] < 2 && sizes[1] >= 2 ? "it needs two sizes, and the selection leaves one" : nil
    case .ratio:
      let left = ([subject.id] + subject.others).first { !expected.contains($0) && known.contains($0) }
      return left.map { "it needs \($0), which the selection leaves out" }
    }
  }

  private func finding(_ subject: Subject, _ rule: BudgetRule, _ limit: BudgetLimit) throws(BudgetError)
    -> BudgetFinding
  {
    let (limit, unit) = try counted(tolerant(limit, subject.id.scenario), for: subject.id)
    var finding = BudgetFinding(
      subject: subject.name, benchmarks: [subject.id] + subject.others.filter { $0 != subject.id }, limit: limit,
      rule: rule.pattern, unit: unit, outcome: .passed)
    if let reason = leftOut(limit.key, subject, rule.pattern) {
      finding.outcome = .leftOut(reason)
      return finding
    }
    switch try value(of: limit, for: subject.id) {
    case .failure(let absence): finding.outcome = .notMeasured(absence.message)
    case .success(let value): finding.value = value
    }
    if case .figure(let name) = limit.key, Metric.named(name.metric)?.dependsOnSpeed == true {
      finding.slowdown = file.cpuSlowdown
    }
    guard let value = finding.value, !limit.bound.admits(value) else { return finding }
    finding.outcome = .exceeded
    let (current, expired) = file.acknowledgement(of: limit.key, for: [subject.id] + subject.others, on: today)
    if let current { finding.outcome = .acknowledged(current) } else { finding.expired = expired }
    return finding
  }

  /// The limit plus the tolerance that the suite declares for its scenario, if the file allows it. If the suite
  /// declares a number of allocations and a percentage, the smaller of the two is added.
  private func tolerant(_ limit: BudgetLimit, _ scenario: String) -> BudgetLimit {
    guard file.isTolerant, case .figure(let name) = limit.key else { return limit }
    let metric = Metric.named(name.metric)
    var tolerance = document.allocationTolerances?[scenario]
    switch metric {
    case .allocationCount: break
    case .allocatedBytes: tolerance?.count = 0
    case .frameTime: tolerance = document.tolerancesPercent?[scenario].map { AllocationTolerance(percent: $0) }
    default: return limit
    }
    guard let tolerance else { return limit }
    let margins = [
      (AllocationTolerance(count: tolerance.count), tolerance.count),
      (AllocationTolerance(percent: tolerance.percent), tolerance.percent / 100 * limit.bound.value),
    ]
    guard let (own, margin) = margins.filter({ $0.1 > 0 }).min(by: { $0.1 < $1.1 }) else { return limit }
    var limit = limit
    let isUpper = limit.bound.direction == .atMost
    limit.bound.value += isUpper ? margin : -margin
    limit.bound.text += " \(isUpper ? "+" : "−") \(own.words)"
    return limit
  }

  /// A value in the unit of its limit, or an error that says why there is no value and what to do.
  private typealias Measured = Result<Double, BudgetError>

  private func value(of limit: BudgetLimit, for id: BenchmarkID) throws(BudgetError) -> Measured {
    switch limit.key {
    case .figure(let name):
      // A function is not shown on a display, so it cannot miss a frame.
      if records[id]?.isFunction == true, Metric.named(name.metric)?.isOfDisplay == true { return .success(0) }
      guard let rows = rows[id] else { return .failure(BudgetError(message: reason(id))) }
      return try figure(name, rows, limit)
    case .growthExponent: return growth(id)
    case .ratio(let above, let below, let statistic): return ratio(id, above, below, statistic)
    }
  }

  /// Returns a limit and its unit. A counter's limit is parsed again, because only the run knows the counter's unit.
  /// - Throws: An error if the counter's limit has another unit.
  private func counted(_ limit: BudgetLimit, for id: BenchmarkID) throws(BudgetError) -> (BudgetLimit, Metric.Unit) {
    if let unit = limit.key.unit { return (limit, unit) }
    guard case .figure(let name) = limit.key, let record = records[id], record.counters[name.metric] != nil else {
      return (limit, .count)
    }
    let unit = Metric.named(name.metric, declared: record.counterKinds).unit
    var counted = limit
    do throws(BudgetError) {
      counted.bound = try unit.limit("\(limit.bound.direction.rawValue) \(limit.bound.text)")
    } catch { throw BudgetError(path: file.path, place: limit.place, message: error.message) }
    return (counted, unit)
  }

  private func reason(_ id: BenchmarkID) -> String {
    failures[id].map { "the benchmark failed (\($0)); fix it" } ?? "\(id) is not in the run; run it as well"
  }

  private func figure(_ name: FigureName, _ rows: [FlatRow], _ limit: BudgetLimit) throws(BudgetError) -> Measured {
    let (metric, phase) = (name.metric, name.phase)
    guard let statistic = name.statistic else { preconditionFailure("a limit of no statistic: \(name)") }
    let ofMetric = rows.filter { $0.metric == metric }
    if ofMetric.isEmpty {
      if let remedy = Metric.named(metric)?.remedy { return .failure(BudgetError(message: remedy)) }
      let names = Set(self.rows.values.joined().map(\.metric)).subtracting([Metric.checksum.name]).sorted()
      throw error(
        limit, "no metric \"\(metric)\"; " + Suggestion.remedy(for: metric, among: names, called: "there are"))
    }
    let ofPhase = ofMetric.filter { $0.phase == phase }
    if let phase, ofPhase.isEmpty {
      let names = ofMetric.compactMap(\.phase).unique
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
    guard let number = row.value.number else { throw error(limit, "\(metric) is not a number and has no limit") }
    guard let known = Metric.named(metric) else { return .success(number) }
    // The row is for the run's display and this machine, but the file may describe another display and machine.
    if known.isOfDisplay, let value = ofDisplay(known, row) { return .success(value) }
    return .success(known.value(number, onMachineSlowerBy: file.cpuSlowdown))
  }

  /// Returns a metric such as missed frames, computed for the display and the target device that the budget file
  /// describes. Nil if it was not measured.
  private func ofDisplay(_ metric: Metric, _ row: FlatRow) -> Double? {
    let budget = FrameBudget(refreshRateHertz: file.refreshRateHertz, share: file.share)
    let times = (records[row.id]?.frame.alignedNanoseconds ?? []).map { $0 * file.cpuSlowdown }
    return switch metric {
    case .missedFrames: Double(budget.missedCount(in: times))
    case .hitchTimeRatio: budget.hitchTimeRatio(in: times)
    default: cost(row.id, row.statistic).map { budget.overrunNanoseconds(ofFrame: $0 * file.cpuSlowdown) }
    }
  }

  private func growth(_ id: BenchmarkID) -> Measured {
    let series = records.keys.filter { $0.isSameSeries(as: id) }.sorted { $0.size < $1.size }
    let points = series.compactMap { id in cost(id, .p50).map { (size: Double(id.size), cost: $0) } }
    guard let law = PowerLaw(fitting: points) else {
      return .failure(BudgetError(message: "growth needs two sizes of \(id.series); run more --sizes"))
    }
    return .success(law.exponent)
  }

  private func ratio(_ id: BenchmarkID, _ above: String, _ below: String, _ statistic: FlatRow.Statistic) -> Measured {
    let sides = [above, below].map { id.with(strategy: $0) }
    let costs = sides.map { cost($0, statistic) }
    for (side, cost) in zip(sides, costs) where cost == nil { return .failure(BudgetError(message: reason(side))) }
    guard let numerator = costs[0], let denominator = costs[1], denominator > 0 else {
      return .failure(BudgetError(message: "\(sides[1]) is too short for the clock; measure a larger size"))
    }
    return .success(numerator / denominator)
  }

  private func cost(_ id: BenchmarkID, _ statistic: FlatRow.Statistic) -> Double? {
    rows[id]?.first { $0.figure == FigureName(metric: Metric.frameTime.name, statistic: statistic) }?.value.number
  }

  private func error(_ limit: BudgetLimit, _ message: String) -> BudgetError {
    BudgetError(path: file.path, place: limit.keyPlace, message: message)
  }
}

extension BenchmarkRecord {
  /// Whether the benchmark has the phase, counter or throughput of a limit.
  fileprivate func canHave(_ name: FigureName) -> Bool {
    if let phase = name.phase { return self.phase(phase) != nil }
    guard let metric = Metric.named(name.metric) else { return counters[name.metric] != nil }
    return metric.throughputUnit.map { $0 == throughput?.unit } ?? true
  }
}

/// The outcome of one limit for one benchmark, or for all sizes of one strategy.
package struct BudgetFinding: Sendable, Equatable {
  package enum Outcome: Sendable, Equatable {
    case passed
    case exceeded
    case acknowledged(Acknowledgement)
    /// The figure was not measured. The text gives the reason and a remedy.
    case notMeasured(String)
    /// The limit needs several benchmarks, and some were not selected or cannot be compared. The text gives the reason.
    case leftOut(String)
  }

  /// `springs/tiled/10000`, or `springs/tiled` if the limit concerns all sizes.
  package var subject: String
  /// All benchmarks that the value is computed from.
  package var benchmarks: [BenchmarkID] = []
  /// The limit that applies. If several rules limit the figure, it is the limit of the last one.
  package var limit: BudgetLimit
  package var rule: IDPattern
  /// The measured value in `unit`; nil if there is none. Times and rates are converted to the target device by
  /// `slowdown`.
  package var value: Double?
  /// The file's `cpuSlowdown`; 1 for a figure that is not a time or a rate.
  package var slowdown = 1.0
  package var unit = Metric.Unit.count
  /// `notMeasured` or `leftOut` if and only if `value` is nil.
  package var outcome: Outcome
  /// The expired acknowledgement of an exceeded limit; nil if there is none.
  package var expired: Acknowledgement?
  /// The places of limits for the same figure in earlier rules, which `limit` replaces.
  package var replaced: [Place] = []

  /// Whether another run of the same code may have another value.
  package var hasNoise: Bool {
    guard case .figure(let name) = limit.key else { return true }
    return unit == .nanoseconds || Metric.named(name.metric)?.isCount == false
  }

  /// How far the value lies beyond the limit, as a fraction of the limit. A negative number is headroom. Nil if the
  /// limit is 0 or there is no value.
  package var excess: Double? {
    guard let value, limit.bound.value != 0 else { return nil }
    let ratio = value / limit.bound.value
    return limit.bound.direction == .atMost ? ratio - 1 : 1 - ratio
  }

  /// The finding in words: `springs/tiled/10000: frameNanoseconds.p99 is 1.31ms, 31% over the limit of 1ms`.
  package var sentence: String {
    let name = "\(subject): \(limit.key)"
    let bound = limit.bound
    switch outcome {
    case .notMeasured(let reason): return "\(name) was not measured: \(reason)"
    case .leftOut(let reason): return "\(name) was not checked: \(reason)"
    case .passed, .exceeded, .acknowledged:
      let value = value.map(unit.limitText) ?? "nothing"
      let times = slowdown == 1 ? "" : " (times × \(Format.significant(slowdown)))"
      let over = outcome == .passed ? nil : bound.direction == .atMost ? "over" : "under"
      guard let excess, excess.isFinite else {
        return "\(name) is \(value)\(times), \(over == nil ? "within" : "beyond") the limit of \(bound.text)"
      }
      let distance = abs(excess)
      if distance >= 10, (self.value ?? 0) * bound.value > 0 {
        // If the limit is almost zero, the ratio may not fit into an integer.
        let count = distance < 1e15 ? "\(Int(distance.rounded()) + 1)" : "\(distance)"
        return "\(name) is \(value)\(times), \(count) times the limit of \(bound.text)"
      }
      let percent = distance * 100
      let share = percent < 10 ? "\((percent * 10).rounded() / 10)%" : "\(Int(percent.rounded()))%"
      let place = over.map { "\(share) \($0)" } ?? "with \(share) to spare before"
      return "\(name) is \(value)\(times), \(place) the limit of \(bound.text)"
    }
  }
}

extension [BudgetFinding] {
  /// Describes the limits of one benchmark, each with its position in the file and its result. If the benchmark has no
  /// limit, one line says so.
  package func explanation(of id: BenchmarkID, path: String) -> String {
    let own = filter { $0.benchmarks.contains(id) }
    guard !own.isEmpty else { return "\(id): no limit of \(path) applies to it\n" }
    return own.map { finding in
      let word =
        switch finding.outcome {
        case .passed: "pass"
        case .exceeded: "FAIL"
        case .acknowledged: "acknowledged"
        case .notMeasured: "NOT MEASURED"
        case .leftOut: "left out"
        }
      let (limit, bound) = (finding.limit, finding.limit.bound)
      var lines = ["\(word)  \(finding.sentence)"]
      lines.append(
        "      by \(path):\(limit.place.line), \(limit.key): \(bound.direction.rawValue) \(bound.text),"
          + " for \(finding.rule)")
      lines += finding.replaced.map { "      instead of \(path):\($0.line), an earlier rule" }
      if case .acknowledged(let entry) = finding.outcome {
        lines.append("      acknowledged until \(entry.until) by \(path):\(entry.place.line): \(entry.reason)")
      }
      if let expired = finding.expired {
        lines.append("      acknowledged until \(expired.until), which has passed: \(expired.reason)")
      }
      return lines.joined(separator: "\n") + "\n"
    }.joined()
  }
}
