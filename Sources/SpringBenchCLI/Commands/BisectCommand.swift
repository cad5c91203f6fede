import ArgumentParser
import Foundation
import FrameBench
import Orchestration

struct BisectCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "bisect", abstract: "Finds the commit between two that changed a figure.",
    discussion: """
      Compares the bad commit with the good one in lock step, then commits between them, by bisection, each with the
      good one: a commit is bad where its figure lies beyond the middle between the two ends. What is doubtful is
      measured again, longer. At the end the commit is compared with the one before it. Commits that do not build
      or cannot run the benchmark are skipped.

      EXAMPLES
        springbench bisect springs/tiled/10000 --good v1.2 --bad main
        springbench bisect springs/tiled/10000 --good a1b2c3d --bad e4f5a6b --metric frameNanoseconds.solve

      EXIT STATUS
        0 found, 1 it could not be measured, 6 the two do not differ, or it is not sure by 90%
      """)

  /// Less sure than this is not an answer.
  static let requiredConfidence = 0.9

  @Argument(help: ArgumentHelp("The benchmark.", valueName: "id"), transform: OptionValue.benchmark)
  var id: BenchmarkID

  @Option(parsing: .unconditional, help: ArgumentHelp("A commit before the change.", valueName: "rev"))
  var good: String

  @Option(parsing: .unconditional, help: ArgumentHelp("A commit after it.", valueName: "rev"))
  var bad = "HEAD"

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "frameNanoseconds, frameNanoseconds.solve, allocationCount, checksum, … (default: what differs most clearly).",
      valueName: "name"),
    transform: { text in
      guard let figure = BisectedFigure(text) else {
        throw ValueError("give one as in frameNanoseconds, frameNanoseconds.solve or allocationCount")
      }
      return figure
    })
  var metric: BisectedFigure?

  @OptionGroup(title: "Measuring") var measuring: ComparingOptions

  @OptionGroup(title: "Building") var building: RevisionOptions

  @Flag(help: "Print one JSON array, an object a measured commit, and nothing else.") var json = false

  func run(in context: CommandContext) async throws -> ExitStatus {
    try await building.enterSandbox(context)
    _ = try context.suite.benchmark("\(id)")
    if let metric, let problem = try await FigureProbe().problem(metric.figure, of: [id]) {
      throw UsageError("--metric: \(problem)")
    }
    let search = BisectSearch(
      benchmark: id, good: good, bad: bad, figure: metric, settings: measuring.settings,
      building: building.settings, arguments: context.arguments, console: context.console)
    let result = try await Interruption.cancelling { try await search.run() }
    try context.console.write(json ? try result.json() : result.text())
    guard result.culprit != nil else { return .inconclusive }
    return result.confidence >= Self.requiredConfidence ? .success : .inconclusive
  }
}
