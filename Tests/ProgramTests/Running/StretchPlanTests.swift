import Testing

@testable import Execution
@testable import FrameBench
@testable import Measurements
@testable import Platform
@testable import Program
@testable import Scenarios

/// Tests the stretches (named parts of a scroll) that a run gets from its scenarios before it measures.
@Suite struct StretchPlanTests {
  private var options: RunOptions {
    var options = RunOptions()
    options.frameCount = 300
    options.warmUpFrameCount = 20
    return options
  }

  private func suite(_ names: @escaping @Sendable (ScenarioContext) throws -> [String]) -> Suite {
    var suite = Suite("suite")
    suite.add("list", strategies: ["naive", "tiled"], sizes: [10, 20], options: .init(stretches: names)) { _, _ in
      { _, _ in 0 }
    }
    suite.add("other", strategies: ["naive"], sizes: [10]) { _, _ in { _, _ in 0 } }
    return suite
  }

  private func stretches(_ suite: Suite, sizes: [Int]? = nil, strategies: [String]? = nil) throws -> [StretchRecord] {
    let suiteDescription = suite.describe()
    let catalogue = Catalogue(
      name: suiteDescription.name, scenarios: suiteDescription.scenarios, programs: ProgramPaths(paths: [[]]),
      build: suiteDescription.build, folder: "")
    let benchmarks = catalogue.benchmarks(sizes: sizes, strategies: strategies)
    let found = benchmarks.map { ($0.id, suite.preflight(of: $0.id, options)) }
    return try PreflightChecks(benchmarks: benchmarks, options: options, found: Dictionary(uniqueKeysWithValues: found))
      .stretches()
  }

  @Test func eachScenarioAndSizeIsAskedOnceAndTheWarmUpIsLeftOut() throws {
    let suite = suite { context in
      (0..<context.totalFrameCount).map { $0 < 20 ? "warm-up" : "\(context.strategy) \(context.size)" }
    }
    let records = try stretches(suite)
    #expect(records.map(\.size) == [10, 20] && records.allSatisfy { $0.scenario == "list" })
    #expect(records.map(\.names) == [["naive 10"], ["naive 20"]])
    #expect(records.allSatisfy { $0.frames.count == 300 })
  }

  @Test func anotherNumberOfFramesIsRefusedWithTheRemedy() throws {
    let suite = suite { context in Array(repeating: "rest", count: context.frameCount) }
    let error = #expect(throws: UsageError.self) { try stretches(suite, strategies: ["tiled"]) }
    #expect(
      try #require(error).description
        == "scenario \"list\" names the stretches of 300 frames at 10 items, and a run has 320;"
        + " return a name for each frame, the warm-up included")
  }

  @Test func whyAScenarioCannotNameItsStretchesIsSaid() throws {
    let suite = suite { _ in throw UsageError("no\nscroll") }
    let error = #expect(throws: UsageError.self) { try stretches(suite) }
    #expect(try #require(error).description == "list/naive/10 cannot name its stretches: no scroll")
  }

  @Test func aRunWithTimeForFewerFramesNamesTheStretchesOfThese() async throws {
    let catalogue = try await Catalogue(of: [try FixtureProcess.path])
    let benchmark = try catalogue.benchmark("limited/mine/10")
    var options = RunOptions()
    let found = try await catalogue.preflight([benchmark], &options)
    #expect(options.of(benchmark.id).frameCount == 1_000)
    let records = try PreflightChecks(benchmarks: [benchmark], options: options, found: found).stretches()
    #expect(records.map(\.frames.count) == [1_000])
  }

  @Test func theCatalogueNamesTheStretchesOfWhatIsScrolledOrDragged() throws {
    let records = try stretches(.standard, sizes: [100])
    #expect(records.map(\.scenario) == ["springs", "springs-objects", "drag"])
    #expect(records[0].frames == records[1].frames)
    #expect(records[2].names == ["drag", "return"] && records[2].frames.runs.last?.repetitions == 90)
  }
}
