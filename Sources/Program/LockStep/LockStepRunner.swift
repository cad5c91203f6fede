import Foundation
import FrameBench
import Judging
import Measurements
import Statistics

/// Compares the times of two executables, benchmark by benchmark: screens all, then confirms the suspects.
struct LockStepRunner: Sendable {
  var plan: LockStepPlan
  var rule: ComparisonRule
  /// Seeds the order of benchmarks and everything in them.
  var seed: UInt64

  struct Outcome: Sendable {
    var rows: [BenchmarkID: [ComparisonRow]] = [:]
    var failures: [BenchmarkFailure] = []
    var warnings: [Warning] = []
    var method: ComparisonMethod
  }

  /// - Parameter progress: Called with the next measurement and its position among all. Throws
  ///   `CancellationError`, `LinkProblem`.
  func run(_ ids: [BenchmarkID], progress: @escaping @Sendable (_ text: String, _ fraction: Double) -> Void)
    async throws -> Outcome
  {
    var random = SplitMix64(seed: seed)
    var outcome = Outcome(method: ComparisonMethod(source: .lockStep, rule, seed: seed))
    try await link(plan.screeningOrders, progress)
    let sessions = ids.shuffled(using: &random).map { (id: $0, seed: random.next()) }
    let times = try await measure(sessions, plan.pace.screening, plan.screeningOrders, &outcome, progress)
    var screened = sessions.compactMap { id, _ in
      times[id].map { Screened(id: id, times: $0, rule: rule.of(scenario: id.scenario)) }
    }
    outcome.method.testCount = screened.reduce(0) { $0 + $1.testable.count }
    try await confirm(&screened, &random, &outcome, progress)
    outcome.method.screeningSetCounts = Self.range(screened.map(\.times.setCount))
    outcome.method.confirmingSetCounts = Self.range(screened.compactMap(\.confirmation?.setCount))
    if plan.orders != nil { outcome.method.layoutCount = screened.map(\.times.orderCount).min() }
    for benchmark in screened {
      outcome.rows[benchmark.id] = benchmark.rows(rule.of(scenario: benchmark.id.scenario))
      if let warning = benchmark.shortPhaseWarning { outcome.warnings.append(warning) }
    }
    return outcome
  }

  private func confirm(
    _ screened: inout [Screened], _ random: inout SplitMix64, _ outcome: inout Outcome,
    _ progress: @escaping @Sendable (String, Double) -> Void
  ) async throws {
    let suspects = screened.indices.filter { !screened[$0].suspicions.isEmpty }.shuffled(using: &random)
    if !suspects.isEmpty {
      let quota = plan.pace.confirming(testCount: outcome.method.testCount, familyAlpha: rule.familyAlpha)
      let orders = plan.confirmingOrders(quota)
      try await link(orders, progress)
      let sessions = suspects.map { (id: screened[$0].id, seed: random.next()) }
      let times = try await measure(sessions, quota, orders, wantsFrames: true, &outcome) {
        progress("\($0), once more", $1)
      }
      for suspect in suspects { screened[suspect].confirmation = times[screened[suspect].id] }
    }
    Screened.correct(&screened, testCount: outcome.method.testCount)
  }

  private func link(_ orders: Range<Int>, _ progress: @Sendable (String, Double) -> Void) async throws {
    guard let pool = plan.orders else { return }
    progress("linking \(orders.count) orders of the code", 0)
    try await pool.link(orders)
  }

  /// Measures one benchmark after the other, on a thread that lives as long as the workers.
  private func measure(
    _ sessions: [(id: BenchmarkID, seed: UInt64)], _ quota: LockStepPlan.Quota, _ orders: Range<Int>,
    wantsFrames: Bool = false, _ outcome: inout Outcome, _ progress: @escaping @Sendable (String, Double) -> Void
  ) async throws -> [BenchmarkID: LockStepTimes] {
    let measured = try await DedicatedThread.run { [plan] isCancelled in
      var plan = plan
      plan.isCancelled = isCancelled
      var times: [BenchmarkID: LockStepTimes] = [:]
      var failures: [BenchmarkFailure] = []
      for (index, (id, seed)) in sessions.enumerated() {
        progress("\(id)", Double(index) / Double(sessions.count))
        do {
          times[id] = try LockStepSession(plan, id: id, orders: orders, seed: seed).measure(
            quota, wantsFrames: wantsFrames)
        } catch let failure as WorkerProcess.Failure { failures.append(BenchmarkFailure(id, failure)) }
      }
      return (times, failures)
    }
    outcome.failures += measured.1
    return measured.0
  }

  private static func range(_ counts: [Int]) -> ClosedRange<Int>? {
    counts.min().flatMap { least in counts.max().map { least...$0 } }
  }
}

/// One benchmark between screening and verdict. Timed things are numbered as in `LockStepTimes`.
struct Screened {
  let id: BenchmarkID
  let times: LockStepTimes
  let testable: [Int]
  let suspicions: [Int: ComparisonRule.Direction]
  var confirmation: LockStepTimes?
  var adjustedPValues: [Int: Double] = [:]

  init(id: BenchmarkID, times: LockStepTimes, rule: ComparisonRule) {
    self.id = id
    self.times = times
    // For a time shorter than reading the clock, the ratio is a ratio of errors.
    let shortest = Quantile.median(times.pairCosts)
    testable = times.times.indices.filter { $0 == 0 || Quantile.median(times.times[$0].baseline) >= shortest }
    suspicions = testable.reduce(into: [:]) { $0[$1] = rule.suspicion(times.times[$1]) }
  }

  /// Corrects the p-values of all suspects for all tested times; times that were not suspected count with a
  /// p-value of 1.
  static func correct(_ screened: inout [Screened], testCount: Int) {
    let confirmed = screened.indices.flatMap { index in
      screened[index].confirmedPValues.sorted { $0.key < $1.key }.map { (index, $0.key, $0.value) }
    }
    let padding = Array(repeating: 1.0, count: max(0, testCount - confirmed.count))
    let adjusted = Holm.adjusted(confirmed.map(\.2) + padding)
    for (place, (index, thing, _)) in confirmed.enumerated() {
      screened[index].adjustedPValues[thing] = adjusted[place]
    }
  }

  /// P-values of the suspects, one-sided, not corrected.
  private var confirmedPValues: [Int: Double] {
    guard let confirmation else { return [:] }
    return suspicions.reduce(into: [:]) { values, suspect in
      guard let thing = confirmation.thing(times.phase(suspect.key)) else { return }
      values[suspect.key] = confirmation.times[thing].pValue(suspect.value)
    }
  }

  func rows(_ rule: ComparisonRule) -> [ComparisonRow] {
    testable.map { thing in
      guard let direction = suspicions[thing], let confirmation, let fresh = confirmation.thing(times.phase(thing)),
        let adjusted = adjustedPValues[thing]
      else {
        var row = row(thing, times, rule)
        // A suspicion without a check is inconclusive.
        if suspicions[thing] != nil { row.verdict = .inconclusive }
        return row
      }
      var row = row(fresh, confirmation, rule)
      row.verdict = rule.verdict(confirmation.times[fresh], suspected: direction, adjustedPValue: adjusted)
      if row.verdict.isChange { row.note = confirmation.difference(of: fresh)?.sentence }
      return row
    }
  }

  private func row(_ thing: Int, _ times: LockStepTimes, _ rule: ComparisonRule) -> ComparisonRow {
    var row = ComparisonRow(id, phase: times.phase(thing), times.times[thing], rule)
    row.layout = times.layoutSpread(of: thing)
    return row
  }

  var shortPhaseWarning: Warning? {
    let short = times.times.indices.filter { !testable.contains($0) }.compactMap(times.phase)
    guard !short.isEmpty else { return nil }
    return Warning(
      "Shorter than a clock read, so judged only as part of the frame: \(short.joined(separator: ", ")).", benchmark: id
    )
  }
}
