/// How a run was measured.
public struct RunOptions: Codable, Sendable, Hashable {
  /// Recorded frames of each run.
  public var frameCount = 1_200
  /// Frames before the first recorded one.
  public var warmUpFrameCount = 120
  /// The number of runs of each timing pass, each with fresh state in a new process.
  public var runCount = 20
  /// Frames per second of the simulated display, 1/s.
  public var refreshRateHertz = 60
  /// Seed of the scenarios and of the order of the runs: an unsigned integer of 64 bits.
  public var seed: UInt64 = 1
  /// The argument of `--trace`: the file of a recorded scroll, `lifted=origin`, or both with a comma between them.
  /// Absent: scenarios play their own scroll.
  public var tracePath: String?
  /// The share of a frame period that the measured work may use, above 0 and up to 1. Absent: the work may use the
  /// whole period.
  public var budgetShare: Double?
  /// The total seconds that the runs of one timing pass of a benchmark may take. After that, no further run starts. But
  /// a pass has at least 5 runs (3 if a run takes over 0.5 s), and at least two for each link order, unless `runCount`
  /// is smaller. Absent: no limit.
  public var passSecondsLimit: Double?

  /// The number of link orders (orders of the functions in the executable) over which the runs of a benchmark were
  /// spread, at least two. Absent: all runs used the program as it was built.
  public var layoutCount: Int?

  /// Frame counts by scenario name, of scenarios that declare their own counts. Absent: no scenario declares any.
  public var scenarioFrames: [String: FrameCounts]?

  /// Whether the command line sets the number of recorded frames, which overrides the numbers that scenarios declare.
  package var namesFrameCount = false
  /// Whether the command line sets the number of warm-up frames, which overrides the numbers that scenarios declare.
  package var namesWarmUpFrameCount = false

  private enum CodingKeys: String, CodingKey {
    case frameCount, warmUpFrameCount, runCount, refreshRateHertz, seed, tracePath, budgetShare
    case passSecondsLimit, layoutCount, scenarioFrames
  }

  /// Frame counts that one scenario declares.
  public struct FrameCounts: Codable, Sendable, Hashable {
    /// Recorded frames of each run. Absent: `RunOptions.frameCount` applies.
    public var recorded: Int?
    /// Frames before the first recorded one. Absent: `RunOptions.warmUpFrameCount` applies.
    public var warmUp: Int?

    public init(recorded: Int? = nil, warmUp: Int? = nil) {
      self.recorded = recorded
      self.warmUp = warmUp
    }
  }

  /// The minimum number of runs of a timing pass, however long they take. If `runCount` is smaller, the minimum is 1.
  public static let leastRunCount = 5
  /// The minimum number of runs if a run takes longer than `longRunSeconds`. Three are enough for an interval, because
  /// long frames vary little from run to run.
  public static let leastLongRunCount = 3
  public static let longRunSeconds = 0.5

  public init() {}

  /// Returns the options for one scenario, with the frame counts that it declares.
  public func of(scenario name: String) -> RunOptions {
    var options = self
    options.scenarioFrames = nil
    guard let frames = scenarioFrames?[name] else { return options }
    options.frameCount = frames.recorded ?? frameCount
    options.warmUpFrameCount = frames.warmUp ?? warmUpFrameCount
    return options
  }
}
