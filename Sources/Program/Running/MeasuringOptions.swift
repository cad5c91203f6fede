import ArgumentParser
import FrameBench
import Linking
import Platform

struct MeasuringOptions: ParsableArguments {
  static let largestFrameCount = 1_000_000
  static let largestRunCount = 10_000
  static let largestLayoutCount = 200
  /// The number of link orders in a night. It is a multiple of four, so that each function begins in every quarter of a
  /// cache line equally often. Each order has at least two runs.
  static let nightlyLayoutCount = 8
  /// The time limit of a benchmark's timing pass (the runs that time whole frames), in seconds. A pass that would take
  /// longer has fewer runs. With this limit, the default catalogue is measured within a minute, and frames of up to a
  /// few microseconds have all of their runs.
  static let passSecondsLimit = 0.25
  static let usualCapacitySeconds = 120.0

  /// The options of `--quick`. 1,000 frames are enough for the p99.
  static let quick = {
    var options = RunOptions()
    options.frameCount = 1_000
    options.warmUpFrameCount = 60
    options.runCount = 3
    return options
  }()

  @Option(
    "Recorded frames of each run (default: 20 seconds, \(RunOptions().frameCount) at 60 Hz).", "n",
    OptionValue.wholeNumber(1...Self.largestFrameCount, like: 1_200)) var frames: Int?
  @Option(
    """
    Runs of each timing pass, each in its own process (default: \(RunOptions().runCount), fewer if \
    they take longer than \(Self.passSecondsLimit) s).
    """, "n", OptionValue.wholeNumber(1...Self.largestRunCount, like: 20)) var runs: Int?
  @Flag(
    help: """
      A first look: \(Self.quick.runCount) runs of \(Self.quick.frameCount) frames after \
      \(Self.quick.warmUpFrameCount) of warm-up, at 60 Hz, one run for phases and one for allocations, \
      without the sizes that the suite marks as slow, unless --filter or --sizes says what to run.
      """) var quick = false
  @Flag(help: "Also count the instructions of each frame and phase, under valgrind: a model of the machine, not time.")
  var instructions = false

  @Option(
    """
    Build the working tree and spread the runs over n link orders of it, so that no figure depends on the \
    luck of one order (default: 1, the program as it is; nightly: \(Self.nightlyLayoutCount), if it can \
    build).
    """, "n", OptionValue.wholeNumber(1...Self.largestLayoutCount, like: 10)) var layouts: Int?
  @Flag(
    help: """
      Also search, for each scenario and strategy, the largest number of items whose p99 frame fits the \
      budget of --hz and --share, to within 5%, or a range if time runs out.
      """) var capacity = false
  @Option(
    "Seconds that one such search may take (default: \(Int(Self.usualCapacitySeconds))); implies --capacity.", "s",
    OptionValue.seconds(0...1e6, like: 120)) var capacitySeconds: Double?
  @Option(
    "Seconds that one run may take (default: 60, more for more frames or items).", "s",
    OptionValue.seconds(0...1e7, like: 60)) var workerTimeout: Double?

  /// The time limit in seconds of each search for the largest size that is fast enough. Nil without a search.
  var capacityLimit: Double? { capacitySeconds ?? (capacity ? Self.usualCapacitySeconds : nil) }

  func runOptions(_ display: DisplayOptions) -> RunOptions {
    var options = quick ? Self.quick : RunOptions()
    display.apply(to: &options)
    options.setFrameCount(frames)
    if let runs { options.runCount = runs } else { options.passSecondsLimit = Self.passSecondsLimit }
    return options
  }
}

struct DisplayOptions: ParsableArguments {
  enum RefreshRate: Int, CaseIterable, ExpressibleByArgument {
    case sixty = 60
    case ninety = 90
    case oneHundredTwenty = 120
  }

  @Option(
    "Frames before the first recorded one (default: 2 seconds).", "n",
    OptionValue.wholeNumber(0...MeasuringOptions.largestFrameCount, like: 120)) var warmUp: Int?
  @Option("Frames per second of the display (default: 60).", "rate") var hz: RefreshRate?
  @Option(
    "Part of a frame that the measured work may take, above 0 and up to 1 (default: 1).", "part", OptionValue.share)
  var share: Double?

  @Option("Seed of the scenarios and of the order of the runs (default: 1).", "n", OptionValue.seed) var seed: UInt64?
  @Option(
    """
    A recorded scroll to play, as CSV (see docs/traces.md), instead of the scenario's own; "lifted=origin", alone or \
    after a comma: a lifted finger's touch is at the origin of the content.
    """, "file", Self.playable) var trace: String?

  /// Refuses a file that can be read only once, such as a pipe, because every run reads the file in its own process.
  private static func playable(_ text: String) throws -> String {
    if let path = TraceArgument(text).path {
      try attempt(try InputFile(path, sizeLimit: 64 << 20).checkRepeatable()) { ValueError("\(path) \($0)") }
    }
    return text
  }

  /// Applies the given options. At a higher refresh rate, more frames cover the same seconds of motion.
  func apply(to options: inout RunOptions) {
    if let rate = hz?.rawValue {
      options.frameCount = options.frameCount * rate / options.refreshRateHertz
      options.warmUpFrameCount = options.warmUpFrameCount * rate / options.refreshRateHertz
      options.refreshRateHertz = rate
    }
    if let warmUp {
      options.warmUpFrameCount = warmUp
      options.namesWarmUpFrameCount = true
    }
    if let share { options.budgetShare = share }
    if let seed { options.seed = seed }
    options.tracePath = trace
  }
}
