/// A suite as its program describes it. The program writes this as one line of JSON to stdout when it is started as
/// `PROGRAM describe`.
package struct SuiteDescription: ProtocolLine, Sendable {
  package var protocolVersion = WorkerRequest.currentProtocolVersion
  package var name: String
  /// Mistakes in the suite, one sentence each. If there are any, no benchmark can be run.
  package var problems: [String]
  package var scenarios: [ScenarioDescription]
  package var build: WorkerBuild
}

package struct WorkerBuild: Codable, Sendable, Hashable {
  /// The version of the compiler that built the program, found by conditional compilation. The compiler on the PATH may
  /// be another one.
  package var toolchain: String
  /// `release` or `debug`.
  package var configuration: String
  /// `jemalloc 5.3.0` if jemalloc serves the process, otherwise `system`.
  package var allocator: String
}

/// The properties of a scenario that `springbench` needs to know. Properties without a comment mean the same as in
/// `Scenario` or `Scenario.Options`. `namesStretches` means that `Options.stretches` is not nil.
package struct ScenarioDescription: Codable, Sendable, Equatable {
  package var name: String
  package var summary: String?
  package var strategies: [String]
  package var sizes: [Int]
  package var quickSizes: [Int]
  package var parameters: [Parameter] = []
  package var tags: [String] = []
  package var throughput: Throughput?
  package var claims: [CapacityClaim] = []
  /// Frame counts that the scenario declares; nil if it declares none.
  package var frames: RunOptions.FrameCounts?
  package var secondsPerRun: Double?
  package var cores: Int?
  package var tolerancePercent: Double?
  package var allocationTolerance: AllocationTolerance?
  package var playsTraces = false
  package var namesStretches = false

  package struct Parameter: Codable, Sendable, Equatable, ScenarioParameter {
    package var name: String
    package var labels: [String]
  }

  package var referenceStrategy: String { strategies[0] }

  package var parameterValues: [[ParameterValue]] { ParameterValue.combinations(parameters) }
}

extension ScenarioDescription {
  init(_ scenario: Scenario) {
    let options = scenario.options
    let counts = RunOptions.FrameCounts(recorded: options.frameCount, warmUp: options.warmUpFrameCount)
    self.init(
      name: scenario.name, summary: scenario.summary, strategies: scenario.strategies, sizes: scenario.sizes,
      quickSizes: scenario.quickSizes,
      parameters: scenario.parameters.map { Parameter(name: $0.name, labels: $0.labels) }, tags: scenario.tags,
      throughput: scenario.throughput, claims: options.claims,
      frames: counts == RunOptions.FrameCounts() ? nil : counts, secondsPerRun: options.secondsPerRun,
      cores: options.cores, tolerancePercent: options.tolerancePercent,
      allocationTolerance: options.allocationTolerance, playsTraces: options.playsTraces,
      namesStretches: options.stretches != nil)
  }
}

extension Suite {
  func describe() -> SuiteDescription {
    // In a suite with problems, a scenario may have no strategy at all, so the scenarios are not described.
    SuiteDescription(
      name: name, problems: problems, scenarios: problems.isEmpty ? scenarios.map(ScenarioDescription.init) : [],
      build: .own)
  }
}

/// A request for facts about benchmarks before they are run. It is one line of JSON on stdin of `PROGRAM preflight`.
package struct PreflightRequest: ProtocolLine, Sendable {
  package var protocolVersion = WorkerRequest.currentProtocolVersion
  package var benchmarks: [BenchmarkID]
  package var options: RunOptions
  /// Frames are run, to find out how many fit into `secondsPerRun`, only if the scenario's estimate of its memory is
  /// below this number of bytes. 0 means that no frames are run. Nil means no limit.
  package var timedBelowBytes: Int?

  package init(benchmarks: [BenchmarkID], options: RunOptions, timedBelowBytes: Int?) {
    (self.benchmarks, self.options, self.timedBelowBytes) = (benchmarks, options, timedBelowBytes)
  }
}

/// What a program reports about one benchmark before it is run. `PROGRAM preflight` writes one line of JSON: an array
/// of `Preflight`, in the order of the requested benchmarks.
package struct Preflight: Codable, Sendable {
  /// The scenario's estimate of the bytes that the state of a run needs; 0 if there is none.
  package var memoryBytes = 0
  /// The number of recorded frames that fit into the scenario's `secondsPerRun`. Nil if the scenario sets no such
  /// limit, or if no frames were run.
  package var frameCount: Int?
  package var warnings: [Warning] = []
  /// The reason why the benchmark cannot be set up, in one line.
  package var problem: String?
  /// For each frame, including warm-up, the name of its part of the scroll, such as a drag. Nil if the scenario does
  /// not name parts.
  package var stretches: [String]?
  /// The reason why the scenario could not name the stretches, in one line.
  package var stretchProblem: String?

  package init() {}
}
