import ArgumentParser
import Foundation
import FrameBench

struct RunCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Measures benchmarks and writes a report.",
    discussion: """
      Every run is a process of its own; times, phases and allocations are measured in separate runs.
      Writes DIR/<machine>/<time>-<commit>/ with run.json, report.md and its pictures, and report.html,
      which needs no other file; and refreshes DIR/README.md.

      EXAMPLES
        springbench run --quick
        springbench run --filter '^springs/' --sizes 100,1000,10000 --strategies naive,tiled
        springbench run --frames 2400 --runs 40 --hz 120 --output nightly
        springbench run --quick --instructions
        springbench run --hz 120 --share 0.5    half of a 120 Hz frame is for other work
        springbench run --capacity --strategies naive
        springbench run --json > rows.json
      """)

  @OptionGroup(title: "Selection") var selection: SelectionOptions
  @OptionGroup(title: "Measuring") var measuring: MeasuringOptions

  @OptionGroup(title: "Capacity") var capacity: CapacityOptions

  @OptionGroup var results: ResultOptions

  @Flag(
    help:
      "Count the instructions of each frame and phase too, under valgrind: a model of the machine, not time.")
  var instructions = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      Spread the runs over so many link orders of the working tree, which is built for it, so that no figure is \
      the luck of one order (default: 1, this program as it is; nightly: \(RunLayouts.nightlyCount), where it can \
      build).
      """, valueName: "n"))
  var layouts: String?

  @Flag(help: "Print one JSON array of flat rows to stdout, and nothing else.") var json = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Seconds that a worker may take.", valueName: "s", visibility: .hidden))
  var workerTimeout: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Seconds that a worker under valgrind may take.", valueName: "s", visibility: .hidden))
  var instructionTimeout: String?

  func run(in context: CommandContext) async throws -> ExitStatus {
    let plan = try RunPlan(self, context)
    let (document, folder) = try await Interruption.cancelling {
      let document = try await plan.measure(context)
      return (document, try plan.write(document))
    }
    try show(document, folder: folder, context)
    for failure in document.failures {
      context.console.report("\(failure.id): \(failure.reason)\(Self.lastWords(failure.standardError))")
    }
    return document.failures.isEmpty ? .success : .failure
  }

  private func show(_ document: RunDocument, folder: String, _ context: CommandContext) throws {
    if json {
      try context.console.write(ReportWriting.flatRows(document))
      return
    }
    let table = ReportWriting.terminalTable(document, width: 80, usesColor: context.usesColor)
    try context.console.write(table + (table.hasSuffix("\n") ? "" : "\n") + "\(folder)/report.md\n")
  }

  /// A crash of Swift says why first, and lists its stack after that.
  static func lastWords(_ text: String) -> String {
    let lines = text.split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }
    let line = lines.last { $0.contains("Fatal error") } ?? lines.last
    return line.map { "; its last words: \($0.prefix(200))" } ?? ""
  }

  /// Nil where the command line does not say.
  func parsedLayouts(runCount: Int) throws(UsageError) -> RunLayouts? {
    guard let layouts else { return nil }
    let count = try WholeNumber.parse(layouts, "--layouts", 1...RunLayouts.largestCount, example: 10)
    guard count <= runCount else {
      throw UsageError(
        "--layouts", "\(count) link orders need \(count) runs, and there are \(runCount)",
        remedy: "give fewer, or more with --runs")
    }
    return count == 1 ? .asBuilt : .required(count)
  }

  func parsedTimeout() throws(UsageError) -> Duration? {
    try Self.duration(workerTimeout, "--worker-timeout")
  }

  func parsedInstructionTimeout() throws(UsageError) -> Duration? {
    try Self.duration(instructionTimeout, "--instruction-timeout")
  }

  private static func duration(_ text: String?, _ flag: String) throws(UsageError) -> Duration? {
    guard let text else { return nil }
    guard let seconds = Double(text), seconds > 0, seconds < 1e7 else {
      throw UsageError(
        flag, "\"\(text)\" is not a positive number of seconds", remedy: "give one as in \(flag) 60")
    }
    return .seconds(seconds)
  }
}
