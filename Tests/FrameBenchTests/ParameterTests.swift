import Testing

@testable import FrameBench

/// Tests the parameters that a scenario has besides strategy and size. An id ends with their values, and the set-up
/// receives these values.
@Suite struct ParameterTests {
  private enum Order: CaseIterable, Sendable { case sorted, shuffled }
  private static let viewport = Parameter("viewport", [320, 1_024])
  private static let order = Parameter("order", Order.allCases)

  private static var suite: Suite {
    var suite = Suite("suite")
    suite.add("list", strategies: ["one"], sizes: [10], parameters: [viewport, order]) { _, context in
      let value = UInt64(context[viewport]) + (context[order] == .sorted ? 0 : 1)
      return { _, _ in value }
    }
    return suite
  }

  @Test func everyCombinationIsABenchmarkOfItsOwn() {
    let values = Self.suite.scenarios[0].parameterValues.map { $0.map(\.description) }
    #expect(
      values == [
        ["viewport=320", "order=sorted"], ["viewport=320", "order=shuffled"], ["viewport=1024", "order=sorted"],
        ["viewport=1024", "order=shuffled"],
      ])
  }

  @Test func setUpGetsTheValuesOfItsBenchmark() throws {
    let id = try #require(BenchmarkID("list/one/10/viewport=1024/order=shuffled"))
    let context = ScenarioContext(id: id, refreshRateHertz: 60, warmUpFrameCount: 0, frameCount: 1, seed: 1)
    let run = try ScenarioRun(Self.suite.scenarios[0], context)
    // In this mode the timer does not read a clock.
    let timer = FrameTimer(mode: .output, clock: .system(), state: .made())
    defer { timer.state.destroy() }
    #expect(try run.body(Frame(index: 0, timestep: 0, isWarmUp: false), timer) == 1_025)
  }

  @Test func anIDIsReadAsItIsWritten() throws {
    for text in ["a/b/1", "a/b/1/x=1", "a/b/1/x=1/y=two words"] {
      #expect(try #require(BenchmarkID(text)).description == text)
    }
    for text in ["a/b/1/x", "a/b/1/x=", "a/b/1/=1", "a/b/1/x=1=2", "a/b/1/x=1/x=2", "a/b/1/", "a/b"] {
      #expect(BenchmarkID(text) == nil)
    }
  }

  @Test func strategiesAndSizesAreComparedWithinAVariant() throws {
    let id = try #require(BenchmarkID("list/one/10/viewport=320"))
    #expect(id.variant == "list/viewport=320" && id.series == "list/one/viewport=320")
    #expect(id.with(strategy: "two", size: 20).description == "list/two/20/viewport=320")
    #expect(id.isSameSeries(as: id.with(size: 7)) && !id.isSameSeries(as: id.with(strategy: "two")))
  }

  @Test(arguments: [
    (["p", "p"], [1], "twice"), (["p=q"], [1], "equals sign"), (["p"], [], "no value"), (["p"], [1, 1], "twice"),
    ([""], [1], "empty"),
  ]) func whatIsWrongWithAParameterIsNamed(names: [String], values: [Int], problem: String) throws {
    var suite = Suite("suite")
    suite.add("a", parameters: names.map { Parameter($0, values) }) { _ in { _, _ in 0 } }
    #expect(try #require(suite.problems.first).contains(problem))
  }
}
