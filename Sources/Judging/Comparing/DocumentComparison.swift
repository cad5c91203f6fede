import Foundation
import FrameBench
import Measurements
import Statistics
import TextFormat

/// Compares a run with stored runs, when building is not possible.
///
/// Exact figures are compared exactly, with the newest measurement of the baseline. Times are judged where the
/// baseline holds enough measurements (`RepeatedTimes`), otherwise only shown.
package struct DocumentComparison: Sendable {
  /// Instructions of rebuilt code differ by what the linker moves.
  package static let instructionTolerance = 0.002
  /// Two-sided, of the intervals of changes.
  static let confidence = 0.98

  /// Why two runs cannot be compared at all.
  package enum Obstacle: Error, Equatable {
    /// They did not do the same work.
    case otherWork(what: String, baseline: String, candidate: String)
  }

  private let tolerance: Double

  package init(tolerance: Double) { self.tolerance = tolerance }

  /// What was measured of one benchmark.
  package struct Measurement {
    package var record: BenchmarkRecord
    /// Smallest step of the clock, for the mean of the calls of a frame, nanoseconds.
    package var clockStep: Double

    package init(record: BenchmarkRecord, clockStep: Double) {
      self.record = record
      self.clockStep = clockStep
    }
  }

  /// - Parameters:
  ///   - baseline: Measurements of one benchmark, the newest last; not empty.
  ///   - comparable: Those of them whose times were measured in the candidate's environment.
  package func rows(
    baseline: [Measurement], comparable: [Measurement], candidate: Measurement
  ) -> [ComparisonRow] {
    let (old, new) = (baseline[baseline.count - 1].record, candidate.record)
    let exact = ExactComparison(id: new.id, baseline: ExactFigures(old), candidate: ExactFigures(new))
    var rows = exact.rows(deviation: nil)
    if !exact.sameBehavior { rows[0].note = "compare two revisions to see by how much" }
    return rows.prefix(1) + (comparable.isEmpty ? [] : times(comparable, candidate)) + rows.dropFirst()
      + instructions(old, new)
  }

  /// - Throws: Where the runs' options say that frames did not do the same work.
  package static func check(_ baseline: RunDocument, _ candidate: RunDocument) throws(Obstacle) {
    let differences = Fact.differences(baseline.options.factsOfWork, candidate.options.factsOfWork)
    if let first = differences.first {
      throw .otherWork(what: first.name, baseline: first.first, candidate: first.second)
    }
  }

  /// How the environments differ in ways that times depend on, in words; empty if times are comparable.
  package static func differences(_ baseline: Environment, _ candidate: Environment) -> [String] {
    EnvironmentKey(baseline).changes(to: EnvironmentKey(candidate))
  }

  // MARK: Times

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

  /// Whether it is a change is decided with all others, by `judged`.
  private func row(
    _ id: BenchmarkID, _ phase: String?, _ baseline: [TimeRecord], _ candidate: TimeRecord, step: Double
  ) -> ComparisonRow {
    guard
      let times = RepeatedTimes(
        baseline: baseline, candidate: candidate, tolerance: tolerance, clockStep: step)
    else {
      return ComparisonRow(
        id: id, metric: .frameTime, phase: phase, baseline: baseline.last?.aligned.map { .number($0.mean) },
        candidate: candidate.aligned.map { .number($0.mean) }, verdict: .notJudged)
    }
    var row = ComparisonRow(
      id: id, metric: .frameTime, phase: phase, baseline: .number(times.baseline),
      candidate: .number(times.candidate), change: times.change, verdict: .notJudged)
    guard times.isJudged else { return row }
    let interval = times.interval(Self.confidence)
    (row.low, row.high, row.pValue) = (interval.lowerBound, interval.upperBound, times.pValue)
    row.verdict =
      interval.lowerBound >= -tolerance && interval.upperBound <= tolerance ? .unchanged : .inconclusive
    return row
  }

  /// The rows of all benchmarks, with verdicts on the times that can be judged, corrected for all of them.
  package static func judged(_ rows: [ComparisonRow], familyAlpha: Double) -> [ComparisonRow] {
    let tested = rows.indices.filter { rows[$0].pValue != nil }
    var rows = rows
    // In either direction, as lock step tests only the one that it suspects.
    for (index, pValue) in zip(tested, Holm.adjusted(tested.map { (rows[$0].pValue ?? 1) / 2 })) {
      guard pValue <= familyAlpha else { continue }
      rows[index].verdict = (rows[index].change ?? 0) > 0 ? .regressed : .improved
    }
    return rows
  }

  // MARK: Instructions

  private func instructions(_ baseline: BenchmarkRecord, _ candidate: BenchmarkRecord) -> [ComparisonRow] {
    guard let old = baseline.instructions, let new = candidate.instructions else { return [] }
    let count = min(old.frameCount, new.frameCount)
    let phases = Dictionary(old.phases.map { ($0.name, $0.frames) }) { first, _ in first }
    return [instructions(candidate.id, nil, old.frames, new.frames, count)]
      + new.phases.compactMap { phase in
        phases[phase.name].map { instructions(candidate.id, phase.name, $0, phase.frames, count) }
      }
  }

  private func instructions(
    _ id: BenchmarkID, _ phase: String?, _ baseline: CountSeries, _ candidate: CountSeries, _ count: Int
  ) -> ComparisonRow {
    InstructionComparison.row(
      id: id, phase: phase, baseline: Array(baseline.values.prefix(count)),
      candidate: Array(candidate.values.prefix(count)))
  }
}

/// Instructions of the same frames in two builds: exact counts, but of machine code that moves a little with
/// everything around it.
package enum InstructionComparison {
  /// A change beyond `DocumentComparison.instructionTolerance` is one; any from 0 is a regression.
  /// - Parameter baseline: Instructions frame by frame; `candidate` has those of the same frames.
  package static func row(
    id: BenchmarkID, phase: String?, baseline: [Int], candidate: [Int]
  ) -> ComparisonRow {
    let (old, new) = (baseline.reduce(0, +), candidate.reduce(0, +))
    var row = ComparisonRow(
      id: id, metric: .instructionCount, phase: phase, baseline: .number(Double(old)),
      candidate: .number(Double(new)), verdict: .unchanged)
    guard old > 0 else {
      row.verdict = new > 0 ? .regressed : .unchanged
      return row
    }
    let change = Double(new - old) / Double(old)
    row.change = change
    guard abs(change) > DocumentComparison.instructionTolerance else { return row }
    row.verdict = change > 0 ? .regressed : .improved
    let frames = zip(baseline, candidate).enumerated().filter { $0.element.0 != $0.element.1 }
    if let most = frames.max(by: { abs($0.element.1 - $0.element.0) < abs($1.element.1 - $1.element.0) }) {
      row.note =
        "\(Format.plural(frames.count, "frame")) differ, most frame \(most.offset):"
        + " \(Format.integer(most.element.0)) → \(Format.integer(most.element.1))"
    }
    return row
  }
}

extension ExactFigures {
  /// As a run has recorded them.
  package init(_ record: BenchmarkRecord) {
    checksum = record.checksum
    frames = record.allocations?.frameThread
    otherThreads = record.allocations?.otherThreads
    phaseNames = record.phases.map(\.name)
    phases = [:]
    for phase in record.phases { phases[phase.name] = phase.allocations }
    counters = record.counters
    counterKinds = record.counterKinds
  }
}
