import Foundation
import FrameBench
import Measurements
import Statistics
import TextFormat

/// One time of a candidate and measurements of the baseline, maybe from days before. One measurement cannot show how
/// far measurements of a program differ from day to day. So a time is judged only if the baseline was measured often
/// enough to know that spread: by a t test of one new value against a sample (Student's prediction interval), beyond
/// the differences that need no change of the work.
package struct RepeatedTimes: Sendable {
  /// Fewer measurements say too little about their spread.
  package static let leastMeasurementCount = 5

  package let count: Int
  /// The geometric mean of the baseline's measurements, nanoseconds.
  package let baseline: Double
  package let candidate: Double
  /// The margin that a difference has to exceed: the tolerance, or the effect of another link order; as a logarithm.
  private let margin: Double
  /// Standard error of the difference, as a logarithm.
  private let standardError: Double
  /// Smaller differences are within the clock's resolution, nanoseconds.
  private let clockStep: Double

  /// Nil for a time of 0, which has no logarithm.
  /// - Parameters:
  ///   - tolerance: A fraction.
  ///   - clockStep: Step of the coarsest clock, for the mean of the calls of a frame, nanoseconds.
  package init?(baseline: [TimeRecord], candidate: TimeRecord, tolerance: Double, clockStep: Double) {
    let means = baseline.compactMap(\.mean)
    guard let mean = candidate.mean, mean > 0, means.count == baseline.count, means.allSatisfy({ $0 > 0 }) else {
      return nil
    }
    count = means.count
    let logs = Moments(means.map { log($0) }[...])
    (self.baseline, self.candidate) = (exp(logs.mean), mean)
    self.clockStep = clockStep
    let hasLayouts = (baseline + [candidate]).allSatisfy { $0.layoutSpread != nil }
    // Rare loops across cache lines differ by more; only comparing revisions recognises those.
    margin = log(1 + max(tolerance, hasLayouts ? 0 : ComparisonRule.shortTimeAllowance(nanoseconds: mean)))
    let between = logs.squares / Double(max(1, count - 1))
    // A few equal measurements are luck: none is more certain than its own interval.
    let within = baseline.map(\.variance).reduce(0, +) / Double(count)
    let spread = max(between, within)
    standardError = (spread / Double(count) + max(spread, candidate.variance)).squareRoot()
  }

  package var change: Double { candidate / baseline - 1 }
  package var isJudged: Bool { count >= Self.leastMeasurementCount }

  /// Two-sided: the probability of a difference this far beyond the margin without a change. 1 if it is within the
  /// margin or a step of the clock.
  package var pValue: Double {
    let excess = abs(log(candidate / baseline)) - margin
    guard excess > 0, abs(candidate - baseline) > clockStep, count > 1 else { return 1 }
    return StudentT.twoSidedPValue(excess / standardError, degreesOfFreedom: Double(count - 1))
  }

  package func interval(_ confidence: Double) -> ClosedRange<Double> {
    let t = StudentT.quantile((1 + confidence) / 2, degreesOfFreedom: Double(count - 1))
    let centre = log(candidate / baseline)
    return (exp(centre - t * standardError) - 1)...(exp(centre + t * standardError) - 1)
  }
}

/// Comparing a run with stored runs, when building is not possible. Exact figures are compared exactly, with the newest
/// measurement of the baseline. Times are judged if the baseline holds enough measurements, otherwise only shown.
extension ComparisonRule {
  /// One benchmark's measurements, and the clock's step for the mean of the calls of a frame, nanoseconds.
  package typealias Measurement = (record: BenchmarkRecord, clockStep: Double)

  /// By the rule of the benchmark's scenario.
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

  /// Before the correction for all tested times.
  private func row(_ id: BenchmarkID, _ phase: String?, _ baseline: [TimeRecord], _ candidate: TimeRecord, step: Double)
    -> ComparisonRow
  {
    let times = RepeatedTimes(baseline: baseline, candidate: candidate, tolerance: tolerance, clockStep: step)
    var row = ComparisonRow(
      id: id, metric: .frameTime, phase: phase, baseline: (times?.baseline ?? baseline.last?.mean).map { .number($0) },
      candidate: (times?.candidate ?? candidate.mean).map { .number($0) }, change: times?.change, verdict: .notJudged)
    guard let times, times.isJudged else { return row }
    let interval = times.interval(confidence)
    (row.low, row.high, row.pValue) = (interval.lowerBound, interval.upperBound, times.pValue)
    // Tests both directions, as lock step tests only the suspected one.
    row.suspicionPValue = times.pValue / 2
    row.verdict = times.pValue / 2 <= familyAlpha ? times.change > 0 ? .regressed : .improved : verdict(interval)
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
