import Builds
import Foundation
import FrameBench
import Measurements
import Platform
import TextFormat

/// The scenarios of one or more programs, in the programs' order.
package struct Catalogue: Sendable {
  /// The largest accepted number of items. It is more than any memory can hold, but small enough that estimates of
  /// memory cannot overflow.
  package static let largestSize = 1_000_000_000

  package var name: String
  package var scenarios: [ScenarioDescription]
  /// The path of each program in each link order (order of its functions), and which program runs which scenario.
  package var programs: ProgramPaths
  /// How the first program was built, for example with which compiler.
  package var build: WorkerBuild
  /// The folder of the package. For programs that `--program` names, it is the current folder.
  package var folder: String
  /// The cached builds of the programs (`BuildStore`). While they are kept here, they stay in the cache. Empty for
  /// programs that are not in the cache.
  package var builds: [BuiltRevision] = []

  package init(
    name: String, scenarios: [ScenarioDescription], programs: ProgramPaths, build: WorkerBuild, folder: String,
    builds: [BuiltRevision] = []
  ) {
    (self.name, self.scenarios, self.programs, self.build, self.folder, self.builds) = (
      name, scenarios, programs, build, folder, builds
    )
  }

  package var strategies: [String] { scenarios.flatMap(\.strategies).unique }

  /// Returns the benchmarks, ordered by scenario, size, parameters and strategy. Nil means each scenario's own sizes or
  /// strategies.
  package func benchmarks(sizes: [Int]? = nil, strategies: [String]? = nil) -> [PlannedBenchmark] {
    scenarios.flatMap { scenario in
      (sizes ?? scenario.sizes).flatMap { size in
        scenario.parameterValues.flatMap { parameters in
          scenario.strategies.filter { strategies?.contains($0) ?? true }.map { strategy in
            PlannedBenchmark(
              id: BenchmarkID(scenario: scenario.name, strategy: strategy, size: size, parameters: parameters),
              scenario: scenario)
          }
        }
      }
    }
  }

  package func benchmark(_ text: String) throws(UsageError) -> PlannedBenchmark {
    guard let id = BenchmarkID(text), id.size <= Catalogue.largestSize,
      let scenario = scenarios.first(where: {
        $0.name == id.scenario && $0.strategies.contains(id.strategy) && $0.parameterValues.contains(id.parameters)
      })
    else {
      let known = benchmarks().map(\.id.description)
      let nearest = Suggestion.nearest(to: text, among: known).map { "did you mean \"\($0)\"? " } ?? ""
      throw UsageError(
        "\"\(text)\" is not a benchmark of suite \"\(name)\"",
        remedy: "\(nearest)springbench list shows them; any size is allowed")
    }
    return PlannedBenchmark(id: id, scenario: scenario)
  }
}

extension Catalogue {
  /// Asks programs for their suites. If several programs have a scenario of the same name, the name of the program
  /// precedes that name: `Signing.ES256`.
  /// - Parameter shared: Names of scenarios that get this prefix even if only one of these programs has them.
  package init(
    of paths: [String], in folder: String = FileManager.default.currentDirectoryPath, sharing shared: Set<String> = []
  ) async throws {
    var suites: [SuiteDescription] = []
    for path in paths { suites.append(try await BenchmarkProgram(path: path).describe()) }
    let shared = shared.union(suites.sharedNames)
    var scenarios: [ScenarioDescription] = []
    var owners: [String: Int] = [:]
    for (index, suite) in suites.enumerated() {
      for var scenario in suite.scenarios {
        if shared.contains(scenario.name) { scenario.name = "\(Paths.name(paths[index])).\(scenario.name)" }
        if let other = owners.updateValue(index, forKey: scenario.name) {
          throw RunError(
            "\(paths[other]) and \(paths[index]) both have a scenario \"\(scenario.name)\";"
              + " give each a name of its own, or choose one of the products with --product")
        }
        scenarios.append(scenario)
      }
    }
    self.init(
      name: suites.map(\.name).unique.joined(separator: ", "), scenarios: scenarios,
      programs: ProgramPaths(paths: paths.map { [$0] }, owners: owners), build: suites[0].build, folder: folder)
  }

  /// Asks the programs about benchmarks before they run, for example how much memory they need. Changes the options as
  /// `takeFrames` does.
  package func preflight(_ benchmarks: [PlannedBenchmark], _ options: inout RunOptions) async throws -> [BenchmarkID:
    Preflight]
  {
    try await takeFrames(of: benchmarks, &options)
    return try await preflight(benchmarks, withoutChanging: options)
  }

  /// Sets the frame counts that scenarios declare, unless the command line sets them. If a scenario limits the seconds
  /// of a run, its count is lowered to the frames that fit.
  /// - Parameters:
  ///   - benchmarks: The benchmarks that will run.
  ///   - all: The benchmarks whose declared frame counts are used. Nil means all benchmarks of the catalogue.
  package func takeFrames(
    of benchmarks: [PlannedBenchmark], _ options: inout RunOptions, declaredBy all: [PlannedBenchmark]? = nil
  ) async throws {
    let namesFrameCount = options.namesFrameCount
    options.takeFrames(of: all ?? self.benchmarks())
    let limited = benchmarks.filter { $0.scenario.secondsPerRun != nil }
    guard !namesFrameCount, !limited.isEmpty else { return }
    let available = Machine.current().availableMemoryBytes ?? .max
    let whole = options
    // These scenarios limit the seconds of a run. So their programs run some frames here, to find out how many fit. A
    // program that takes ten times as long ends itself; then one frame has to do. Other errors are ignored, because the
    // actual run will report them.
    for (id, seconds) in limited.map({ ($0.id, $0.scenario.secondsPerRun ?? 0) }) {
      let (program, start) = (BenchmarkProgram(path: programs.path(of: id)), ContinuousClock.now)
      let answer = try? await program.preflight([id], whole, timedBelowBytes: available).first
      let limit = min(.seconds(max(1, 10 * seconds)), BenchmarkProgram.timeout([id], whole))
      let isTooSlow = ContinuousClock.now - start >= limit
      options.limitFrames(of: id, to: answer.map(\.frameCount) ?? (isTooSlow ? 1 : nil))
      try Task.checkCancellation()
    }
  }

  /// Asks the programs about benchmarks that run with exactly these options.
  package func preflight(_ benchmarks: [PlannedBenchmark], withoutChanging options: RunOptions) async throws
    -> [BenchmarkID: Preflight]
  {
    var found: [BenchmarkID: Preflight] = [:]
    for (path, ids) in Dictionary(grouping: benchmarks.map(\.id), by: { programs.path(of: $0) }) {
      let answers = try await BenchmarkProgram(path: path).preflight(ids, options)
      for (id, answer) in zip(ids, answers) { found[id] = answer }
    }
    return found
  }
}

extension [SuiteDescription] {
  package var sharedNames: Set<String> {
    var seen: Set<String> = []
    return Set(flatMap { Set($0.scenarios.map(\.name)) }.filter { !seen.insert($0).inserted })
  }
}

package struct ProgramPaths: Sendable {
  /// The paths by program, then by link order. All programs have the same number of orders.
  package var paths: [[String]]
  /// The index in `paths` of the program that runs a scenario, by the scenario's name.
  package var owners: [String: Int] = [:]

  package var orderCount: Int { paths[0].count }

  package var products: [String] { paths.map { Paths.name($0[0]) } }

  /// Whether a program was written at least a second after this time.
  func wereBuilt(after time: UTCTime) -> Bool {
    paths.joined().contains { path in
      let date = (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
      return date.map { $0.timeIntervalSince1970 >= Double(time.unixSeconds + 1) } ?? false
    }
  }

  /// - Parameter run: The number of the run, from 1. Runs use the link orders in turn.
  package func path(of id: BenchmarkID, run: Int = 1) -> String {
    let orders = paths[owners[id.scenario] ?? 0]
    return orders[(run - 1) % orders.count]
  }
}

/// A program of benchmarks (`Suite.main()`), which answers questions about its benchmarks.
package struct BenchmarkProgram: Sendable {
  package var path: String

  package init(path: String) { self.path = path }

  package func describe() async throws -> SuiteDescription {
    let end = try await ask(["describe"])
    let problem = "\(path) does not describe its benchmarks"
    guard !end.output.isEmpty else {
      guard end.isSuccess else { throw RunError("\(problem): \(end.failure)") }
      throw RunError("\(problem); end its main.swift with await suite.main()")
    }
    let suite = try attempt(try SuiteDescription(line: end.output)) {
      RunError("\(problem): \($0)\(lastLine(ofStandardError: end.errorTail))")
    }
    guard suite.problems.isEmpty else { throw RunError(suite.problems.joined(separator: "; ")) }
    return suite
  }

  /// - Parameters:
  ///   - bytes: See `PreflightRequest.timedBelowBytes`.
  ///   - time: After this time, the program is stopped. Nil means the time limit of a run.
  /// - Returns: The program's answer for each benchmark, in the order of `benchmarks`.
  package func preflight(
    _ benchmarks: [BenchmarkID], _ options: RunOptions, timedBelowBytes bytes: Int = 0, within time: Duration? = nil
  ) async throws -> [Preflight] {
    let request = PreflightRequest(benchmarks: benchmarks, options: options, timedBelowBytes: bytes)
    let limit = time ?? Self.timeout(benchmarks, options)
    let end = try await ask(["preflight"], input: try request.line(), timeout: limit)
    let problem = "\(path) cannot prepare its benchmarks"
    guard end.isSuccess else { throw RunError("\(problem): \(end.failure)") }
    guard let found = try? JSONDecoder().decode([Preflight].self, from: end.output), found.count == benchmarks.count
    else { throw RunError("\(problem)\(lastLine(ofStandardError: end.errorTail))") }
    return found
  }

  /// The time that the slowest of the benchmarks may take for a run.
  fileprivate static func timeout(_ benchmarks: [BenchmarkID], _ options: RunOptions) -> Duration {
    benchmarks.map { WorkerProcess.defaultTimeout(options.of($0), size: $0.size) }.max() ?? .seconds(60)
  }

  private func ask(_ arguments: [String], input: Data = Data(), timeout: Duration = .seconds(60)) async throws
    -> ChildProcess.End
  {
    let process = ChildProcess(
      executable: Paths.absolute(path), arguments: arguments, timeout: timeout,
      inherited: InheritedEnvironment.ofWorkers, role: .worker(files: [path]))
    return try await process.run(input: input) { RunError("\(path) cannot be started: \($0)") }
  }
}

extension ChildProcess.End {
  /// Why the process did not succeed.
  fileprivate var failure: String {
    let words =
      switch stop {
      case .timeout: "it took too long and was stopped"
      case .tooMuchOutput: "it wrote too much and was stopped"
      case nil: "it ended with \(status)"
      }
    return words + lastLine(ofStandardError: errorTail)
  }
}

package struct PlannedBenchmark: Sendable {
  package var id: BenchmarkID
  package var scenario: ScenarioDescription

  /// The id of the benchmark that has the scenario's first strategy, but the same size and parameters. Nil if this
  /// benchmark has that strategy itself.
  package var referenceID: BenchmarkID? {
    scenario.referenceStrategy == id.strategy ? nil : id.with(strategy: scenario.referenceStrategy)
  }
}

extension [PlannedBenchmark] {
  /// Returns a warning for each scenario that requests more cores than there are. Scenarios that use all cores get no
  /// warning.
  package func coreWarnings(coreCount: Int) -> [Warning] {
    map(\.scenario).unique(by: \.name).compactMap { scenario in
      guard let cores = scenario.cores, cores > coreCount, cores < .max else { return nil }
      return Warning(
        "Scenario \(scenario.name) asks for \(Format.integer(cores)) cores, but only \(coreCount)"
          + " \(coreCount == 1 ? "is" : "are") available: its threads share \(coreCount == 1 ? "it" : "them").")
    }
  }

  /// Throws if a trace (a recorded scroll) is given, but some of the scenarios would not play it.
  package func checkTrace(_ options: RunOptions) throws(UsageError) {
    guard options.tracePath != nil else { return }
    func names(_ playing: Bool) -> [String] {
      filter { $0.scenario.playsTraces == playing }.map(\.scenario.name).unique
    }
    let silent = names(false)
    guard !silent.isEmpty else { return }
    let playing = names(true).map(RegexText.literal)
    throw UsageError(
      "--trace", "\(Format.list(silent)) \(silent.count == 1 ? "does" : "do") not play recorded scrolls",
      remedy: playing.isEmpty
        ? "leave it out" : "choose those that do: --filter '^(\(playing.joined(separator: "|")))/'")
  }
}

extension RunOptions {
  package mutating func setFrameCount(_ count: Int?) {
    guard let count else { return }
    frameCount = count
    namesFrameCount = true
  }

  /// - Parameter count: The number of frames for which a run has time. Nil means any number.
  fileprivate mutating func limitFrames(of id: BenchmarkID, to count: Int?) {
    guard let count, count < of(id).frameCount else { return }
    let warmUp = count == 1 ? 0 : scenarioFrames?[id.scenario]?.warmUp
    scenarioFrames = (scenarioFrames ?? [:]).merging([
      "\(id.variant)/\(id.size)": FrameCounts(recorded: count, warmUp: warmUp)
    ]) { $1 }
  }

  fileprivate mutating func takeFrames(of benchmarks: [PlannedBenchmark]) {
    var frames: [String: FrameCounts] = [:]
    for scenario in benchmarks.map(\.scenario) {
      guard var counts = scenario.frames else { continue }
      if namesFrameCount { counts.recorded = nil }
      if namesWarmUpFrameCount { counts.warmUp = nil }
      if counts != FrameCounts() { frames[scenario.name] = counts }
    }
    scenarioFrames = frames.unlessEmpty
    (namesFrameCount, namesWarmUpFrameCount) = (false, false)
  }
}
