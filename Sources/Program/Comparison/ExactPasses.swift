import FrameBench
import Judging
import Measurements

/// The exact figures of one benchmark in both builds. Nothing here is timed, so both builds run at once.
struct ExactPasses {
  var plan: LockStepPlan
  /// A second run shows what only sometimes allocates.
  static let runCount = 2

  /// Throws `WorkerProcess.Failure`, or `CancellationError`.
  func measure(_ id: BenchmarkID) async throws -> ExactComparison {
    async let baseline = figures(id, .baseline)
    async let candidate = figures(id, .candidate)
    return ExactComparison(baseline: try await baseline, candidate: try await candidate)
  }

  private func figures(_ id: BenchmarkID, _ build: Build) async throws -> BenchmarkRecord {
    let worker = WorkerProcess(executablePath: plan.executable(build), timeout: plan.timeout)
    let request = WorkerRequest(benchmark: id, work: .allocations, options: plan.options)
    var runs: [RunMeasurement] = []
    for _ in 0..<Self.runCount {
      runs.append(try await worker.measure(request))
      if runs[0].checksum != runs[runs.count - 1].checksum {
        throw WorkerProcess.Failure(
          reason:
            "two runs of the \(build) build showed different things; seed randomness, and read no clock",
          standardError: "")
      }
    }
    guard let figures = BenchmarkRecord(id: id, exactlyOf: runs) else {
      preconditionFailure("\(Self.runCount) exact runs")
    }
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
