import Foundation
import FrameBench
import Measurements
import Statistics

/// Decides in two stages whether a time has changed. All times are *screened*: one that seems to change by more than
/// the tolerance, and not by chance, is suspected. Then fresh processes measure the suspects again, and those
/// measurements alone have to show the change, so that what raised the suspicion cannot confirm it.
package struct ComparisonRule: Sendable, Hashable {
  /// The tolerance if neither an option nor the scenario sets another.
  package static let usualTolerance = 0.01

  /// Changes within ± this fraction are ignored.
  package var tolerance: Double
  /// Tolerances of scenarios that ask for another one in the baseline, by name.
  package var scenarioTolerances: [String: Double] = [:]
  /// Tolerances of the number of allocations, by the scenario that asks for one in the baseline.
  package var allocationTolerances: [String: AllocationTolerance] = [:]
  /// Chance of a false alarm among all times together.
  package var familyAlpha = 0.01
  /// One-sided p-value up to which a time is suspected.
  package var screeningLevel = 0.02
  /// Two-sided: the true change is beyond each end of an interval with a probability of 1%.
  package var confidence = 0.98
  /// Whether each build was measured in only one link order. Then every change includes the effect of the
  /// linker's placement of code, and short times have to change by more (`layoutAllowance`).
  package var hasOneLayout = false

  /// - Parameter tolerance: A fraction, at least 0 and below 1; anything else traps.
  package init(tolerance: Double) {
    precondition(tolerance >= 0 && tolerance < 1, "a tolerance of \(tolerance)")
    self.tolerance = tolerance
  }

  /// The candidate's time relative to the baseline's.
  package enum Direction: Sendable, Hashable {
    case slower, faster

    var alternative: SignedRankTest.Alternative { self == .slower ? .greater : .less }
  }

  package func of(scenario: String) -> ComparisonRule {
    var rule = self
    rule.tolerance = scenarioTolerances[scenario] ?? tolerance
    rule.scenarioTolerances = [:]
    return rule
  }

  /// The direction in which a time may have changed; nil if it does not seem to have changed.
  package func suspicion(_ times: PairedTimes) -> Direction? {
    guard let change = times.change else { return nil }
    let direction = change > 0 ? Direction.slower : .faster
    guard abs(change) > tolerance(of: times), times.pValue(direction) <= screeningLevel else { return nil }
    return direction
  }

  /// - Parameters:
  ///   - times: All measurements of the change that were not selected by it.
  ///   - pValue: Of fresh measurements for the suspected direction, before the correction for all tested times.
  package func verdict(_ times: PairedTimes, suspected direction: Direction, pValue: Double) -> ChangeVerdict {
    guard let interval = times.interval(confidence) else { return .inconclusive }
    let threshold = max(tolerance(of: times), times.controlSpread)
    return switch direction {
    case .slower where pValue <= familyAlpha && interval.lowerBound > threshold: .regressed
    case .faster where pValue <= familyAlpha && interval.upperBound < -threshold: .improved
    case .slower, .faster: verdict(interval, times.limit(tolerance))
    }
  }

  /// The verdict on a time that was not suspected.
  package func verdict(_ times: PairedTimes) -> ChangeVerdict {
    times.interval(confidence).map { verdict($0, times.limit(tolerance)) } ?? .inconclusive
  }

  /// The limit that a change of these times has to exceed, as a fraction.
  package func tolerance(of times: PairedTimes) -> Double {
    let limit = times.limit(tolerance)
    guard hasOneLayout, !times.baseline.isEmpty else { return limit }
    return max(limit, Self.layoutAllowance(nanoseconds: Quantile.median(times.baseline)))
  }

  /// The largest expected difference between two link orders of the same objects, as a fraction of a time: 0.2 for
  /// loops that may cross cache lines, however long they run, and 1.7 ÷ √nanoseconds for short times; 42% of 60 ns and
  /// 22% of 10 µs. One of hundreds of times differed by more (docs/compare-method.md): a loop may take twice as long.
  package static func layoutAllowance(nanoseconds: Double) -> Double {
    0.2 + shortTimeAllowance(nanoseconds: nanoseconds)
  }

  /// The part of the allowance for short times: 22% of 60 ns, 5.4% of 1 µs.
  static func shortTimeAllowance(nanoseconds: Double) -> Double { 1.7 / max(1, nanoseconds).squareRoot() }

  func verdict(_ interval: ClosedRange<Double>, _ tolerance: Double) -> ChangeVerdict {
    interval.lowerBound >= -tolerance && interval.upperBound <= tolerance ? .unchanged : .inconclusive
  }
}

/// One time, compared in several sets of processes.
package struct PairedTimes: Sendable, Hashable, Codable {
  /// ln(candidate ÷ baseline), one per set.
  package var changes: [Double] = []
  /// ln(baseline ÷ itself): two processes of the baseline in the same set; empty if sets have one.
  package var controls: [Double] = []
  /// Time of a frame in either build, nanoseconds, one per set.
  package var baseline: [Double] = []
  package var candidate: [Double] = []
  /// Variances of the changes as far as single frames show them, one per set. Few sets say little about how far sets
  /// differ, and their frames say more.
  package var variances: [Double] = []
  /// The number of sets that these variances count as much as.
  package var priorDegrees = 8.0
  /// How much more than other times it has to change (`FrameProbe.toleranceFactor`).
  package var toleranceFactor = 1.0
  /// The smallest change of few frames that means anything, as a fraction: what a read of the clock takes.
  package var clockAllowance = 0.0

  /// The limit that a change has to exceed, as a fraction.
  /// - Parameter tolerance: That of a whole scroll.
  package func limit(_ tolerance: Double) -> Double { max(tolerance * toleranceFactor, clockAllowance) }

  package init() {}

  /// Fewer sets are judged by their frames, too; the ranks of fewer could not reach the level of a test.
  package static let leastRankedCount = 12

  /// One-sided: the probability of changes this far in this direction if there is none. 1 if nothing was measured.
  package func pValue(_ direction: ComparisonRule.Direction) -> Double {
    guard let few else { return SignedRankTest(changes).pValue(direction.alternative) }
    let distance = direction == .slower ? few.mean : -few.mean
    let half = StudentT.twoSidedPValue(distance / few.standardError, degreesOfFreedom: few.degreesOfFreedom) / 2
    return distance > 0 ? half : 1 - half
  }

  /// The two-sided p-value; see `pValue(_:)`.
  package var twoSidedPValue: Double {
    guard few != nil else { return SignedRankTest(changes).pValue(.twoSided) }
    return min(1, 2 * min(pValue(.slower), pValue(.faster)))
  }

  /// Candidate ÷ baseline − 1; nil if nothing was measured.
  package var change: Double? { few.map { exp($0.mean) - 1 } ?? HodgesLehmann(changes).map { exp($0.estimate) - 1 } }

  /// Nil if there are too few sets for this confidence.
  package func interval(_ confidence: Double) -> ClosedRange<Double>? {
    guard let few else {
      return HodgesLehmann(changes)?.interval(confidence: confidence).map {
        (exp($0.lowerBound) - 1)...(exp($0.upperBound) - 1)
      }
    }
    let quantile = StudentT.quantile((1 + confidence) / 2, degreesOfFreedom: few.degreesOfFreedom)
    let reach = quantile * few.standardError
    guard reach.isFinite else { return nil }
    return (exp(few.mean - reach) - 1)...(exp(few.mean + reach) - 1)
  }

  /// Mean and standard error of few sets, which share one variance: that between them, and the one that their frames
  /// show, which counts as much as `priorDegrees` sets (Smyth, "Linear Models and Empirical Bayes Methods for
  /// Assessing Differential Expression", Statistical Applications in Genetics and Molecular Biology 3, 2004). Nil where
  /// the sets are enough, or their frames show nothing.
  private var few: (mean: Double, standardError: Double, degreesOfFreedom: Double)? {
    guard !changes.isEmpty, changes.count < Self.leastRankedCount, variances.count == changes.count else { return nil }
    let moments = Moments(changes[...])
    let prior = variances.reduce(0, +) / moments.count
    let degrees = priorDegrees + moments.count - 1
    let variance = (priorDegrees * prior + moments.squares) / degrees
    return (moments.mean, (variance / moments.count).squareRoot(), degrees)
  }

  /// Distance from zero of the baseline's comparison with itself, as a fraction. The control compares two
  /// processes, a change two pairs of processes, so chance is √2 larger in the control.
  package var controlSpread: Double {
    HodgesLehmann(controls).map { abs(exp($0.estimate / 2.0.squareRoot()) - 1) } ?? 0
  }
}

/// Comparing a run with stored runs, when building is not possible. Exact figures are compared exactly, with the newest
/// measurement of the baseline. Times are judged if the baseline holds enough measurements, otherwise only shown.
extension ComparisonRule {
  /// Fewer measurements of a baseline say too little about their spread.
  package static let leastMeasurementCount = 5

  /// One benchmark's measurements, and the clock's step for the mean of the calls of a frame, nanoseconds.
  package typealias Measurement = (record: BenchmarkRecord, clockStep: Double)

  /// Judges one benchmark by the rule of its scenario.
  /// - Parameters:
  ///   - baseline: Measurements of one benchmark, the newest last; not empty.
  ///   - comparable: Those of them whose times were measured in the candidate's environment.
  package func rows(baseline: [Measurement], comparable: [Measurement], candidate: Measurement) -> [ComparisonRow] {
    let exact = ExactComparison(baseline: baseline[baseline.count - 1].record, candidate: candidate.record, self)
    var rows = exact.rows(deviation: nil)
    if !exact.sameBehavior { rows[0].note = "compare two revisions to see by how much" }
    return rows.prefix(1) + (comparable.isEmpty ? [] : times(comparable, candidate)) + rows.dropFirst()
  }

  private func times(_ baseline: [Measurement], _ candidate: Measurement) -> [ComparisonRow] {
    let record = candidate.record
    return ([(nil, record.frame)] + record.phases.map { ($0.name, $0.time) }).compactMap { phase, time in
      let old = baseline.compactMap { measurement in
        phase.map { measurement.record.phase($0)?.time } ?? measurement.record.frame
      }
      guard !old.isEmpty else { return nil }
      let step = baseline.map(\.clockStep).reduce(candidate.clockStep, max)
      return row(record.id, phase, old, time, step: step)
    }
  }

  /// The row of one time, before the correction for all tested times.
  ///
  /// One measurement cannot show how far measurements of a program differ from day to day. So a time is judged only if
  /// the baseline was measured often enough to know that spread: by a t test of one new value against a sample
  /// (Student's prediction interval), beyond the differences that need no change of the work.
  /// - Parameter step: Differences up to a step of the coarsest clock are within its resolution, nanoseconds.
  private func row(_ id: BenchmarkID, _ phase: String?, _ baseline: [TimeRecord], _ candidate: TimeRecord, step: Double)
    -> ComparisonRow
  {
    var row = ComparisonRow(
      id: id, metric: .frameTime, phase: phase, baseline: baseline.last?.mean.map { .number($0) },
      candidate: candidate.mean.map { .number($0) }, verdict: .notJudged)
    let means = baseline.compactMap(\.mean)
    // A time of 0 has no logarithm.
    guard let mean = candidate.mean, mean > 0, means.count == baseline.count, means.allSatisfy({ $0 > 0 }) else {
      return row
    }
    let logs = Moments(means.map { log($0) }[...])
    let centre = means.count == 1 ? means[0] : exp(logs.mean)
    let change = mean / centre - 1
    (row.baseline, row.change) = (.number(centre), change)
    guard means.count >= Self.leastMeasurementCount else { return row }
    // A few measurements may be equal by chance: none is more certain than its own interval.
    let spread = max(logs.variance, baseline.map(\.variance).reduce(0, +) / logs.count)
    let standardError = (spread / logs.count + max(spread, candidate.variance)).squareRoot()
    let distance = log(mean / centre)
    let reach = StudentT.quantile((1 + confidence) / 2, degreesOfFreedom: logs.count - 1) * standardError
    let interval = (exp(distance - reach) - 1)...(exp(distance + reach) - 1)
    let hasLayouts = (baseline + [candidate]).allSatisfy { $0.layoutSpread != nil }
    // Rare loops across cache lines differ by more; only comparing revisions recognises those.
    let excess = abs(distance) - log(1 + max(tolerance, hasLayouts ? 0 : Self.shortTimeAllowance(nanoseconds: mean)))
    let pValue =
      excess > 0 && abs(mean - centre) > step
      ? StudentT.twoSidedPValue(excess / standardError, degreesOfFreedom: logs.count - 1) : 1
    (row.low, row.high, row.pValue) = (interval.lowerBound, interval.upperBound, pValue)
    // Tests both directions, as lock step tests only the suspected one.
    row.suspicionPValue = pValue / 2
    row.verdict = pValue / 2 <= familyAlpha ? change > 0 ? .regressed : .improved : verdict(interval, tolerance)
    return row
  }
}

extension TimeRecord {
  fileprivate var mean: Double? { aligned?.mean }

  /// Variance of the logarithm of the mean, from its interval; 0 without one.
  fileprivate var variance: Double {
    guard let mean, let halfWidth = halfWidths?.mean else { return 0 }
    let deviation = halfWidth / 1.96 / mean
    return deviation * deviation
  }
}
