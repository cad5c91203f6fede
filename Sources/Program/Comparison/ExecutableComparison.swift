import CProcessControl
import Foundation
import FrameBench
import Judging
import Measurements

/// Compares two executables that have the same commands: exact figures first, then times in lock step.
struct ExecutableComparison: Sendable {
  var plan: LockStepPlan
  var rule: ComparisonRule
  var seed: UInt64
  /// By build.
  var names: [BuildName]
  var arguments: [String]
  /// Why the builds were measured in one link order, where they were.
  var layoutProblem: LinkProblem

  /// - Parameter benchmarks: Of each build, in the order of its suite.
  /// Throws `CancellationError`.
  func run(benchmarks: [[BenchmarkID]], console: Console) async throws -> ComparisonDocument {
    let start = Timestamp(date: Date())
    let clockStart = ContinuousClock.now
    let ids = benchmarks[0].filter { benchmarks[1].contains($0) }
    let line = ProgressLine(console: console)
    defer { line.clear() }

    var failures: [BenchmarkFailure] = []
    var exact: [BenchmarkID: ExactComparison] = [:]
    for (index, id) in ids.enumerated() {
      line.show("exact figures of \(id)", Double(index) / Double(ids.count))
      do {
        exact[id] = try await ExactPasses(plan: plan).measure(id)
      } catch let failure as WorkerProcess.Failure {
        failures.append(
          BenchmarkFailure(id: id, reason: failure.reason, standardError: failure.standardError))
      }
    }
    let comparable = ids.filter { exact[$0] != nil }
    let differing = comparable.filter { exact[$0]?.sameBehavior == false }
    let times = try await LockStepRunner(plan: plan, rule: rule, seed: seed)
      .run(comparable, progress: line.show)
    let deviations = try await DedicatedThread.run { [plan] isCancelled in
      var plan = plan
      plan.isCancelled = isCancelled
      return try differing.map { try BuildDifference(plan: plan).measureIfPossible($0) }
    }
    let instructions =
      plan.countsInstructions
      ? try await ComparedInstructions(plan: plan).measure(comparable, progress: line.show)
      : ComparedInstructions.Outcome()
    var rows: [ComparisonRow] = []
    for id in benchmarks[0] + benchmarks[1].filter({ !benchmarks[0].contains($0) }) {
      guard ids.contains(id) else {
        rows.append(Self.missing(id, from: benchmarks[0].contains(id) ? .candidate : .baseline))
        continue
      }
      guard var exact = exact[id] else { continue }
      if let counted = instructions.counted[id] {
        (exact.baseline.instructions, exact.candidate.instructions) = counted
      }
      let deviation = differing.firstIndex(of: id).flatMap { deviations[$0] }
      let exactRows = exact.rows(deviation: deviation)
      rows += exactRows.prefix(1) + (times.rows[id] ?? []) + exactRows.dropFirst()
    }
    let seconds = (ContinuousClock.now - clockStart) / .seconds(1)
    return ComparisonDocument(
      startedAt: start.iso8601, durationSeconds: (seconds * 1_000).rounded() / 1_000,
      arguments: arguments, baseline: names[0], candidate: names[1], options: plan.options,
      method: ComparisonMethod(
        tolerance: rule.tolerance, familyAlpha: rule.familyAlpha, testCount: times.testCount,
        screeningSetCounts: times.screeningSetCounts, confirmingSetCounts: times.confirmingSetCounts,
        seed: seed,
        layoutCount: times.layoutCount),
      rows: rows, failures: failures + times.failures,
      warnings: warnings + times.warnings + instructions.warnings)
  }

  /// A benchmark that only one build has. What the other one has of it is named by its checksum.
  static func missing(_ id: BenchmarkID, from build: Build) -> ComparisonRow {
    let there = FlatRow.Value.text("present")
    return ComparisonRow(
      id: id, metric: .checksum, baseline: build == .baseline ? nil : there,
      candidate: build == .candidate ? nil : there, verdict: .missing,
      note: build == .candidate ? "the candidate does not have it" : "new: the baseline does not have it")
  }

  private var warnings: [Warning] {
    var warnings: [Warning] = []
    if rule.hasOneLayout {
      warnings.append(
        Warning(
          "Each build was measured in one link order: \(layoutProblem). Where the linker placed code affects"
            + " its times, so a change counts beyond 20% + 170% ÷ √nanoseconds: 42% of 60 ns, 22% of 10 µs."))
    }
    if plan.core == nil {
      warnings.append(
        Warning("Turns were not pinned, because there is only one core; expect more noise."))
    }
    let isAllowed = process_control_randomize_layout(false)
    if isAllowed { _ = process_control_randomize_layout(true) }
    if !isAllowed {
      warnings.append(
        Warning(
          "The processes of a set have different memory layouts, because the system does not allow"
            + " personality(ADDR_NO_RANDOMIZE); expect short phases to be inconclusive. In Docker,"
            + " --security-opt seccomp=unconfined allows it."))
    }
    return warnings
  }
}

extension BuildDifference {
  /// Builds that differ still differ if it is unknown by how much.
  fileprivate func measureIfPossible(_ id: BenchmarkID) throws -> DeviationRecord? {
    do {
      return try measure(id)
    } catch is WorkerProcess.Failure {
      return nil
    }
  }
}
