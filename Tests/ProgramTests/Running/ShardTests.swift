import FrameBench
import Testing

@testable import Program

@Suite struct ShardTests {
  private let ids = ["a", "b"].flatMap { scenario in
    [100, 1_000, 10_000].flatMap { size in
      ["naive", "tiled"].map { BenchmarkID(scenario: scenario, strategy: $0, size: size) }
    }
  }

  @Test(arguments: 1...6) func theShardsAreTheWholeAndDoNotOverlap(count: Int) throws {
    let parts = try (1...count).map { try #require(Shard("\($0)/\(count)")).part(of: ids) }
    #expect(parts.reduce(0) { $0 + $1.count } == ids.count)
    #expect(parts.reduce(into: Set()) { $0.formUnion($1) } == Set(ids))
    #expect(parts.allSatisfy { !$0.isEmpty })
  }

  @Test func strategiesThatAreComparedStayTogether() throws {
    for part in try (1...4).map({ try #require(Shard("\($0)/4")).part(of: ids) }) {
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
    #expect(shard.part(of: ids) == shard.part(of: ids.reversed()))
  }

  /// Machines of two versions must agree on who runs what.
  @Test func theHashIsTheOneItAlwaysWas() { #expect(Shard.hash("foobar") == 0x8594_4171_f739_67e8) }

  @Test(arguments: ["", "2", "0/3", "4/3", "1/0", "a/b", "-1/3", "1/3/5", "1/99999999", "1 / 3"])
  func whatIsNoPartOfAWholeIsRefused(text: String) { #expect(Shard(text) == nil) }
}
