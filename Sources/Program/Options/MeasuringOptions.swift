import ArgumentParser
import FrameBench
import Measurements

/// How to measure.
struct MeasuringOptions: ParsableArguments {
  static let largestFrameCount = 1_000_000
  static let largestRunCount = 10_000
  /// So that the default catalogue is measured within a minute; what takes no longer than a few microseconds a
  /// frame has all of its runs within it.
  static let passSecondsLimit = 0.25

  /// A first look: p99 still has a thousand frames to speak of.
  static let quick = {
    var options = RunOptions()
    options.frameCount = 1_000
    options.warmUpFrameCount = 60
    options.runCount = 3
    return options
  }()

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Recorded frames of each run (default: 20 seconds, \(RunOptions().frameCount) at 60 Hz).",
      valueName: "n"),
    transform: OptionValue.wholeNumber(1...Self.largestFrameCount, like: 1_200))
  var frames: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      Runs of each timing pass, each in its own process (default: \(RunOptions().runCount), fewer if \
      they take longer than \(Self.passSecondsLimit) s).
      """,
      valueName: "n"),
    transform: OptionValue.wholeNumber(1...Self.largestRunCount, like: 20))
  var runs: Int?

  @OptionGroup var display: DisplayOptions

  @Flag(
    help: ArgumentHelp(
      """
      A first look: \(Self.quick.runCount) runs of \(Self.quick.frameCount) frames after \
      \(Self.quick.warmUpFrameCount) of warm-up, at 60 Hz, without the sizes that the suite marks as slow, \
      unless --filter or --sizes says what to run.
      """))
  var quick = false

  var runOptions: RunOptions {
    var options = quick ? Self.quick : RunOptions()
    display.apply(to: &options)
    if let frames {
      options.frameCount = frames
      options.namesFrameCount = true
    }
    if let runs {
      options.runCount = runs
    } else {
      options.passSecondsLimit = Self.passSecondsLimit
    }
    return options
  }
}
