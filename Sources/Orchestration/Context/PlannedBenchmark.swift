import FrameBench
import Measurements
import TextFormat

/// A benchmark that is to run.
package struct PlannedBenchmark: Sendable {
  package var id: BenchmarkID
  var scenario: Scenario

  /// What the scenario's frames do; nil where the suite does not say.
  package var summary: String? { scenario.summary }

  /// The scenario's first strategy at the same size; nil for that strategy itself.
  var referenceID: BenchmarkID? {
    let reference = scenario.referenceStrategy
    guard reference != id.strategy else { return nil }
    return id.with(strategy: reference)
  }

  func context(_ options: RunOptions) -> ScenarioContext {
    ScenarioContext(id, options.of(scenario: id.scenario))
  }

  /// What the scenario doubts about its configuration.
  func warnings(_ options: RunOptions) throws(UsageError) -> [Warning] {
    do {
      return try scenario.options.warnings(context(options)).map {
        Warning($0.message, benchmark: $0.benchmark ?? id)
      }
    } catch {
      throw UsageError("\(id) cannot be set up: \(oneLine("\(error)"))")
    }
  }
}

extension Suite {
  /// All strategies of all scenarios, each once.
  var strategies: [String] {
    scenarios.flatMap(\.strategies).reduce(into: []) { known, name in
      if !known.contains(name) { known.append(name) }
    }
  }

  /// In the order scenario, size, parameters, strategy; nil: every scenario's own.
  package func benchmarks(sizes: [Int]?, strategies: [String]?) -> [PlannedBenchmark] {
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
}

extension Suite {
  /// The benchmark of an id, at any size.
  /// - Throws: Where the suite has no such scenario or strategy.
  package func benchmark(_ text: String) throws(UsageError) -> PlannedBenchmark {
    let known = benchmarks(sizes: nil, strategies: nil).map(\.id.description)
    guard let id = BenchmarkID(text), id.size <= BenchmarkSelection.largestSize,
      let scenario = scenario(of: id)
    else {
      let nearest = Suggestion.nearest(to: text, among: known).map { "did you mean \"\($0)\"? " } ?? ""
      throw UsageError(
        "\"\(text)\" is not a benchmark of suite \"\(name)\"",
        remedy: "\(nearest)springbench list shows them; any size is allowed")
    }
    return PlannedBenchmark(id: id, scenario: scenario)
  }
}

extension [PlannedBenchmark] {
  /// - Throws: Where a trace was named that some of the scenarios would not play.
  func checkTrace(_ options: RunOptions) throws(UsageError) {
    guard options.tracePath != nil else { return }
    func names(_ playing: Bool) -> [String] {
      filter { $0.scenario.options.playsTraces == playing }.map(\.scenario.name).reduce(into: []) {
        names, name in
        if !names.contains(name) { names.append(name) }
      }
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
