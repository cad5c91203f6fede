import Foundation
import FrameBench
import Measurements
import Pages

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
