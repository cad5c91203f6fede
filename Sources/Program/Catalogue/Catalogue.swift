import Foundation
import FrameBench
import Measurements
import TextFormat

/// What can be measured: the scenarios of one or more programs, in their order.
struct Catalogue: Sendable {
  /// Of the suites.
  var name: String
  var scenarios: [ScenarioDescription]
  /// The programs in their link orders, and which of them runs a scenario.
  var programs: ProgramPaths
  /// Of the first program.
  var build: WorkerBuild
  /// Of the package; the current one for programs that were named.
  var folder: String

  /// Asks programs for what they hold.
  ///
  /// - Throws: `RunError` where one does not answer, or its suite has problems, or two have a scenario of one name.
  init(
    of paths: [String], in folder: String = FileManager.default.currentDirectoryPath
  ) async throws {
    precondition(!paths.isEmpty, "a catalogue of no programs")
    var suites: [SuiteDescription] = []
    for path in paths { suites.append(try await BenchmarkProgram(path: path).describe()) }
    name = suites.map(\.name).joined(separator: ", ")
    build = suites[0].build
    self.folder = folder
    scenarios = suites.flatMap(\.scenarios)
    var owners: [String: Int] = [:]
    for (index, suite) in suites.enumerated() {
      for scenario in suite.scenarios {
        if let other = owners.updateValue(index, forKey: scenario.name) {
          throw RunError(
            "\(paths[other]) and \(paths[index]) both have a scenario \"\(scenario.name)\";"
              + " give each a name of its own, or choose one of the products with --product")
        }
      }
    }
    programs = ProgramPaths(paths: paths.map { [$0] }, owners: owners)
  }

  /// Of a suite in no program.
  init(describing suite: SuiteDescription) {
    name = suite.name
    scenarios = suite.scenarios
    build = suite.build
    folder = FileManager.default.currentDirectoryPath
    programs = ProgramPaths(paths: [[]])
  }

  /// All strategies of all scenarios, each once.
  var strategies: [String] {
    scenarios.flatMap(\.strategies).reduce(into: []) { known, name in
      if !known.contains(name) { known.append(name) }
    }
  }

  /// In the order scenario, size, parameters, strategy; nil: every scenario's own.
  func benchmarks(sizes: [Int]? = nil, strategies: [String]? = nil) -> [PlannedBenchmark] {
    scenarios.flatMap { scenario in
      (sizes ?? scenario.sizes).flatMap { size in
        scenario.parameterValues.flatMap { parameters in
          scenario.strategies.filter { strategies?.contains($0) ?? true }.map { strategy in
            PlannedBenchmark(
              id: BenchmarkID(
                scenario: scenario.name, strategy: strategy, size: size, parameters: parameters),
              scenario: scenario)
          }
        }
      }
    }
  }

  /// The benchmark of an id, at any size.
  /// - Throws: Where there is no such scenario or strategy.
  func benchmark(_ text: String) throws(UsageError) -> PlannedBenchmark {
    guard let id = BenchmarkID(text), id.size <= BenchmarkSelection.largestSize,
      let scenario = scenarios.first(where: {
        $0.name == id.scenario && $0.strategies.contains(id.strategy)
          && $0.parameterValues.contains(id.parameters)
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

extension WorkerBuild {
  /// Of a program whose release build is measured instead.
  static func release(_ build: WorkerBuild) -> WorkerBuild {
    var build = build
    build.configuration = "release"
    return build
  }
}

/// Where the programs of benchmarks are.
struct ProgramPaths: Sendable {
  /// By program, in its link orders; each has as many.
  var paths: [[String]]
  /// The number of the program that runs a scenario.
  private let owners: [String: Int]

  init(paths: [[String]], owners: [String: Int] = [:]) {
    self.paths = paths
    self.owners = owners
  }

  var orderCount: Int { paths[0].count }

  /// The names of the programs.
  var products: [String] { paths.map { Paths.name($0[0]) } }

  /// - Parameter run: From 1; runs take the link orders in turn.
  func path(of id: BenchmarkID, run: Int = 1) -> String {
    let orders = paths[owners[id.scenario] ?? 0]
    return orders[(run - 1) % orders.count]
  }
}
