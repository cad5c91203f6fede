import ArgumentParser
import FrameBench
import Measurements

/// What a run shows, and how often.
struct DisplayOptions: ParsableArguments {
  enum RefreshRate: Int, CaseIterable, ExpressibleByArgument {
    case sixty = 60
    case ninety = 90
    case oneHundredTwenty = 120
  }

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Frames before the first recorded one (default: 2 seconds).", valueName: "n"),
    transform: OptionValue.wholeNumber(0...MeasuringOptions.largestFrameCount, like: 120))
  var warmUp: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Frames per second of the display (default: 60).", valueName: "rate"))
  var hz: RefreshRate?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Part of a frame that the measured work may take, above 0 and up to 1 (default: 1).",
      valueName: "part"),
    transform: OptionValue.share)
  var share: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Seed of the scenarios and of the order of the runs (default: 1).", valueName: "n"),
    transform: OptionValue.seed)
  var seed: UInt64?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "A recorded scroll to play, as CSV (see docs/traces.md), instead of the scenario's own.",
      valueName: "file"),
    transform: OptionValue.trace)
  var trace: String?

  /// The rate makes the same seconds of motion of the numbers of frames that `options` has.
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
