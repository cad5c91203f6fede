import ArgumentParser
import Builds
import Execution
import Foundation
import FrameBench
import Linking
import Measurements
import Pages
import Platform

struct ProfileCommand: BuildingCommand {
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

  @Argument(help: ArgumentHelp("The benchmark: scenario/strategy/size.", valueName: "id")) var benchmark: String
  @Option("Only these recorded frames, from 0: 200..260, or 200.", "a..b", Self.range) var frames: ClosedRange<Int>?
  @Option(
    "Only the n most expensive frames.", "n", OptionValue.wholeNumber(1...MeasuringOptions.largestFrameCount, like: 5))
  var worst: Int?
  @Option("A git revision to compare the working tree with; both are built in release.", "rev") var against: String?
  @Option(
    "Recorded frames of a run (default: 20 seconds).", "n",
    OptionValue.wholeNumber(1...MeasuringOptions.largestFrameCount, like: 1_200)) var runFrames: Int?
  @OptionGroup var display: DisplayOptions
  @Option("Minimum number of samples (default: 4000).", "n", OptionValue.wholeNumber(1...10_000_000, like: 4_000))
  var samples: Int?
  @Flag(inversion: .prefixedNo, help: "Count instructions by function, if valgrind is installed.") var instructions =
    true
  @OptionGroup var results: ResultOptions
  @Flag(help: "Print one JSON array of rows to stdout, and nothing else.") var json = false
  @OptionGroup(title: "Building") var building: BuildOptions

  func run(in context: CommandContext) async throws -> ExitStatus {
    let building = try building.settings(context).writing([results.output])
    let text = try await Interruption.cancelling { try await profile(building, context) }
    try context.console.write(text)
    return .success
  }

  /// Makes all checks that need no measurement, then measures and writes the files.
  private func profile(_ building: BuildOptions, _ context: CommandContext) async throws -> String {
    let start = Date()
    if let against {
      try building.refuseGiven("--against")
      try await building.builder(console: context.console).check([.revision(against)])
    }
    let catalogue = try await building.catalogue(context.console)
    let benchmark = try catalogue.benchmark(self.benchmark)
    var options = self.options
    let found = try await catalogue.preflight([benchmark], &options)
    options = options.of(benchmark.id)
    try checkFrames(of: options.frameCount)
    let machine = Machine.current()
    let machineName = try MachineName.resolve(flag: results.machine, context, of: machine)
    let output = OutputFolder(path: results.output)
    try output.checkWritable(machine: machineName)
    try [benchmark].checkTrace(options)
    let checks = PreflightChecks(benchmarks: [benchmark], options: options, found: found)
    _ = try checks.warnings(availableBytes: machine.availableMemoryBytes)

    let git = try await building.head(in: catalogue.folder)
    var profiler = Profiler(
      id: benchmark.id, options: options, executablePath: catalogue.programs.path(of: benchmark.id),
      core: machine.measuringCore, sampleTarget: samples ?? 4_000)
    profiler.remedy = "ask for fewer with --run-frames and --warm-up, or in the scenario's options"
    let line = ProgressLine(console: context.console)
    defer { line.clear() }
    let (candidate, baseline, builds) = try await sides(of: profiler, building, context.console, line)
    let run = try await ProfileRun(
      candidate, against: baseline, frames: frames, worst: worst, countsInstructions: instructions,
      coreCount: benchmark.scenario.cores ?? 1
    ) { line.show("\(benchmark.id): \($0)") }
    // Holds the builds until here, because the build store may delete builds that nobody holds.
    withExtendedLifetime(builds) {}
    var build = catalogue.build
    if baseline != nil { build.configuration = "release" }
    let environment = machine.environment(name: machineName, git: git, build: build, clock: run.clock)
    let commit = git?.commit.prefix(7) ?? "nogit"
    let id = MachineName.slug(self.benchmark) ?? "benchmark"
    let folder = try output.write(
      files: run.files(environment), machine: machineName, name: "\(start.compact)-\(commit)-profile-\(id)")
    return json ? try run.json() : run.text + "\(folder)/profile.md\n"
  }

  /// Builds the revision that `--against` names and the working tree, in several link orders if possible.
  private func sides(of profiler: Profiler, _ building: BuildOptions, _ console: Console, _ line: ProgressLine)
    async throws -> (candidate: Profiler, baseline: Profiler?, builds: [BuiltRevision])
  {
    guard let against else { return (profiler, nil, []) }
    let builder = try await building.builder(console: console)
    let product = Paths.name(profiler.executablePath)
    let builds = [
      try await builder.executable(product, for: .revision(against)),
      try await builder.executable(product, for: .workingTree),
    ]
    for note in builds.flatMap(\.notes) { console.note(note) }
    line.show("linking orders of the code")
    var profilers = builds.map { build in
      var profiler = profiler
      profiler.executablePath = build.url.path
      return profiler
    }
    do {
      let orders = try await LinkOrderPool(builds.map(\.entry), store: builder.store).profiled()
      for index in builds.indices { profilers[index].linkOrders = orders[index] }
    } catch let problem as LinkProblem {
      console.warn(
        "each build is profiled in one link order, since \(problem); small differences may come from the linker")
    }
    profilers[0].name = against
    return (profilers[1], profilers[0], builds)
  }

  var options: RunOptions {
    var options = RunOptions()
    options.passSecondsLimit = MeasuringOptions.passSecondsLimit
    display.apply(to: &options)
    options.setFrameCount(runFrames)
    return options
  }

  func checkFrames(of frameCount: Int) throws(UsageError) {
    guard frames == nil || worst == nil else {
      throw UsageError("--worst", "it cannot be combined with --frames", remedy: "choose one of them")
    }
    if let worst, worst > frameCount {
      throw UsageError(
        "--worst", "a run has only \(frameCount) recorded frames", remedy: "--run-frames sets their number")
    }
    if let frames, frames.upperBound >= frameCount {
      throw UsageError(
        "--frames", "a run has no recorded frame \(frames.upperBound)",
        remedy: "the last is \(frameCount - 1); --run-frames sets their number")
    }
  }

  private static func range(_ text: String) throws -> ClosedRange<Int> {
    let ends = text.components(separatedBy: "..").map { OptionValue.digits($0) }
    guard ends.count <= 2, let first = ends[0], let last = ends[ends.count - 1], first <= last else {
      throw ValueError("give a range of frames as in 200..260")
    }
    return first...last
  }
}
