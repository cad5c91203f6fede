import Foundation
import FrameBench
import Measurements
import Statistics

/// One time of a candidate beside measurements of the baseline that were made at other times, maybe days before.
///
/// How far measurements of one program differ from day to day cannot be learned within one of them. So a time is
/// judged only where the baseline was measured often enough to know that spread: by a t test of one new value beside
/// a sample (Student's prediction interval), which has to clear what differs without a change of the work.
package struct RepeatedTimes: Sendable {
  /// Fewer measurements say too little about their spread.
  package static let leastMeasurementCount = 5

  package let count: Int
  /// The geometric mean of the baseline's measurements, nanoseconds.
  package let baseline: Double
  /// Nanoseconds.
  package let candidate: Double
  /// What a difference has to exceed: the tolerance, or what another link order may explain; as a logarithm.
  private let margin: Double
  /// Of the difference, as a logarithm.
  private let standardError: Double
  /// Smaller differences are the clock's, nanoseconds.
  private let clockStep: Double

  /// Nil where a time is 0, which has no logarithm.
  /// - Parameters:
  ///   - baseline: The same time in each measurement of the baseline; not empty.
  ///   - tolerance: A fraction.
  ///   - clockStep: Of the coarsest clock, for the mean of the calls of a frame, nanoseconds.
  package init?(baseline: [TimeRecord], candidate: TimeRecord, tolerance: Double, clockStep: Double) {
    let means = baseline.compactMap(\.mean)
    guard let mean = candidate.mean, mean > 0, means.count == baseline.count, means.allSatisfy({ $0 > 0 })
    else { return nil }
    count = means.count
    let logs = means.map { log($0) }
    let centre = logs.reduce(0, +) / Double(count)
    (self.baseline, self.candidate) = (exp(centre), mean)
    self.clockStep = clockStep
    let hasLayouts = (baseline + [candidate]).allSatisfy { $0.layoutSpread != nil }
    // Rare loops that come to lie across cache lines differ by more; only comparing revisions recognises those.
    margin = log(1 + max(tolerance, hasLayouts ? 0 : ComparisonRule.shortTimeAllowance(nanoseconds: mean)))
    let between = logs.reduce(0) { $0 + ($1 - centre) * ($1 - centre) } / Double(max(1, count - 1))
    // A few equal measurements are luck: none is more certain than its own interval says.
    let within = baseline.map(\.variance).reduce(0, +) / Double(count)
    let spread = max(between, within)
    standardError = (spread / Double(count) + max(spread, candidate.variance)).squareRoot()
  }

  /// Candidate ÷ baseline − 1.
  package var change: Double { candidate / baseline - 1 }

  package var isJudged: Bool { count >= Self.leastMeasurementCount }

  /// Two-sided: the probability of a difference this far beyond the margin without a change. 1 if it is within the
  /// margin or a step of the clock.
  package var pValue: Double {
    let excess = abs(log(candidate / baseline)) - margin
    guard excess > 0, abs(candidate - baseline) > clockStep, count > 1 else { return 1 }
    return StudentT.twoSidedPValue(excess / standardError, degreesOfFreedom: Double(count - 1))
  }

  /// Of the change, as fractions.
  package func interval(_ confidence: Double) -> ClosedRange<Double> {
    let t = StudentT.quantile((1 + confidence) / 2, degreesOfFreedom: Double(count - 1))
    let centre = log(candidate / baseline)
    return (exp(centre - t * standardError) - 1)...(exp(centre + t * standardError) - 1)
  }
}

extension TimeRecord {
  /// Of the aligned frames, nanoseconds.
  fileprivate var mean: Double? { aligned?.mean }

  /// Of the logarithm of the mean, by its interval; 0 where it has none.
  fileprivate var variance: Double {
    guard let mean, let halfWidth = halfWidths?.mean else { return 0 }
    let deviation = halfWidth / 1.96 / mean
    return deviation * deviation
  }
}
