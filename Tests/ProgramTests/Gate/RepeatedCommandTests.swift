import Foundation
import FrameBench
import Testing

@testable import Builds
@testable import Execution
@testable import Measurements
@testable import Platform
@testable import Program

/// Reports print a command line that repeats the checks. Tests that this command line gives the same result.
@Suite struct RepeatedCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func whatDecidesTheVerdictStaysAndWhatSaysWhereReportsGoLeaves() {
    let arguments = [
      "gate", "--baseline", "main", "--filter", "a b", "--report=junit=a.xml", "--strict", "--skip=x", "--report",
      "markdown=b.md", "--json", "--sizes", "5", "--shard", "1/2",
    ]
    let repeated = CommandContext(arguments: arguments, console: Console(), environment: [:]).repeating()
    #expect(
      repeated([BenchmarkID(scenario: "a", strategy: "b", size: 5)])
        == "springbench gate --baseline main --strict --sizes 5 --filter '^a/b/5$'")
    #expect(repeated([]) == "springbench gate --baseline main --filter 'a b' --strict --skip=x --sizes 5 --shard 1/2")
  }

  /// Runs a gate, and then the command line that the gate prints for repeating it. Returns both exit statuses.
  private func statuses(_ candidate: RunDocument, baseline: RunDocument?, budgets: String, _ arguments: [String] = [])
    async throws -> [Int32?]
  {
    let run = try StoredRuns.write(candidate, to: folder.path + "/run.json")
    try budgets.write(toFile: folder.path + "/b.yml", atomically: true, encoding: .utf8)
    var all = ["gate", "--run", run, "--output", folder.path, "--machine", "desk"] + arguments
    all += ["--budgets", folder.path + "/b.yml"]
    if let baseline {
      try BaselineStore(results: folder.path, machine: "desk").save(baseline, as: "main")
      all += ["--baseline", "main"]
    }
    let first = try await FixtureProcess.run(all, in: folder.path)
    let mark = "to look at it again: springbench "
    let line = try #require(first.output.split(separator: "\n").first { $0.hasPrefix(mark) }, "\(first.output)")
    let words = line.dropFirst(mark.count).split(separator: " ").map {
      $0.trimmingCharacters(in: CharacterSet(charactersIn: "'"))
    }
    let second = try await FixtureProcess.run(words, in: folder.path)
    return [first.status, second.status]
  }

  private func document(_ sizes: [Int], allocations: [Int] = [0, 0], checksum: String = "00000000000000aa") throws
    -> RunDocument
  {
    var document = try StoredRuns.document("steady/naive/10", allocations: allocations, checksum: checksum)
    document.benchmarks = sizes.map { size in
      var record = document.benchmarks[0]
      record.id = BenchmarkID(scenario: "steady", strategy: "naive", size: size)
      return record
    }
    return document
  }

  private static let growth =
    "budgets:\n  - ids: steady/naive/*\n    limits:\n      growthExponent: 1\n      allocationCount.max: 0\n"

  @Test func aLimitOfSeveralSizesIsNoVerdictOnOne() async throws {
    let worse = try document([10, 100], allocations: [0, 1])
    #expect(try await statuses(worse, baseline: nil, budgets: Self.growth) == [3, 3])
    #expect(try await statuses(worse, baseline: document([10, 100]), budgets: Self.growth) == [2, 2])
  }

  @Test func aBrokenLimitOfSeveralSizesIsRepeatedWithAllOfThem() async throws {
    let budgets = Self.growth.replacing("growthExponent: 1", with: "growthExponent: '>= 2'")
    #expect(try await statuses(document([10, 100]), baseline: nil, budgets: budgets) == [3, 3])
  }

  @Test func changedBehaviorAndWhatIsGoneAreFoundAgain() async throws {
    let moved = try document([10, 100], checksum: "00000000000000ab")
    #expect(try await statuses(moved, baseline: document([10, 100]), budgets: Self.growth) == [5, 5])
    let less = try document([10])
    #expect(try await statuses(less, baseline: document([10, 100]), budgets: Self.growth) == [5, 5])
  }
}
