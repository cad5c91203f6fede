/// One scenario of a suite.
public struct Scenario: Sendable {
  /// Runs one frame and returns a checksum of what it made visible. An error that it throws ends the benchmark,
  /// which is reported as failed, with the error's description.
  ///
  /// What follows `timer.endFrame()` is not measured; a checksum that costs something belongs there.
  public typealias FrameBody = (_ frame: Frame, _ timer: FrameTimer) throws -> UInt64
  /// A frame that suspends. It runs on the measuring thread: what it awaits runs there too, unless it belongs to
  /// an executor of its own. The frame contains what the executor takes to start it, and the report says how much; the runtime allocates each time a
  /// task is resumed.
  public typealias AsyncFrameBody = (_ frame: Frame, _ timer: FrameTimer) async throws -> UInt64
  /// Builds the state for one run and returns its frame. What it throws ends the benchmark.
  public typealias SetUp = @Sendable (_ context: ScenarioContext) throws -> FrameBody

  /// First part of the ids, without a slash.
  public let name: String
  /// What its frames do, a sentence; nil where the suite does not say.
  public let summary: String?
  /// At least one; the first is the reference strategy, which the others are compared with.
  public let strategies: [String]
  /// Numbers of items, all positive, to run at unless the command line names others.
  public let sizes: [Int]
  /// What else is varied, in the order of the ids; empty where only the size is.
  public let parameters: [any ScenarioParameter]
  /// Words to choose scenarios by: `--tag layout`.
  public let tags: [String]
  /// What is not the same for all scenarios.
  public let options: Options

  let setUp: AnySetUp
  /// What a call works through; nil where the suite does not say.
  package let throughput: Throughput?
  /// Whether a frame is a call of a function, repeated until the clock can tell how long it takes.
  package let isFunction: Bool

  /// A frame may suspend in some scenarios only, and only those need an executor.
  @usableFromInline
  enum AnySetUp: Sendable {
    case sync(SetUp)
    case asyncSetUp(@Sendable (ScenarioContext) async throws -> FrameBody)
    case async(@Sendable (ScenarioContext) async throws -> AsyncFrameBody)
  }
}

extension Scenario {
  /// What a scenario does differently from others.
  public struct Options: Sendable {
    /// Those of the sizes that `--quick` does not leave out; nil: all; empty: the scenario is no part of a first
    /// look.
    public var quickSizes: [Int]?
    /// Recorded frames of a run, where `--frames` does not say; nil: as many as other scenarios have.
    public var frameCount: Int?
    /// Frames before the first recorded one, where `--warm-up` does not say; nil: as many as elsewhere.
    public var warmUpFrameCount: Int?
    /// The change of a time that `compare` and `gate` let pass, percent, where `--tolerance` does not say; nil: as
    /// elsewhere.
    public var tolerancePercent: Double?
    /// Whether set-up plays the scroll of `ScenarioContext.tracePath` where one is named; `--trace` is refused for a
    /// scenario that does not.
    public var playsTraces: Bool
    /// What others say that strategies are good for; reports say whether it holds.
    public var claims: [CapacityClaim]
    /// Says which stretch of the run each frame belongs to, such as a drag or a fling: a name for each of the context's
    /// `totalFrameCount` frames, a short one, of few different ones. The context is the reference strategy's; all
    /// strategies share the stretches. Reports name a stretch beside a frame and mark it in charts; nil: they do not.
    public var stretches: (@Sendable (ScenarioContext) throws -> [String])?
    /// Doubts about a configuration that should stand in the report as footnotes. Throws for a configuration that
    /// cannot be run, a broken trace file, say; nothing is measured then.
    public var warnings: @Sendable (ScenarioContext) throws -> [Warning]
    /// Bytes that a state needs, so that a size whose memory cannot be had is refused before it is tried.
    public var memoryEstimate: @Sendable (ScenarioContext) -> Int

    /// All as in other scenarios, but for what is named.
    public init(
      quickSizes: [Int]? = nil, frameCount: Int? = nil, warmUpFrameCount: Int? = nil,
      tolerancePercent: Double? = nil, playsTraces: Bool = false, claims: [CapacityClaim] = [],
      stretches: (@Sendable (ScenarioContext) throws -> [String])? = nil,
      warnings: @escaping @Sendable (ScenarioContext) throws -> [Warning] = { _ in [] },
      memoryEstimate: @escaping @Sendable (ScenarioContext) -> Int = { _ in 0 }
    ) {
      self.quickSizes = quickSizes
      self.frameCount = frameCount
      self.warmUpFrameCount = warmUpFrameCount
      self.tolerancePercent = tolerancePercent
      self.playsTraces = playsTraces
      self.claims = claims
      self.stretches = stretches
      self.warnings = warnings
      self.memoryEstimate = memoryEstimate
    }
  }

  /// Those of the sizes that `--quick` does not leave out.
  package var quickSizes: [Int] { options.quickSizes ?? sizes }
}

/// What others say of a strategy: that frames with a given number of items fit a display.
public struct CapacityClaim: Hashable, Sendable, Codable {
  /// One of the scenario's.
  public var strategy: String
  /// Theirs, as it stands in a report's sentence: `a few hundred items`.
  public var wording: String
  /// The number of items that this is at the most.
  public var itemCount: Int

  public init(strategy: String, wording: String, itemCount: Int) {
    self.strategy = strategy
    self.wording = wording
    self.itemCount = itemCount
  }
}

/// One step of the loop, as its body sees it.
public struct Frame: Sendable {
  /// Counts from 0 at the first warm-up frame.
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
  /// What is doubtful, and what to do about it: one sentence or two.
  public var message: String
  /// The benchmark it concerns. Absent: the whole run.
  public var benchmark: BenchmarkID?

  public init(_ message: String, benchmark: BenchmarkID? = nil) {
    self.message = message
    self.benchmark = benchmark
  }
}
