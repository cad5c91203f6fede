import Foundation
import Judging
import Testing

@testable import Execution

/// Tests that a gate names limits which the candidate changed.
@Suite struct BaselineLimitTests {
  @Test func limitsThatAreNotThoseOfTheBaselineAreNamed() async throws {
    let repository = try await ThrowawayRepository()
    let path = repository.root + "/springbench.yml"
    func remark() async throws -> String? { try await BudgetFile.remark(on: path, against: "main") }
    func write(_ limit: String) throws {
      try repository.write(
        "version: 1\nbudgets:\n  - ids: a/*/*\n    limits:\n      frameNanoseconds.p99: \(limit)\n",
        to: "springbench.yml")
    }
    #expect(try await remark() == nil)
    try write("1ms")
    #expect(try #require(try await remark()).contains("is not that of main"))
    let link = repository.root + "/link.yml"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "springbench.yml")
    try await repository.commit("limits")
    #expect(try await remark() == nil)
    #expect(try await BudgetFile.remark(on: link, against: "main") == nil)
    // A link that leads to another file replaces the limits, although the baseline has that file, too.
    try repository.write("version: 1\nbudgets: []\n", to: "loose.yml")
    try await repository.commit("loose limits")
    unlink(link)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "loose.yml")
    #expect(try #require(try await BudgetFile.remark(on: link, against: "main")).contains("is not that of main"))
    try write("2ms")
    #expect(try #require(try await remark()).contains("is not that of main"))
    // A link to a new file replaces the limits.
    try FileManager.default.moveItem(atPath: path, toPath: repository.root + "/other.yml")
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "other.yml")
    #expect(try #require(try await remark()).contains("is not that of main"))
    let folder = repository.root + "/thresholds"
    func folderRemark() async throws -> String? { try await BudgetFile.remark(on: folder, against: "main") }
    try repository.write("{}", to: "thresholds/a.p90.json")
    try await repository.commit("thresholds")
    #expect(try await folderRemark() == nil)
    try repository.write("{}", to: "thresholds/b.p90.json")
    #expect(try #require(try await folderRemark()).contains("is not that of main"))
    unlink(folder + "/b.p90.json")
    try repository.write("{ }", to: "thresholds/a.p90.json")
    #expect(try #require(try await folderRemark()).contains("is not that of main"))
    unlink(path)
    #expect(try #require(try await remark()).contains("is gone here"))
  }
}
