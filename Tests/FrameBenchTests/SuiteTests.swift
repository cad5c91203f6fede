import Testing

@testable import FrameBench

/// Tests that a suite rejects bad names. An id has the form scenario/strategy/size, so names must be unique and without
/// a slash.
@Suite struct SuiteTests {
  @Test(arguments: [
    ("a/b", ["s"], [1], "slash"), ("", ["s"], [1], "empty"), ("a\nb", ["s"], [1], "control character"),
    ("a\u{202E}b", ["s"], [1], "control character"), ("a\u{2028}b", ["s"], [1], "control character"),
    ("a", ["s/t"], [1], "slash"), ("a", [""], [1], "empty"), ("a", ["s", "t", "s"], [1], "twice"),
    ("a", [], [1], "no strategy"), ("a", ["s"], [0], "not above 0"), ("a", ["s"], [1, 2, 1], "twice"),
  ]) func whatIsWrongIsNamedWithARemedy(name: String, strategies: [String], sizes: [Int], problem: String) throws {
    var suite = Suite("suite")
    suite.add(name, strategies: strategies, sizes: sizes) { _, _ in { _, _ in 0 } }
    let text = try #require(suite.problems.first)
    #expect(text.contains(problem) && text.contains(name.debugDescription) && text.contains("; "))
    #expect(suite.problems.count == 1)
  }

  @Test(arguments: [0, -1, Double.infinity, .nan]) func secondsThatLimitNothingAreRefused(_ seconds: Double) throws {
    var suite = Suite("suite")
    suite.add("a", options: .init(secondsPerRun: seconds)) { _ in { _, _ in 0 } }
    #expect(try #require(suite.problems.first).contains("seconds for a run; give a positive number"))
  }

  @Test func aScenarioThatIsThereTwiceIsNamedOnce() {
    var suite = Suite("suite")
    for _ in 0..<3 { suite.add("a", strategies: ["s"], sizes: [1]) { _, _ in { _, _ in 0 } } }
    #expect(suite.problems == ["scenario \"a\" is in the suite twice; give each a name of its own"])
  }

  @Test(arguments: ["Decode", "JSON.Decode"]) func aProgramBeforeANameDoesNotChangeWhoseNameItIs(name: String) {
    var suite = Suite("suite")
    for name in ["Decode", "JSON.Decode"] { suite.add(name) { _ in { _, _ in 0 } } }
    for scenario in [name, "A.\(name)"] {
      let id = BenchmarkID(scenario: scenario, strategy: "default", size: 1)
      #expect(suite.scenario(of: id)?.name == name)
    }
    #expect(suite.scenario(of: BenchmarkID(scenario: "XDecode", strategy: "default", size: 1)) == nil)
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

  @Test func aSizeThatNoDoubleHoldsExactlyIsNone() {
    #expect(BenchmarkID("a/b/9007199254740992")?.size == 1 << 53)
    #expect(
      BenchmarkID("a\nb/c/1") == nil && BenchmarkID("a/\u{1B}[31m/1") == nil && BenchmarkID("a/b/1/c=\u{85}") == nil)
    #expect(BenchmarkID("ä/日本/1/größe=ø") != nil)
    #expect(BenchmarkID(String(repeating: "a", count: 501) + "/b/1") == nil)
    #expect(BenchmarkID("a/b/9007199254740993") == nil && BenchmarkID("a/b/9223372036854775807") == nil)
  }
}
