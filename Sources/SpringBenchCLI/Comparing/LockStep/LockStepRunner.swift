import Foundation
import FrameBench
import FrameReport
import Statistics

/// Compares the times of two executables, benchmark by benchmark: screens all, confirms the suspects.
/// Blocks its thread, which must live as long as the workers.
struct LockStepRunner: Sendable {
  var plan: LockStepPlan
  var rule: ComparisonRule
  /// Of the order of benchmarks and of everything in them.
  var seed: UInt64

  struct Outcome: Sendable {
    var rows: [BenchmarkID: [ComparisonRow]] = [:]
    var failures: [BenchmarkFailure] = []
    var warnings: [Warning] = []
    var testCount = 0
  }

  /// - Parameter progress: Told what is about to be measured, and how much of all that is.
  /// Throws `CancellationError`.
  func run(
    _ ids: [BenchmarkID], progress: @Sendable (_ text: String, _ fraction: Double) -> Void
  ) throws -> Outcome {
    var random = SplitMix64(seed: seed)
    var outcome = Outcome()
    var screened: [Screened] = []
    let order = ids.shuffled(using: &random)
    for (index, id) in order.enumerated() {
      progress("\(id)", Double(index) / Double(order.count))
      let session = LockStepSession(plan, id: id, seed: random.next())
      try keepingFailures(of: id, in: &outcome) {
        let times = try session.measure(plan.pace.screening)
        screened.append(Screened(id: id, times: times, rule: rule))
      }
    }
    outcome.testCount = screened.reduce(0) { $0 + $1.testable.count }
    try confirm(&screened, &random, &outcome, progress)
    for benchmark in screened {
      outcome.rows[benchmark.id] = benchmark.rows(rule)
      if let warning = benchmark.shortPhaseWarning { outcome.warnings.append(warning) }
    }
    return outcome
  }

  private func confirm(
    _ screened: inout [Screened], _ random: inout SplitMix64, _ outcome: inout Outcome,
    _ progress: @Sendable (String, Double) -> Void
  ) throws {
    let suspects = screened.indices.filter { !screened[$0].suspicions.isEmpty }.shuffled(using: &random)
    for (index, benchmark) in suspects.enumerated() {
      let id = screened[benchmark].id
      progress("\(id), once more", Double(index) / Double(suspects.count))
      let session = LockStepSession(plan, id: id, seed: random.next())
      let quota = plan.pace.confirming(testCount: outcome.testCount, familyAlpha: rule.familyAlpha)
      try keepingFailures(of: id, in: &outcome) {
        screened[benchmark].confirmation = try session.measure(quota, wantsFrames: true)
      }
    }
    Screened.correct(&screened, testCount: outcome.testCount)
  }

  private func keepingFailures(
    of id: BenchmarkID, in outcome: inout Outcome, _ body: () throws -> Void
  ) throws {
    do {
      try body()
    } catch let failure as WorkerProcess.Failure {
      outcome.failures.append(
        BenchmarkFailure(id: id, reason: failure.reason, standardError: failure.standardError))
    }
  }
}

/// One benchmark between screening and verdict. Things are numbered as in `LockStepTimes`.
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
    // The ratio of what is shorter than reading the clock is a ratio of errors.
    let shortest = Self.median(times.pairCosts)
    testable = times.times.indices.filter {
      $0 == 0 || Self.median(times.times[$0].baseline) >= shortest
    }
    var suspicions: [Int: ComparisonRule.Direction] = [:]
    for thing in testable { suspicions[thing] = rule.suspicion(times.times[thing]) }
    self.suspicions = suspicions
  }

  /// Corrects the p-values of all suspects for all times that were tested; what was not suspected counts
  /// with a p-value of 1.
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

  /// Of the suspects, one-sided, not corrected.
  private var confirmedPValues: [Int: Double] {
    guard let confirmation else { return [:] }
    return suspicions.reduce(into: [:]) { values, suspect in
      guard let times = fresh(suspect.key, confirmation) else { return }
      values[suspect.key] = times.pValue(suspect.value)
    }
  }

  /// The phases of fresh processes are the same, unless a build is not deterministic.
  private func fresh(_ thing: Int, _ confirmation: LockStepTimes) -> PairedTimes? {
    confirmation.phases == times.phases ? confirmation.times[thing] : nil
  }

  func rows(_ rule: ComparisonRule) -> [ComparisonRow] {
    testable.map { thing in
      guard let direction = suspicions[thing], let confirmation, let fresh = fresh(thing, confirmation),
        let adjusted = adjustedPValues[thing]
      else {
        let times = times.times[thing]
        // A suspicion that could not be looked into is neither a change nor none.
        let verdict = suspicions[thing] == nil ? rule.verdict(times) : .inconclusive
        return row(thing, times, rule, verdict, SignedRankTest(times.changes).pValue(.twoSided))
      }
      let verdict = rule.verdict(fresh, suspected: direction, adjustedPValue: adjusted)
      var row = row(thing, fresh, rule, verdict, adjusted)
      if verdict.isChange { row.note = confirmation.difference(of: thing)?.sentence }
      return row
    }
  }

  private func row(
    _ thing: Int, _ figures: PairedTimes, _ rule: ComparisonRule, _ verdict: ChangeVerdict,
    _ pValue: Double
  ) -> ComparisonRow {
    let interval = figures.interval(rule.confidence)
    let baseline = Self.median(figures.baseline)
    // Not the candidate's own median: times of one set belong together, and on a machine that changes its
    // pace two medians may come from different sets, and contradict the change.
    let candidate = figures.change.map { baseline * (1 + $0) } ?? Self.median(figures.candidate)
    return ComparisonRow(
      id: id, metric: "frameNanoseconds", phase: thing == 0 ? nil : times.phases[thing - 1],
      baseline: .number(baseline), candidate: .number(candidate),
      change: figures.change, low: interval?.lowerBound, high: interval?.upperBound, pValue: pValue,
      verdict: verdict, control: figures.controlSpread)
  }

  var shortPhaseWarning: Warning? {
    let short = times.times.indices.filter { !testable.contains($0) }.map { times.phases[$0 - 1] }
    guard !short.isEmpty else { return nil }
    return Warning(
      "Shorter than reading the clock, so judged only as part of the frame: \(short.joined(separator: ", ")).",
      benchmark: id)
  }

  private static func median(_ values: [Double]) -> Double {
    Quantile.type7(sorted: values.sorted(), at: 0.5)
  }
}
