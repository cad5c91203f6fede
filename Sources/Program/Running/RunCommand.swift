import ArgumentParser
import Builds
import Execution
import FrameBench
import Measurements
import Pages
import Platform

struct RunCommand: BuildingCommand, RunArguments {
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

  @OptionGroup(title: "Selection") var selection: BenchmarkSelection
  @OptionGroup(title: "Measuring") var measuring: MeasuringOptions
  @OptionGroup(title: "Measuring") var display: DisplayOptions
  @OptionGroup(title: "Building") var building: BuildOptions
  @OptionGroup var results: ResultOptions

  @Flag(
    help: """
      Measure only what failed in the newest run below --output, with the options of that run, and write a \
      run that holds both.
      """) var failed = false
  @Flag(help: "If it is interrupted, write nothing, instead of what it has measured by then.") var allOrNothing = false
  @Flag(help: "Print one JSON array of flat rows to stdout, and nothing else.") var json = false
  @Flag(help: "Print a table and all sentences for each scenario.") var verbose = false

  func run(in context: CommandContext) async throws -> ExitStatus {
    if failed, let other = (selection.given + measured).first {
      throw UsageError(
        "--failed", "the options of that run apply, and \(other) contradicts them", remedy: "leave \(other) out")
    }
    let unfinished = failed ? try UnfinishedRun(results: results.output) : nil
    if let unfinished, unfinished.document.failures.isEmpty {
      context.console.note("nothing failed in \(unfinished.path), so there is nothing to measure")
      if json { try context.console.write(FlatRows(unfinished.document).json()) }
      return .success
    }
    let building = try checkedBuilding(context)
    let (document, note, folder) = try await Interruption.cancelling {
      let catalogue = try await building.catalogue(context.console)
      let plan = try await RunPlan(self, building, catalogue, context, completing: unfinished)
      let measured = try await plan.measure(context, showsFirstLook: !json, keepsPart: !allOrNothing)
      let (document, note) = try await unfinished?.completed(by: measured, of: catalogue) ?? (measured, nil)
      if allOrNothing { try Task.checkCancellation() }
      let folder = try plan.write(document)
      guard Task.isCancelled else { return (document, note, folder) }
      let rest = document.failures.isEmpty ? "" : ", and run --failed measures the others"
      throw RunError("interrupted; what was measured by then is in \(folder)\(rest)")
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
}

/// The options of a run, which `run`, `gate` and `nightly` share. They are separate option groups, because each level
/// of nested groups makes the parser check options four times as often in debug builds.
protocol RunArguments: Sendable {
  var selection: BenchmarkSelection { get set }
  var measuring: MeasuringOptions { get }
  var display: DisplayOptions { get }
  var building: BuildOptions { get }
  var results: ResultOptions { get }
}

extension RunArguments {
  /// The names of the given options that decide what is measured.
  var measured: [String] { (measuring.given + display.given).filter { !$0.hasSuffix("-timeout") } }
  /// The options in `measured` that apply only to runs, not to comparisons. The other options in `measured` determine
  /// what a frame does.
  var onlyOfRuns: [String] {
    measured.filter { ["--runs", "--share", "--layouts"].contains($0) || $0.hasPrefix("--capacity") }
  }

  var runOptions: RunOptions { measuring.runOptions(display) }

  /// Returns the options for building.
  /// - Throws: If options contradict each other, before anything is built.
  func checkedBuilding(_ context: CommandContext) throws(UsageError) -> BuildOptions {
    let runCount = runOptions.runCount
    if let layouts = measuring.layouts, layouts > runCount {
      throw UsageError(
        "--layouts", "\(layouts) link orders need \(layouts) runs, and there are \(runCount)",
        remedy: "give fewer, or more with --runs")
    }
    let building = try building.settings(context).writing([results.output])
    if measuring.layouts ?? 1 > 1 { try building.refuseGiven("--layouts") }
    return building
  }

  func benchmarks(of catalogue: Catalogue) throws(UsageError) -> [PlannedBenchmark] {
    try selection.benchmarks(of: catalogue, isQuick: measuring.quick)
  }

  func leftOut(of catalogue: Catalogue) throws(UsageError) -> [PlannedBenchmark] {
    measuring.quick ? try selection.leftOutByQuick(of: catalogue) : []
  }
}
