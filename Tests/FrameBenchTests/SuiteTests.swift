import Testing

@testable import FrameBench

/// A benchmark's id is scenario/strategy/size, so that each must be there once, and none may have a slash.
@Suite struct SuiteTests {
  @Test func aStrategyWithASlashIsRefused() async {
    await #expect(processExitsWith: .failure) {
      var suite = Suite("suite")
      suite.add("scenario", strategies: ["a/b"], sizes: [10]) { _, _ in { _, _ in 0 } }
    }
  }

  @Test func aStrategyWithoutANameIsRefused() async {
    await #expect(processExitsWith: .failure) {
      var suite = Suite("suite")
      suite.add("scenario", strategies: [""], sizes: [10]) { _, _ in { _, _ in 0 } }
    }
  }

  @Test func aStrategyThatIsThereTwiceIsRefused() async {
    await #expect(processExitsWith: .failure) {
      var suite = Suite("suite")
      suite.add("scenario", strategies: ["a", "b", "a"], sizes: [10]) { _, _ in { _, _ in 0 } }
    }
  }

  @Test func aSizeThatIsThereTwiceIsRefused() async {
    await #expect(processExitsWith: .failure) {
      var suite = Suite("suite")
      suite.add("scenario", strategies: ["a"], sizes: [10, 20, 10]) { _, _ in { _, _ in 0 } }
    }
  }

  @Test func everyIDOfASuiteCanBeReadAgain() throws {
    var suite = Suite("suite")
    suite.add("a scenario", strategies: ["naive", "ex.act"], sizes: [10, 1_000]) { _, _ in { _, _ in 0 } }
    for scenario in suite.scenarios {
      for strategy in scenario.strategies {
        for size in scenario.sizes {
          let id = BenchmarkID(scenario: scenario.name, strategy: strategy, size: size)
          #expect(BenchmarkID("\(id)") == id)
        }
      }
    }
  }
}
