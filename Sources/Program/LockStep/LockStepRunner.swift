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
    var scrolls: [ScrollRecord] = []
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
    let measured = try await measure(order, plan.pace.screening, [:], &random, &outcome, progress)
    var screened = order.compactMap { id in
      measured[id].map {
        Screened(
          id, $0.times, rule.of(scenario: id.scenario), isFunction: $0.known?.isFunction ?? false, frames: plan.frames,
          least: $0.least)
      }
    }
    outcome.method.testCount = screened.reduce(0) { $0 + $1.suspicions.count }
    let suspects = screened.indices.filter { !screened[$0].suspicions.isEmpty }.shuffled(using: &random)
    if !suspects.isEmpty {
      let quota = plan.pace.confirming(
        testCount: outcome.method.testCount, familyAlpha: rule.familyAlpha * plan.familyShare)
      let confirming = try await measure(
        suspects.map { screened[$0].id }, quota, measured.mapValues(\.known), label: ", once more", &random, &outcome,
        progress)
      for suspect in suspects { screened[suspect].confirmation = confirming[screened[suspect].id]?.times }
    }
    outcome.method.screeningSetCounts = Self.range(screened.map(\.times.setCount))
    outcome.method.confirmingSetCounts = Self.range(screened.compactMap(\.confirmation?.setCount))
    if plan.orders != nil { outcome.method.layoutCount = screened.map(\.times.orderCount).min() }
    for benchmark in screened {
      outcome.rows[benchmark.id] = benchmark.rows
      if let scroll = benchmark.scroll { outcome.scrolls.append(scroll) }
      if let warning = benchmark.shortPhaseWarning { outcome.warnings.append(warning) }
    }
    return outcome
  }

  private struct Measured: Sendable {
    var times: ScrollTimes
    var known: LockStepPlan.Known?
    /// By thing, each frame's cost in the baseline, nanoseconds.
    var least: [String?: [Double]]
  }

  /// Measures one benchmark after the other, on a thread that lives as long as the workers.
  private func measure(
    _ ids: [BenchmarkID], _ quota: LockStepPlan.Quota, _ known: [BenchmarkID: LockStepPlan.Known?], label: String = "",
    _ random: inout SplitMix64, _ outcome: inout Outcome, _ progress: @escaping Progress
  ) async throws -> [BenchmarkID: Measured] {
    if let pool = plan.orders {
      progress("linking \(quota.orders.count) orders of the code", 0)
      try await pool.link(quota.orders)
    }
    let sessions = ids.map { (id: $0, seed: random.next()) }
    let measured = try await DedicatedThread.run { [plan, outcome] isCancelled in
      var (plan, outcome) = (plan, outcome)
      plan.isCancelled = isCancelled
      var measured: [BenchmarkID: Measured] = [:]
      for (index, (id, seed)) in sessions.enumerated() {
        progress("\(id)\(label)", Double(index) / Double(sessions.count))
        let start = ContinuousClock.now
        defer { outcome.seconds[id, default: 0] += (ContinuousClock.now - start) / .seconds(1) }
        let session = LockStepSession(plan, id: id, quota: quota, known: known[id] ?? nil, seed: seed)
        do {
          let times = try session.measure()
          // Once is enough: what was measured alone does not change a verdict.
          let least = known.isEmpty ? try session.baselineCosts() : [:]
          measured[id] = Measured(times: times, known: session.known, least: least)
        } catch let failure as WorkerProcess.Failure { outcome.failures.append(BenchmarkFailure(id, failure)) }
      }
      return (measured: measured, outcome: outcome)
    }
    outcome = measured.outcome
    return measured.measured
  }

  private static func range(_ counts: [Int]) -> ClosedRange<Int>? {
    counts.min().flatMap { least in counts.max().map { least...$0 } }
  }
}
