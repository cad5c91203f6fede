import ArgumentParser
import FrameBench

/// What a run shows, and how often.
struct DisplayOptions: ParsableArguments {
  static let refreshRates = [60, 90, 120]

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Frames before the first recorded one (default: 2 seconds of them).", valueName: "n"))
  var warmUp: String?

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

  /// Comes before numbers of frames are set, as it makes the same seconds of motion of those that are not.
  func setRate(of options: inout RunOptions) throws(UsageError) {
    guard let hz else { return }
    guard let rate = Int(hz), Self.refreshRates.contains(rate) else {
      throw UsageError("--hz", "\"\(hz)\" is no refresh rate of a display", remedy: "choose 60, 90 or 120")
    }
    options.frameCount = options.frameCount * rate / options.refreshRateHertz
    options.warmUpFrameCount = options.warmUpFrameCount * rate / options.refreshRateHertz
    options.refreshRateHertz = rate
  }

  func apply(to options: inout RunOptions) throws(UsageError) {
    if let warmUp {
      options.warmUpFrameCount = try WholeNumber.parse(
        warmUp, "--warm-up", 0...MeasuringOptions.largestFrameCount, example: 120)
    }
    if let share {
      guard let fraction = Double(share), fraction > 0, fraction <= 1 else {
        throw UsageError(
          "--share", "\"\(share)\" is not above 0 and up to 1", remedy: "give one as in --share 0.5")
      }
      options.budgetShare = fraction
    }
    if let seed { options.seed = try WholeNumber.seed(seed) }
    options.tracePath = trace
  }
}
