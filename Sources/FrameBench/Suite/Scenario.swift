/// One scenario of a suite.
public struct Scenario: Sendable {
  /// Runs one frame and returns a checksum of its visible output. Code after `timer.endFrame()` is not measured; an
  /// expensive checksum belongs there. An error ends the benchmark, which is reported as failed, with its description.
  public typealias FrameBody = (_ frame: Frame, _ timer: FrameTimer) throws -> UInt64
  /// A frame that suspends. It runs on the measuring thread, with the code it awaits unless that belongs to another
  /// executor. It includes the time to start it, which the report states; resumed tasks allocate.
  public typealias AsyncFrameBody = (_ frame: Frame, _ timer: FrameTimer) async throws -> UInt64
  /// Builds the state for one run and returns its frame. An error ends the benchmark.
  public typealias SetUp = @Sendable (_ context: ScenarioContext) throws -> FrameBody

  /// First part of the ids, without a slash.
  public let name: String
  /// A sentence about the work of its frames; nil if the suite has none.
  public let summary: String?
  /// At least one; the first is the reference strategy, which the others are compared with.
  public let strategies: [String]
  /// Numbers of items, all positive, to run at unless the command line names others.
  public let sizes: [Int]
  /// Other dimensions, in the order of the ids; empty if only the size varies.
  public let parameters: [any ScenarioParameter]
  /// Words to choose scenarios by: `--tag layout`.
  public let tags: [String]
  /// Properties that differ between scenarios.
  public let options: Options

  let setUp: AnySetUp
  /// Work of a call; nil if the suite does not say.
  package let throughput: Throughput?
  /// Whether a frame is a call of a function, repeated until it is long enough for the clock.
  package let isFunction: Bool
  /// Type of what its frames return, if that has no checksum.
  let unknownResult: String?

  /// Only some scenarios have frames that suspend, and only those need an executor.
  @usableFromInline enum AnySetUp: Sendable {
    case sync(SetUp)
    case asyncSetUp(@Sendable (ScenarioContext) async throws -> FrameBody)
    case async(@Sendable (ScenarioContext) async throws -> AsyncFrameBody)
  }

  /// Differences of a scenario from the defaults.
  public struct Options: Sendable {
    /// Sizes that `--quick` keeps; nil: all; empty: `--quick` leaves the scenario out.
    public var quickSizes: [Int]?
    /// Recorded frames of a run without `--frames`; nil: as many as other scenarios have.
    public var frameCount: Int?
    /// Frames before the first recorded one without `--warm-up`; nil: as many as elsewhere.
    public var warmUpFrameCount: Int?
    /// Seconds that a run without `--frames` should take at most: where frames take long, it records fewer; nil: any.
    public var secondsPerRun: Double?
    /// Cores that the threads of a run share, `.max` for all that there are; nil: one, and a run whose other threads
    /// work during frames gets a warning. With more than one, child tasks of frames that suspend run on the runtime's
    /// threads.
    public var cores: Int?
    /// Whether frames call a function, `FrameTimer.repetitionCount` times. Reports do not compare such frames with a
    /// frame budget.
    public var countsCalls: Bool
    /// The change of a time that `compare` and `gate` tolerate without `--tolerance`, percent; nil: as elsewhere.
    public var tolerancePercent: Double?
    /// The change of allocations that `compare` and `gate` tolerate, where those depend on other threads; nil: none.
    public var allocationTolerance: AllocationTolerance?
    /// Whether set-up plays the scroll of `ScenarioContext.tracePath`; other scenarios refuse `--trace`.
    public var playsTraces: Bool
    /// Claims by others about the sizes that strategies can handle; reports say whether they hold.
    public var claims: [CapacityClaim]
    /// Returns the stretch of the run that each frame belongs to, such as a drag or a fling: a short name for each of
    /// the context's `totalFrameCount` frames, of few different ones. The context is the reference strategy's; all
    /// strategies share the stretches. Reports name a stretch beside a frame and mark it in charts; nil: they do not.
    public var stretches: (@Sendable (ScenarioContext) throws -> [String])?
    /// Doubts about a configuration, for footnotes. Throws for one that cannot be run; nothing is measured then.
    public var warnings: @Sendable (ScenarioContext) throws -> [Warning]
    /// Bytes that a state needs, so that a size that does not fit into memory is refused before it is tried.
    public var memoryEstimate: @Sendable (ScenarioContext) -> Int

    /// Uses the defaults for all options that are not named.
    public init(
      quickSizes: [Int]? = nil, frameCount: Int? = nil, warmUpFrameCount: Int? = nil, secondsPerRun: Double? = nil,
      cores: Int? = nil, countsCalls: Bool = false, tolerancePercent: Double? = nil,
      allocationTolerance: AllocationTolerance? = nil, playsTraces: Bool = false, claims: [CapacityClaim] = [],
      stretches: (@Sendable (ScenarioContext) throws -> [String])? = nil,
      warnings: @escaping @Sendable (ScenarioContext) throws -> [Warning] = { _ in [] },
      memoryEstimate: @escaping @Sendable (ScenarioContext) -> Int = { _ in 0 }
    ) {
      self.quickSizes = quickSizes
      self.frameCount = frameCount
      self.warmUpFrameCount = warmUpFrameCount
      self.secondsPerRun = secondsPerRun
      self.cores = cores
      self.countsCalls = countsCalls
      self.tolerancePercent = tolerancePercent
      self.allocationTolerance = allocationTolerance
      self.playsTraces = playsTraces
      self.claims = claims
      self.stretches = stretches
      self.warnings = warnings
      self.memoryEstimate = memoryEstimate
    }
  }

  package var quickSizes: [Int] { options.quickSizes ?? sizes }
}

/// A claim by others about a strategy: that frames with a given number of items fit a display.
public struct CapacityClaim: Hashable, Sendable, Codable {
  /// One of the scenario's strategies.
  public var strategy: String
  /// The claim in its authors' words, as in a report's sentence: `a few hundred items`.
  public var wording: String
  /// The largest number of items that the claim covers.
  public var itemCount: Int

  public init(strategy: String, wording: String, itemCount: Int) {
    self.strategy = strategy
    self.wording = wording
    self.itemCount = itemCount
  }
}

/// One step of the loop, as its body sees it.
public struct Frame: Sendable {
  /// Number of the frame, from 0 at the first warm-up frame.
  public let index: Int
  /// Seconds.
  public let timestep: Double
  /// True for the frames before the first recorded one.
  public let isWarmUp: Bool

  public init(index: Int, timestep: Double, isWarmUp: Bool) {
    self.index = index
    self.timestep = timestep
    self.isWarmUp = isWarmUp
  }
}

/// A doubt about a measurement, which ends as a footnote of the report.
public struct Warning: Hashable, Sendable, Codable {
  /// The doubt, and a remedy: one or two sentences.
  public var message: String
  /// The benchmark it concerns. Absent: the whole run.
  public var benchmark: BenchmarkID?

  public init(_ message: String, benchmark: BenchmarkID? = nil) {
    self.message = message
    self.benchmark = benchmark
  }
}

/// How far the numbers of allocations of two builds may differ without being a change: the larger of the two.
public struct AllocationTolerance: Codable, Sendable, Hashable {
  /// Allocations of a frame, on average.
  public var count: Double
  /// A share of the baseline's allocations.
  public var percent: Double

  public init(count: Double = 0, percent: Double = 0) {
    self.count = count
    self.percent = percent
  }
}
