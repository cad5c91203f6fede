import Foundation
import FrameBench
import Measurements
import TextFormat

/// Compares two stored runs, when building is not possible.
///
/// Exact figures are compared exactly. Times of two sessions differ by a few percent even if no code changed,
/// and a document cannot tell by how much: beyond `timeTolerance` they count as changed, below it as
/// uncertain.
package struct DocumentComparison: Sendable {
  /// Two sessions of one build and machine stayed within 0.3% for a frame of microseconds; frames near the
  /// clock's step, and binaries that are laid out differently, by up to 5%.
  package static let timeTolerance = 0.05
  /// Instructions of rebuilt code differ by what the linker moves.
  package static let instructionTolerance = 0.002

  /// Why two runs cannot be compared at all.
  package enum Obstacle: Error, Equatable {
    /// They did not do the same work.
    case otherWork(what: String, baseline: String, candidate: String)
  }

  private let tolerance: Double
  private let comparesTimes: Bool

  /// - Parameter comparesTimes: False where the runs are of different environments.
  package init(tolerance: Double, comparesTimes: Bool) {
    self.tolerance = tolerance
    self.comparesTimes = comparesTimes
  }

  /// - Parameters:
  ///   - baseline: One benchmark in each.
  package func rows(baseline: BenchmarkRecord, candidate: BenchmarkRecord) -> [ComparisonRow] {
    let exact = ExactComparison(
      id: candidate.id, baseline: ExactFigures(baseline), candidate: ExactFigures(candidate))
    var rows = exact.rows(deviation: nil)
    if !exact.sameBehavior { rows[0].note = "compare two revisions to see by how much" }
    return rows.prefix(1) + (comparesTimes ? times(baseline, candidate) : []) + rows.dropFirst()
      + instructions(baseline, candidate)
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

  private func times(_ baseline: BenchmarkRecord, _ candidate: BenchmarkRecord) -> [ComparisonRow] {
    let old = Dictionary(baseline.phases.map { ($0.name, $0.time) }) { first, _ in first }
    return [time(candidate.id, nil, baseline.frame, candidate.frame)]
      + candidate.phases.compactMap { phase in
        old[phase.name].map { time(candidate.id, phase.name, $0, phase.time) }
      }
  }

  private func time(
    _ id: BenchmarkID, _ phase: String?, _ baseline: TimeRecord, _ candidate: TimeRecord
  ) -> ComparisonRow {
    let means = [baseline, candidate].map { record in
      record.alignedNanoseconds.reduce(0, +) / Double(max(1, record.alignedNanoseconds.count))
    }
    var row = ComparisonRow(
      id: id, metric: .frameTime, phase: phase, baseline: .number(means[0]),
      candidate: .number(means[1]), verdict: .inconclusive)
    guard means[0] > 0 else { return row }
    let change = means[1] / means[0] - 1
    row.change = change
    // A clock that steps by ten nanoseconds cannot show smaller differences.
    let isShort = max(means[0], means[1]) < 30
    if abs(change) <= tolerance {
      row.verdict = .unchanged
    } else if !isShort, abs(change) > max(tolerance, Self.timeTolerance) {
      row.verdict = change > 0 ? .regressed : .improved
      row.note =
        "measured in two sessions, which can differ on their own; comparing two revisions is more certain"
    }
    return row
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
