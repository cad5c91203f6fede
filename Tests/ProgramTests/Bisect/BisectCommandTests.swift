import Foundation
import Testing

@testable import Builds
@testable import FrameBench
@testable import Platform
@testable import Program

/// Tests the commit ranges of `springbench bisect`, and the whole command. A fake `swift` builds the commits.
@Suite(.serialized) struct BisectCommandTests {
  private func hashes(_ repository: ThrowawayRepository, _ names: String...) async throws -> [String] {
    var hashes: [String] = []
    for name in names { hashes.append(try await repository.git("rev-parse", name)) }
    return hashes
  }

  @Test func aRangeGoesFromAfterTheGoodCommitToTheBadOne() async throws {
    let repository = try await ThrowawayRepository()
    for number in 1...4 { try await repository.commit("number \(number)") }
    let range = try await CommitRange.between("HEAD~3", "HEAD", Git(folder: repository.root), flag: "")
    #expect(range.commits.map(\.subject) == ["number 2", "number 3", "number 4"])
    #expect(range.good.subject == "number 1" && range.isFirstParent)
    #expect(range.commits.map(\.hash) == (try await hashes(repository, "HEAD~2", "HEAD~1", "HEAD")))
  }

  @Test func aMergedBranchIsOneStepUnlessTheGoodCommitIsOnIt() async throws {
    let repository = try await ThrowawayRepository()
    try await repository.git("checkout", "--quiet", "-b", "side")
    for number in 1...3 { try await repository.commit("side \(number)") }
    try await repository.git("checkout", "--quiet", "main")
    try await repository.commit("main 1")
    try await repository.git("merge", "--quiet", "--no-ff", "-m", "merge", "side")
    let git = Git(folder: repository.root)
    let line = try await CommitRange.between("HEAD~2", "HEAD", git, flag: "")
    #expect(line.commits.map(\.subject) == ["main 1", "merge"] && line.isFirstParent)
    let branch = try await CommitRange.between("side~1", "HEAD", git, flag: "")
    #expect(branch.commits.map(\.subject) == ["side 3", "merge"] && !branch.isFirstParent)
  }

  @Test func endsThatAreNoRangeAreSaidWithARemedy() async throws {
    let repository = try await ThrowawayRepository()
    try await repository.commit("second")
    try await repository.git("checkout", "--quiet", "--orphan", "other")
    try await repository.commit("unrelated")
    for (good, bad, words) in [
      ("main", "main~1", "swap them"), ("main", "main", "both are"), ("other", "main", "merge-base"),
      ("nowhere", "main", "git knows no revision"),
    ] {
      let process = try await bisect(["--good", good, "--bad", bad], repository)
      #expect(process.status == 64 && process.errorLines.count == 1, "\(good) \(bad)")
      #expect(process.error.contains(words), "\(process.error)")
    }
  }

  @Test func theCommitThatAllocatesIsFound() async throws {
    let repository = try await ThrowawayRepository()
    try await program(repository, variant: "")
    let good = try await repository.git("rev-parse", "HEAD")
    for number in 1...6 {
      if number == 3 { try repository.write("error: nothing builds", to: "broken.txt") }
      if number == 4 { try await repository.git("rm", "--quiet", "broken.txt") }
      if number == 5 { try await program(repository, variant: "FIXTURE_VARIANT=allocating") }
      try await repository.commit("number \(number)")
    }
    let process = try await bisect(["--good", good, "--metric", "allocationCount"], repository)
    #expect(process.status == 0, "\(process.error)")
    let lines = process.output.split(separator: "\n")
    // The commit named "the program …" made the change. The commit "number 5" follows it.
    #expect(lines.first?.contains("the program") == true, "\(process.output)")
    #expect(lines.count == 3 && process.output.contains("0 → 1 by this commit, 0 → 1 in all"))
    #expect(lines.last?.hasPrefix("> 99.99% sure") == true)
  }

  @Test func aCommitWhoseProgramDoesNotStartIsSkipped() async throws {
    let repository = try await ThrowawayRepository()
    try await program(repository, variant: "")
    let good = try await repository.git("rev-parse", "HEAD")
    try repository.write("#!/bin/sh\nexit 3\n", to: "source.txt")
    try await repository.commit("does not start")
    try await program(repository, variant: "A=1")
    try await program(repository, variant: "FIXTURE_VARIANT=allocating")
    let process = try await bisect(["--good", good, "--metric", "allocationCount", "--json"], repository)
    #expect(process.status == 0, "\(process.error)")
    let rows = try JSONSerialization.jsonObject(with: Data(process.output.utf8)) as? [[String: Any]]
    #expect(rows?.map { $0["role"] as? String } == ["whole", "skipped", "good", "culprit"], "\(process.output)")
  }

  @Test func aCommitWithoutBenchmarksIsSkippedAndAFaultOfTheMachineIsNot() {
    #expect(BisectSearch.isFault(RevisionError.noBenchmarks("a1b2"), of: "a1b2"))
    #expect(!BisectSearch.isFault(RevisionError.diskFull(folder: "/"), of: "a1b2"))
    #expect(!BisectSearch.isFault(CancellationError(), of: "a1b2"))
  }

  @Test func endsThatDoNotDifferLeaveNothingToFind() async throws {
    let repository = try await ThrowawayRepository()
    try await program(repository, variant: "")
    try await repository.commit("nothing")
    let process = try await bisect(["--good", "HEAD~1", "--metric", "allocationCount", "--json"], repository)
    #expect(process.status == 6, "\(process.error)")
    let rows = try JSONSerialization.jsonObject(with: Data(process.output.utf8)) as? [[String: Any]]
    #expect(rows?.map { $0["role"] as? String } == ["whole"])
  }

  /// Commits a script that runs `SuiteFixture`. `variant` sets an environment variable that makes it behave like
  /// another build.
  private func program(_ repository: ThrowawayRepository, variant: String) async throws {
    let script = "#!/bin/sh\n\(variant) exec '\(try FixtureProcess.path)' \"$@\"\n"
    try repository.write(script, to: "source.txt")
    try await repository.commit("the program \(variant)")
  }

  private func bisect(_ arguments: [String], _ repository: ThrowawayRepository) async throws -> FixtureProcess {
    try await repository.run(
      ["bisect", "varying/mine/10", "--seconds", "1", "--frames", "40", "--tolerance", "90%", "--seed", "1"] + arguments
    )
  }
}
