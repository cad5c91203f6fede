import ArgumentParser
import Foundation
import Judging
import Pages
import TextFormat

struct CalibrateCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate", abstract: "Measures how small a change compare can find on this machine.",
    discussion: """
      Compares the program of benchmarks with itself many times: unchanged, which must report nothing, and with work \
      planted in one phase of every frame, which should be reported. Suggests a tolerance. Writes \
      DIR/<machine>/calibration-<time>-<commit>/ with calibration.json, calibration.md and its picture.

      EXAMPLES
        springbench calibrate --filter 'tiled/1000$' --trials 20
        springbench calibrate --planted 0%,1%,5% --phase solve --json > power.json
        springbench calibrate --layouts         over link orders, as compare does
        springbench calibrate --read power.json
      """)

  @OptionGroup(title: "Selection") var selection: SelectionOptions
  @OptionGroup(title: "Building") var building: BuildOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Comparisons of each benchmark with each slow-down (default: 20).", valueName: "n"),
    transform: OptionValue.wholeNumber(1...10_000, like: 20))
  var trials: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Slow-downs in percent of the phase, 0% for none (default: 0%,0.5%,1%,2%,5%).", valueName: "list"),
    transform: Percentage.list)
  var planted: [Percentage]?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Tolerances to judge by (default: 1%,0.3%,0%).", valueName: "list"),
    transform: Percentage.list)
  var tolerances: [Percentage]?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The phase to plant work in (default: solve).", valueName: "name"))
  var phase: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Seconds of each comparison (default: 5).", valueName: "s"),
    transform: OptionValue.seconds(1...3_600, like: 5))
  var seconds: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Seed of the order (default: drawn, and printed).", valueName: "n"),
    transform: OptionValue.seed)
  var seed: UInt64?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Another build of the same sources for the baseline.", valueName: "path", visibility: .hidden))
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
      try refuse(given, because: "--read measures nothing", remedy: "leave out one of them")
      try show(try Self.document(read), context)
      return .success
    }
    let catalogue = try await building.catalogue(context)
    let ids = try selection.selection.benchmarks(of: catalogue).map(\.id)
    let programs = Set(ids.map { catalogue.programs.path(of: $0) })
    guard programs.count == 1, let program = programs.first else {
      throw UsageError(
        "the selected benchmarks belong to \(programs.count) programs",
        remedy: "calibrate one of them: --product names it")
    }
    let machine = Machine.current()
    let machineName = try MachineName.resolve(flag: results.machine, context, of: machine)
    var settings = ComparisonSettings()
    if let seconds { settings.seconds = seconds }
    if let seed { settings.seed = seed }
    var calibration = Calibration(
      executables: [baseExecutable ?? program, program], settings: settings, phase: phase ?? "solve",
      planted: planted?.map(\.fraction) ?? [0, 0.005, 0.01, 0.02, 0.05],
      tolerances: tolerances?.map(\.fraction) ?? [0.01, 0.003, 0], trialCount: trials ?? 20,
      conditions: CalibrationConditions(
        startedAt: Timestamp(date: Date()).iso8601, arguments: context.arguments, machine: machineName,
        cpuModel: machine.cpuModel, coreCount: machine.coreCount))
    try OutputFolder(path: results.output).checkWritable(machine: machineName)
    let linked =
      layouts ? try await calibration.spreadOverLinkOrders(building.settings, console: context.console) : nil
    defer { withExtendedLifetime(linked) {} }
    let (prepared, line) = (calibration, ProgressLine(console: context.console))
    let document = try await Interruption.cancelling {
      defer { line.clear() }
      return try await prepared.run(ids, progress: line.show)
    }
    let folder = try await write(document, of: catalogue.folder)
    try show(document, context)
    if !json { try context.console.write("\n\(folder)/calibration.md\n") }
    return .success
  }

  private var given: [String] {
    selection.given
      + [
        trials.map { _ in "--trials" }, planted.map { _ in "--planted" },
        tolerances.map { _ in "--tolerances" }, phase.map { _ in "--phase" },
        seconds.map { _ in "--seconds" },
        seed.map { _ in "--seed" }, layouts ? "--layouts" : nil,
      ].compactMap(\.self)
  }

  private func show(_ document: CalibrationDocument, _ context: CommandContext) throws {
    try context.console.write(
      try json ? JSONText.indented(document) : document.blocks().markdown())
  }

  /// The folder.
  private func write(_ document: CalibrationDocument, of folder: String) async throws -> String {
    let commit = await GitState.current(in: folder)?.shortCommit ?? "nogit"
    let picture = document.picture()
    var files = [
      ("calibration.json", Data(try JSONText.indented(document).utf8)),
      (
        "calibration.md",
        Data(document.blocks(picture: picture.map { _ in "power.svg" }).markdown().utf8)
      ),
    ]
    if let picture { files.append(("power.svg", Data(picture.utf8))) }
    return try OutputFolder(path: results.output).write(
      files: files, machine: document.conditions?.machine ?? "unknown",
      name: "calibration-\(Timestamp(date: Date()).compact)-\(commit)")
  }

  private static func document(_ path: String) throws -> CalibrationDocument {
    let data: Data
    do throws(InputFile.Problem) {
      data = try InputFile(path).read()
    } catch {
      throw UsageError("--read: \"\(path)\" \(error)")
    }
    guard let document = try? JSONDecoder().decode(CalibrationDocument.self, from: data),
      document.schemaVersion == CalibrationDocument.currentSchemaVersion
    else {
      throw UsageError(
        "--read", "\"\(path)\" is not a calibration that this program can read",
        remedy: "give a calibration.json from `springbench calibrate`")
    }
    return document
  }

  /// Not `/proc/self/exe`, which is another program during a rebuild.
}
