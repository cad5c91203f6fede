import Foundation
import FrameBench
import Measurements
import Statistics

/// Decides in two stages whether a time has changed. First, all times are *screened*: a time is suspected if it seems
/// to have changed by more than the tolerance, and not by chance. Then fresh processes measure the suspects again. Only
/// these new measurements decide, because a suspect was selected for looking changed in the first ones.
package struct ComparisonRule: Sendable, Hashable {
  /// The tolerance if neither an option nor the scenario specifies one.
  package static let usualTolerance = 0.01

  /// Changes within ± this fraction are ignored.
  package var tolerance: Double
  /// Tolerances that scenarios declare in the baseline, by the scenario's name. They replace `tolerance`.
  package var scenarioTolerances: [String: Double] = [:]
  /// Tolerances of the number of allocations that scenarios declare in the baseline, by the scenario's name.
  package var allocationTolerances: [String: AllocationTolerance] = [:]
  /// The accepted probability of at least one false alarm among all times that a comparison tests.
  package var familyAlpha = 0.01
  /// The largest one-sided p-value at which a time is suspected of a change, and measured again.
  package var screeningLevel = 0.02
  /// The two-sided confidence of intervals. The true change lies beyond each end with a probability of 1%.
  package var confidence = 0.98
  /// Whether each build was measured in only one link order. If so, every difference may come from where the linker
  /// placed the code, so a change has to exceed `layoutAllowance`, too.
  package var hasOneLayout = false

  /// - Parameter tolerance: A fraction, at least 0 and below 1; anything else traps.
  package init(tolerance: Double) {
    precondition(tolerance >= 0 && tolerance < 1, "a tolerance of \(tolerance)")
    self.tolerance = tolerance
  }

  /// Whether the candidate's time is longer or shorter than the baseline's.
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

  /// The verdict on a time that looked changed in the screening (the first measurement).
  /// - Parameters:
  ///   - times: The measurements of this time. Measurements that served to select its frames are left out.
  ///   - pValue: The p-value of fresh measurements in the suspected direction, before the correction for multiple
  ///     tests.
  package func verdict(_ times: PairedTimes, suspected direction: Direction, pValue: Double) -> ChangeVerdict {
    guard let interval = times.interval(confidence) else { return .inconclusive }
    let threshold = max(tolerance(of: times), times.controlSpread)
    return switch direction {
    case .slower where pValue <= familyAlpha && interval.lowerBound > threshold: .regressed
    case .faster where pValue <= familyAlpha && interval.upperBound < -threshold: .improved
    case .slower, .faster: verdict(interval, times.limit(tolerance))
    }
  }

  /// The verdict on a time that did not look changed in the screening, so it was not measured again.
  package func verdict(_ times: PairedTimes) -> ChangeVerdict {
    times.interval(confidence).map { verdict($0, times.limit(tolerance)) } ?? .inconclusive
  }

  /// The limit that a change of these times has to exceed, as a fraction.
  package func tolerance(of times: PairedTimes) -> Double {
    let limit = times.limit(tolerance)
    guard hasOneLayout, !times.baseline.isEmpty else { return limit }
    return max(limit, Self.layoutAllowance(nanoseconds: Quantile.median(times.baseline)))
  }

  /// The largest expected difference between two link orders of the same code, as a fraction of a time. It has two
  /// parts: 0.2, because a loop may cross the border of a cache line however long it runs, and 1.7 ÷ √nanoseconds for
  /// short times. Their sum is 42% for 60 ns and 22% for 10 µs. Only 2 of 859 measured figures differed by more
  /// (docs/compare-method.md). A loop may even take twice as long in another order, but that is too rare to allow for.
  package static func layoutAllowance(nanoseconds: Double) -> Double {
    0.2 + shortTimeAllowance(nanoseconds: nanoseconds)
  }

  /// The part of the allowance that only short times need: 22% for 60 ns, 5.4% for 1 µs.
  static func shortTimeAllowance(nanoseconds: Double) -> Double { 1.7 / max(1, nanoseconds).squareRoot() }

  func verdict(_ interval: ClosedRange<Double>, _ tolerance: Double) -> ChangeVerdict {
    interval.lowerBound >= -tolerance && interval.upperBound <= tolerance ? .unchanged : .inconclusive
  }
}

/// The measurements of one time, such as that of a phase, in several sets. Each set consists of new processes of both
/// builds, which take turns.
package struct PairedTimes: Sendable, Hashable, Codable {
  /// ln(candidate ÷ baseline), one value per set of processes.
  package var changes: [Double] = []
  /// ln of the ratio of two baseline processes in the same set, one value per set. Empty if a set has only one baseline
  /// process.
  package var controls: [Double] = []
  /// The time of a frame in each build, in nanoseconds, one value per set.
  package var baseline: [Double] = []
  package var candidate: [Double] = []
  /// The variance of each set's change, estimated from the noise of single frames. It is used if there are too few sets
  /// to show how much sets differ.
  package var variances: [Double] = []
  /// The weight of `variances`: they count as much as this many sets.
  package var priorDegrees = 8.0
  /// The factor by which this time's tolerance exceeds that of the mean over all frames (`FrameProbe.toleranceFactor`).
  package var toleranceFactor = 1.0
  /// If the time is the mean of a few frames: the smallest change that counts, as a fraction. Reading the clock may
  /// cause smaller changes.
  package var clockAllowance = 0.0

  /// The limit that a change has to exceed, as a fraction.
  /// - Parameter tolerance: The tolerance for the mean over all frames, as a fraction.
  package func limit(_ tolerance: Double) -> Double { max(tolerance * toleranceFactor, clockAllowance) }

  package init() {}

  /// With fewer sets, the test also uses the noise of single frames, because a rank test of so few sets is hardly ever
  /// significant.
  package static let leastRankedCount = 12

  /// The one-sided p-value: the probability of changes at least this large in this direction if nothing changed. It is
  /// 1 if nothing was measured.
  package func pValue(_ direction: ComparisonRule.Direction) -> Double {
    guard let few else { return SignedRankTest(changes).pValue(direction.alternative) }
    let distance = direction == .slower ? few.mean : -few.mean
    let half = StudentT.twoSidedPValue(distance / few.standardError, degreesOfFreedom: few.degreesOfFreedom) / 2
    return distance > 0 ? half : 1 - half
  }

  package var twoSidedPValue: Double {
    guard few != nil else { return SignedRankTest(changes).pValue(.twoSided) }
    return min(1, 2 * min(pValue(.slower), pValue(.faster)))
  }

  /// Candidate ÷ baseline − 1; nil if nothing was measured.
  package var change: Double? { few.map { exp($0.mean) - 1 } ?? HodgesLehmann(changes).map { exp($0.estimate) - 1 } }

  /// The confidence interval of `change`; nil if there are too few sets for this confidence.
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

  /// The mean change and its standard error if there are few sets. The variance of a set is estimated from the
  /// differences between the sets, and from the noise of single frames, which counts as much as `priorDegrees` sets
  /// (Smyth, "Linear Models and Empirical Bayes Methods for Assessing Differential Expression", Statistical
  /// Applications in Genetics and Molecular Biology 3, 2004). Nil if there are enough sets, or if `variances` are
  /// unknown.
  private var few: (mean: Double, standardError: Double, degreesOfFreedom: Double)? {
    guard !changes.isEmpty, variances.count == changes.count else { return nil }
    let moments = Moments(changes[...])
    let prior = variances.reduce(0, +) / moments.count
    let degrees = priorDegrees + moments.count - 1
    let variance = (priorDegrees * prior + moments.squares) / degrees
    return (moments.mean, (variance / moments.count).squareRoot(), degrees)
  }

  /// The smallest significant change of the mean of a few frames, in standard deviations between sets.
  /// - Parameters:
  ///   - setCount: The number of sets, fewer than `leastRankedCount`.
  ///   - level: The largest one-sided p-value that is significant.
  package static func leastChange(of setCount: Int, _ level: Double) -> Double {
    let degrees = priorDegreesOfFewFrames + Double(setCount) - 1
    return StudentT.quantile(1 - level, degreesOfFreedom: degrees) / Double(setCount).squareRoot()
  }

  /// `priorDegrees` for the mean of less than a twentieth of all frames. The noise of single frames shows less about
  /// this mean than about the mean of all frames.
  static let priorDegreesOfFewFrames = 2.0

  /// The change that a comparison of the baseline with itself shows, as a fraction. Each of `controls` compares two
  /// processes, but each of `changes` compares two pairs of processes. So `controls` have √2 times as much noise, which
  /// is corrected here.
  package var controlSpread: Double {
    HodgesLehmann(controls).map { abs(exp($0.estimate / 2.0.squareRoot()) - 1) } ?? 0
  }
}

/// Compares a run with stored runs, for use if the baseline cannot be built. Exact figures are compared with the newest
/// measurement of the baseline. Times are judged only if the baseline contains enough measurements.
extension ComparisonRule {
  /// The smallest number of measurements of a baseline that is enough to show how much they differ.
  package static let leastMeasurementCount = 5

  /// A measurement of one benchmark, and the step of its clock in nanoseconds. If a frame is the mean of several calls,
  /// the clock's step is divided by the number of calls.
  package typealias Measurement = (record: BenchmarkRecord, clockStep: Double)

  /// Judges one benchmark by the rule of its scenario.
  /// - Parameters:
  ///   - baseline: Measurements of one benchmark, the newest last; not empty.
  ///   - comparable: The measurements of `baseline` that were made in the candidate's environment.
  package func rows(baseline: [Measurement], comparable: [Measurement], candidate: Measurement) -> [ComparisonRow] {
    let exact = ExactComparison(baseline: baseline[baseline.count - 1].record, candidate: candidate.record, self)
    var rows = exact.rows(deviation: nil)
    if exact.behavior == .behaviorChanged { rows[0].note = "compare two revisions to see by how much" }
    return rows.prefix(1) + (comparable.isEmpty ? [] : times(comparable, candidate)) + rows.dropFirst()
  }

  private func times(_ baseline: [Measurement], _ candidate: Measurement) -> [ComparisonRow] {
    let record = candidate.record
    return ([(nil, record.frame)] + record.phases.map { ($0.name, $0.time) }).flatMap { phase, time in
      let old = baseline.compactMap { measurement in
        phase.map { measurement.record.phase($0)?.time } ?? measurement.record.frame
      }
      guard !old.isEmpty else { return [ComparisonRow]() }
      let step = baseline.map(\.clockStep).reduce(candidate.clockStep, max)
      let isJudged = phase == nil && old.count >= Self.leastMeasurementCount
      let statistics: [FlatRow.Statistic] = isJudged ? [.mean, .p50, .p99, .max] : [.mean]
      // In a scroll that is mostly idle, the median may be 0, which has no ratio.
      return statistics.map { row(record.id, phase, $0, old, time, step: step) }.filter {
        $0.isMean || $0.change != nil
      }
    }
  }

  /// Makes the row for a statistic of one time metric, before the correction for multiple tests.
  ///
  /// One measurement cannot show how far measurements of a program differ from day to day. So a time is judged only if
  /// the baseline was measured often enough to show it. The t-test compares one new value with a sample (Student's
  /// prediction interval). It tests only the part of the difference that exceeds the tolerance and, if a program was
  /// measured in one link order only, `shortTimeAllowance`.
  /// - Parameter step: The step of the coarsest clock, in nanoseconds. Differences up to one step do not count.
  private func row(
    _ id: BenchmarkID, _ phase: String?, _ statistic: FlatRow.Statistic, _ baseline: [TimeRecord],
    _ candidate: TimeRecord, step: Double
  ) -> ComparisonRow {
    let (times, newTime) = (baseline.map { $0.aligned?[statistic] }, candidate.aligned?[statistic])
    var row = ComparisonRow(
      id: id, metric: .frameTime, phase: phase, statistic: statistic == .mean ? nil : statistic,
      baseline: times.last?.map { .number($0) }, candidate: newTime.map { .number($0) }, verdict: .notJudged)
    let old = times.compactMap(\.self)
    // A time of 0 has no logarithm.
    guard let time = newTime, time > 0, old.count == baseline.count, old.allSatisfy({ $0 > 0 }) else { return row }
    let logs = Moments(old.map { log($0) }[...])
    let center = old.count == 1 ? old[0] : exp(logs.mean)
    let change = time / center - 1
    (row.baseline, row.change) = (.number(center), change)
    guard old.count >= Self.leastMeasurementCount else { return row }
    // A few measurements may be nearly equal by chance, so the variance is at least what their own intervals show.
    let spread = max(logs.variance, baseline.map { $0.variance(of: statistic) }.reduce(0, +) / logs.count)
    let standardError = (spread / logs.count + max(spread, candidate.variance(of: statistic))).squareRoot()
    let distance = log(time / center)
    let reach = StudentT.quantile((1 + confidence) / 2, degreesOfFreedom: logs.count - 1) * standardError
    let interval = (exp(distance - reach) - 1)...(exp(distance + reach) - 1)
    let hasLayouts = (baseline + [candidate]).allSatisfy { $0.layoutSpread != nil }
    // Programs that are measured in several link orders need no `shortTimeAllowance`, because their spread covers the
    // same effects. In one link order, the allowance does not cover a loop that crosses a cache line in only one of the
    // two builds, which is rare.
    let excess = abs(distance) - log(1 + max(tolerance, hasLayouts ? 0 : Self.shortTimeAllowance(nanoseconds: time)))
    let pValue =
      excess > 0 && abs(time - center) > step
      ? StudentT.twoSidedPValue(excess / standardError, degreesOfFreedom: logs.count - 1) : 1
    (row.low, row.high, row.pValue) = (interval.lowerBound, interval.upperBound, pValue)
    // `suspicionPValue` is one-sided, so it is half of the two-sided p-value. No direction was suspected before, so a
    // change in either direction counts. If builds take turns, only a change in the suspected direction counts.
    row.suspicionPValue = pValue / 2
    row.verdict = pValue / 2 <= familyAlpha ? change > 0 ? .regressed : .improved : verdict(interval, tolerance)
    return row
  }
}

extension TimeRecord {
  /// The variance of the logarithm of a statistic, computed from the statistic's interval; 0 if it has no interval.
  fileprivate func variance(of statistic: FlatRow.Statistic) -> Double {
    guard let value = aligned?[statistic], let halfWidth = halfWidths?[statistic] else { return 0 }
    let deviation = halfWidth / 1.96 / value
    return deviation * deviation
  }
}
