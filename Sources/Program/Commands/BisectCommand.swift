import ArgumentParser
import Foundation
import FrameBench

struct BisectCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "bisect", abstract: "Finds the commit between two that changed a figure.",
    discussion: """
      Compares the bad commit with the good one in lock step, then commits between them, by bisection, each \
      with the good one: a commit is bad if its figure lies beyond the midpoint of the two ends. Doubtful \
      commits are measured again, longer. At the end the commit is compared with the one before it. Commits \
      that do not build or cannot run the benchmark are skipped.

      EXAMPLES
        springbench bisect springs/tiled/10000 --good v1.2 --bad main
        springbench bisect springs/tiled/10000 --good a1b2c3d --bad e4f5a6b \\
          --metric frameNanoseconds.solve

      EXIT STATUS
        0  found
        1  it could not be measured
        6  the two do not differ, or the answer is less than 90% sure
      """)

  /// Less sure than this is not an answer.
  static let requiredConfidence = 0.9

  @Argument(help: ArgumentHelp("The benchmark.", valueName: "id"), transform: OptionValue.benchmark)
  var id: BenchmarkID

  @Option(parsing: .unconditional, help: ArgumentHelp("A commit before the change.", valueName: "rev"))
  var good: String

  @Option(parsing: .unconditional, help: ArgumentHelp("A commit with the change.", valueName: "rev"))
  var bad = "HEAD"

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "frameNanoseconds, frameNanoseconds.solve, allocationCount, checksum, … (default: the one that differs most clearly).",
      valueName: "name"),
    transform: { text in
      guard let figure = BisectedFigure(text) else {
        throw ValueError("give one as in frameNanoseconds, frameNanoseconds.solve or allocationCount")
      }
      return figure
    })
  var metric: BisectedFigure?

  @OptionGroup(title: "Measuring") var measuring: ComparingOptions

  @OptionGroup(title: "Building") var building: BuildOptions

  @Flag(help: "Print one JSON array, an object per measured commit, and nothing else.") var json = false

  func run(in context: CommandContext) async throws -> ExitStatus {
    try await building.enterSandbox(context)
    let search = BisectSearch(
      benchmark: id, good: good, bad: bad, figure: metric, settings: measuring.settings,
      building: building.settings, arguments: context.arguments, console: context.console)
    let result = try await Interruption.cancelling { try await search.run() }
    try context.console.write(json ? try result.json() : result.text())
    guard result.culprit != nil else { return .inconclusive }
    return result.confidence >= Self.requiredConfidence ? .success : .inconclusive
  }
}
