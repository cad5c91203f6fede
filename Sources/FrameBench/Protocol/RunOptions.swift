/// How a run was measured.
public struct RunOptions: Codable, Sendable, Hashable {
  /// The number of recorded frames of each run.
  public var frameCount = 1_200
  /// The number of warm-up frames, which run before the recorded frames.
  public var warmUpFrameCount = 120
  /// The number of runs that time whole frames. As many runs time phases. Each run has fresh state in a new process.
  public var runCount = 20
  /// Frames per second of the simulated display, 1/s.
  public var refreshRateHertz = 60
  /// Seed of the scenarios and of the order of the runs: an unsigned integer of 64 bits.
  public var seed: UInt64 = 1
  /// The argument of `--trace`: the file of a recorded scroll, `lifted=origin` (the touch moves to the origin of the
  /// content when the finger lifts), or both with a comma between them. Absent: scenarios play their own scroll.
  public var tracePath: String?
  /// The share of a frame period that the measured work may use, above 0 and up to 1. Absent: the work may use the
  /// whole period.
  public var budgetShare: Double?
  /// The most seconds that all runs together may take to time a benchmark's frames. After that, no further run starts.
  /// The runs that time its phases have the same limit. But there are at least 5 runs of each kind (3 if a run takes
  /// over 0.5 s), and at least two for each link order, unless `runCount` is smaller. Absent: no limit.
  public var passSecondsLimit: Double?

  /// The number of link orders (orders of the functions in the executable) over which the runs of a benchmark were
  /// spread, at least two. Absent: all runs used the program as it was built.
  public var layoutCount: Int?

  /// Frame counts that replace `frameCount` and `warmUpFrameCount` in some benchmarks. A key is a scenario that
  /// declares its own counts, such as `list`, or a scenario's parameters and size, such as `list/viewport=320/1000`, if
  /// its runs would otherwise take longer than the scenario allows. Absent: no counts are replaced.
  public var scenarioFrames: [String: FrameCounts]?

  /// Whether the command line sets the number of recorded frames, which overrides the numbers that scenarios declare.
  package var namesFrameCount = false
  /// Whether the command line sets the number of warm-up frames, which overrides the numbers that scenarios declare.
  package var namesWarmUpFrameCount = false

  private enum CodingKeys: String, CodingKey {
    case frameCount, warmUpFrameCount, runCount, refreshRateHertz, seed, tracePath, budgetShare
    case passSecondsLimit, layoutCount, scenarioFrames
  }

  /// Frame counts of one scenario or benchmark.
  public struct FrameCounts: Codable, Sendable, Hashable {
    /// The number of recorded frames of each run. Absent: `RunOptions.frameCount` applies.
    public var recorded: Int?
    /// The number of warm-up frames of each run. Absent: `RunOptions.warmUpFrameCount` applies.
    public var warmUp: Int?

    public init(recorded: Int? = nil, warmUp: Int? = nil) { (self.recorded, self.warmUp) = (recorded, warmUp) }
  }

  /// The minimum number of runs that time frames, however long they take, and also of runs that time phases. If
  /// `runCount` is smaller, the minimum is 1.
  public static let leastRunCount = 5
  /// The minimum number of runs if a run takes longer than `longRunSeconds`. Three runs are enough for a confidence
  /// interval, because the frames of such runs are long and vary little from run to run.
  public static let leastLongRunCount = 3
  public static let longRunSeconds = 0.5

  public init() {}

  /// Returns the options for one benchmark, with the frame counts that apply to it.
  package func of(_ id: BenchmarkID) -> RunOptions { of(variant: id.variant, size: id.size) }

  /// Returns the options for one size of a variant (a scenario with its parameters, such as `list/viewport=320`).
  package func of(variant: String, size: Int) -> RunOptions {
    var options = self
    options.scenarioFrames = nil
    let scenario = String(variant.prefix { $0 != "/" })
    guard let frames = scenarioFrames?["\(variant)/\(size)"] ?? scenarioFrames?[scenario] else { return options }
    options.frameCount = frames.recorded ?? frameCount
    options.warmUpFrameCount = frames.warmUp ?? warmUpFrameCount
    return options
  }
}
