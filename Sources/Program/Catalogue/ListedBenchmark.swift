import FrameBench
import Measurements

/// What `springbench list --json` says of a benchmark, to people and to other builds.
struct ListedBenchmark: Codable, Sendable {
  var id: BenchmarkID
  var scenario: String
  var strategy: String
  var size: Int
  /// By name; absent where there are none.
  var parameters: [String: String]?
  /// What the scenario's frames do.
  var summary: String?
  var tags: [String]?
  /// What the scenario asks for; absent: what others have.
  var frames: RunOptions.FrameCounts?
  /// Percent; absent: that of others.
  var tolerance: Double?

  init(_ benchmark: PlannedBenchmark) {
    id = benchmark.id
    (scenario, strategy, size) = (id.scenario, id.strategy, id.size)
    let values = Dictionary(id.parameters.map { ($0.name, $0.value) }) { first, _ in first }
    parameters = values.isEmpty ? nil : values
    summary = benchmark.summary
    tags = benchmark.scenario.tags.isEmpty ? nil : benchmark.scenario.tags
    frames = benchmark.scenario.frames
    tolerance = benchmark.scenario.tolerancePercent
  }
}

extension RunOptions {
  /// Takes the frames that scenarios ask for, where the command line does not say how many.
  mutating func takeFrames(of catalogue: Catalogue) {
    takeFrames(catalogue.scenarios.map { ($0.name, $0.frames) })
  }

  mutating func takeFrames(of benchmarks: [ListedBenchmark]) {
    takeFrames(benchmarks.map { ($0.id.scenario, $0.frames) })
  }

  private mutating func takeFrames(_ asked: [(scenario: String, frames: FrameCounts?)]) {
    var frames: [String: FrameCounts] = [:]
    for case (let scenario, var counts?) in asked {
      if namesFrameCount { counts.recorded = nil }
      if namesWarmUpFrameCount { counts.warmUp = nil }
      if counts != FrameCounts() { frames[scenario] = counts }
    }
    scenarioFrames = frames.isEmpty ? nil : frames
    (namesFrameCount, namesWarmUpFrameCount) = (false, false)
  }
}
