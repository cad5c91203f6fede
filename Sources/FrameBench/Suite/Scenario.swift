/// One scenario of a suite: a kind of work, in several strategies and sizes.
public struct Scenario: Sendable {
  /// Runs one frame and returns a checksum of its visible output. Code after `timer.endFrame()` is not measured, so an
  /// expensive checksum belongs there. If the frame throws, the benchmark ends, and the report shows the error.
  public typealias FrameBody = (_ frame: Frame, _ timer: FrameTimer) throws -> UInt64
  /// Runs one frame that may suspend. The frame and what it awaits run on the measuring thread, with two exceptions:
  /// code with an executor of its own, and scenarios that request several cores. The measured time includes the delay
  /// until the executor starts the frame; the report states this delay. The runtime allocates memory whenever the frame
  /// resumes.
  public typealias AsyncFrameBody = (_ frame: Frame, _ timer: FrameTimer) async throws -> UInt64
  /// Builds the state of one run and returns the body of its frames. An error ends the benchmark.
  public typealias SetUp = @Sendable (_ context: ScenarioContext) throws -> FrameBody

  /// The first part of the ids of the scenario's benchmarks. It contains no slash.
  public let name: String
  /// A sentence about the work of the frames; nil if there is none.
  public let summary: String?
  /// The names of the strategies, at least one. The first is the reference strategy, with which the others are
  /// compared.
  public let strategies: [String]
  /// The numbers of items to run with, all positive. The command line can name other numbers.
  public let sizes: [Int]
  /// The parameters, in the order of the ids. Empty if only strategy and size vary.
  public let parameters: [any ScenarioParameter]
  /// Words by which scenarios can be chosen, as in `--tag layout`.
  public let tags: [String]
  /// Properties that most scenarios leave at their defaults.
  public let options: Options

  let setUp: AnySetUp
  /// The amount of work of a call; nil if the suite does not declare it.
  package let throughput: Throughput?
  /// Whether a frame is a call of a function, repeated until the frame is long enough for the clock.
  package let isFunction: Bool
  /// The name of the type that the frames return, if it has no checksum because it is neither hashable nor `Void`.
  /// Otherwise nil.
  let unknownResult: String?

  /// A set-up: one that does not suspend (`sync`), one that suspends (`asyncSetUp`), or one that suspends and returns
  /// frames that suspend (`async`). Only frames that suspend need an executor.
  @usableFromInline enum AnySetUp: Sendable {
    case sync(SetUp)
    case asyncSetUp(@Sendable (ScenarioContext) async throws -> FrameBody)
    case async(@Sendable (ScenarioContext) async throws -> AsyncFrameBody)
  }

  /// The properties of a scenario that have defaults.
  public struct Options: Sendable {
    /// The sizes that `--quick` measures. Nil means all sizes. If the array is empty, `--quick` leaves out the
    /// scenario.
    public var quickSizes: [Int]?
    /// The number of recorded frames of a run without `--frames`. Nil means the same number as for other scenarios.
    public var frameCount: Int?
    /// The number of warm-up frames of a run without `--warm-up`. Nil means the same number as for other scenarios.
    public var warmUpFrameCount: Int?
    /// The most seconds that a run without `--frames` should take. If frames take long, the run records fewer. Nil
    /// means no limit.
    public var secondsPerRun: Double?
    /// The number of cores that the threads of a run share; `.max` means all. With more than one, frames that suspend
    /// run on the runtime's threads, with their child tasks. Nil means one core, and a warning if other threads work
    /// during frames.
    public var cores: Int?
    /// Whether a frame calls a function `FrameTimer.repetitionCount` times. Reports do not compare the time of such a
    /// frame with the time that a display leaves for a frame.
    public var countsCalls: Bool
    /// The change of times, in percent, that `compare` and `gate` tolerate if `--tolerance` is not given. Nil means the
    /// default of these commands.
    public var tolerancePercent: Double?
    /// The change of allocations that `compare` and `gate` tolerate, for scenarios whose allocations depend on other
    /// threads. Nil means that no change is tolerated.
    public var allocationTolerance: AllocationTolerance?
    /// Whether the frames play the recorded scroll in the file `ScenarioContext.tracePath`, which set-up reads.
    /// springbench refuses `--trace` for all other scenarios.
    public var playsTraces: Bool
    /// Claims that other people published about the sizes that strategies can handle. Reports show whether these claims
    /// are true.
    public var claims: [CapacityClaim]
    /// Returns a name for each of the context's `totalFrameCount` frames: the part of the scroll to which the frame
    /// belongs, such as a drag or a fling. Use few different names, and short ones, because reports show them next to
    /// frames and in charts. All strategies share the names, so the context is that of the reference strategy. Nil
    /// means that frames have no names.
    public var stretches: (@Sendable (ScenarioContext) throws -> [String])?
    /// Returns doubts about a benchmark, which reports show as footnotes. If it throws, springbench shows the error and
    /// measures nothing.
    public var warnings: @Sendable (ScenarioContext) throws -> [Warning]
    /// Returns the bytes that the state of a run needs, so that `springbench` can refuse sizes that do not fit into
    /// memory.
    public var memoryEstimate: @Sendable (ScenarioContext) -> Int

    var usesSeveralCores: Bool { cores ?? 1 > 1 }

    /// Creates options. Omitted options have their default values.
    public init(
      quickSizes: [Int]? = nil, frameCount: Int? = nil, warmUpFrameCount: Int? = nil, secondsPerRun: Double? = nil,
      cores: Int? = nil, countsCalls: Bool = false, tolerancePercent: Double? = nil,
      allocationTolerance: AllocationTolerance? = nil, playsTraces: Bool = false, claims: [CapacityClaim] = [],
      stretches: (@Sendable (ScenarioContext) throws -> [String])? = nil,
      warnings: @escaping @Sendable (ScenarioContext) throws -> [Warning] = { _ in [] },
      memoryEstimate: @escaping @Sendable (ScenarioContext) -> Int = { _ in 0 }
    ) {
      (self.quickSizes, self.frameCount, self.warmUpFrameCount) = (quickSizes, frameCount, warmUpFrameCount)
      (self.secondsPerRun, self.cores, self.countsCalls) = (secondsPerRun, cores, countsCalls)
      (self.tolerancePercent, self.allocationTolerance) = (tolerancePercent, allocationTolerance)
      (self.playsTraces, self.claims, self.stretches) = (playsTraces, claims, stretches)
      (self.warnings, self.memoryEstimate) = (warnings, memoryEstimate)
    }
  }

  package var quickSizes: [Int] { options.quickSizes ?? sizes }

  /// Whether set-up or frames may suspend. Jobs of the main queue run while they are suspended.
  var maySuspend: Bool { if case .sync = setUp { false } else { true } }

  /// Whether the frames suspend and run on the runtime's threads.
  var runsOnPool: Bool { if case .async = setUp { options.usesSeveralCores } else { false } }
}

/// A claim that other people published: with up to `itemCount` items, a strategy's frames are ready in time for the
/// display.
public struct CapacityClaim: Hashable, Sendable, Codable {
  /// One of the scenario's strategies.
  public var strategy: String
  /// The claim in the words of its authors, to be used in a sentence of a report, such as `a few hundred items`.
  public var wording: String
  /// The largest number of items that the claim covers.
  public var itemCount: Int

  public init(strategy: String, wording: String, itemCount: Int) {
    (self.strategy, self.wording, self.itemCount) = (strategy, wording, itemCount)
  }
}

/// One frame of a run, as its body receives it.
public struct Frame: Sendable {
  /// The number of the frame, counted from 0 at the first warm-up frame. Reports do not count the warm-up, of 120
  /// frames by default, so their frame 0 has the index 120.
  public let index: Int
  /// The simulated time between two frames, seconds.
  public let timestep: Double
  /// Whether the frame comes before the first recorded one.
  public let isWarmUp: Bool

  public init(index: Int, timestep: Double, isWarmUp: Bool) {
    (self.index, self.timestep, self.isWarmUp) = (index, timestep, isWarmUp)
  }
}

/// A doubt about a measurement, which reports show as a footnote.
public struct Warning: Hashable, Sendable, Codable {
  /// The doubt and its remedy, in one or two sentences.
  public var message: String
  /// The benchmark that the doubt concerns. Absent: the doubt concerns all benchmarks of the run.
  public var benchmark: BenchmarkID?

  public init(_ message: String, benchmark: BenchmarkID? = nil) {
    (self.message, self.benchmark) = (message, benchmark)
  }
}

/// How far the numbers of allocations of two builds may differ without counting as a change. The larger of the two
/// limits applies.
public struct AllocationTolerance: Codable, Sendable, Hashable {
  /// The tolerated difference in allocations per frame, on average.
  public var count: Double
  /// The tolerated difference as a percentage of the baseline's allocations.
  public var percent: Double

  public init(count: Double = 0, percent: Double = 0) { (self.count, self.percent) = (count, percent) }
}
