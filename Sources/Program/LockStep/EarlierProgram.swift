import Foundation
import FrameBench
import Measurements

// Programs from before they could describe themselves, when each had all commands of springbench, so that `compare`
// reaches back to this repository's first landing.

extension SuiteDescription {
  private struct Listed: Decodable { var id: BenchmarkID }

  /// Parses the output of `list --json`, which need not have all combinations.
  init(earlierList: Data, name: String) throws {
    let ids = try JSONDecoder().decode([Listed].self, from: earlierList).map(\.id)
    let scenarios = ids.map(\.scenario).unique.map { scenario in
      let ids = ids.filter { $0.scenario == scenario }
      return ScenarioDescription(
        name: scenario, strategies: ids.map(\.strategy).unique, sizes: ids.map(\.size).unique,
        parameters: ids[0].parameters.indices.map { index in
          ScenarioDescription.Parameter(
            name: ids[0].parameters[index].name, labels: ids.map { $0.parameters[index].value }.unique)
        }, playsTraces: true)
    }
    self.init(
      name: name, scenarios: scenarios,
      build: WorkerBuild(toolchain: "unknown", configuration: "release", allocator: "unknown"))
  }
}

extension TurnAnswer {
  /// Parses answers with sums over a turn before those of its pieces, and tables without a header.
  /// - Parameter frameCount: Frames of the scroll.
  init?(earlier values: [Double], to command: TurnCommand, frameCount: Int) {
    switch command {
    case .frames: self = .frames(Array(values.dropFirst()))
    case .phases(let count):
      let width = 2 * TurnPieces.count(frameCount: count)
      let phaseCount = values.count / (2 + width)
      self.init([Double(phaseCount), Double(width)] + values.dropFirst(2 * phaseCount), to: command)
    case .observe: self.init(values, to: command)
    case .finish:
      guard frameCount > 0 else { return nil }
      self.init([Double(values.count / frameCount), Double(frameCount)] + values, to: command)
    }
  }
}
