import FrameBench

/// What a run measured: the content of `run.json`.
///
/// Only measurements are kept; percentiles, ratios and verdicts are computed from them when they are shown. A
/// value that could not be measured is absent, never 0.
public struct RunDocument: Codable, Sendable, Equatable {
  /// Rises when a reader of the older version would misread the newer one.
  public static let currentSchemaVersion = 1

  /// Readers refuse a document of a version that they do not know.
  public var schemaVersion = RunDocument.currentSchemaVersion
  /// Its name, as in `Suite.name`.
  public var suite: String
  /// UTC, ISO 8601: `2026-11-21T06:47:12Z`.
  public var startedAt: String
  /// Wall time of the measuring part, seconds.
  public var durationSeconds: Double
  /// The command line that made this document, without the program's path.
  public var arguments: [String]
  /// In a merged document, the options of its earliest part.
  public var options: RunOptions
  /// In a merged document, the environment of its earliest part; `environment(of:)` says where a benchmark
  /// ran.
  public var environment: Environment
  /// In the order scenario, size, strategy of the suite.
  public var benchmarks: [BenchmarkRecord]
  /// Benchmarks with a failed run. One that failed late is also in `benchmarks`, with what was measured
  /// before.
  public var failures: [BenchmarkFailure]
  /// Doubts about the machine, the runs and the configurations.
  public var warnings: [Warning]
  /// What the frames of each scenario do, by its name. Absent if none of them has a summary.
  public var summaries: [String: String]?
  /// The change of a time that comparisons let pass, percent, by the scenario that asks for it. Absent if none does.
  public var tolerancesPercent: [String: Double]?
  /// What others claim about strategies. Absent if there are no claims.
  public var claims: [ClaimRecord]?
  /// Which stretch of the run a frame belongs to, by scenario and size. Absent if no scenario names
  /// stretches.
  public var stretches: [StretchRecord]?
  /// How fast the machine was when the run began and ended. Absent if not measured.
  public var calibration: CalibrationRecord?
  /// The largest lists that fit a frame. Absent if not searched for.
  public var capacities: [CapacityRecord]?
  /// The runs that a merged document consists of, possibly from several machines; `environment` is that of
  /// the earliest. Absent if it is a single run.
  public var parts: [RunPart]?

  public init(
    suite: String, startedAt: String, durationSeconds: Double, arguments: [String],
    options: RunOptions, environment: Environment, benchmarks: [BenchmarkRecord],
    failures: [BenchmarkFailure] = [], warnings: [Warning] = [],
    calibration: CalibrationRecord? = nil, capacities: [CapacityRecord]? = nil
  ) {
    self.suite = suite
    self.startedAt = startedAt
    self.durationSeconds = durationSeconds
    self.arguments = arguments
    self.options = options
    self.environment = environment
    self.benchmarks = benchmarks
    self.failures = failures
    self.warnings = warnings
    self.calibration = calibration
    self.capacities = capacities
  }
}

/// One benchmark's measurements.
public struct BenchmarkRecord: Codable, Sendable, Equatable {
  public var id: BenchmarkID
  /// Time of whole frames, from the pass that reads the clock once around a frame.
  public var frame: TimeRecord
  /// How often the function that is measured was called in a frame, the least over runs; times are of one call.
  /// Absent for frames that are no calls.
  public var callsPerFrame: Int?
  /// What a call works through. Absent where the suite does not say.
  public var throughput: Throughput?
  /// In the order in which the frame runs them, from the pass that times phases.
  public var phases: [PhaseRecord]
  /// Absent if the counter is not linked in.
  public var allocations: AllocationRecord?
  /// What the scenario counted, by name, one value per recorded frame.
  public var counters: [String: CountSeries]
  /// What the scenario declared of its counters, by name. A counter without an entry counts things, and lower
  /// is better.
  public var counterKinds: [String: CounterKind]?
  /// The minimum of the runs that time whole frames.
  public var memory: MemoryRecord
  /// Hash over the checksums of all recorded frames, 16 hexadecimal digits; the same in every run.
  public var checksum: String
  /// How far what is shown strays from what the reference strategy shows. Absent for the reference strategy
  /// itself, if that was not run, and if the scenario does not report what it shows.
  public var deviation: DeviationRecord?
  /// Counted by callgrind. Absent if not requested or not possible.
  public var instructions: InstructionRecord?
  /// Counted by the processor. Absent if not requested or not possible, as on most virtual machines.
  public var hardwareInstructions: InstructionRecord?
  /// The aligned frames against the budget of the run's refresh rate and share. Absent for calls of functions, and
  /// where no frame was recorded.
  public var budget: BudgetRecord?

  public init(
    id: BenchmarkID, frame: TimeRecord, phases: [PhaseRecord], allocations: AllocationRecord?,
    counters: [String: CountSeries], memory: MemoryRecord, checksum: String,
    deviation: DeviationRecord? = nil, budget: BudgetRecord? = nil
  ) {
    self.id = id
    self.frame = frame
    self.phases = phases
    self.allocations = allocations
    self.counters = counters
    self.memory = memory
    self.checksum = checksum
    self.deviation = deviation
    self.budget = budget
  }
}

/// What one phase of a benchmark's frames cost.
public struct PhaseRecord: Codable, Sendable, Equatable {
  /// As in `Phase.name`; no other phase of the benchmark has it.
  public var name: String
  /// 0 in a frame that did not run the phase; includes the phases measured inside it.
  public var time: TimeRecord
  /// Absent if the counter is not linked in.
  public var allocations: AllocationSeries?

  public init(name: String, time: TimeRecord, allocations: AllocationSeries?) {
    self.name = name
    self.time = time
    self.allocations = allocations
  }
}

/// A benchmark that could not be measured.
public struct BenchmarkFailure: Codable, Sendable, Hashable {
  public var id: BenchmarkID
  /// One line.
  public var reason: String
  /// The end of what the worker wrote to stderr.
  public var standardError: String

  public init(id: BenchmarkID, reason: String, standardError: String) {
    self.id = id
    self.reason = reason
    self.standardError = standardError
  }
}
