import ArgumentParser
import Foundation
import FrameBench
import FrameReport

struct ProfileCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "profile", abstract: "Shows where a frame's time, allocations and instructions go.",
    discussion: """
      Writes DIR/<machine>/<time>-<commit>-profile-<id>/ with profile.md, flame graphs, folded stacks,
      files for speedscope, Perfetto and KCachegrind. docs/profile.md says how to read them.

      EXAMPLES
        springbench profile springs/tiled/10000
        springbench profile springs/naive/1000 --frames 200..260
        springbench profile springs/exact/10000 --worst 5 --hz 120
        springbench profile springs/tiled/1000 --against main
        springbench profile springs/tiled/1000 --json | jq '.[] | select(.kind == "allocation")'
      """)

  @Argument(help: ArgumentHelp("The benchmark: scenario/strategy/size.", valueName: "id"))
  var benchmark: String

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Only these recorded frames, from 0: 200..260, or 200.", valueName: "a..b"))
  var frames: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Only the so many dearest frames.", valueName: "n"))
  var worst: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "A git revision to compare with: both are built in release, the working tree is the other.",
      valueName: "rev"))
  var against: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Recorded frames of a run (default: 20 seconds of them).", valueName: "n"))
  var runFrames: String?

  @OptionGroup var display: DisplayOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Samples to take at least (default: 4000).", valueName: "n"))
  var samples: String?

  @Flag(inversion: .prefixedNo, help: "Count instructions by function, where valgrind is installed.")
  var instructions = true

  @OptionGroup var results: ResultOptions

  @Flag(help: "Print one JSON array of rows to stdout, and nothing else.") var json = false

  @OptionGroup(title: "Building what --against names") var revisions: RevisionOptions

  func run(in context: CommandContext) async throws -> ExitStatus {
    let plan = try ProfilePlan(self, context)
    let (result, folder) = try await Interruption.cancelling {
      let result = try await plan.measure(context)
      return (result, try plan.write(result))
    }
    try context.console.write(
      json ? ProfileRows(result).json() : ProfileText(result).text + "\(folder)/profile.md\n")
    return .success
  }

  func measuringOptions() throws(UsageError) -> RunOptions {
    var options = RunOptions()
    options.passSecondsLimit = MeasuringOptions.passSecondsLimit
    try display.setRate(of: &options)
    if let runFrames {
      options.frameCount = try WholeNumber.parse(
        runFrames, "--run-frames", 1...MeasuringOptions.largestFrameCount, example: 1_200)
    }
    try display.apply(to: &options)
    return options
  }
}

/// Which recorded frames are looked at.
enum FrameChoice: Equatable, Sendable {
  case all
  case range(ClosedRange<Int>)
  case worst(Int)

  /// - Parameter frameCount: Recorded frames of a run.
  init(frames: String?, worst: String?, frameCount: Int) throws(UsageError) {
    guard frames == nil || worst == nil else {
      throw UsageError("--worst", "it cannot be given together with --frames", remedy: "choose one of them")
    }
    if let worst {
      guard let count = Int(worst), (1...frameCount).contains(count) else {
        throw UsageError(
          "--worst", "\"\(worst)\" is not a whole number from 1 to \(frameCount), the frames of the run",
          remedy: "give one as in --worst 5")
      }
      self = .worst(count)
      return
    }
    guard let frames else {
      self = .all
      return
    }
    let parts = frames.components(separatedBy: "..")
    guard parts.count <= 2, let first = Self.number(parts[0]), let last = Self.number(parts[parts.count - 1]),
      first <= last
    else {
      throw UsageError(
        "--frames", "\"\(frames)\" is no range of frames", remedy: "give one as in --frames 200..260")
    }
    guard last < frameCount else {
      throw UsageError(
        "--frames", "a run has no recorded frame \(last)",
        remedy: "the last is \(frameCount - 1); --run-frames sets their number")
    }
    self = .range(first...last)
  }

  private static func number(_ text: String) -> Int? {
    !text.isEmpty && text.allSatisfy { $0.isASCII && $0.isNumber } ? Int(text) : nil
  }
}
