import ArgumentParser
import Foundation
import FrameBench
import Measurements
import Pages

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

  @Option("Only these recorded frames, from 0: 200..260, or 200.", "a..b", Self.range)
  var frames: ClosedRange<Int>?

  @Option(
    "Only the n most expensive frames.", "n",
    OptionValue.wholeNumber(1...MeasuringOptions.largestFrameCount, like: 5))
  var worst: Int?

  @Option("A git revision to compare the working tree with; both are built in release.", "rev")
  var against: String?

  @Option(
    "Recorded frames of a run (default: 20 seconds).", "n",
    OptionValue.wholeNumber(1...MeasuringOptions.largestFrameCount, like: 1_200))
  var runFrames: Int?

  @OptionGroup var display: DisplayOptions

  @Option(
    "Minimum number of samples (default: 4000).", "n", OptionValue.wholeNumber(1...10_000_000, like: 4_000))
  var samples: Int?

  @Flag(inversion: .prefixedNo, help: "Count instructions by function, if valgrind is installed.")
  var instructions = true

  @OptionGroup var results: ResultOptions

  @Flag(help: "Print one JSON array of rows to stdout, and nothing else.") var json = false

  @OptionGroup(title: "Building") var building: BuildOptions

  func run(in context: CommandContext) async throws -> ExitStatus {
    try await building.enterSandbox(context)
    let building = try building.settings(context)
    let (found, folder) = try await Interruption.cancelling {
      let catalogue = try await building.catalogue(context.console)
      let plan = try await ProfilePlan(self, building, catalogue, context)
      let found = try await plan.measure(context)
      return (found, try plan.write(found))
    }
    try context.console.write(json ? found.json() : found.text + "\(folder)/profile.md\n")
    return .success
  }

  /// The options of a run.
  func options(_ catalogue: Catalogue) -> RunOptions {
    var options = RunOptions()
    options.passSecondsLimit = MeasuringOptions.passSecondsLimit
    display.apply(to: &options)
    options.setFrameCount(runFrames)
    options.takeFrames(of: catalogue.benchmarks())
    return options.of(scenario: String(benchmark.prefix { $0 != "/" }))
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

/// The recorded frames to profile.
enum FrameChoice: Equatable, Sendable {
  case all
  case range(ClosedRange<Int>)
  case worst(Int)
}

/// A profile that has passed every check that can be made before measuring.
struct ProfilePlan: Sendable {
  private let command: ProfileCommand
  private let building: BuildOptions
  private let options: RunOptions
  private let choice: FrameChoice
  private let catalogue: Catalogue
  private let benchmark: PlannedBenchmark
  private let machine: Machine
  private let machineName: String
  private let output: OutputFolder
  private let start = Date()

  init(
    _ command: ProfileCommand, _ building: BuildOptions, _ catalogue: Catalogue, _ context: CommandContext
  ) async throws {
    self.command = command
    self.building = building
    self.catalogue = catalogue
    options = command.options(catalogue)
    choice = try command.choice(frameCount: options.frameCount)
    benchmark = try catalogue.benchmark(command.benchmark)
    machine = Machine.current()
    machineName = try MachineName.resolve(flag: command.results.named.machine, context, of: machine)
    output = OutputFolder(path: command.results.output)
    try output.checkWritable(machine: machineName)
    try [benchmark].checkTrace(options)
    let checks = try await PreflightChecks([benchmark], options, catalogue)
    try checks.checkMemory(availableBytes: machine.availableMemoryBytes)
    _ = try checks.warnings()
  }

  /// Throws `RunError`, `RevisionError`, `CancellationError`.
  func measure(_ context: CommandContext) async throws -> ProfileRun.Found {
    let git = await Git(folder: catalogue.folder).head()
    let program = catalogue.programs.path(of: benchmark.id)
    let line = ProgressLine(console: context.console)
    defer { line.clear() }
    guard let against = command.against else {
      return try await finished(
        ProfileRun(profiler: profiler(executable: program), choice: choice), git, line)
    }
    let builder = try await building.builder(console: context.console)
    let product = Paths.name(program)
    let baseline = try await builder.executable(product, for: .revision(against))
    let candidate = try await builder.executable(product, for: .workingTree)
    for note in baseline.notes + candidate.notes { context.console.note(note) }
    // Builds without a lease may be evicted.
    defer { withExtendedLifetime((baseline, candidate)) {} }
    line.show("linking orders of the code")
    var orders: [[String]] = [[], []]
    do {
      orders = try await LinkOrderPool([baseline, candidate], store: builder.store).profiled()
    } catch let problem as LinkProblem {
      context.console.warn(
        "each build is profiled in one link order, since \(problem); small differences may come from the linker"
      )
    }
    var run = ProfileRun(profiler: profiler(executable: candidate.url.path, orders[1]), choice: choice)
    run.baseline = DifferentialProfiler(
      name: against, profiler: profiler(executable: baseline.url.path, orders[0]))
    run.candidateName = "the working tree"
    return try await finished(run, git, line)
  }

  private func finished(
    _ run: ProfileRun, _ git: Git.Head?, _ line: ProgressLine
  ) async throws -> ProfileRun.Found {
    var found = try await run.run(countsInstructions: command.instructions) {
      line.show("\(benchmark.id): \($0)")
    }
    found.environment = Environment.collect(
      machine: machine, name: machineName, git: git,
      build: run.baseline == nil ? catalogue.build : .release(catalogue.build), clock: found.clock)
    return found
  }

  private func profiler(executable: String, _ linkOrders: [String] = []) -> Profiler {
    var profiler = Profiler(
      id: benchmark.id, options: options, executablePath: executable, linkOrders: linkOrders,
      core: machine.measuringCore)
    profiler.sampleTarget = command.samples ?? 4_000
    return profiler
  }

  /// - Returns: The folder of the profile.
  func write(_ found: ProfileRun.Found) throws -> String {
    let commit = found.environment?.commit.map { String($0.prefix(7)) } ?? "nogit"
    let id = MachineName.slug(benchmark.id.description) ?? "benchmark"
    return try output.write(
      files: found.files, machine: machineName, name: "\(start.compact)-\(commit)-profile-\(id)")
  }
}
