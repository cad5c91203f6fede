import Foundation
import FrameBench
import Scenarios
import Testing
import UIKitScenarios

@Suite struct ScenarioPageTests {
  private static let scenarios = Suite.standard.scenarios + Suite.uikit.scenarios

  private static func page() throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try String(contentsOf: root.appendingPathComponent("docs/scenarios.md"), encoding: .utf8)
  }

  @Test func eachScenarioIsDescribedOnThePageOfScenarios() throws {
    let sections = try Self.page().components(separatedBy: "\n### ").dropFirst()
    let described = Dictionary(
      uniqueKeysWithValues: sections.map { section -> (String, String) in
        let lines = section.split(separator: "\n", maxSplits: 1)
        return (String(lines[0]), String(lines[1]))
      })
    #expect(described.keys.sorted() == Self.scenarios.map(\.name).sorted())
    for scenario in Self.scenarios {
      let text = try #require(described[scenario.name])
      let summary = try #require(scenario.summary, "\(scenario.name) has no summary")
      #expect(text.hasPrefix("\n\(summary)") || text.hasPrefix(summary), "\(scenario.name): \(text)")
      for strategy in scenario.strategies {
        #expect(text.lowercased().contains(strategy), "\(scenario.name) does not name \(strategy)")
      }
      for size in scenario.sizes {
        let digits = text.replacing(",", with: "").split { !$0.isNumber }
        #expect(digits.contains { $0 == "\(size)" }, "\(scenario.name) does not name \(size)")
      }
    }
  }

  @Test func eachStrategyIsInTheTable() throws {
    let rows = try Self.page().split(separator: "\n").filter { $0.hasPrefix("| `") }.joined()
    for strategy in Set(Self.scenarios.flatMap(\.strategies)) { #expect(rows.contains("`\(strategy)`"), "\(strategy)") }
  }
}
