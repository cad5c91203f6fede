/// How a run was measured.
public struct RunOptions: Codable, Sendable, Hashable {
  /// Recorded frames of each run.
  public var frameCount = 1_200
  /// Frames before the first recorded one.
  public var warmUpFrameCount = 120
  /// Repetitions of each timing pass with fresh state, each in its own process.
  public var runCount = 20
  /// Frames per second of the simulated display, 1/s.
  public var refreshRateHertz = 60
  /// Seeds the scenarios, and the order of the runs; 64 bits without a sign.
  public var seed: UInt64 = 1
  /// The file of a recorded scroll that was played, or `lifted=origin`, or both with a comma between them, as `--trace`
  /// said it. Absent: the scenario's own scroll.
  public var tracePath: String?
  /// The part of a frame period that the measured work may take, above 0 and up to 1. Absent: all of it.
  public var budgetShare: Double?
  /// A timing pass of a benchmark ends once its runs have taken this long, seconds, and there are at least
  /// `leastRunCount`, or `leastLongRunCount`. Absent: it has `runCount` runs, however long they take.
  public var passSecondsLimit: Double?

  /// Link orders of the program that the runs of a benchmark were spread over, at least two. Absent: all ran
  /// the program as it was built.
  public var layoutCount: Int?

  /// Frame counts that scenarios ask for instead of `frameCount` and `warmUpFrameCount`, by name. Absent: none do.
  public var scenarioFrames: [String: FrameCounts]?

  /// Whether the command line says how many frames are recorded; scenarios are not asked then.
  package var namesFrameCount = false
  /// Whether the command line says how many frames warm up; scenarios are not asked then.
  package var namesWarmUpFrameCount = false

  private enum CodingKeys: String, CodingKey {
    case frameCount, warmUpFrameCount, runCount, refreshRateHertz, seed, tracePath, budgetShare
    case passSecondsLimit, layoutCount, scenarioFrames
  }

  /// Frames of one scenario.
  public struct FrameCounts: Codable, Sendable, Hashable {
    /// Recorded frames of each run. Absent: as many as in other scenarios.
    public var recorded: Int?
    /// Frames before the first recorded one. Absent: as many as in other scenarios.
    public var warmUp: Int?

    public init(recorded: Int? = nil, warmUp: Int? = nil) {
      self.recorded = recorded
      self.warmUp = warmUp
    }
  }

  /// Minimum number of runs of a timing pass, whatever they cost, unless fewer were requested.
  public static let leastRunCount = 5
  /// The minimum where a run takes longer than `longRunSeconds`: long frames vary little from run to run, and three
  /// runs are enough for an interval.
  public static let leastLongRunCount = 3
  public static let longRunSeconds = 0.5

  public init() {}

  /// The options for one scenario, with the frames that it asks for.
  public func of(scenario name: String) -> RunOptions {
    var options = self
    options.scenarioFrames = nil
    guard let frames = scenarioFrames?[name] else { return options }
    options.frameCount = frames.recorded ?? frameCount
    options.warmUpFrameCount = frames.warmUp ?? warmUpFrameCount
    return options
  }
}
