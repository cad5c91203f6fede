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
    /// Time that each benchmark took.
    var seconds: [BenchmarkID: Double] = [:]
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
    guard !suspects.isEmpty else { return }
    let quota = plan.pace.confirming(
      testCount: outcome.method.testCount, familyAlpha: rule.familyAlpha * plan.familyShare)
    let orders = plan.confirmingOrders(quota)
    try await link(orders, progress)
    let sessions = suspects.map { (id: screened[$0].id, seed: random.next()) }
    let times = try await measure(sessions, quota, orders, wantsFrames: true, &outcome) {
      progress("\($0), once more", $1)
    }
    for suspect in suspects { screened[suspect].confirmation = times[screened[suspect].id] }
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
      var seconds: [BenchmarkID: Double] = [:]
      for (index, (id, seed)) in sessions.enumerated() {
        progress("\(id)", Double(index) / Double(sessions.count))
        let start = ContinuousClock.now
        defer { seconds[id] = (ContinuousClock.now - start) / .seconds(1) }
        do {
          times[id] = try LockStepSession(plan, id: id, orders: orders, seed: seed).measure(
            quota, wantsFrames: wantsFrames)
        } catch let failure as WorkerProcess.Failure { failures.append(BenchmarkFailure(id, failure)) }
      }
      return (times, failures, seconds)
    }
    outcome.failures += measured.1
    outcome.seconds.merge(measured.2, uniquingKeysWith: +)
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

  init(id: BenchmarkID, times: LockStepTimes, rule: ComparisonRule) {
    self.id = id
    self.times = times
    // For a time shorter than reading the clock, the ratio is a ratio of errors.
    let shortest = Quantile.median(times.pairCosts)
    testable = times.times.indices.filter { $0 == 0 || Quantile.median(times.times[$0].baseline) >= shortest }
    suspicions = testable.reduce(into: [:]) { $0[$1] = rule.suspicion(times.times[$1]) }
  }

  /// Before the correction for all tested times.
  func rows(_ rule: ComparisonRule) -> [ComparisonRow] {
    testable.map { thing in
      guard let direction = suspicions[thing], let confirmation, let fresh = confirmation.thing(times.phase(thing))
      else {
        var row = row(thing, times, rule)
        // A suspicion without a check is inconclusive.
        if suspicions[thing] != nil { row.verdict = .inconclusive }
        return row
      }
      var row = row(fresh, confirmation, rule)
      let pValue = confirmation.times[fresh].pValue(direction)
      row.suspicionPValue = pValue
      row.verdict = rule.verdict(confirmation.times[fresh], suspected: direction, pValue: pValue)
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
