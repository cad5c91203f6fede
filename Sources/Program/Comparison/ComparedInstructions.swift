import FrameBench

/// Instructions of the same frames in both builds, counted under valgrind.
struct ComparedInstructions: Sendable {
  var plan: LockStepPlan

  struct Outcome: Sendable {
    var counted: [BenchmarkID: (baseline: InstructionRecord?, candidate: InstructionRecord?)] = [:]
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
        outcome.counted[id] = try await records(id, runners)
      } catch let failure as InstructionFailure {
        outcome.warnings.append(Warning("Instructions were not counted: \(failure).", benchmark: id))
      }
    }
    return outcome
  }

  /// Both builds at once: a busy machine changes no count.
  private func records(
    _ id: BenchmarkID, _ runners: [CallgrindRunner]
  ) async throws -> (InstructionRecord?, InstructionRecord?) {
    let frameCount = CallgrindRunner.countedFrameCount(plan.options.of(scenario: id.scenario), size: id.size)
    async let first = runners[0].count(id, options: plan.options, frameCount: frameCount)
    async let second = runners[1].count(id, options: plan.options, frameCount: frameCount)
    return (try await first.record, try await second.record)
  }
}
