import Foundation
import Testing

@testable import Builds
@testable import FrameBench
@testable import Platform
@testable import Program

@Suite struct ListCommandTests {
  @Test func idsStandOneALineInTheOrderScenarioSizeStrategy() async throws {
    let process = try await FixtureProcess.run(["list", "--filter", "^steady/"])
    #expect(process.status == 0)
    #expect(process.output == "steady/naive/10\nsteady/tiled/10\nsteady/naive/100\nsteady/tiled/100\n")
    #expect(process.error.isEmpty)
  }

  @Test func anExpressionMatchesAnywhereAndSeveralMeanAnyOfThem() async throws {
    let process = try await FixtureProcess.run(["list", "--filter", "iled/100$", "--filter", "print"])
    #expect(process.output == "steady/tiled/100\nprinting/mine/10\n")
  }

  @Test func whatIsSkippedIsLeftOutOfWhatIsFiltered() async throws {
    let process = try await FixtureProcess.run(["list", "--filter", "steady", "--skip", "100", "--skip", "naive"])
    #expect(process.output == "steady/tiled/10\n")
  }

  @Test func sizesReplaceTheScenariosOwnAndRepeatedOnesCountOnce() async throws {
    let process = try await FixtureProcess.run([
      "list", "--filter", "steady", "--strategies", "tiled", "--sizes", "7, 3,7",
    ])
    #expect(process.output == "steady/tiled/7\nsteady/tiled/3\n")
  }

  @Test func quickLeavesOutTheSizesThatTheSuiteMarksUnlessTheyAreNamed() async throws {
    let others = ["--skip", "^(?!narrow)"]
    let ten = "narrow/mine/10\nnarrow/other/10\n"
    let twenty = "narrow/mine/20\nnarrow/other/20\n"
    for (arguments, expected) in [
      (["--quick"] + others, ten), (others, ten + twenty), (["--quick", "--filter", "narrow"], ten + twenty),
      (["--quick", "--sizes", "20,30"] + others, twenty + "narrow/mine/30\nnarrow/other/30\n"),
      (["--quick", "--strategies", "other"] + others, "narrow/other/10\n"),
    ] { #expect(try await FixtureProcess.run(["list"] + arguments).output == expected, "\(arguments)") }
    let nothing = try await FixtureProcess.run(["list", "--quick", "--skip", "^(?!narrow/mine/20)"])
    #expect(nothing.status == 64 && nothing.error.contains("--quick"))
  }

  @Test func jsonIsOneArrayOfObjects() async throws {
    struct Listed: Decodable, Equatable {
      var id, scenario, strategy: String;
      var size: Int
    }
    let process = try await FixtureProcess.run(["list", "--json", "--filter", "steady/.*/100"])
    let listed = try JSONDecoder().decode([Listed].self, from: Data(process.output.utf8))
    #expect(
      listed == [
        Listed(id: "steady/naive/100", scenario: "steady", strategy: "naive", size: 100),
        Listed(id: "steady/tiled/100", scenario: "steady", strategy: "tiled", size: 100),
      ])
  }

  @Test func aLongListSaysWhatEachSelectedScenarioDoes() async throws {
    let process = try await FixtureProcess.run([
      "list", "--long", "--filter", "^steady/tiled", "--filter", "narrow/.*/10$",
    ])
    #expect(process.status == 0)
    #expect(
      process.output == """
        steady
          tiled
          sizes: 10 100

        narrow
          Returns the number of the frame.
          mine, other
          sizes: 10

        """)
    let both = try await FixtureProcess.run(["list", "--long", "--json"])
    #expect(both.status == 64 && both.error.contains("cannot be combined"))
    let json = try await FixtureProcess.run(["list", "--json", "--filter", "narrow/mine/10"])
    #expect(json.output.contains(#""summary" : "Returns the number of the frame.""#))
  }

  @Test(arguments: [["--help"], ["help"], ["run", "--help"], ["help", "list"], []]) func helpGoesToStdoutWithExamples(
    _ arguments: [String]
  ) async throws {
    let process = try await FixtureProcess.run(arguments)
    #expect(process.status == 0)
    #expect(process.error.isEmpty)
    #expect(process.output.contains("EXAMPLES"))
    #expect(!process.output.replacing("--worker-timeout", with: "").contains("worker"))
  }

  @Test func theVersionIsOneLine() async throws {
    let process = try await FixtureProcess.run(["--version"])
    #expect(process.status == 0)
    #expect(process.output == springBenchVersion + "\n")
  }
}
