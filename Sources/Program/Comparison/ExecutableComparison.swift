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
      guard let exact = exact[id] else { continue }
      let deviation = differing.firstIndex(of: id).flatMap { deviations[$0] }
      let exactRows = exact.rows(deviation: deviation)
      let counts = instructions.rows[id] ?? []
      rows += exactRows.prefix(1) + (times.rows[id] ?? []) + exactRows.dropFirst() + counts
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

/// The exact figures of one benchmark in both builds. Nothing here is timed, so both builds run at once.
struct ExactPasses {
  var plan: LockStepPlan
  /// A second run shows what only sometimes allocates.
  static let runCount = 2

  /// Throws `WorkerProcess.Failure`, or `CancellationError`.
  func measure(_ id: BenchmarkID) async throws -> ExactComparison {
    async let baseline = figures(id, .baseline)
    async let candidate = figures(id, .candidate)
    return ExactComparison(id: id, baseline: try await baseline, candidate: try await candidate)
  }

  private func figures(_ id: BenchmarkID, _ build: Build) async throws -> ExactFigures {
    let worker = WorkerProcess(executablePath: plan.executable(build), timeout: plan.timeout)
    let request = WorkerRequest(benchmark: id, work: .allocations, options: plan.options)
    var figures: ExactFigures?
    for _ in 0..<Self.runCount {
      let run = ExactFigures(try await worker.measure(request))
      if let known = figures, known.checksum != run.checksum {
        throw WorkerProcess.Failure(
          reason:
            "two runs of the \(build) build showed different things; seed randomness, and read no clock",
          standardError: "")
      }
      figures = figures?.least(run) ?? run
    }
    guard let figures else { preconditionFailure("\(Self.runCount) exact runs") }
    return figures
  }
}

/// How far two builds stray from each other: both run the scroll and say what they show.
struct BuildDifference {
  var plan: LockStepPlan

  /// Nil where a scenario does not say what it shows. To be called on a thread that outlives the workers.
  func measure(_ id: BenchmarkID) throws -> DeviationRecord? {
    let processes = try Build.allCases.map { build in
      try TurnProcess(
        program: ProgramCopy(of: ProgramImage(of: plan.executable(build))),
        request: plan.request(id, build, layoutSeed: 1, position: build.rawValue), timeout: plan.timeout,
        isCancelled: plan.isCancelled)
    }
    for process in processes { _ = try process.readiness() }
    var deviation = BuildDeviation(reference: "baseline")
    var next = 0
    let frameCount = plan.options.of(scenario: id.scenario).frameCount
    while next < frameCount {
      let frames = next..<min(next + 100, frameCount)
      let shown = try processes.map { try $0.observe(frames.count) }
      deviation.add(expected: shown[0], found: shown[1], frames: frames)
      next = frames.upperBound
    }
    return deviation.record
  }
}

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
