import Foundation
import FrameBench
import Measurements
import Statistics

/// Comparing a run with stored runs, when building is not possible. Exact figures are compared exactly, with the newest
/// measurement of the baseline. Times are judged if the baseline holds enough measurements, otherwise only shown.
extension ComparisonRule {
  /// Fewer measurements of a baseline say too little about their spread.
  package static let leastMeasurementCount = 5

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

  /// The row of one time, before the correction for all tested times.
  ///
  /// One measurement cannot show how far measurements of a program differ from day to day. So a time is judged only if
  /// the baseline was measured often enough to know that spread: by a t test of one new value against a sample (Student's
  /// prediction interval), beyond the differences that need no change of the work.
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
    let centre = exp(logs.mean)
    let change = mean / centre - 1
    (row.baseline, row.change) = (.number(centre), change)
    guard means.count >= Self.leastMeasurementCount else { return row }
    // A few equal measurements are luck: none is more certain than its own interval.
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
    row.verdict = pValue / 2 <= familyAlpha ? change > 0 ? .regressed : .improved : verdict(interval)
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
