import FrameBench
import Judging

/// Instructions of the same frames in both builds, counted under valgrind.
struct ComparedInstructions: Sendable {
  var plan: LockStepPlan

  struct Outcome: Sendable {
    var rows: [BenchmarkID: [ComparisonRow]] = [:]
    var warnings: [Warning] = []
  }

  /// What cannot be counted is left out, and a warning says why. Throws `CancellationError`.
  func measure(
    _ ids: [BenchmarkID], progress: @Sendable (_ text: String, _ fraction: Double) -> Void
  ) async throws -> Outcome {
    var outcome = Outcome()
    let runners: [CallgrindRunner]
    do {
      runners = [
        try await CallgrindRunner(executable: plan.executable(.baseline)),
        try await CallgrindRunner(executable: plan.executable(.candidate)),
      ]
    } catch let failure as InstructionFailure {
      outcome.warnings.append(Warning("Instructions were not counted: \(failure)."))
      return outcome
    }
    for (index, id) in ids.enumerated() {
      progress("instructions of \(id)", Double(index) / Double(ids.count))
      do {
        outcome.rows[id] = try await rows(id, runners)
      } catch let failure as InstructionFailure {
        outcome.warnings.append(Warning("Instructions were not counted: \(failure).", benchmark: id))
      }
    }
    return outcome
  }

  /// Both builds at once: a busy machine changes no count.
  private func rows(_ id: BenchmarkID, _ runners: [CallgrindRunner]) async throws -> [ComparisonRow] {
    let frameCount = CallgrindRunner.countedFrameCount(plan.options.of(scenario: id.scenario), size: id.size)
    async let first = runners[0].count(id, options: plan.options, frameCount: frameCount)
    async let second = runners[1].count(id, options: plan.options, frameCount: frameCount)
    let (baseline, candidate) = (try await first.record, try await second.record)
    let phases = Dictionary(baseline.phases.map { ($0.name, $0.frames.values) }) { first, _ in first }
    let frames = InstructionComparison.row(
      id: id, phase: nil, baseline: baseline.frames.values, candidate: candidate.frames.values)
    return [frames]
      + candidate.phases.compactMap { phase in
        phases[phase.name].map {
          InstructionComparison.row(
            id: id, phase: phase.name, baseline: $0, candidate: phase.frames.values)
        }
      }
  }
}
