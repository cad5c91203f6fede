import FrameBench
import Statistics
import TextFormat

/// The measurements of a run: the content of `run.json`.
///
/// Ratios and verdicts are not stored, but computed when they are shown. A value that could not be measured is absent,
/// never 0. `scripts/run_schema.py` makes docs/run.schema.json and docs/run-schema.md from these declarations. The
/// comment of a field becomes its description there.
public struct RunDocument: Codable, Sendable, Equatable {
  /// The version of the format that this program writes. It is also the newest version that the program can read.
  public static let currentSchemaVersion = 1

  /// The version of the format. It is increased if programs for the old version would misread new documents.
  public var schemaVersion = RunDocument.currentSchemaVersion
  /// Name of the suite.
  public var suite: String
  /// When the run began, UTC, ISO 8601 in whole seconds: `2026-11-21T06:47:12Z`.
  public var startedAt: String
  /// Wall time of the measurement in seconds, without the build of the suite.
  public var durationSeconds: Double
  /// The command line that made this document, without the program's path.
  public var arguments: [String]
  /// The options of the measurement. In a merged document, these are the options of its earliest part.
  public var options: RunOptions
  /// The machine and the build. In a merged document, this is the environment of its earliest part, and `parts` shows
  /// where each benchmark ran.
  public var environment: Environment
  /// The measured benchmarks, in the order of the suite: by scenario, then size, then strategy.
  public var benchmarks: [BenchmarkRecord]
  /// Benchmarks of which a run failed. If enough earlier runs of a benchmark succeeded, it is in `benchmarks`, too.
  public var failures: [BenchmarkFailure] = []
  /// Doubts about the machine, the runs, or the way in which benchmarks are written.
  public var warnings: [Warning] = []
  /// For each scenario, a sentence that says what its frames do. Absent: no scenario has one.
  public var summaries: [String: String]?
  /// For each scenario, the largest change of a time that comparisons ignore, in percent. Absent: no scenario declares
  /// one.
  public var tolerancesPercent: [String: Double]?
  /// For each scenario, how much the numbers of allocations of two builds may differ without counting as a change.
  /// Absent: no scenario declares this.
  public var allocationTolerances: [String: AllocationTolerance]?
  /// For each scenario, the number of cores that the threads of a run shared. Absent: each run had one core, because no
  /// scenario requests a number; or an earlier version of springbench wrote the document.
  public var cores: [String: Int]?
  /// Published claims about how many items a strategy can handle. Absent: there are none.
  public var claims: [ClaimRecord]?
  /// The named stretches of frames, such as a drag, for each scenario and size. Absent: no scenario names stretches.
  public var stretches: [StretchRecord]?
  /// Speed of the machine when the run began and ended. Absent: it was not measured.
  public var calibration: CalibrationRecord?
  /// The largest lists whose frames fit the budget (the time allowed for a frame). Absent: no search was made.
  public var capacities: [CapacityRecord]?
  /// The runs that a merged document consists of, on one or more machines, the earliest first. Absent: the document is
  /// one run.
  public var parts: [RunPart]?
  /// The part of the benchmarks that was measured, if several machines share the work. Absent: all selected benchmarks
  /// were measured.
  public var shard: ShardRecord?

  public init(
    suite: String, startedAt: String, durationSeconds: Double, arguments: [String], options: RunOptions,
    environment: Environment, benchmarks: [BenchmarkRecord], failures: [BenchmarkFailure] = [],
    warnings: [Warning] = [], calibration: CalibrationRecord? = nil, capacities: [CapacityRecord]? = nil
  ) {
    (self.suite, self.startedAt, self.durationSeconds, self.arguments) = (suite, startedAt, durationSeconds, arguments)
    (self.options, self.environment, self.benchmarks, self.failures) = (options, environment, benchmarks, failures)
    (self.warnings, self.calibration, self.capacities) = (warnings, calibration, capacities)
  }

  /// The environment in which a benchmark was measured.
  public func environment(of id: BenchmarkID) -> Environment {
    parts?.first { $0.benchmarks.contains(id) }?.environment ?? environment
  }

  /// The runs that the document consists of. A document that was not merged is one run.
  var allParts: [RunPart] {
    parts ?? [
      RunPart(startedAt: startedAt, durationSeconds: durationSeconds, environment: environment, benchmarks: allIDs)
    ]
  }

  /// All benchmarks without repetition: first the measured ones, then the ones without a successful run.
  package var allIDs: [BenchmarkID] { (benchmarks.map(\.id) + failures.map(\.id)).unique }

  /// The stretches of a scenario at one size; nil if the scenario does not name stretches.
  package func stretches(scenario: String, size: Int) -> StretchRecord? {
    stretches?.first { $0.scenario == scenario && $0.size == size }
  }

  /// Whether other processes used so much of the machine that they may have affected times.
  package var wasBusy: Bool { warnings.contains { $0.message.hasPrefix(Warning.busyOpening) } }
}

extension Warning {
  fileprivate static let busyOpening = "Other processes kept "

  /// The warning that other processes kept this many cores busy during the run.
  package static func busy(cores: Double, of coreCount: Int) -> Warning {
    Warning(
      "\(busyOpening)\(Format.fixed(cores, decimals: 1)) of \(Format.plural(coreCount, "core")) busy during the run."
        + " Stop them and run again; springbench doctor names them.")
  }
}

/// One benchmark's measurements.
public struct BenchmarkRecord: Codable, Sendable, Equatable {
  /// The id of the benchmark.
  public var id: BenchmarkID
  /// Time of whole frames, from runs that read the clock only before and after each frame.
  public var frame: TimeRecord
  /// If a plain function is measured: the number of its calls in a frame, the minimum over the runs. Times are then
  /// those of a single call. Absent: frames are not calls of a function.
  public var callsPerFrame: Int?
  /// Amount of work of one call. Absent: the suite does not declare it.
  public var throughput: Throughput?
  /// The phases in the order in which the frame runs them, from runs that time phases.
  public var phases: [PhaseRecord]
  /// Heap allocations. Absent: the program was built without the counter of allocations.
  public var allocations: AllocationRecord?
  /// The scenario's counters by name, one value per recorded frame.
  public var counters: [String: CountSeries]
  /// The scenario's declarations of its counters, by name. A counter without a declaration counts things, and fewer are
  /// better. Absent: nothing was declared.
  public var counterKinds: [String: CounterKind]?
  /// System resources that the process of a run used. Each value is the minimum over the runs that time whole frames.
  public var memory: MemoryRecord
  /// For each metric, its largest value minus its smallest value over the runs that count allocations. Absent: there
  /// was only one run, or an earlier version wrote the document.
  public var runSpreads: [String: Int]?
  /// Hash over the checksums of all recorded frames, 16 hexadecimal digits; the same in every run.
  public var checksum: String
  /// How far the output differs from that of the reference strategy, the first strategy of the scenario. Absent: this
  /// is the reference strategy, the reference was not run, or the scenario does not report its output.
  public var deviation: DeviationRecord?
  /// Instructions counted by callgrind. Absent: they were not requested, or could not be counted.
  public var instructions: InstructionRecord?
  /// Instructions counted by the processor. Absent: they were not requested, or could not be counted, as on most
  /// virtual machines.
  public var hardwareInstructions: InstructionRecord?
  /// How the times in `frame.alignedNanoseconds` compare with the budget, which follows from the options
  /// `refreshRateHertz` and `budgetShare`. Absent: no frame was recorded, or frames are calls of a function.
  public var budget: BudgetRecord?
  /// Wall time of all runs of the benchmark in seconds, including the start of their processes. Absent: an earlier
  /// version wrote the document.
  public var durationSeconds: Double?
}

/// The cost of one phase of a benchmark's frames.
public struct PhaseRecord: Codable, Sendable, Equatable {
  /// The name of the phase, as in `Phase.name`. It is unique within the benchmark.
  public var name: String
  /// The time of the phase in each frame, including the phases inside it. It is 0 in a frame that did not run the
  /// phase.
  public var time: TimeRecord
  /// Allocations on the frame's thread. Absent: the program was built without the counter of allocations.
  public var allocations: AllocationSeries?
}

/// A benchmark with a failed run.
public struct BenchmarkFailure: Codable, Sendable, Hashable {
  /// The id of the benchmark.
  public var id: BenchmarkID
  /// Why the run failed, in one line.
  public var reason: String
  /// The last part of what the process of the run wrote to stderr.
  public var standardError: String
  /// Which of two compared builds failed. Absent: no builds were compared.
  public var build: Build?

  /// A build of a comparison.
  public enum Build: String, Codable, Sendable {
    case baseline
    case candidate
  }

  public init(id: BenchmarkID, reason: String, standardError: String, build: Build? = nil) {
    (self.id, self.reason, self.standardError, self.build) = (id, reason, standardError, build)
  }
}

/// A claim that other people published: with up to `itemCount` items, a strategy's frames are ready in time for the
/// display. It comes from a `CapacityClaim` of the suite.
public struct ClaimRecord: Codable, Sendable, Hashable {
  /// The name of the scenario, without its parameters.
  public var scenario: String
  /// The strategy, as written in benchmark ids.
  public var strategy: String
  /// The claim in its authors' words.
  public var wording: String
  /// The largest number of items that the claim covers.
  public var itemCount: Int

  public init(scenario: String, strategy: String, wording: String, itemCount: Int) {
    (self.scenario, self.strategy, self.wording, self.itemCount) = (scenario, strategy, wording, itemCount)
  }
}

/// How fast and how steady a machine is. It is measured with a fixed piece of work, the calibration kernel, which fits
/// into the registers of a core.
///
/// Documents with different scores come from different machines, or from machines with different clock rates.
public struct CalibrationRecord: Codable, Sendable, Equatable {
  /// Number of steps of the kernel in one sample.
  public var roundCount: Int
  /// The kernel's times before the first run.
  public var start: KernelTimes
  /// The kernel's times after the last run. Absent: the run ended before they were measured.
  public var end: KernelTimes?

  public init(roundCount: Int, start: KernelTimes, end: KernelTimes?) {
    (self.roundCount, self.start, self.end) = (roundCount, start, end)
  }

  /// Steps per microsecond in the fastest sample. More is faster.
  public var score: Double { Double(roundCount) * 1_000 / min(start.fastest, end?.fastest ?? start.fastest) }
  /// How much slower the machine was at the end, as a fraction of the start; nil if unknown.
  public var drift: Double? { end.map { $0.fastest / start.fastest - 1 } }
}

/// Statistics of the times of the calibration kernel.
public struct KernelTimes: Codable, Sendable, Equatable {
  /// Number of samples of the kernel. `CalibrationKernel` takes at least 100.
  public var sampleCount: Int
  /// The shortest sample, in nanoseconds rounded to tenths. Scores and drift are computed from it.
  public var fastest: Double
  /// Median, in nanoseconds rounded to tenths.
  public var p50: Double
  /// 90th percentile, in nanoseconds rounded to tenths.
  public var p90: Double
  /// 99th percentile, in nanoseconds rounded to tenths.
  public var p99: Double
  /// The longest sample, in nanoseconds rounded to tenths.
  public var slowest: Double

  /// Returns nil if there are no samples, or if a sample is not above 0.
  public init?(samples: [Double]) {
    guard let summary = Summary(samples), summary.min > 0 else { return nil }
    (sampleCount, fastest, slowest) = (summary.count, inTenths(summary.min), inTenths(summary.max))
    (p50, p90, p99) = (inTenths(summary.p50), inTenths(summary.p90), inTenths(summary.p99))
  }

  /// How much longer the p99 sample took than the fastest, as a fraction.
  public var spread: Double { p99 / fastest - 1 }
  /// How much longer the median sample took than the fastest, as a fraction.
  public var typicalExcess: Double { p50 / fastest - 1 }
}

/// The stretches of a scenario at one size: consecutive frames with a name, such as a drag, a fling or a rest. All
/// strategies have the same stretches.
public struct StretchRecord: Codable, Sendable, Equatable {
  /// The scenario with its parameters, as written in benchmark ids.
  public var scenario: String
  /// Number of items.
  public var size: Int
  /// The names of the stretches in the order of their first frames, each once.
  public var names: [String]
  /// The stretch of each recorded frame, as an index in `names`.
  public var frames: CountSeries

  /// - Parameter frameNames: The name of the stretch of each recorded frame.
  public init(scenario: String, size: Int, frameNames: some Sequence<String>) {
    (self.scenario, self.size) = (scenario, size)
    let all = Array(frameNames)
    names = all.unique
    let indices = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
    frames = CountSeries(all.map { indices[$0] ?? 0 })
  }

  /// The name of a recorded frame's stretch; nil for a frame that was not recorded.
  package func name(ofFrame frame: Int) -> String? { runs.first { $0.frames.contains(frame) }?.name }

  /// The ranges of consecutive frames that belong to the same stretch, in order, each with its name.
  package var runs: [(name: String, frames: Range<Int>)] {
    var start = 0
    return frames.runs.map { run in
      defer { start += run.repetitions }
      return (names[run.value], start..<start + run.repetitions)
    }
  }
}

/// One of the runs that a merged document consists of.
public struct RunPart: Codable, Sendable, Equatable {
  /// When the run began, UTC, ISO 8601 in whole seconds.
  public var startedAt: String
  /// Wall time of the measurement in seconds, without the build of the suite.
  public var durationSeconds: Double
  /// The machine and the build of this part.
  public var environment: Environment
  /// Benchmarks measured in this part, including failed ones.
  public var benchmarks: [BenchmarkID]
}

extension Sequence {
  /// The elements in order, without those whose key occurred before.
  package func unique<Key: Hashable>(by key: (Element) -> Key) -> [Element] {
    var seen = Set<Key>()
    return filter { seen.insert(key($0)).inserted }
  }
}

extension Sequence where Element: Hashable {
  /// The elements in order, without those that occurred before.
  package var unique: [Element] { unique { $0 } }
}

extension Collection {
  /// The collection itself, or nil if it is empty, because documents leave out empty fields.
  package var unlessEmpty: Self? { isEmpty ? nil : self }
}
