import ArgumentParser
import Foundation
import Measurements
import Pages

struct RunCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Measures benchmarks and writes a report.",
    discussion: """
      Builds the package's executables that depend on FrameBench, in release, and measures what they hold.
      Every run is a separate process; times, phases and allocations are measured in separate runs.
      Writes DIR/<machine>/<time>-<commit>/ with run.json, report.md and its pictures, report.html, which \
      needs no other file, and a page for each scenario; and refreshes DIR/README.md.
      Prints at most one screen; --verbose prints a table and all sentences for each scenario.

      EXAMPLES
        springbench run --quick
        springbench run --filter '^springs/' --sizes 100,1000 --strategies tiled
        springbench run --frames 2400 --runs 40 --hz 120 --output nightly
        springbench run --quick --instructions
        springbench run --hz 120 --share 0.5    may take half of a 120 Hz frame
        springbench run --capacity --strategies naive
        springbench run --json > rows.json
        springbench run --failed                measure again what failed
      """)

  @OptionGroup(title: "Selection") var selection: SelectionOptions
  @OptionGroup(title: "Measuring") var measuring: MeasuringOptions

  @OptionGroup(title: "Building") var building: BuildOptions

  @OptionGroup(title: "Capacity") var capacity: CapacityOptions

  @OptionGroup var results: ResultOptions

  @Flag(
    help:
      "Also count the instructions of each frame and phase, under valgrind: a model of the machine, not time."
  )
  var instructions = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      Build the working tree and spread the runs over n link orders of it, so that no figure depends on the \
      luck of one order (default: 1, the program as it is; nightly: \(RunLayouts.nightlyCount), if it can \
      build).
      """, valueName: "n"),
    transform: OptionValue.wholeNumber(1...RunLayouts.largestCount, like: 10))
  var layouts: Int?

  @Flag(
    help: ArgumentHelp(
      """
      Measure only what failed in the newest run below --output, with the options of that run, and write a \
      run that holds both.
      """))
  var failed = false

  @Flag(help: "Print one JSON array of flat rows to stdout, and nothing else.") var json = false

  @Flag(help: "Print a table and all sentences for each scenario.") var verbose = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Seconds that a worker may take.", valueName: "s", visibility: .hidden),
    transform: OptionValue.seconds(0...1e7, like: 60))
  var workerTimeout: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Seconds that a worker under valgrind may take.", valueName: "s", visibility: .hidden),
    transform: OptionValue.seconds(0...1e7, like: 60))
  var instructionTimeout: Double?

  func run(in context: CommandContext) async throws -> ExitStatus {
    let unfinished = failed ? try unfinishedRun() : nil
    if let unfinished, unfinished.isComplete {
      context.console.note("nothing failed in \(unfinished.path), so there is nothing to measure")
      return .success
    }
    try await building.enterSandbox(context)
    let given = try givenSettings(context)
    let (document, note, folder) = try await Interruption.cancelling {
      let catalogue = try await given.building.catalogue(context.console)
      let plan = try await RunPlan(
        try unfinished?.settings(given, of: catalogue) ?? given, catalogue, context)
      let measured = try await plan.measure(context)
      let (document, note) =
        try await unfinished?.completed(by: measured, of: catalogue) ?? (measured, nil)
      return (document, note, try plan.write(document))
    }
    if let note { context.console.note(note) }
    if json {
      try context.console.write(FlatRows(document).json())
    } else {
      let text = document.terminalText(
        width: context.console.outputWidth, usesColor: context.usesColor, isVerbose: verbose)
      try context.console.write(text + "\(folder)/report.md\n")
    }
    context.console.report(document.failures)
    return document.failures.isEmpty ? .success : .failure
  }

  private func unfinishedRun() throws -> UnfinishedRun {
    if let other = (selection.given + optionsOfFrames + optionsOfRun).first {
      throw UsageError(
        "--failed", "the options of that run apply, and \(other) contradicts them",
        remedy: "leave \(other) out")
    }
    return try UnfinishedRun(results: results.output)
  }

  /// - Parameter standard: Where `--layouts` says nothing.
  /// - Throws: For `--failed` too, which only `run` knows.
  func settings(
    _ context: CommandContext, layouts standard: RunLayouts = .asBuilt
  ) throws(UsageError) -> RunSettings {
    guard !failed else {
      throw UsageError(
        "--failed", "only springbench run measures what failed",
        remedy: "leave it out, or call springbench run")
    }
    guard !verbose else {
      throw UsageError(
        "--verbose", "only springbench run prints a run", remedy: "leave it out, or call springbench run")
    }
    return try givenSettings(context, layouts: standard)
  }

  private func givenSettings(
    _ context: CommandContext, layouts standard: RunLayouts = .asBuilt
  ) throws(UsageError) -> RunSettings {
    let options = measuring.runOptions
    var chosen = standard
    if let layouts {
      guard layouts <= options.runCount else {
        throw UsageError(
          "--layouts", "\(layouts) link orders need \(layouts) runs, and there are \(options.runCount)",
          remedy: "give fewer, or more with --runs")
      }
      chosen = layouts == 1 ? .asBuilt : .required(layouts)
    }
    return RunSettings(
      selection: selection.selection, isQuick: measuring.quick, options: options, layouts: chosen,
      building: try building.settings(context),
      capacityLimit: capacity.limit, countsInstructions: instructions, results: results.output,
      machine: results.machine, workerTimeout: workerTimeout.map { .seconds($0) },
      instructionTimeout: instructionTimeout.map { .seconds($0) })
  }

  /// The options that were given and that nothing but a run honours, by name.
  var optionsOfRun: [String] {
    [
      measuring.runs.map { _ in "--runs" }, measuring.display.share.map { _ in "--share" },
      capacity.limit.map { _ in "--capacity" }, layouts.map { _ in "--layouts" },
    ].compactMap(\.self)
  }

  /// The options that were given and say what a frame is, by name.
  var optionsOfFrames: [String] {
    let display = measuring.display
    return [
      measuring.frames.map { _ in "--frames" }, measuring.quick ? "--quick" : nil,
      display.warmUp.map { _ in "--warm-up" }, display.hz.map { _ in "--hz" },
      display.seed.map { _ in "--seed" }, display.trace.map { _ in "--trace" },
      instructions ? "--instructions" : nil,
    ].compactMap(\.self)
  }
}
