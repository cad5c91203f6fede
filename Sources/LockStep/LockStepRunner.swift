import Builds
import FrameBench
import Judging
import Measurements
import Platform
import Statistics

/// Compares the times of two executables. First it measures (screens) all benchmarks. Then it measures those that seem
/// to have changed (the suspects) again, to confirm or refute their changes.
package struct LockStepRunner: Sendable {
  package var plan: LockStepPlan
  package var rule: ComparisonRule
  /// The seed of all random numbers: for the order of the benchmarks, and in the measurement of each benchmark.
  package var seed: UInt64

  package init(plan: LockStepPlan, rule: ComparisonRule, seed: UInt64) {
    (self.plan, self.rule, self.seed) = (plan, rule, seed)
  }

  package typealias Progress = @Sendable (_ text: String, _ fraction: Double) -> Void

  package struct Outcome: Sendable {
    package var rows: [BenchmarkID: [ComparisonRow]] = [:]
    package var scrolls: [ScrollRecord] = []
    package var failures: [BenchmarkFailure] = []
    package var warnings: [Warning] = []
    /// The seconds that the measurement of each benchmark took.
    package var seconds: [BenchmarkID: Double] = [:]
    package var method: ComparisonMethod
  }

  /// - Parameter progress: Called before each measurement with its description, and with the fraction of the current
  ///   stage that is done.
  /// - Throws: `CancellationError` or `LinkProblem`.
  package func run(_ ids: [BenchmarkID], progress: @escaping Progress) async throws -> Outcome {
    var random = SplitMix64(seed: seed)
    var outcome = Outcome(method: ComparisonMethod(source: .lockStep, rule, seed: seed))
    let order = ids.shuffled(using: &random)
    let measured = try await measure(order, plan.pace.screening, [:], &random, &outcome, progress)
    var screened = order.compactMap { id in
      measured[id].map {
        Screened(id, $0.times, rule.of(scenario: id.scenario), isFunction: $0.known.isFunction, frames: plan.frames)
      }
    }
    outcome.method.testCount = screened.reduce(0) { $0 + $1.suspicions.count }
    let suspects = screened.indices.filter { !screened[$0].suspicions.isEmpty }.shuffled(using: &random)
    var confirming: [BenchmarkID: Measured] = [:]
    if !suspects.isEmpty {
      let level = rule.familyAlpha * plan.familyShare / Double(max(1, outcome.method.testCount))
      let quota = plan.pace.confirming(level: level)
      let suspected = Dictionary(uniqueKeysWithValues: suspects.map { (screened[$0].id, screened[$0]) })
      confirming = try await measure(
        suspects.map { screened[$0].id }, quota, measured.mapValues(\.known), confirming: suspected, level: level,
        &random, &outcome, progress)
      for suspect in suspects {
        if let fresh = confirming[screened[suspect].id]?.times { screened[suspect].confirm(fresh) }
      }
      // Frames that stand out only in fresh sets could have been found in each benchmark that was screened, but those
      // without suspects had no fresh sets.
      let later = screened.reduce(0) { $0 + $1.suspicions.count } - outcome.method.testCount
      outcome.method.testCount += (later * screened.count + suspects.count - 1) / suspects.count
    }
    let last = try await playAlone(measured.mapValues(\.known), order, &outcome, progress)
    for index in screened.indices {
      guard let own = measured[screened[index].id] else { continue }
      let confirmed = confirming[screened[index].id]
      var plays = own.plays
      for other in [confirmed?.plays, last[screened[index].id]] { plays.add(other ?? LonePlays()) }
      screened[index].least = own.known.playsLong ? own.least.shortest(confirmed?.least ?? [:]) : plays.costs
    }
    outcome.method.screeningSetCounts = Self.range(screened.map(\.times.setCount))
    outcome.method.confirmingSetCounts = Self.range(screened.compactMap(\.confirmation?.setCount))
    if plan.orders != nil { outcome.method.layoutCount = screened.map(\.times.orderCount).min() }
    for benchmark in screened {
      outcome.rows[benchmark.id] = benchmark.rows
      if let scroll = benchmark.scroll { outcome.scrolls.append(scroll) }
      outcome.warnings += benchmark.warnings
    }
    return outcome
  }

  private struct Measured: Sendable {
    var times: ScrollTimes
    var known: LockStepPlan.Known
    /// The shortest time of each frame of the baseline, in nanoseconds, by phase. The key nil stands for whole frames.
    /// Empty if all frames together take little time.
    var least: [String?: [Double]]
    /// The times of the baseline while it had the core to itself. Empty if all frames together take long.
    var plays: LonePlays
  }

  /// Measures one benchmark after the other.
  /// - Parameters:
  ///   - known: What earlier measurements found out about the benchmarks, such as how long they take. Empty at first.
  ///   - suspected: The benchmarks whose suspected changes are to be confirmed. Empty in the screening.
  ///   - level: The largest p-value that confirms a suspected change.
  private func measure(
    _ ids: [BenchmarkID], _ quota: LockStepPlan.Quota, _ known: [BenchmarkID: LockStepPlan.Known],
    confirming suspected: [BenchmarkID: Screened] = [:], level: Double = 0, _ random: inout SplitMix64,
    _ outcome: inout Outcome, _ progress: @escaping Progress
  ) async throws -> [BenchmarkID: Measured] {
    let seeds = Dictionary(uniqueKeysWithValues: ids.map { ($0, random.next()) })
    var plays: [BenchmarkID: LonePlays] = [:]
    var known = known
    if known.isEmpty {
      known = try await findOut(ids, seeds, &outcome, progress)
      plays = try await playAlone(known, ids, &outcome, progress)
    }
    var quota = quota
    // Benchmarks that take seconds are measured in only a few link orders, so linking more orders would waste time.
    quota.narrow(to: ids.compactMap { known[$0] })
    if let pool = plan.orders {
      progress("linking the code in \(quota.orders.count == 1 ? "one order" : "\(quota.orders.count) orders")", 0)
      try await pool.link(quota.orders)
    }
    return try await each(ids, &outcome) { [quota, known, plays] plan, id, position in
      guard let own = known[id], let seed = seeds[id] else { return nil }
      progress(suspected[id] == nil ? "\(id)" : "\(id), once more", position)
      let session = LockStepSession(plan, id: id, quota: quota, seed: seed)
      let (times, known) = try session.measure(own) { suspected[id]?.isSettled(by: $0, level: level) == true }
      var all = plays[id] ?? LonePlays()
      all.add(session.lonePlays)
      return Measured(times: times, known: known, least: session.least, plays: all)
    }
  }

  /// Lets the baseline run without taking turns, one benchmark after the other. This happens both at the beginning and
  /// at the end, because the machine may be slow for some seconds at one of these times.
  private func playAlone(
    _ known: [BenchmarkID: LockStepPlan.Known], _ ids: [BenchmarkID], _ outcome: inout Outcome,
    _ progress: @escaping Progress
  ) async throws -> [BenchmarkID: LonePlays] {
    let ids = ids.filter { known[$0]?.playsLong == false }
    // These runs only give the absolute times that reports show. So if a process fails, the failure is ignored, and the
    // other runs are used.
    let failures = outcome.failures
    defer { outcome.failures = failures }
    return try await each(ids, &outcome) { plan, id, position in
      progress("\(id) alone", position)
      let session = LockStepSession(plan, id: id, quota: plan.pace.screening, seed: seed)
      var plays = LonePlays()
      guard let known = known[id] else { return nil }
      for _ in 0..<3 { try session.playAlone(known, into: &plays) }
      return plays
    }
  }

  private func findOut(
    _ ids: [BenchmarkID], _ seeds: [BenchmarkID: UInt64], _ outcome: inout Outcome, _ progress: @escaping Progress
  ) async throws -> [BenchmarkID: LockStepPlan.Known] {
    let quota = plan.pace.screening
    return try await each(ids, &outcome) { plan, id, position in
      progress("length of \(id)", position)
      return try seeds[id].map { try LockStepSession(plan, id: id, quota: quota, seed: $0).findOut() }
    }
  }

  /// Calls `body` for each benchmark, always on the same new thread, because Linux ends a worker together with the
  /// thread that started it. Returns the values by benchmark. A benchmark that fails has no value, and its failure is
  /// added to `outcome`.
  private func each<Value: Sendable>(
    _ ids: [BenchmarkID], _ outcome: inout Outcome,
    _ body: @escaping @Sendable (LockStepPlan, BenchmarkID, _ position: Double) throws -> Value?
  ) async throws -> [BenchmarkID: Value] {
    let found = try await DedicatedThread.run { [plan, outcome] isCancelled in
      var (plan, outcome) = (plan, outcome)
      plan.isCancelled = isCancelled
      var values: [BenchmarkID: Value] = [:]
      for (index, id) in ids.enumerated() {
        let start = ContinuousClock.now
        defer { outcome.seconds[id, default: 0] += (ContinuousClock.now - start) / .seconds(1) }
        do { values[id] = try body(plan, id, Double(index) / Double(ids.count)) } catch let failure
          as WorkerProcess.Failure
        { outcome.failures.append(BenchmarkFailure(id, failure)) }
      }
      return (values: values, outcome: outcome)
    }
    outcome = found.outcome
    return found.values
  }

  private static func range(_ counts: [Int]) -> ClosedRange<Int>? {
    counts.min().flatMap { least in counts.max().map { least...$0 } }
  }
}
