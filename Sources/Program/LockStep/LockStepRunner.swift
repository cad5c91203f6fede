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

  typealias Progress = @Sendable (_ text: String, _ fraction: Double) -> Void

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
  func run(_ ids: [BenchmarkID], progress: @escaping Progress) async throws -> Outcome {
    var random = SplitMix64(seed: seed)
    var outcome = Outcome(method: ComparisonMethod(source: .lockStep, rule, seed: seed))
    let order = ids.shuffled(using: &random)
    let times = try await measure(order, plan.pace.screening, &random, &outcome, progress)
    var screened = order.compactMap { id in
      times[id].map { Screened(id: id, times: $0, rule: rule.of(scenario: id.scenario)) }
    }
    outcome.method.testCount = screened.reduce(0) { $0 + $1.testable.count }
    let suspects = screened.indices.filter { !screened[$0].suspicions.isEmpty }.shuffled(using: &random)
    if !suspects.isEmpty {
      var quota = plan.pace.confirming(
        testCount: outcome.method.testCount, familyAlpha: rule.familyAlpha * plan.familyShare)
      quota.wantsFrames = true
      let ids = suspects.map { screened[$0].id }
      let times = try await measure(ids, quota, label: ", once more", &random, &outcome, progress)
      for suspect in suspects { screened[suspect].confirmation = times[screened[suspect].id] }
    }
    outcome.method.screeningSetCounts = Self.range(screened.map(\.times.setCount))
    outcome.method.confirmingSetCounts = Self.range(screened.compactMap(\.confirmation?.setCount))
    if plan.orders != nil { outcome.method.layoutCount = screened.map(\.times.orderCount).min() }
    for benchmark in screened {
      outcome.rows[benchmark.id] = benchmark.rows
      if let warning = benchmark.shortPhaseWarning { outcome.warnings.append(warning) }
    }
    return outcome
  }

  /// Measures one benchmark after the other, on a thread that lives as long as the workers.
  private func measure(
    _ ids: [BenchmarkID], _ quota: LockStepPlan.Quota, label: String = "", _ random: inout SplitMix64,
    _ outcome: inout Outcome, _ progress: @escaping Progress
  ) async throws -> [BenchmarkID: LockStepTimes] {
    if let pool = plan.orders {
      progress("linking \(quota.orders.count) orders of the code", 0)
      try await pool.link(quota.orders)
    }
    let sessions = ids.map { (id: $0, seed: random.next()) }
    let measured = try await DedicatedThread.run { [plan, outcome] isCancelled in
      var (plan, outcome) = (plan, outcome)
      plan.isCancelled = isCancelled
      var times: [BenchmarkID: LockStepTimes] = [:]
      for (index, (id, seed)) in sessions.enumerated() {
        progress("\(id)\(label)", Double(index) / Double(sessions.count))
        let start = ContinuousClock.now
        defer { outcome.seconds[id, default: 0] += (ContinuousClock.now - start) / .seconds(1) }
        let session = LockStepSession(plan, id: id, quota: quota, seed: seed)
        do { times[id] = try session.measure() } catch let failure as WorkerProcess.Failure {
          outcome.failures.append(BenchmarkFailure(id, failure))
        }
      }
      return (times: times, outcome: outcome)
    }
    outcome = measured.outcome
    return measured.times
  }

  private static func range(_ counts: [Int]) -> ClosedRange<Int>? {
    counts.min().flatMap { least in counts.max().map { least...$0 } }
  }
}

/// One benchmark between screening and verdict. Timed things are named as in `LockStepTimes`.
struct Screened {
  let id: BenchmarkID
  let times: LockStepTimes
  let rule: ComparisonRule
  let testable: [String?]
  let suspicions: [String?: ComparisonRule.Direction]
  var confirmation: LockStepTimes?

  init(id: BenchmarkID, times: LockStepTimes, rule: ComparisonRule) {
    self.id = id
    self.times = times
    self.rule = rule
    // For a time shorter than reading the clock, the ratio is a ratio of errors.
    let shortest = Quantile.median(times.pairCosts)
    testable = times.things.filter { $0 == nil || Quantile.median(times.times(of: $0).baseline) >= shortest }
    suspicions = testable.reduce(into: [:]) { $0[$1] = rule.suspicion(times.times(of: $1)) }
  }

  /// Before the correction for all tested times.
  var rows: [ComparisonRow] {
    testable.map { thing in
      let direction = suspicions[thing]
      let confirmation = confirmation.flatMap { direction != nil && $0.things.contains(thing) ? $0 : nil }
      let deciding = confirmation ?? times
      let found = deciding.times(of: thing)
      var row = ComparisonRow(id, phase: thing, found, rule)
      row.layout = deciding.layoutSpread(of: thing)
      guard let direction else { return row }
      // A suspicion without a check is inconclusive.
      row.verdict = .inconclusive
      guard let confirmation else { return row }
      let pValue = found.pValue(direction)
      row.suspicionPValue = pValue
      row.verdict = rule.verdict(found, suspected: direction, pValue: pValue)
      if row.verdict.isChange { row.note = confirmation.difference(of: thing)?.sentence }
      return row
    }
  }

  var shortPhaseWarning: Warning? {
    let short = times.things.filter { !testable.contains($0) }.compactMap(\.self)
    guard !short.isEmpty else { return nil }
    return Warning(
      "Shorter than a clock read, so judged only as part of the frame: \(short.joined(separator: ", ")).", benchmark: id
    )
  }
}
