import FrameBench
import Measurements
import TextFormat

/// A benchmark that is to run.
struct PlannedBenchmark: Sendable {
  var id: BenchmarkID
  var scenario: ScenarioDescription

  /// What the scenario's frames do; nil where the suite does not say.
  var summary: String? { scenario.summary }

  /// The scenario's first strategy at the same size; nil for that strategy itself.
  var referenceID: BenchmarkID? {
    let reference = scenario.referenceStrategy
    guard reference != id.strategy else { return nil }
    return id.with(strategy: reference)
  }
}

extension [PlannedBenchmark] {
  /// - Throws: Where a trace was named that some of the scenarios would not play.
  func checkTrace(_ options: RunOptions) throws(UsageError) {
    guard options.tracePath != nil else { return }
    func names(_ playing: Bool) -> [String] {
      filter { $0.scenario.playsTraces == playing }.map(\.scenario.name).reduce(into: []) {
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
