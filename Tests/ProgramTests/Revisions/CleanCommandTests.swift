import Foundation
import Testing

@testable import Builds
@testable import Platform
@testable import Program

/// Tests that `clean` removes builds of revisions and old runs, and nothing else. Also tests that a scratch folder is
/// removed together with its owner object, and that later commands remove what killed processes left behind.
@Suite struct CleanCommandTests {
  @Test func aFolderOfAProcessThatEndedIsSweptAndOneInUseStays() throws {
    let parent = try TemporaryFolder()
    let inUse = try HiddenEntry.scratch(in: parent.path, prefix: "some-")
    for name in ["some-1", "some-2", "other-1"] {
      try FileManager.default.createDirectory(atPath: "\(parent.path)/\(name)/inner", withIntermediateDirectories: true)
    }
    HiddenEntry.sweep(parent.path, prefix: "some-")
    let left = (inUse.path as NSString).lastPathComponent
    #expect(Set(parent.contents) == ["other-1", "other-1/inner", left])
  }

  @Test func aScratchFolderGoesWithItsOwner() throws {
    let parent = try TemporaryFolder()
    do {
      let folder = try HiddenEntry.scratch(in: parent.path, prefix: "some-")
      try "text".write(toFile: folder.path + "/file", atomically: true, encoding: .utf8)
      #expect(parent.contents.count == 2)
    }
    #expect(parent.contents.isEmpty)
  }

  @Test func anyCommandClearsWhatAKilledBuildLeft() async throws {
    let repository = try await ThrowawayRepository()
    let before = try await repository.userState()
    _ = try await repository.build("HEAD", environment: ["FAKE_SIGNAL": "KILL"])
    #expect(!repository.leftovers.isEmpty)
    let next = try await FixtureProcess.run(["list"], in: repository.root)
    #expect(next.status == 0)
    #expect(repository.leftovers.isEmpty, "\(repository.leftovers)")
    #expect(try await repository.userState() == before)
  }

  @Test func cleanRemovesBuildsAndTheOldestRunsAndNothingElse() async throws {
    let repository = try await ThrowawayRepository()
    #expect(try await repository.build("HEAD").status == 0)
    let kept = [
      "results/here/20261121T064712Z-abc/run.json", "results/here/20261122T064712Z-abc/run.json",
      "results/there/20200101T000000Z-abc/run.json", "results/baselines/here/main/a.json",
      "results/history/here/20261121T064712Z-abc.json",
      // A comparison writes profiles to a folder whose name ends in `-compare`. `clean` must not take it for a run.
      "results/here/20261123T064712Z-compare/profile.json",
    ]
    for path in kept + ["results/here/20261120T064712Z-abc/run.json"] { try repository.write("{}", to: path) }
    let process = try await FixtureProcess.run(["clean", "--keep", "2", "--package-path", "."], in: repository.root)
    #expect(process.status == 0, "\(process.error)")
    #expect(
      process.output.contains(#/Removed 1 build of revisions \([0-9.]+ [KM]iB\)\.\nRemoved 1 run from results/#),
      "\(process.output)")
    let builds = repository.root + "/.build/springbench/revisions/builds"
    #expect(try FileManager.default.contentsOfDirectory(atPath: builds).isEmpty)
    #expect(!FileManager.default.fileExists(atPath: repository.root + "/.build/springbench/revisions/slot"))
    let results =
      FileManager.default.enumerator(atPath: repository.root + "/results")?.compactMap { "results/\($0)" }.filter {
        $0.hasSuffix(".json")
      } ?? []
    #expect(Set(results) == Set(kept))
  }
}
