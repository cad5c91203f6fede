import ArgumentParser
import Foundation
import FrameBench
import Measurements

struct ProfileCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "profile", abstract: "Shows where a frame's time, allocations and instructions go.",
    discussion: """
      Writes DIR/<machine>/<time>-<commit>-profile-<id>/ with profile.md, flame graphs, folded stacks, \
      and files for speedscope, Perfetto and KCachegrind. docs/profile.md says how to read them.

      EXAMPLES
        springbench profile springs/tiled/10000
        springbench profile springs/naive/1000 --frames 200..260
        springbench profile springs/exact/10000 --worst 5 --hz 120
        springbench profile springs/tiled/1000 --against main
        springbench profile springs/tiled/1000 --json | jq '.[].function'
      """)

  @Argument(help: ArgumentHelp("The benchmark: scenario/strategy/size.", valueName: "id"))
  var benchmark: String

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Only these recorded frames, from 0: 200..260, or 200.", valueName: "a..b"),
    transform: Self.range)
  var frames: ClosedRange<Int>?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Only the n most expensive frames.", valueName: "n"),
    transform: OptionValue.wholeNumber(1...MeasuringOptions.largestFrameCount, like: 5))
  var worst: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "A git revision to compare the working tree with; both are built in release.",
      valueName: "rev"))
  var against: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Recorded frames of a run (default: 20 seconds).", valueName: "n"),
    transform: OptionValue.wholeNumber(1...MeasuringOptions.largestFrameCount, like: 1_200))
  var runFrames: Int?

  @OptionGroup var display: DisplayOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Minimum number of samples (default: 4000).", valueName: "n"),
    transform: OptionValue.wholeNumber(1...10_000_000, like: 4_000))
  var samples: Int?

  @Flag(inversion: .prefixedNo, help: "Count instructions by function, if valgrind is installed.")
  var instructions = true

  @OptionGroup var results: ResultOptions

  @Flag(help: "Print one JSON array of rows to stdout, and nothing else.") var json = false

  @OptionGroup(title: "Building") var building: BuildOptions

  func run(in context: CommandContext) async throws -> ExitStatus {
    try await building.enterSandbox(context)
    let building = try building.settings(context)
    let (result, folder) = try await Interruption.cancelling {
      let catalogue = try await building.catalogue(context.console)
      let plan = try await ProfilePlan(try settings(catalogue, building), catalogue, context)
      let result = try await plan.measure(context)
      return (result, try plan.write(result))
    }
    try context.console.write(
      json ? ProfileRows(result).json() : ProfileText(result).text + "\(folder)/profile.md\n")
    return .success
  }

  private func settings(
    _ catalogue: Catalogue, _ building: BuildSettings
  ) throws(UsageError) -> ProfileSettings {
    var options = RunOptions()
    options.passSecondsLimit = MeasuringOptions.passSecondsLimit
    display.apply(to: &options)
    if let runFrames {
      options.frameCount = runFrames
      options.namesFrameCount = true
    }
    options.takeFrames(of: catalogue)
    options = options.of(scenario: String(benchmark.prefix { $0 != "/" }))
    return ProfileSettings(
      benchmark: benchmark, options: options, choice: try choice(frameCount: options.frameCount),
      against: against, building: building, sampleTarget: samples ?? 4_000,
      countsInstructions: instructions, results: results.output, machine: results.machine)
  }

  /// - Parameter frameCount: Recorded frames of a run.
  func choice(frameCount: Int) throws(UsageError) -> FrameChoice {
    switch (frames, worst) {
    case (_?, _?):
      throw UsageError("--worst", "it cannot be combined with --frames", remedy: "choose one of them")
    case (nil, let worst?):
      guard worst <= frameCount else {
        throw UsageError(
          "--worst", "a run has only \(frameCount) recorded frames", remedy: "--run-frames sets their number")
      }
      return .worst(worst)
    case (let frames?, nil):
      guard frames.upperBound < frameCount else {
        throw UsageError(
          "--frames", "a run has no recorded frame \(frames.upperBound)",
          remedy: "the last is \(frameCount - 1); --run-frames sets their number")
      }
      return .range(frames)
    case (nil, nil): return .all
    }
  }

  private static func range(_ text: String) throws -> ClosedRange<Int> {
    let ends = text.components(separatedBy: "..").map { part in
      part.allSatisfy { $0.isASCII && $0.isNumber } ? Int(part) : nil
    }
    guard ends.count <= 2, let first = ends[0], let last = ends[ends.count - 1], first <= last else {
      throw ValueError("give a range of frames as in 200..260")
    }
    return first...last
  }
}
