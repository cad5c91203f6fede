import Foundation
import Judging
import Testing

@testable import Builds
@testable import Execution
@testable import Platform
@testable import Program

/// Tests `springbench nightly --revisions` on commits that a fake `swift` builds.
@Suite(.serialized) struct PastCommitTests {
  @Test func pastCommitsAreMeasuredAtTheirOwnDateTheNewestFirst() async throws {
    let (repository, folder) = try await (ThrowawayRepository(), TemporaryFolder())
    let hashes = try await commits(4, in: repository)
    let process = try await past(["--revisions", "\(hashes[0]).."], repository, folder)
    #expect(process.status == 0, "\(process.error)")
    #expect(process.output.hasPrefix("No change points among these commits.\n"))
    let order = process.errorLines.filter { $0.contains(" of 4: ") }.map { $0.suffix(8) }
    #expect(order == ["number 4", "number 3", "number 2", "number 1"])
    let nights = try history(folder).load().entries.map(\.night)
    #expect(nights.map(\.environment.commit) == hashes)
    #expect(nights.map(\.startedAt) == (1...4).map { "2026-01-0\($0)T12:00:00Z" })
    #expect(nights.allSatisfy { $0.measuredAt != nil && $0.environment.isDirty == false })
    #expect(folder.contents.contains("site/index.html"))
  }

  @Test func aCommitThatTheHistoryHasIsNotMeasuredAgain() async throws {
    let (repository, folder) = try await (ThrowawayRepository(), TemporaryFolder())
    let hashes = try await commits(5, in: repository)
    let ends = ["--revisions", "\(hashes[0])..\(hashes[4])"]
    #expect(try await past(ends + ["--steps", "3"], repository, folder).status == 0)
    let first = try history(folder).load().entries.map(\.night)
    #expect(first.map(\.environment.commit) == [hashes[0], hashes[2], hashes[4]])
    let rest = try await past(ends, repository, folder)
    #expect(rest.error.contains("5 commits: 2 measured, 3 in the history already, 0 skipped"), "\(rest.error)")
    let nights = try history(folder).load().entries.map(\.night)
    #expect(nights.map(\.environment.commit) == hashes)
    #expect(first.allSatisfy(nights.contains))
  }

  @Test func whatDoesNotBuildIsNamedAndSkipped() async throws {
    let (repository, folder) = try await (ThrowawayRepository(), TemporaryFolder())
    var hashes = try await commits(1, in: repository)
    try repository.write("error: nothing builds", to: "broken.txt")
    hashes += try await commits(2...2, in: repository)
    try await repository.git("rm", "--quiet", "broken.txt")
    hashes += try await commits(3...3, in: repository)
    let process = try await past(["--revisions", "\(hashes[0]).."], repository, folder)
    #expect(process.status == 0, "\(process.error)")
    #expect(process.error.contains("warning: skipped \(hashes[1].prefix(10)) 2026-01-02 number 2: "))
    #expect(try history(folder).load().entries.map(\.night.environment.commit) == [hashes[0], hashes[2]])
  }

  @Test func theCommitsAroundANightAreMeasuredOnRequest() async throws {
    let (repository, folder) = try await (ThrowawayRepository(), TemporaryFolder())
    let hashes = try await commits(5, in: repository)
    let ends = ["--revisions", "\(hashes[0])..\(hashes[4])", "--steps", "2"]
    #expect(try await past(ends, repository, folder).status == 0)
    let byDay = try await past(["--around", "2026-01-05", "--steps", "2"], repository, folder)
    #expect(byDay.status == 0, "\(byDay.error)")
    let byCommit = try await past(["--around", "\(hashes[3].prefix(8))"], repository, folder)
    #expect(byCommit.error.contains("1 commit: 1 measured"), "\(byCommit.error)")
    #expect(try history(folder).load().entries.map(\.night.environment.commit) == hashes)
  }

  @Test func aCommitAroundANightFollowsTheNightBeforeItWhateverItsClockSaid() async throws {
    let (repository, folder) = try await (ThrowawayRepository(), TemporaryFolder())
    var hashes: [String] = []
    for number in [3, 1, 5] { hashes += try await commits(number...number, in: repository) }
    let ends = ["--revisions", "\(hashes[0])..\(hashes[2])", "--steps", "2"]
    #expect(try await past(ends, repository, folder).status == 0)
    let around = try await past(["--around", "\(hashes[2].prefix(8))"], repository, folder)
    #expect(around.error.contains("1 commit: 1 measured"), "\(around.error)")
    let nights = try history(folder).load().entries.map(\.night)
    #expect(nights.map(\.environment.commit) == hashes)
    #expect(nights.map(\.startedAt)[1] == "2026-01-03T12:00:01Z")
  }

  @Test func machinesShareCommitsInsteadOfBenchmarks() async throws {
    let (repository, folder) = try await (ThrowawayRepository(), TemporaryFolder())
    let hashes = try await commits(4, in: repository)
    let process = try await past(["--revisions", "\(hashes[0])..", "--shard", "2/2"], repository, folder)
    #expect(process.status == 0, "\(process.error)")
    #expect(try history(folder).load().entries.map(\.night.environment.commit) == [hashes[0], hashes[2]])
  }

  @Test func aNightThatAnotherMachineAddsAtTheSameTimeIsKept() async throws {
    let (repository, folder, other) = try await (ThrowawayRepository(), TemporaryFolder(), TemporaryFolder())
    let first = try await commits(1, in: repository)[0]
    // The fake `swift` runs this script, which stands for the other machine.
    try repository.write("cp \(other.path)/history/m/2*.json \(folder.path)/history/m\n", to: "script.sh")
    try await commits(2...3, in: repository)
    let range = ["--revisions", "\(first).."]
    #expect(try await past(range + ["--shard", "3/3"], repository, other).status == 0)
    try history(folder).prepare()
    #expect(try await past(range + ["--shard", "1/3"], repository, folder).status == 0)
    let content = try history(folder).load()
    #expect(content.entries.count == 2 && content.unread.isEmpty)
    #expect(HistoryIndex.read(history(folder).indexPath) == HistoryIndex(content))
  }

  @Test func optionsThatDoNotGoTogetherAreSaidInOneLine() async throws {
    let (repository, folder) = try await (ThrowawayRepository(), TemporaryFolder())
    for (arguments, words) in [
      (["--revisions", "main"], "is not a range of commits; give one as in v1..main"),
      (["--revisions", "a...b"], "is not a range of commits"),
      (["--revisions", "a..b", "--around", "2026-01-01"], "--revisions, --around: both were given; choose one"),
      (["--revisions", "a..b", "--steps", "3", "--every", "2"], "--steps, --every: both were given; choose one"),
      (["--steps", "3"], "--steps: no past commits were chosen; add --revisions v1..main"),
      (["--revisions", "nowhere..main"], "git knows no revision"),
      (["--around", "2026-01-01"], "the history has no night of \"2026-01-01\""),
      (["--revisions", "main..", "--program", "/bin/true"], "are not built"),
    ] {
      let process = try await past(arguments, repository, folder)
      #expect(process.status == 64 && process.errorLines.count == 1, "\(arguments) \(process.error)")
      #expect(process.error.contains(words), "\(process.error)")
    }
  }

  @Test func everyNthCommitIsCountedFromTheNewestAndOnlyMergesAreOnRequest() async throws {
    let (repository, folder) = try await (ThrowawayRepository(), TemporaryFolder())
    let first = try await commits(1, in: repository)
    try await repository.git("checkout", "--quiet", "-b", "side")
    try await commits(2...3, in: repository)
    try await repository.git("checkout", "--quiet", "main")
    try await commits(4...4, in: repository)
    try await repository.git("merge", "--quiet", "--no-ff", "-m", "merge", "-X", "ours", "side")
    let merges = try await past(["--revisions", "\(first[0])..", "--merges"], repository, folder)
    #expect(merges.error.contains("1 commit: 1 measured"), "\(merges.error)")
    let every = try await past(["--revisions", "\(first[0])..", "--every", "2"], repository, folder)
    #expect(every.error.contains("2 commits: 1 measured, 1 in the history already"), "\(every.error)")
  }

  @Test func nightsAreInTheOrderOfCommitsWhoseClocksDisagree() {
    let commits = [100, 50, 50, 900, 200].enumerated().map {
      CommitRange.Commit(hash: "\($0.offset)", time: $0.element, isMerge: false, date: "", subject: "")
    }
    func times(_ known: [String: Int]) -> [Int] {
      let times = NightlyCommand.times(of: commits, known: known, now: 300)
      return commits.map { times[$0.hash] ?? 0 }
    }
    #expect(times([:]) == [100, 101, 102, 299, 300])
    #expect(times(["1": 60, "3": 150]) == [59, 60, 61, 150, 200])
  }

  /// Makes commits that each contain a different program, dated one day apart.
  @discardableResult private func commits(_ numbers: ClosedRange<Int>, in repository: ThrowawayRepository) async throws
    -> [String]
  {
    var hashes: [String] = []
    for number in numbers {
      try repository.write("#!/bin/sh\nVERSION=\(number) exec '\(try FixtureProcess.path)' \"$@\"\n", to: "source.txt")
      try await repository.commit("number \(number)", date: "2026-01-0\(number)T12:00:00+00:00")
      hashes.append(try await repository.git("rev-parse", "HEAD"))
    }
    return hashes
  }

  private func commits(_ count: Int, in repository: ThrowawayRepository) async throws -> [String] {
    try await commits(1...count, in: repository)
  }

  private func past(_ arguments: [String], _ repository: ThrowawayRepository, _ folder: TemporaryFolder) async throws
    -> FixtureProcess
  {
    try await repository.run(
      [
        "nightly", "--filter", "steady/naive/10$", "--frames", "4", "--warm-up", "1", "--runs", "1", "--machine", "m",
        "--output", folder.path,
      ] + arguments)
  }
}
