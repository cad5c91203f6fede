import ArgumentParser
import Foundation
import FrameBench
import FrameReport

struct CalibrateCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate", abstract: "Finds out what compare can find on this machine.",
    discussion: """
      Compares this program with itself, many times: as it is, which must report nothing, and with work
      planted in one phase of every frame, which should be reported. Suggests a tolerance. Writes
      DIR/<machine>/calibration-<time>-<commit>/ with calibration.json, calibration.md and its picture.

      EXAMPLES
        springbench calibrate --filter 'tiled/1000$' --trials 20
        springbench calibrate --planted 0,0.5,1,2,5 --phase solve --json > power.json
        springbench calibrate --layouts         over link orders of a build of the working tree, as compare does
        springbench calibrate --read power.json
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

  @Flag(
    help:
      "Build the working tree, and compare it with itself over link orders, as compare does with two revisions."
  )
  var layouts = false

  @OptionGroup var results: ResultOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Measure nothing: print the page of an earlier calibration.json.", valueName: "file"))
  var read: String?

  @Flag(help: "Print the document as JSON to stdout.") var json = false

  func run(in context: CommandContext) async throws -> ExitStatus {
    if let read {
      try show(try Self.document(read), context)
      return .success
    }
    let ids = try selection.benchmarks(of: context.suite).map(\.id)
    var options = try ComparingOptions.parse([])
    options.seconds = seconds
    options.seed = seed
    let thisMachine = Machine.current()
    let machineName = try MachineName.resolve(flag: results.machine, context, of: thisMachine)
    var calibration = Calibration(
      plan: try options.plan(executables: [baseExecutable ?? Self.ownPath, Self.ownPath]), phase: phase,
      planted: try Self.percents(planted, "--planted", standard: [0, 0.5, 1, 2, 5]),
      tolerances: try Self.percents(tolerances, "--tolerances", standard: [1, 0.3, 0]),
      trialCount: try parsedTrials(), seconds: try options.parsedSeconds(), seed: try options.parsedSeed(),
      conditions: CalibrationConditions(
        startedAt: Timestamp(date: Date()).iso8601, arguments: context.arguments, machine: machineName,
        cpuModel: thisMachine.cpuModel, coreCount: thisMachine.coreCount))
    try OutputFolder(path: results.output).checkWritable(machine: machineName)
    let line = ComparisonProgress(console: context.console)
    let build = layouts ? try await calibration.spreadOverLinkOrders(console: context.console) : nil
    defer { withExtendedLifetime(build) {} }
    let prepared = calibration
    let document = try await Interruption.cancelling {
      defer { line.clear() }
      do {
        return try await DedicatedThread.run { isCancelled in
          var calibration = prepared
          calibration.plan.isCancelled = isCancelled
          return try calibration.run(ids, progress: line.show)
        }
      } catch let failure as WorkerProcess.Failure {
        throw RunError(failure.reason + RunCommand.lastWords(failure.standardError))
      }
    }
    let folder = try await write(document)
    try show(document, context)
    if !json { try context.console.write("\n\(folder)/calibration.md\n") }
    return .success
  }

  private func show(_ document: CalibrationDocument, _ context: CommandContext) throws {
    try context.console.write(try json ? JSONText.indented(document) : CalibrationMarkdown(document).render())
  }

  /// The folder.
  private func write(_ document: CalibrationDocument) async throws -> String {
    let commit = await GitState.current()?.shortCommit ?? "nogit"
    let picture = CalibrationChart(document).svg()
    var files = [
      ("calibration.json", Data(try JSONText.indented(document).utf8)),
      (
        "calibration.md",
        Data(CalibrationMarkdown(document, picture: picture.map { _ in "power.svg" }).render().utf8)
      ),
    ]
    if let picture { files.append(("power.svg", Data(picture.utf8))) }
    return try OutputFolder(path: results.output).write(
      files: files, machine: document.conditions?.machine ?? "unknown",
      name: "calibration-\(Timestamp(date: Date()).compact)-\(commit)")
  }

  private static func document(_ path: String) throws -> CalibrationDocument {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw UsageError("--read", "\"\(path)\" cannot be read", remedy: "give a calibration.json")
    }
    guard let document = try? JSONDecoder().decode(CalibrationDocument.self, from: data),
      document.schemaVersion == CalibrationDocument.currentSchemaVersion
    else {
      throw UsageError(
        "--read", "\"\(path)\" is no calibration that this program can read",
        remedy: "give a calibration.json of `springbench calibrate`")
    }
    return document
  }

  /// Not `/proc/self/exe`, which is another program while it is built anew.
  private static var ownPath: String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "/proc/self/exe"
  }

  private func parsedTrials() throws(UsageError) -> Int {
    guard let trials else { return 20 }
    return try WholeNumber.parse(trials, "--trials", 1...10_000, example: 20)
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
