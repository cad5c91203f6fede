import FrameBench
import Statistics
import TextFormat

/// The measurements of a run: the content of `run.json`.
///
/// Only measurements are kept; percentiles, ratios and verdicts are computed from them when they are shown. A value
/// that could not be measured is absent, never 0. `scripts/run_schema.py` makes docs/run.schema.json and
/// docs/run-schema.md from these declarations: a comment of a field is its description there.
public struct RunDocument: Codable, Sendable, Equatable {
  /// The version that is written and read.
  public static let currentSchemaVersion = 1

  /// Rises when a reader of the older version would misread the newer one.
  public var schemaVersion = RunDocument.currentSchemaVersion
  /// Name of the suite.
  public var suite: String
  /// When the run began, UTC, ISO 8601 in whole seconds: `2026-11-21T06:47:12Z`.
  public var startedAt: String
  /// Wall time of the measuring part, seconds.
  public var durationSeconds: Double
  /// The command line that made this document, without the program's path.
  public var arguments: [String]
  /// How the measuring was done. In a merged document, the options of its earliest part.
  public var options: RunOptions
  /// The machine and the build. In a merged document, those of its earliest part; `parts` says where a benchmark ran.
  public var environment: Environment
  /// The measured benchmarks, in the order scenario, size, strategy of the suite.
  public var benchmarks: [BenchmarkRecord]
  /// Benchmarks with a failed run. One that failed late is also in `benchmarks`, with its measurements before that.
  public var failures: [BenchmarkFailure] = []
  /// Doubts about the machine, the runs and the configurations.
  public var warnings: [Warning] = []
  /// The work of each scenario's frames in a sentence, by scenario. Absent: none of them has a summary.
  public var summaries: [String: String]?
  /// The change of a time that comparisons tolerate, percent, by the scenario that asks for it. Absent: none does.
  public var tolerancesPercent: [String: Double]?
  /// The change of the number of allocations that comparisons tolerate, by the scenario that asks. Absent: none does.
  public var allocationTolerances: [String: AllocationTolerance]?
  /// Cores that the threads of a run shared, by the scenario that asks for a number. Absent: none does, so each run had
  /// one, or an earlier version wrote it.
  public var cores: [String: Int]?
  /// Claims by others about strategies. Absent: there are none.
  public var claims: [ClaimRecord]?
  /// The stretch of the run that each frame belongs to, by scenario and size. Absent: no scenario names stretches.
  public var stretches: [StretchRecord]?
  /// Speed of the machine when the run began and ended. Absent: not measured.
  public var calibration: CalibrationRecord?
  /// The largest lists that fit a frame. Absent: not searched for.
  public var capacities: [CapacityRecord]?
  /// The runs that a merged document consists of, on one or more machines, the earliest first. Absent: it is one run.
  public var parts: [RunPart]?
  /// The part of the benchmarks that was measured. Absent: all that were selected.
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

  /// The runs that the document consists of: itself, if it was not merged.
  var allParts: [RunPart] {
    parts ?? [
      RunPart(startedAt: startedAt, durationSeconds: durationSeconds, environment: environment, benchmarks: allIDs)
    ]
  }

  /// Measured benchmarks, then failed ones; each once, although a benchmark that failed in a later run is both.
  package var allIDs: [BenchmarkID] { (benchmarks.map(\.id) + failures.map(\.id)).unique }

  /// Nil if the scenario does not name stretches.
  package func stretches(scenario: String, size: Int) -> StretchRecord? {
    stretches?.first { $0.scenario == scenario && $0.size == size }
  }

  /// Whether other processes took so much of the machine that a time may be theirs.
  package var wasBusy: Bool { warnings.contains { $0.message.hasPrefix(Warning.busyOpening) } }
}

extension Warning {
  fileprivate static let busyOpening = "Other processes kept "

  /// A doubt about a run beside which other processes worked, on this many cores.
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
  /// Time of whole frames, from the pass that reads the clock once around a frame.
  public var frame: TimeRecord
  /// Calls of the function in a frame, the minimum over runs; times are of one call. Absent: frames are not calls.
  public var callsPerFrame: Int?
  /// Amount of work of a call. Absent: the suite does not say.
  public var throughput: Throughput?
  /// The phases in the order in which the frame runs them, from the pass that times phases.
  public var phases: [PhaseRecord]
  /// Heap allocations. Absent: the counter is not linked in.
  public var allocations: AllocationRecord?
  /// The scenario's counters by name, one value per recorded frame.
  public var counters: [String: CountSeries]
  /// The scenario's declarations of its counters, by name. A counter without an entry counts things, and
  /// less is better. Absent: nothing was declared.
  public var counterKinds: [String: CounterKind]?
  /// System resources used by a run's process, the minimum of the runs that time whole frames.
  public var memory: MemoryRecord
  /// The largest figure less the smallest of the runs that count allocations, by metric. Absent: there was one run, or
  /// an earlier version wrote it.
  public var runSpreads: [String: Int]?
  /// Hash over the checksums of all recorded frames, 16 hexadecimal digits; the same in every run.
  public var checksum: String
  /// How far the output strays from that of the reference strategy. Absent: this is that strategy, it was
  /// not run, or the scenario does not report its output.
  public var deviation: DeviationRecord?
  /// Instructions counted by callgrind. Absent: not requested, or not possible.
  public var instructions: InstructionRecord?
  /// Instructions counted by the processor. Absent: not requested, or not possible, as on most virtual machines.
  public var hardwareInstructions: InstructionRecord?
  /// The aligned frames against the budget of the run's refresh rate and share. Absent: no frame was recorded, or
  /// frames are calls of a function.
  public var budget: BudgetRecord?
  /// Wall time of all its runs, with the start of their processes, seconds. Absent: an earlier version wrote it.
  public var durationSeconds: Double?
}

/// The cost of one phase of a benchmark's frames.
public struct PhaseRecord: Codable, Sendable, Equatable {
  /// The name of the phase, as in `Phase.name`; no other phase of the benchmark has it.
  public var name: String
  /// 0 in a frame that did not run the phase; includes the phases measured inside it.
  public var time: TimeRecord
  /// Allocations on the frame's thread. Absent: the counter is not linked in.
  public var allocations: AllocationSeries?
}

/// A benchmark that could not be measured.
public struct BenchmarkFailure: Codable, Sendable, Hashable {
  /// The id of the benchmark.
  public var id: BenchmarkID
  /// The reason, in one line.
  public var reason: String
  /// The end of the worker's stderr.
  public var standardError: String

  public init(id: BenchmarkID, reason: String, standardError: String) {
    (self.id, self.reason, self.standardError) = (id, reason, standardError)
  }
}

/// A claim by others that a strategy's frames with a number of items fit a display; see `CapacityClaim` in FrameBench.
public struct ClaimRecord: Codable, Sendable, Hashable {
  /// The scenario as in the ids, with the parameters after it.
  public var scenario: String
  /// The strategy as in the ids.
  public var strategy: String
  /// The claim in its authors' words.
  public var wording: String
  /// The largest number of items that the claim covers.
  public var itemCount: Int

  public init(scenario: String, strategy: String, wording: String, itemCount: Int) {
    (self.scenario, self.strategy, self.wording, self.itemCount) = (scenario, strategy, wording, itemCount)
  }
}

/// How fast a machine is, and how steadily, measured with a fixed piece of work that fits into a core's registers.
///
/// Documents with different scores come from machines that differ, or were clocked differently.
public struct CalibrationRecord: Codable, Sendable, Equatable {
  /// Steps of the kernel in one sample.
  public var roundCount: Int
  /// The kernel's times before the first run.
  public var start: KernelTimes
  /// The kernel's times after the last run. Absent: the run ended before.
  public var end: KernelTimes?

  public init(roundCount: Int, start: KernelTimes, end: KernelTimes?) {
    (self.roundCount, self.start, self.end) = (roundCount, start, end)
  }

  /// Steps per microsecond at the machine's fastest; more is faster.
  public var score: Double { Double(roundCount) * 1_000 / min(start.fastest, end?.fastest ?? start.fastest) }
  /// How much slower the machine was at the end, as a fraction of the start; nil if unknown.
  public var drift: Double? { end.map { $0.fastest / start.fastest - 1 } }
}

/// Samples of the kernel, nanoseconds.
public struct KernelTimes: Codable, Sendable, Equatable {
  /// Repetitions of the kernel; at least 100 from `CalibrationKernel`.
  public var sampleCount: Int
  /// The shortest sample, nanoseconds in tenths; scores and drift are computed from it.
  public var fastest: Double
  /// Median, nanoseconds in tenths.
  public var p50: Double
  /// 90th percentile, nanoseconds in tenths.
  public var p90: Double
  /// 99th percentile, nanoseconds in tenths.
  public var p99: Double
  /// The longest sample, nanoseconds in tenths.
  public var slowest: Double

  /// Nil without samples, or if one has no length.
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

/// The named stretch of the run that each recorded frame of a scenario belongs to, at one size: a drag, a
/// fling, a rest. The same in all strategies.
public struct StretchRecord: Codable, Sendable, Equatable {
  /// The scenario as in the ids, with the parameters after it.
  public var scenario: String
  /// Number of items.
  public var size: Int
  /// The names of the stretches in the order of their first frames, each once.
  public var names: [String]
  /// For each recorded frame the index of its stretch in `names`.
  public var frames: CountSeries

  /// - Parameter frameNames: One for each recorded frame.
  public init(scenario: String, size: Int, frameNames: some Sequence<String>) {
    (self.scenario, self.size) = (scenario, size)
    let all = Array(frameNames)
    names = all.unique
    let indices = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
    frames = CountSeries(all.map { indices[$0] ?? 0 })
  }

  /// The name of a recorded frame's stretch; nil for a frame that was not recorded.
  package func name(ofFrame frame: Int) -> String? { runs.first { $0.frames.contains(frame) }?.name }

  /// The stretches one after the other.
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
  /// Wall time of the measuring part, seconds.
  public var durationSeconds: Double
  /// The machine and the build of this part.
  public var environment: Environment
  /// Benchmarks measured in this part, failed ones included.
  public var benchmarks: [BenchmarkID]
}

extension Sequence {
  /// The first of each group of elements with equal keys.
  package func unique<Key: Hashable>(by key: (Element) -> Key) -> [Element] {
    var seen = Set<Key>()
    return filter { seen.insert(key($0)).inserted }
  }
}

extension Sequence where Element: Hashable {
  /// The first of each group of equal elements.
  package var unique: [Element] { unique { $0 } }
}

extension Collection {
  /// Nil if there are no elements: documents leave such a field out.
  package var unlessEmpty: Self? { isEmpty ? nil : self }
}
