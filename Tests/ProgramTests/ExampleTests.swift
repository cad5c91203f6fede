import Foundation
import Measurements
import Testing

/// Tests that `SuiteFixture` contains the examples of the documentation, and that measuring them gives no warnings.
@Suite struct ExampleTests {
  /// Returns the lines of a text, without indentation, alignment and empty lines.
  private static func lines(_ text: some StringProtocol) -> [String] {
    text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }.filter { !$0.isEmpty }
  }

  private func examples(of page: String) throws -> [[String]] {
    let text = try String(contentsOf: repositoryRoot.appendingPathComponent(page), encoding: .utf8)
    return text.components(separatedBy: "```swift\n").dropFirst().map {
      Self.lines($0.components(separatedBy: "```")[0])
    }
  }

  private func source(_ name: String) throws -> [String] {
    try Self.lines(
      String(contentsOf: repositoryRoot.appendingPathComponent("Tests/SuiteFixture/\(name)"), encoding: .utf8))
  }

  @Test func theExamplesOfThePagesAreThoseThatAreCompiled() throws {
    let balls = try #require(try examples(of: "CONTRIBUTING.md").first)
    #expect(try source("BouncingBalls.swift") == balls)
    let list = try #require(try examples(of: "README.md").first { $0.contains("import FrameBench") })
    let scenario = list.filter { !$0.hasPrefix("import ") && !$0.hasPrefix("var suite") && !$0.hasPrefix("await") }
    let compiled = try source("ReadmeExample.swift")
    let start = try #require(compiled.firstIndex(of: scenario[0]))
    #expect(Array(compiled[start...].prefix(scenario.count)) == scenario)
  }

  @Test func theExamplesForAuthorsAreThoseThatAreCompiled() throws {
    let compiled = try source("AuthorsExamples.swift")
    let examples = try examples(of: "docs/authors.md")
    #expect(examples.count == 4)
    for example in examples {
      let lines = example.filter {
        !$0.hasPrefix("import ") && !$0.hasPrefix("var suite") && !$0.hasPrefix("await suite")
      }
      let missing = lines.filter { !compiled.contains($0) }
      #expect(missing == [])
    }
  }

  @Test func theExamplesAreMeasuredWithoutADoubtAndAForgottenEndOfTheFrameIsNoticed() async throws {
    let folder = try TemporaryFolder()
    let process = try await FixtureProcess.run(
      ["run", "--frames", "40", "--warm-up", "10", "--runs", "2", "--output", folder.path],
      environment: ["FIXTURE_ONLY_EXAMPLES": "1"])
    #expect(process.status == 0, "\(process.error)")
    let path = try #require(folder.contents.first { $0.hasSuffix("/run.json") })
    let run = try RunDocument(contentsOf: Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/\(path)")))
    let doubted = run.warnings.filter { $0.message.contains("Call timer.endFrame()") }
    #expect(doubted.map(\.benchmark?.description) == ["unended/default/1000"])
    let good = run.benchmarks.filter { !["unended", "decode", "scroll", "sort", "sum"].contains($0.id.scenario) }
    #expect(good.count == 7 && good.allSatisfy { $0.allocations?.frameThread.count.total == 0 })
    for size in [100, 1_000, 10_000] {
      let sums = run.benchmarks.filter { $0.id.scenario == "bounce" && $0.id.size == size }.map(\.checksum)
      #expect(sums.count == 2 && Set(sums).count == 1, "\(sums)")
    }
  }
}
