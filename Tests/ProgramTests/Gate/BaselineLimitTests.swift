import Foundation
import Judging
import Testing

@testable import Execution

/// Tests that a gate names limits which the candidate changed.
@Suite struct BaselineLimitTests {
  /// Returns what the gate says of changed limits; nil if they are unchanged.
  private static func remark(on path: String, _ repository: ThrowawayRepository) async throws -> String? {
    switch try await LimitChange(of: path, package: repository.root, since: "main") {
    case .unchanged: nil
    case .unknown: "unknown"
    case .changed(let remark): remark
    }
  }

  @Test func aFolderThatLeadsToOtherLimitsIsNamed() async throws {
    let repository = try await ThrowawayRepository()
    for (folder, text) in [("strict", "version: 1\n"), ("loose", "version: 1\nbudgets: []\n")] {
      try repository.write(text, to: "\(folder)/springbench.yml")
    }
    let link = repository.root + "/limits"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "strict")
    let path = repository.root + "/springbench.yml"
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "limits/springbench.yml")
    try await repository.commit("limits behind two links")
    #expect(try await Self.remark(on: path, repository) == nil)
    #expect(try await Self.remark(on: link + "/springbench.yml", repository) == nil)
    unlink(link)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "loose")
    for path in [path, link + "/springbench.yml"] {
      #expect(try #require(try await Self.remark(on: path, repository)).contains("is not that of main"))
    }
  }

  @Test func limitsOfAnotherRepositoryAreNotThoseOfTheBaseline() async throws {
    let (repository, other) = (try await ThrowawayRepository(), try await ThrowawayRepository())
    try other.write("version: 1\n", to: "springbench.yml")
    try await other.commit("limits")
    let path = other.root + "/springbench.yml"
    #expect(try await Self.remark(on: path, repository) == "unknown")
    let link = repository.root + "/springbench.yml"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    #expect(try #require(try await Self.remark(on: link, repository)).contains("is not that of main"))
    try await repository.commit("a link out of the repository")
    #expect(try await Self.remark(on: link, repository) == "unknown")
  }

  @Test func limitsThatAreNotThoseOfTheBaselineAreNamed() async throws {
    let repository = try await ThrowawayRepository()
    let path = repository.root + "/springbench.yml"
    func remark() async throws -> String? { try await Self.remark(on: path, repository) }
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
    #expect(try await Self.remark(on: link, repository) == nil)
    // A link that leads to another file replaces the limits, although the baseline has that file, too.
    try repository.write("version: 1\nbudgets: []\n", to: "loose.yml")
    try await repository.commit("loose limits")
    unlink(link)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "loose.yml")
    #expect(try #require(try await Self.remark(on: link, repository)).contains("is not that of main"))
    try write("2ms")
    #expect(try #require(try await remark()).contains("is not that of main"))
    // A link to a new file replaces the limits.
    try FileManager.default.moveItem(atPath: path, toPath: repository.root + "/other.yml")
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "other.yml")
    #expect(try #require(try await remark()).contains("is not that of main"))
    let folder = repository.root + "/thresholds"
    func folderRemark() async throws -> String? { try await Self.remark(on: folder, repository) }
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
