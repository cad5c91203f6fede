import Foundation
import FrameBench
import Statistics

/// Decides in two stages whether a time has changed. All times are *screened*: one that seems to change by more than
/// the tolerance, and not by chance, is suspected. Then fresh processes measure the suspects again, and only those
/// measurements decide, so that what raised the suspicion cannot confirm it.
package struct ComparisonRule: Sendable, Hashable {
  /// Changes within ± this fraction are ignored.
  package var tolerance: Double
  /// Tolerances of scenarios that ask for another one, by name.
  package var scenarioTolerances: [String: Double] = [:]
  /// Tolerances of the number of allocations, by the scenario that asks for one.
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
    guard let centre = HodgesLehmann(times.changes)?.estimate else { return nil }
    let direction = centre > 0 ? Direction.slower : .faster
    guard abs(exp(centre) - 1) > tolerance(of: times), times.pValue(direction) <= screeningLevel else { return nil }
    return direction
  }

  /// Decides by fresh measurements.
  /// - Parameter pValue: For the suspected direction, before the correction for all tested times.
  package func verdict(_ times: PairedTimes, suspected direction: Direction, pValue: Double) -> ChangeVerdict {
    guard let interval = times.interval(confidence) else { return .inconclusive }
    let threshold = max(tolerance(of: times), times.controlSpread)
    return switch direction {
    case .slower where pValue <= familyAlpha && interval.lowerBound > threshold: .regressed
    case .faster where pValue <= familyAlpha && interval.upperBound < -threshold: .improved
    case .slower, .faster: verdict(interval)
    }
  }

  /// The verdict on a time that was not suspected.
  package func verdict(_ times: PairedTimes) -> ChangeVerdict {
    times.interval(confidence).map(verdict) ?? .inconclusive
  }

  /// The limit that a change of these times has to exceed, as a fraction.
  package func tolerance(of times: PairedTimes) -> Double {
    guard hasOneLayout, !times.baseline.isEmpty else { return tolerance }
    return max(tolerance, Self.layoutAllowance(nanoseconds: Quantile.median(times.baseline)))
  }

  /// The largest expected difference between two link orders of the same objects, as a fraction of a time: 0.2 for
  /// loops that may cross cache lines, however long they run, and 1.7 ÷ √nanoseconds for short times; 42% of 60 ns and
  /// 22% of 10 µs. One of hundreds of times differed by more (docs/compare.md): a loop may take twice as long.
  package static func layoutAllowance(nanoseconds: Double) -> Double {
    0.2 + shortTimeAllowance(nanoseconds: nanoseconds)
  }

  /// Its part for short times: 22% of 60 ns, 5.4% of 1 µs.
  static func shortTimeAllowance(nanoseconds: Double) -> Double { 1.7 / max(1, nanoseconds).squareRoot() }

  func verdict(_ interval: ClosedRange<Double>) -> ChangeVerdict {
    interval.lowerBound >= -tolerance && interval.upperBound <= tolerance ? .unchanged : .inconclusive
  }
}

/// One time, compared in several sets of processes.
package struct PairedTimes: Sendable, Hashable, Codable {
  /// ln(candidate ÷ baseline), one per set.
  package var changes: [Double] = []
  /// ln(baseline ÷ itself): two processes of the baseline in the same set.
  package var controls: [Double] = []
  /// Time of a frame in either build, nanoseconds, one per set.
  package var baseline: [Double] = []
  package var candidate: [Double] = []

  package init() {}

  /// One-sided: the probability of changes this far in this direction if there is none. 1 if nothing was measured.
  package func pValue(_ direction: ComparisonRule.Direction) -> Double {
    SignedRankTest(changes).pValue(direction.alternative)
  }

  /// Candidate ÷ baseline − 1; nil if nothing was measured.
  package var change: Double? { HodgesLehmann(changes).map { exp($0.estimate) - 1 } }

  /// Nil if there are too few sets for this confidence.
  package func interval(_ confidence: Double) -> ClosedRange<Double>? {
    HodgesLehmann(changes)?.interval(confidence: confidence).map { (exp($0.lowerBound) - 1)...(exp($0.upperBound) - 1) }
  }

  /// Distance from zero of the baseline's comparison with itself, as a fraction. The control compares two
  /// processes, a change two pairs of processes, so chance is √2 larger in the control.
  package var controlSpread: Double {
    HodgesLehmann(controls).map { abs(exp($0.estimate / 2.0.squareRoot()) - 1) } ?? 0
  }
}
