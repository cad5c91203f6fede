import FrameBench
import Testing

@testable import Builds
@testable import Execution
@testable import Program

@Suite struct ShardTests {
  private let ids = ["a", "b"].flatMap { scenario in
    [100, 1_000, 10_000].flatMap { size in
      ["naive", "tiled"].map { BenchmarkID(scenario: scenario, strategy: $0, size: size) }
    }
  }

  @Test(arguments: 1...6) func theShardsAreTheWholeAndDoNotOverlap(count: Int) throws {
    let parts = try (1...count).map { try #require(Shard("\($0)/\(count)")).part(of: ids).ids }
    #expect(parts.reduce(0) { $0 + $1.count } == ids.count)
    #expect(parts.reduce(into: Set()) { $0.formUnion($1) } == Set(ids))
    #expect(parts.allSatisfy { !$0.isEmpty })
  }

  @Test func strategiesThatAreComparedStayTogether() throws {
    for part in try (1...4).map({ try #require(Shard("\($0)/4")).part(of: ids).ids }) {
      for id in part {
        #expect(
          ["naive", "tiled"].allSatisfy {
            part.contains(BenchmarkID(scenario: id.scenario, strategy: $0, size: id.size))
          })
      }
    }
  }

  @Test func theOrderOfTheSuiteDoesNotMatter() throws {
    let shard = try #require(Shard("2/3"))
    let (one, other) = (shard.part(of: ids), shard.part(of: ids.reversed()))
    #expect(one.ids == other.ids && one.record == other.record)
  }

  /// The hash must not change, because machines with different versions of springbench must agree on the parts.
  @Test func theHashIsTheOneItAlwaysWas() { #expect(Shard.hash("foobar") == 0x8594_4171_f739_67e8) }

  @Test(arguments: ["", "2", "0/3", "4/3", "1/0", "a/b", "-1/3", "1/3/5", "1/99999999", "1 / 3"])
  func whatIsNoPartOfAWholeIsRefused(text: String) { #expect(Shard(text) == nil) }

  @Test func partsOfOneDealSayThatTheyAre() throws {
    let records = try (1...3).map { try #require(Shard("\($0)/3")).part(of: ids).record }
    #expect(records.map(\.index) == [1, 2, 3] && Set(records.map(\.deal)).count == 1)
    let shard = try #require(Shard("1/3"))
    #expect(shard.part(of: ids.dropLast()).record.deal != records[0].deal)
    #expect(shard.part(of: ids, seconds: ["a/naive/100": 100, "b/naive/100": 1]).record.deal != records[0].deal)
  }

  /// The two strategies of a scenario and size form a group, which stays together. One of the six groups takes 30
  /// seconds and has a part for itself. The others take 2 seconds each.
  @Test func partsAreBalancedByDurations() throws {
    let seconds = Dictionary(
      uniqueKeysWithValues: ids.map { ("\($0)", $0.size == 100 && $0.scenario == "b" ? 15.0 : 1) })
    let parts = try (1...3).map { try #require(Shard("\($0)/3")).part(of: ids, seconds: seconds).ids }
    #expect(parts.map(\.count).sorted() == [2, 4, 6])
    #expect(parts.first { $0.count == 2 }?.allSatisfy { $0.scenario == "b" && $0.size == 100 } == true)
  }

  @Test func aBenchmarkThatWasNotMeasuredCountsAsAnAverageOne() throws {
    // Two groups of 10 seconds and one of unknown duration: each of three parts has one group.
    let groups = [1, 2, 3].map { BenchmarkID(scenario: "s", strategy: "a", size: $0) }
    let parts = try (1...3).map {
      try #require(Shard("\($0)/3")).part(of: groups, seconds: ["s/a/1": 10, "s/a/2": 10]).ids
    }
    #expect(parts.allSatisfy { $0.count == 1 })
  }

  private static let slurm = [
    "SLURM_ARRAY_TASK_ID": "7", "SLURM_ARRAY_TASK_MIN": "3", "SLURM_ARRAY_TASK_MAX": "9", "SLURM_ARRAY_TASK_STEP": "2",
    "SLURM_ARRAY_TASK_COUNT": "4",
  ]

  @Test(arguments: [
    (slurm, "3/4"), (["CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "3"], "2/3"),
    (["JOB_COMPLETION_INDEX": "0", "JOB_COMPLETIONS": "3"], "1/3"),
    (["STRATEGY_JOB_INDEX": "2", "STRATEGY_JOB_TOTAL": "3"], "3/3"),
    // GitLab sets CI_NODE_TOTAL in every job, even outside of an array. So this variable alone does not count.
    (["CI_NODE_TOTAL": "1", "JOB_COMPLETION_INDEX": "1", "JOB_COMPLETIONS": "3"], "2/3"),
  ]) func aJobOfAnArrayKnowsItsPart(environment: [String: String], part: String) throws {
    #expect(try Shard(environment: environment).description == part)
  }

  @Test(arguments: [
    ([:], "not a job of an array"), (["CI_NODE_TOTAL": "3"], "not a job of an array"),
    (["JOB_COMPLETION_INDEX": "0"], "JOB_COMPLETIONS is not"),
    (["CI_NODE_INDEX": "one", "CI_NODE_TOTAL": "3"], "CI_NODE_INDEX is \"one\""),
    (["CI_NODE_INDEX": "4", "CI_NODE_TOTAL": "3"], "not a part"),
    (["JOB_COMPLETION_INDEX": "\(Int.max)", "JOB_COMPLETIONS": "3"], "not a number"),
    (["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "3", "STRATEGY_JOB_INDEX": "0"], "are set"),
    (slurm.merging(["SLURM_ARRAY_TASK_COUNT": "3"]) { $1 }, "gaps"),
  ]) func whatDoesNotSayAPartIsRefused(environment: [String: String], words: String) {
    let error = #expect(throws: ValueError.self) { try Shard(environment: environment) }
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }

  @Test func autoOutsideOfAnArrayIsAUsageError() async throws {
    let process = try await FixtureProcess.run(["run", "--shard", "auto"])
    #expect(process.status == 64 && process.error.contains("not a job of an array"), "\(process.error)")
  }
}
