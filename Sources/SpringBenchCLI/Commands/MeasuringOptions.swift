import ArgumentParser
import FrameBench

/// How to measure.
struct MeasuringOptions: ParsableArguments {
  static let refreshRates = [60, 90, 120]
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
      "Recorded frames of each run (default: 20 seconds of them, \(RunOptions().frameCount) at 60 Hz).",
      valueName: "n"))
  var frames: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Frames before the first recorded one (default: 2 seconds of them).", valueName: "n"))
  var warmUp: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      Runs of each timing pass, each a process of its own (default: \(RunOptions().runCount), fewer where \
      they take longer than \(Self.passSecondsLimit) s).
      """,
      valueName: "n"))
  var runs: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Frames per second of the display: 60, 90 or 120 (default: 60).", valueName: "rate"))
  var hz: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Part of a frame that the measured work may take, above 0 and up to 1 (default: 1, all of it).",
      valueName: "fraction"))
  var share: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Seed of the scenarios and of the order of the runs (default: 1).", valueName: "n"))
  var seed: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "A recorded scroll to play, as CSV (see docs/traces.md), instead of the scripted one.",
      valueName: "file"))
  var trace: String?

  @Flag(
    help: ArgumentHelp(
      """
      A first look: \(Self.quick.runCount) runs of \(Self.quick.frameCount) frames after \
      \(Self.quick.warmUpFrameCount) of warm-up, at 60 Hz, without the sizes that the suite leaves out of it \
      unless --filter or --sizes says what to run.
      """))
  var quick = false

  func runOptions() throws(UsageError) -> RunOptions {
    var options = quick ? Self.quick : RunOptions()
    if let hz {
      guard let rate = Int(hz), Self.refreshRates.contains(rate) else {
        throw UsageError(
          "--hz", "\"\(hz)\" is no refresh rate of a display", remedy: "choose 60, 90 or 120")
      }
      // The same seconds of motion at every rate.
      options.frameCount = options.frameCount * rate / options.refreshRateHertz
      options.warmUpFrameCount = options.warmUpFrameCount * rate / options.refreshRateHertz
      options.refreshRateHertz = rate
    }
    if let frames {
      options.frameCount = try Self.number(frames, "--frames", 1...Self.largestFrameCount, example: 1_200)
    }
    if let warmUp {
      options.warmUpFrameCount = try Self.number(
        warmUp, "--warm-up", 0...Self.largestFrameCount, example: 120)
    }
    if let runs {
      options.runCount = try Self.number(runs, "--runs", 1...Self.largestRunCount, example: 20)
    } else {
      options.passSecondsLimit = Self.passSecondsLimit
    }
    if let share { options.budgetShare = try Self.fraction(share) }
    if let seed {
      guard let number = UInt64(seed) else {
        throw UsageError(
          "--seed", "\"\(seed)\" is not a whole number from 0 to \(UInt64.max)",
          remedy: "give one as in --seed 1")
      }
      options.seed = number
    }
    options.tracePath = trace
    return options
  }

  private static func fraction(_ text: String) throws(UsageError) -> Double {
    guard let share = Double(text), share > 0, share <= 1 else {
      throw UsageError(
        "--share", "\"\(text)\" is not above 0 and up to 1", remedy: "give one as in --share 0.5")
    }
    return share
  }

  private static func number(
    _ text: String, _ flag: String, _ range: ClosedRange<Int>, example: Int
  ) throws(UsageError) -> Int {
    guard let number = Int(text), range.contains(number) else {
      throw UsageError(
        flag, "\"\(text)\" is not a whole number from \(range.lowerBound) to \(range.upperBound)",
        remedy: "give one as in \(flag) \(example)")
    }
    return number
  }
}
