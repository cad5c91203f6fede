import Foundation
import FrameBench
import Measurements
import Testing

@testable import Builds
@testable import Execution
@testable import Judging
@testable import Platform
@testable import Program

/// Tests `springbench nightly` on commits that a fake `swift` builds. Each night is compared with the night before.
@Suite(.serialized) struct NightComparisonTests {
  @Test func whatACommitDidIsSaidTheSameNightWithItsName() async throws {
    let (repository, folder) = try await (ThrowawayRepository(), TemporaryFolder())
    let good = try await commit("quick", in: repository)
    let first = try await night(repository, folder)
    #expect(first.status == 0 && first.output.hasPrefix("No earlier night has a commit to compare with."), "\(first)")
    let again = try await night(repository, folder)
    #expect(again.status == 0 && again.output.hasPrefix("No new commit since the night of "), "\(again)")
    try await repository.commit("nothing")
    let bad = try await commit("slow", variant: "FIXTURE_VARIANT=allocating", in: repository)
    try await repository.commit("nothing more")
    let red = try await night(repository, folder)
    #expect(red.status == 2, "\(red)")
    #expect(red.output.hasPrefix("Regression: "), "\(red)")
    #expect(red.output.contains("(\(good.prefix(7)), 3 commits ago)"), "\(red)")
    #expect(red.output.contains("\nvarying/mine/10 allocationCount.prepare"), "\(red)")
    #expect(red.output.contains(": by \(bad.prefix(10)) slow ("), "\(red)")
    let stored = try #require(try history(folder).load().entries.last?.night)
    #expect(stored.comparison?.baseline.commit == good && stored.commitCount == 3)
    #expect(stored.culprits?.first?.commits.map(\.hash) == [bad])
    #expect(stored.benchmarks[0].ratio != nil)
    #expect(folder.contents.contains { $0.hasSuffix("/comparison.json") })
    let page = try #require(folder.contents.first { $0.hasPrefix("site/reports/") && $0.hasSuffix(".html") })
    #expect(try String(contentsOfFile: "\(folder.path)/\(page)", encoding: .utf8).contains("by \(bad.prefix(10)) slow"))
    // The change was reported in its own night, so the next night is not red.
    try await repository.commit("nothing at all")
    let quiet = try await night(repository, folder, ["--json"])
    #expect(quiet.status == 0, "\(quiet)")
    let events = try JSONSerialization.jsonObject(with: Data(quiet.output.utf8)) as? [[String: Any]]
    #expect(events?.first?["kind"] as? String == "code" && events?.first?["bad"] as? String != nil, "\(quiet)")
  }

  @Test func whatIsInTheWayOfTheLastNightsCommitIsSaidAndAnEarlierOneAnswers() async throws {
    let (repository, folder) = try await (ThrowawayRepository(), TemporaryFolder())
    let manifest = "// swift-tools-version: 6.1\n"
    try repository.write(manifest + "// benchmarks tiny\n", to: "Package.swift")
    let good = try await commit("quick", in: repository)
    #expect(try await night(repository, folder, product: nil).status == 0)
    try repository.write(manifest, to: "Package.swift")
    let bare = try await commit("without benchmarks", in: repository)
    try repository.write(manifest + "// benchmarks tiny\n", to: "Package.swift")
    try repository.write("error: nothing builds", to: "broken.txt")
    let broken = try await commit("broken", in: repository)
    try await repository.git("rm", "--quiet", "broken.txt")
    try await repository.commit("not broken")
    try await repository.git("checkout", "--quiet", "-b", "side")
    let strange = try await commit("strange", variant: "A=1", in: repository)
    try await repository.git("checkout", "--quiet", "main")
    try await commit("mended", in: repository)
    let real = try #require(try history(folder).load().entries.last?.night)
    for (commit, words) in [
      (bare, "has no benchmarks in this package"), (broken, "cannot be built ("),
      (strange, "does not lead to this one"), (String(repeating: "f", count: 40), "is not in this repository"),
    ] {
      var planted = real
      (planted.startedAt, planted.environment.commit) = ("2026-01-02T03:00:00Z", commit)
      var first = real
      first.startedAt = "2026-01-01T03:00:00Z"
      let folder = try TemporaryFolder()
      try history(folder).prepare()
      for night in [first, planted] { _ = try history(folder).append(night) }
      let process = try await night(repository, folder, product: nil)
      #expect(process.output.contains("Commit \(commit.prefix(7)) of the night of 2026-01-02 \(words)"), "\(process)")
      #expect(process.output.contains("; compared with the night of 2026-01-01 instead."), "\(process)")
      #expect(try history(folder).load().entries.last?.night.comparison?.baseline.commit == good)
    }
  }

  @Test func aSuiteThatWasRenamedIsComparedWithTheNightsOfItsOldName() async throws {
    let (repository, folder) = try await (ThrowawayRepository(), TemporaryFolder())
    try await commit("quick", in: repository)
    #expect(try await night(repository, folder).status == 0)
    let real = try #require(try history(folder).load().entries.last?.night)
    try await commit("slow", variant: "FIXTURE_VARIANT=allocating", in: repository)
    let again = try TemporaryFolder()
    try history(again).prepare()
    var planted = real
    (planted.startedAt, planted.suite) = ("2026-01-01T03:00:00Z", "old")
    _ = try history(again).append(planted)
    // The first night under the new name was interrupted, so it judged nothing.
    (planted.startedAt, planted.suite, planted.isJudged) = ("2026-01-02T03:00:00Z", real.suite, false)
    _ = try history(again).append(planted)
    let process = try await night(repository, again)
    #expect(process.status == 2 && process.output.hasPrefix("Regression: "), "\(process)")
    #expect(process.output.contains("so nights of old are searched."), "\(process)")
  }

  @Test func aBenchmarkWhoseLastJudgedCommitIsOfAnotherBranchIsNamed() async throws {
    let (repository, folder) = try await (ThrowawayRepository(), TemporaryFolder())
    let both = ["--filter", "^varying/", "--sizes", "10,20"]
    let good = try await commit("quick", in: repository)
    #expect(try await night(repository, folder, both).status == 0)
    var planted = try #require(try history(folder).load().entries.last?.night)
    try await repository.git("checkout", "--quiet", "-b", "side")
    let strange = try await commit("strange", variant: "A=1", in: repository)
    try await repository.git("checkout", "--quiet", "main")
    try await commit("next", variant: "A=2", in: repository)
    let again = try TemporaryFolder()
    try history(again).prepare()
    (planted.startedAt, planted.environment.commit) = ("2026-01-01T03:00:00Z", strange)
    _ = try history(again).append(planted)
    (planted.startedAt, planted.environment.commit) = ("2026-01-02T03:00:00Z", good)
    planted.benchmarks.removeLast()
    _ = try history(again).append(planted)
    let process = try await night(repository, again, both)
    let words =
      "The last commit that judged them does not lead to this one; compared with the night of 2026-01-02 instead:"
      + " varying/mine/20."
    #expect(process.output.contains(words), "\(process)")
  }

  @Test func aNightIsComparedWithTheNearestCommitThatWasJudged() async throws {
    let (repository, folder) = try await (ThrowawayRepository(), TemporaryFolder())
    let old = try await commit("quick", in: repository)
    #expect(try await night(repository, folder).status == 0)
    let real = try #require(try history(folder).load().entries.last?.night)
    let near = try await commit("slow", variant: "FIXTURE_VARIANT=allocating", in: repository)
    try await repository.commit("nothing")
    let again = try TemporaryFolder()
    try history(again).prepare()
    for (day, commit) in [(1, old), (2, near), (3, old)] {
      var planted = real
      (planted.startedAt, planted.environment.commit) = ("2026-01-0\(day)T03:00:00Z", commit)
      // In the night with the commit `near`, options left out this benchmark. So tonight's comparison with that night
      // does not report it as missing.
      planted.leftOut = commit == near ? [BenchmarkID(scenario: "varying", strategy: "mine", size: 20)] : nil
      _ = try history(again).append(planted)
    }
    let process = try await night(repository, again)
    let words = "No regression in 1 benchmark since the night of 2026-01-02 (\(near.prefix(7)), 1 commit ago)."
    #expect(process.status == 0 && process.output.hasPrefix(words), "\(process)")
  }

  @Test func aBenchmarkThatTheLastNightDidNotJudgeIsComparedWithAnEarlierNightAlone() async throws {
    let (repository, folder) = try await (ThrowawayRepository(), TemporaryFolder())
    let both = ["--filter", "^varying/", "--sizes", "10,20"]
    let old = try await commit("quick", in: repository)
    #expect(try await night(repository, folder, both).status == 0)
    var planted = try #require(try history(folder).load().entries.last?.night)
    let bad = try await commit("slow", variant: "FIXTURE_VARIANT=allocating", in: repository)
    let again = try TemporaryFolder()
    try history(again).prepare()
    planted.startedAt = "2026-01-01T03:00:00Z"
    _ = try history(again).append(planted)
    (planted.startedAt, planted.environment.commit) = ("2026-01-02T03:00:00Z", bad)
    planted.failures = [BenchmarkFailure(id: planted.benchmarks[1].id, reason: "it was killed", standardError: "")]
    planted.benchmarks.removeLast()
    _ = try history(again).append(planted)
    try await repository.commit("nothing")
    let process = try await night(repository, again, both)
    #expect(process.status == 2 && process.output.contains("allocations in prepare of varying/mine/20,"), "\(process)")
    #expect(process.output.contains("since the night of 2026-01-01 (\(old.prefix(7)))"), "\(process)")
    let remark =
      "1 benchmark was compared with the night of 2026-01-01 (\(old.prefix(7))), the last that judged it: varying/mine/20."
    #expect(process.output.contains(remark), "\(process)")
    #expect(process.output.contains("\nvarying/mine/20 allocationCount.prepare"), "\(process)")
    #expect(process.output.contains(": by \(bad.prefix(10)) slow ("), "\(process)")
    let stored = try #require(try history(again).load().entries.last?.night)
    #expect(stored.benchmarks.map(\.base) == [nil, old])
    // Both benchmarks have been judged, so the next night finds no new commit.
    let next = try await night(repository, again, both)
    #expect(next.status == 0 && next.output.hasPrefix("No new commit since the night of "), "\(next)")
  }

  @Test func aNightOfAFewBenchmarksDoesNotHideThatThereIsANewCommitForTheOthers() async throws {
    let (repository, folder) = try await (ThrowawayRepository(), TemporaryFolder())
    let all = ["--filter", "^varying/", "--sizes", "10,20,30"]
    let old = try await commit("quick", in: repository)
    #expect(try await night(repository, folder, all).status == 0)
    try await repository.commit("nothing")
    #expect(try await night(repository, folder).status == 0)
    let process = try await night(repository, folder, all)
    #expect(
      process.status == 0 && process.output.hasPrefix("No regression in 2 benchmarks since the night of "), "\(process)"
    )
    #expect(process.output.contains("(\(old.prefix(7)), 1 commit ago)"), "\(process)")
    #expect(!process.output.contains("No new commit"), "\(process)")
  }

  @Test func aShallowCloneWithoutTheCommitOfAnyNightIsAFailureUntilItIsDeepened() async throws {
    let (repository, folder) = try await (ThrowawayRepository(), TemporaryFolder())
    let head = try await commit("quick", in: repository)
    #expect(try await night(repository, folder).status == 0)
    var planted = try #require(try history(folder).load().entries.last?.night)
    let again = try TemporaryFolder()
    try history(again).prepare()
    (planted.startedAt, planted.environment.commit) = ("2026-01-01T03:00:00Z", String(repeating: "f", count: 40))
    _ = try history(again).append(planted)
    try repository.write("\(head)\n", to: ".git/shallow")
    let process = try await night(repository, again)
    #expect(
      process.status == 1 && process.output.hasPrefix("Not compared: Commit fffffff of the night of"), "\(process)")
    #expect(process.output.contains("fetch-depth: 0"), "\(process)")
    #expect(try history(again).load().entries.last?.night.isJudged == false)
  }

  @Test func anInterruptedComparisonKeepsTheFiguresAndTheNextNightAnswersForIt() async throws {
    let (repository, folder) = try await (ThrowawayRepository(), TemporaryFolder())
    let good = try await commit("quick", in: repository)
    #expect(try await night(repository, folder).status == 0)
    // The fake `swift` runs this script, which interrupts the nightly run during a build for the comparison.
    let script =
      "case $PWD in */revisions/*) read -r _ _ _ caller _ </proc/$PPID/stat; kill -s INT $caller; sleep 600 ;; esac"
    try repository.write(script + "\n", to: "script.sh")
    try await commit("slow", variant: "FIXTURE_VARIANT=allocating", in: repository)
    let interrupted = try await night(repository, folder)
    #expect(
      interrupted.status == 1 && interrupted.output.hasPrefix("Not compared: it was interrupted."), "\(interrupted)")
    #expect(try history(folder).load().entries.contains { $0.night.isJudged == false })
    try await repository.git("rm", "--quiet", "script.sh")
    try await repository.commit("nothing")
    let red = try await night(repository, folder, ["--bisect", "0"])
    #expect(red.status == 2 && red.output.contains("(\(good.prefix(7)), 2 commits ago)"), "\(red)")
  }

  @Test func anInterruptedSearchSaysHowToGoOn() async throws {
    let (repository, folder) = try await (ThrowawayRepository(), TemporaryFolder())
    let good = try await commit("quick", in: repository)
    #expect(try await night(repository, folder).status == 0)
    // The fake `swift` runs this script, which interrupts the nightly run while the search builds this commit.
    let script = "read -r _ _ _ caller _ </proc/$PPID/stat; kill -s INT $caller; sleep 600"
    try repository.write(script + "\n", to: "script.sh")
    try await repository.commit("interrupts")
    try await repository.git("rm", "--quiet", "script.sh")
    let bad = try await commit("slow", variant: "FIXTURE_VARIANT=allocating", in: repository)
    let process = try await night(repository, folder)
    #expect(process.status == 2, "\(process)")
    #expect(process.output.contains("Not searched further for commits: it was interrupted."), "\(process)")
    let words =
      "To go on: springbench bisect varying/mine/10 --good \(good) --bad \(bad) --metric allocationCount.prepare"
    #expect(process.output.contains(words), "\(process)")
  }

  @Test func theWorstOfEachKindIsSearchedForFirstAndThenTheOthers() {
    let rows = [(1, Metric.allocationCount, "solve"), (2, .allocationCount, "layout"), (3, .frameTime, "solve")].map {
      size, metric, phase in
      ComparisonRow(
        id: BenchmarkID(scenario: "s", strategy: "a", size: size), metric: metric, phase: phase, baseline: .number(1),
        candidate: .number(2), change: 1, verdict: .regressed)
    }
    let improved = ComparisonRow(
      id: BenchmarkID(scenario: "s", strategy: "a", size: 4), metric: .frameTime, baseline: .number(2),
      candidate: .number(1), change: -0.5, verdict: .improved)
    let order = NightComparison.worse(ComparisonFinding.all(of: rows + [improved]))
    #expect(order.map { $0.ids.map(\.size) } == [[1], [3], [2]])
  }

  @Test func aNightOfAnotherBranchAloneIsNoBase() async throws {
    let (repository, folder) = try await (ThrowawayRepository(), TemporaryFolder())
    try await commit("quick", in: repository)
    #expect(try await night(repository, folder).status == 0)
    var planted = try #require(try history(folder).load().entries.last?.night)
    try await repository.git("checkout", "--quiet", "-b", "side")
    let strange = try await commit("strange", variant: "A=1", in: repository)
    try await repository.git("checkout", "--quiet", "main")
    let again = try TemporaryFolder()
    try history(again).prepare()
    (planted.startedAt, planted.environment.commit) = ("2026-01-01T03:00:00Z", strange)
    _ = try history(again).append(planted)
    let process = try await night(repository, again)
    let words = "Not compared: Commit \(strange.prefix(7)) of the night of 2026-01-01 does not lead to this one: "
    #expect(process.status == 1 && process.output.hasPrefix(words), "\(process)")
    #expect(process.output.contains("; --since REV compares with another commit."), "\(process)")
  }

  @Test func aBranchWhoseNameEndsLikeThatOfAnotherIsNotTheSame() throws {
    var night = Night(try StoredRuns.document())
    for (suite, arguments, isOwn) in [
      ("engine@feature@2", ["--branch", "2"], false), ("engine@2", ["--branch", "2"], true), ("engine@2", [], false),
      ("engine", [], true), ("engine", ["--branch", "2"], false),
    ] {
      night.suite = suite
      #expect(try NightComparisonOptions.parse(arguments).isOwn(night) == isOwn, "\(suite) \(arguments)")
    }
  }

  @Test func changesThatAreNotCommittedAreSaidAndNotCompared() async throws {
    let (repository, folder) = try await (ThrowawayRepository(), TemporaryFolder())
    let good = try await commit("quick", in: repository)
    #expect(try await night(repository, folder).status == 0)
    try await commit("as quick", variant: "A=1", in: repository)
    try write("FIXTURE_VARIANT=allocating", in: repository)
    let process = try await night(repository, folder, ["--since", good])
    #expect(process.output.contains("Changes that are not committed are in the figures and not in the comparison."))
    #expect(process.output.hasPrefix("No regression in 1 benchmark since \(good) (\(good.prefix(7)), 1 commit ago)."))
    let again = try await night(repository, folder)
    #expect(again.output.contains("No new commit since the night of") && !again.output.contains("the code is the same"))
    #expect(again.output.contains("Changes that are not committed are in the figures"), "\(again)")
  }

  @Test func commitsThatSinceLeavesOutAreNamed() async throws {
    let (repository, folder) = try await (ThrowawayRepository(), TemporaryFolder())
    let good = try await commit("quick", in: repository)
    #expect(try await night(repository, folder).status == 0)
    try await commit("as quick", variant: "A=1", in: repository)
    let process = try await night(repository, folder, ["--since", "HEAD"])
    #expect(process.output.contains("No night judges what changed between the night of "), "\(process)")
    #expect(process.output.contains("(\(good.prefix(7))) and HEAD (1 commit)."), "\(process)")
  }

  @Test func branchesHaveNightsOfTheirOwn() async throws {
    let (repository, folder) = try await (ThrowawayRepository(), TemporaryFolder())
    try await commit("quick", in: repository)
    #expect(try await night(repository, folder).status == 0)
    let other = try await night(repository, folder, ["--branch", "release"])
    #expect(other.output.hasPrefix("No earlier night has a commit to compare with."), "\(other)")
    #expect(try history(folder).load().suites.map { $0.hasSuffix("@release") } == [true, false])
  }

  @Test func optionsThatDoNotApplyAreRefusedBeforeAnythingIsMeasured() async throws {
    let (repository, folder) = try await (ThrowawayRepository(), TemporaryFolder())
    for (arguments, words) in [
      (["--since", "nowhere"], "git knows no revision \"nowhere\""), (["--bisect", "-1"], "'-1'"),
      (["--anchor", "1"], "'1'"), (["--bisect-minutes", "0"], "'0'"),
      (["--revisions", "main..", "--since", "main"], "past commits are measured and not compared"),
    ] {
      let process = try await night(repository, folder, arguments)
      #expect(process.status == 64 && process.error.contains(words), "\(process)")
    }
    #expect(folder.contents.isEmpty)
  }

  private func write(_ variant: String, in repository: ThrowawayRepository) throws {
    try repository.write("#!/bin/sh\n\(variant) exec '\(try FixtureProcess.path)' \"$@\"\n", to: "source.txt")
  }

  @discardableResult func commit(_ name: String, variant: String = "", in repository: ThrowawayRepository) async throws
    -> String
  {
    try write(variant, in: repository)
    try await repository.commit(name)
    return try await repository.git("rev-parse", "HEAD")
  }

  /// Measures one night. The tolerance for times is large, because other tests run at the same time.
  func night(
    _ repository: ThrowawayRepository, _ folder: TemporaryFolder, _ arguments: [String] = [], product: String? = "tiny",
    machine: String = "m"
  ) async throws -> FixtureProcess {
    try await repository.run(
      [
        "nightly", "--filter", "^varying/mine/10$", "--frames", "40", "--warm-up", "1", "--runs", "1", "--machine",
        machine, "--seconds", "1", "--tolerance", "90%", "--output", folder.path,
      ] + arguments, product: product)
  }
}
