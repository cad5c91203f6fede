import ArgumentParser
import Foundation
import FrameBench
import FrameReport

struct CalibrateCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate", abstract: "Finds out what compare can find on this machine.",
    discussion: """
      Compares this program with itself, many times: as it is, which must report nothing, and with work
      planted in one phase of every frame, which should be reported. Suggests a tolerance.

      EXAMPLES
        springbench calibrate --filter 'tiled/1000$' --trials 20
        springbench calibrate --planted 0,0.5,1,2,5 --phase solve --json > power.json
      """)

  @OptionGroup(title: "Selection") var selection: SelectionOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Comparisons of each benchmark with each slow-down (default: 20).", valueName: "n"))
  var trials: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Slow-downs in percent of the phase, 0 for none (default: 0,0.5,1,2,5).", valueName: "list"))
  var planted: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Tolerances in percent to judge by (default: 1,0.3,0).", valueName: "list"))
  var tolerances: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("The phase to plant work in.", valueName: "name"))
  var phase = "solve"

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Seconds of each comparison (default: 5).", valueName: "s"))
  var seconds: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Seed of the order (default: drawn, and printed).", valueName: "n"))
  var seed: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Another build of the same for the baseline.", valueName: "path", visibility: .hidden))
  var baseExecutable: String?

  @Flag(help: "Print the document as JSON to stdout.") var json = false

  func run(in context: CommandContext) async throws -> ExitStatus {
    let ids = try selection.benchmarks(of: context.suite).map(\.id)
    var options = try ComparingOptions.parse([])
    options.seconds = seconds
    options.seed = seed
    let calibration = Calibration(
      plan: try options.plan(executables: [baseExecutable ?? Self.ownPath, Self.ownPath]), phase: phase,
      planted: try Self.percents(planted, "--planted", standard: [0, 0.5, 1, 2, 5]),
      tolerances: try Self.percents(tolerances, "--tolerances", standard: [1, 0.3, 0]),
      trialCount: try parsedTrials(), seconds: try options.parsedSeconds(), seed: try options.parsedSeed())
    let line = ComparisonProgress(console: context.console)
    let document = try await Interruption.cancelling {
      defer { line.clear() }
      do {
        return try await DedicatedThread.run { isCancelled in
          var calibration = calibration
          calibration.plan.isCancelled = isCancelled
          return try calibration.run(ids, progress: line.show)
        }
      } catch let failure as WorkerProcess.Failure {
        throw RunError(failure.reason + RunCommand.lastWords(failure.standardError))
      }
    }
    if json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      try context.console.write(String(decoding: try encoder.encode(document), as: UTF8.self) + "\n")
    } else {
      try context.console.write(CalibrationMarkdown(document).render())
    }
    return .success
  }

  /// Not `/proc/self/exe`, which is another program while it is built anew.
  private static var ownPath: String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "/proc/self/exe"
  }

  private func parsedTrials() throws(UsageError) -> Int {
    guard let trials else { return 20 }
    guard let count = Int(trials), (1...10_000).contains(count) else {
      throw UsageError(
        "--trials", "\"\(trials)\" is not a whole number from 1 to 10000",
        remedy: "give one as in --trials 20")
    }
    return count
  }

  /// As fractions.
  private static func percents(
    _ text: String?, _ flag: String, standard: [Double]
  ) throws(UsageError) -> [Double] {
    guard let text else { return standard.map { $0 / 100 } }
    var fractions: [Double] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false).map(ListItem.trimmed) {
      guard let number = Double(part.hasSuffix("%") ? String(part.dropLast()) : part), number >= 0,
        number < 100
      else {
        throw UsageError(
          flag, "\"\(part)\" is no percentage", remedy: "give numbers as in \(flag) 0,0.5,1,2,5")
      }
      fractions.append(number / 100)
    }
    return fractions
  }
}
