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

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Only these recorded frames, from 0: 200..260, or 200.", valueName: "a..b"),
    transform: Self.range)
  var frames: ClosedRange<Int>?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Only the n most expensive frames.", valueName: "n"),
    transform: OptionValue.wholeNumber(1...MeasuringOptions.largestFrameCount, like: 5))
  var worst: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "A git revision to compare the working tree with; both are built in release.",
      valueName: "rev"))
  var against: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Recorded frames of a run (default: 20 seconds).", valueName: "n"),
    transform: OptionValue.wholeNumber(1...MeasuringOptions.largestFrameCount, like: 1_200))
  var runFrames: Int?

  @OptionGroup var display: DisplayOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Minimum number of samples (default: 4000).", valueName: "n"),
    transform: OptionValue.wholeNumber(1...10_000_000, like: 4_000))
  var samples: Int?

  @Flag(inversion: .prefixedNo, help: "Count instructions by function, if valgrind is installed.")
  var instructions = true

  @OptionGroup var results: ResultOptions

  @Flag(help: "Print one JSON array of rows to stdout, and nothing else.") var json = false

  @OptionGroup(title: "Building") var building: BuildOptions

  func run(in context: CommandContext) async throws -> ExitStatus {
    try await building.enterSandbox(context)
    let building = try building.settings(context)
    let (result, folder) = try await Interruption.cancelling {
      let catalogue = try await building.catalogue(context.console)
      let plan = try await ProfilePlan(try settings(catalogue, building), catalogue, context)
      let result = try await plan.measure(context)
      return (result, try plan.write(result))
    }
    try context.console.write(
      json ? ProfileRows(result).json() : ProfileText(result).text + "\(folder)/profile.md\n")
    return .success
  }

  private func settings(
    _ catalogue: Catalogue, _ building: BuildSettings
  ) throws(UsageError) -> ProfileSettings {
    var options = RunOptions()
    options.passSecondsLimit = MeasuringOptions.passSecondsLimit
    display.apply(to: &options)
    if let runFrames {
      options.frameCount = runFrames
      options.namesFrameCount = true
    }
    options.takeFrames(of: catalogue)
    options = options.of(scenario: String(benchmark.prefix { $0 != "/" }))
    return ProfileSettings(
      benchmark: benchmark, options: options, choice: try choice(frameCount: options.frameCount),
      against: against, building: building, sampleTarget: samples ?? 4_000,
      countsInstructions: instructions, results: results.output, machine: results.machine)
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

/// What is profiled, and where it is written.
struct ProfileSettings: Sendable {
  /// As it was given: an id of the suite, with any size.
  var benchmark: String
  var options: RunOptions
  var choice: FrameChoice
  /// A revision to compare with; nil: this program alone is profiled.
  var against: String?
  var building: BuildSettings
  /// Samples of stacks at least.
  var sampleTarget: Int
  var countsInstructions: Bool
  /// Folder of results.
  var results: String
  /// As the command line names it.
  var machine: String?

  init(
    benchmark: String, options: RunOptions, choice: FrameChoice, against: String?, building: BuildSettings,
    sampleTarget: Int, countsInstructions: Bool, results: String, machine: String?
  ) {
    self.benchmark = benchmark
    self.options = options
    self.choice = choice
    self.against = against
    self.building = building
    self.sampleTarget = sampleTarget
    self.countsInstructions = countsInstructions
    self.results = results
    self.machine = machine
  }
}

/// Which recorded frames are looked at.
enum FrameChoice: Equatable, Sendable {
  case all
  case range(ClosedRange<Int>)
  case worst(Int)
}

/// A profile that has passed every check that can be made before measuring.
struct ProfilePlan: Sendable {
  private let settings: ProfileSettings
  private let catalogue: Catalogue
  private let benchmark: PlannedBenchmark
  private let machine: Machine
  private let machineName: String
  private let output: OutputFolder
  private let start = Timestamp(date: Date())

  /// What was found out, and the files that say so.
  struct Outcome: Sendable {
    var profile: FrameProfile
    var difference: DifferentialProfile?
    var environment: Environment
    /// KCachegrind's file.
    var callgrind: String?
  }

  init(
    _ settings: ProfileSettings, _ catalogue: Catalogue, _ context: CommandContext
  ) async throws {
    self.settings = settings
    self.catalogue = catalogue
    benchmark = try catalogue.benchmark(settings.benchmark)
    machine = Machine.current()
    machineName = try MachineName.resolve(flag: settings.machine, context, of: machine)
    output = OutputFolder(path: settings.results)
    try output.checkWritable(machine: machineName)
    try [benchmark].checkTrace(settings.options)
    let checks = try await PreflightChecks([benchmark], settings.options, catalogue)
    try checks.checkMemory(availableBytes: machine.availableMemoryBytes)
    _ = try checks.warnings()
  }

  /// Throws `RunError`, `RevisionError`, `CancellationError`.
  func measure(_ context: CommandContext) async throws -> Outcome {
    let git = await GitState.current(in: catalogue.folder)
    let program = catalogue.programs.path(of: benchmark.id)
    let line = ProgressLine(console: context.console)
    defer { line.clear() }
    guard let against = settings.against else {
      let profiler = profiler(executable: program)
      return try await finished(ProfileRun(profiler: profiler, choice: settings.choice), git, line)
    }
    let builder = try await settings.building.builder(console: context.console)
    let product = Paths.name(program)
    let baseline = try await builder.executable(product, for: .revision(against))
    let candidate = try await builder.executable(product, for: .workingTree)
    for note in baseline.notes + candidate.notes { context.console.note(note) }
    // What is not leased any more may be evicted.
    defer { withExtendedLifetime((baseline, candidate)) {} }
    line.show("linking orders of the code")
    let orders = try await linkOrders([baseline, candidate], builder.store, context)
    var run = ProfileRun(
      profiler: profiler(executable: candidate.url.path, orders[1]), choice: settings.choice)
    run.baseline = DifferentialProfiler.Side(
      name: against, profiler: profiler(executable: baseline.url.path, orders[0]))
    run.candidateName = "the working tree"
    return try await finished(run, git, line)
  }

  /// By build; empty where the builds cannot be relinked, with a note.
  private func linkOrders(
    _ builds: [BuiltRevision], _ store: BuildStore, _ context: CommandContext
  ) async throws -> [[String]] {
    do {
      return try await LinkOrderPool(builds, store: store).profiled()
    } catch let problem as LinkProblem {
      context.console.warn(
        "each build is profiled in one link order, since \(problem); small differences may come from the linker"
      )
      return [[], []]
    }
  }

  private func finished(_ run: ProfileRun, _ git: GitState?, _ line: ProgressLine) async throws -> Outcome {
    let found = try await run.run(countsInstructions: settings.countsInstructions) {
      line.show("\(benchmark.id): \($0)")
    }
    let environment = Environment.collect(
      machine: machine, name: machineName, git: git,
      build: run.baseline == nil ? catalogue.build : .release(catalogue.build),
      clock: found.clock)
    return Outcome(
      profile: found.profile, difference: found.difference, environment: environment,
      callgrind: found.callgrind)
  }

  private func profiler(executable: String, _ linkOrders: [String] = []) -> Profiler {
    var profiler = Profiler(
      id: benchmark.id, options: settings.options, executablePath: executable, linkOrders: linkOrders,
      core: machine.measuringCore)
    profiler.sampleTarget = settings.sampleTarget
    return profiler
  }

  /// - Returns: The folder of the profile.
  func write(_ outcome: Outcome) throws -> String {
    let commit = outcome.environment.commit.map { String($0.prefix(7)) } ?? "nogit"
    let id = MachineName.slug(benchmark.id.description) ?? "benchmark"
    return try output.write(
      files: outcome.files, machine: machineName, name: "\(start.compact)-\(commit)-profile-\(id)")
  }
}

extension ProfilePlan.Outcome {
  var files: [(name: String, data: Data)] {
    var files = profile.files(
      environment: environment, difference: difference, exporter: "springbench@\(springBenchVersion)"
    ).map { (name: $0.file.rawValue, data: Data($0.text.utf8)) }
    if let callgrind { files.append((ProfileFile.callgrind.rawValue, Data(callgrind.utf8))) }
    return files
  }
}
