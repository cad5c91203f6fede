import Foundation
import FrameBench
import Measurements
import Testing

@testable import Execution
@testable import Judging
@testable import Program

/// Tests nights without a commit to compare with, and what is gone or fails since the last night.
extension NightComparisonTests {
  @Test(arguments: [("broken.txt", "cannot be built ("), ("source.txt", "cannot be run (")])
  func aNightWithoutAUsableCommitIsRedAndTheNextOneSaysWhatNoNightJudges(file: String, words: String) async throws {
    let (repository, folder) = try await (ThrowawayRepository(), TemporaryFolder())
    try await commit("quick", in: repository)
    #expect(try await night(repository, folder).status == 0)
    var planted = try #require(try history(folder).load().entries.last?.night)
    try repository.write("#!/bin/sh\nexit 3\nerror: nothing builds\n", to: file)
    try await repository.commit("broken")
    let broken = try await repository.git("rev-parse", "HEAD")
    try await repository.git("rm", "--quiet", file)
    let mended = try await commit("mended", in: repository)
    let again = try TemporaryFolder()
    try history(again).prepare()
    (planted.startedAt, planted.environment.commit) = ("2026-01-01T03:00:00Z", broken)
    _ = try history(again).append(planted)
    let red = try await night(repository, again)
    let opening = "Not compared: Commit \(broken.prefix(7)) of the night of 2026-01-01 \(words)"
    #expect(red.status == 1 && red.output.hasPrefix(opening), "\(red)")
    #expect(try history(again).load().entries.last?.night.isJudged == false)
    try await commit("slow", variant: "FIXTURE_VARIANT=allocating", in: repository)
    let next = try await night(repository, again)
    #expect(next.status == 2 && next.output.contains("(\(mended.prefix(7)), 1 commit ago)"), "\(next)")
    #expect(next.output.contains(", so no night judges what changed before the night of 2"), "\(next)")
  }

  @Test func aNightAfterAFirstOneThatWasInterruptedIsComparedWithIt() async throws {
    let (repository, folder) = try await (ThrowawayRepository(), TemporaryFolder())
    try await commit("quick", in: repository)
    #expect(try await night(repository, folder).status == 0)
    var planted = try #require(try history(folder).load().entries.last?.night)
    let again = try TemporaryFolder()
    try history(again).prepare()
    (planted.startedAt, planted.isJudged) = ("2026-01-01T03:00:00Z", false)
    _ = try history(again).append(planted)
    try await commit("slow", variant: "FIXTURE_VARIANT=allocating", in: repository)
    let process = try await night(repository, again)
    let words = "No earlier night was judged, so no night judges what changed before the night of 2026-01-01."
    #expect(process.status == 2 && process.output.contains(words), "\(process)")
  }

  @Test func aBenchmarkThatIsGoneIsReportedWithItsCommitEvenIfNightsJudgedDifferentBenchmarks() async throws {
    let (repository, folder) = try await (ThrowawayRepository(), TemporaryFolder())
    let part = ["--filter", "^(varying|narrow)/.*/10$", "--quick"]
    let old = try await commit("wide", variant: "FIXTURE_VARIANT=widened", in: repository)
    #expect(try await night(repository, folder, part).status == 0)
    var planted = try #require(try history(folder).load().entries.last?.night)
    let near = try await commit("as wide", variant: "A=1 FIXTURE_VARIANT=widened", in: repository)
    let again = try TemporaryFolder()
    try history(again).prepare()
    planted.startedAt = "2026-01-01T03:00:00Z"
    _ = try history(again).append(planted)
    (planted.startedAt, planted.environment.commit) = ("2026-01-02T03:00:00Z", near)
    planted.benchmarks.removeAll { $0.id.scenario == "varying" || $0.id.strategy == "other" }
    _ = try history(again).append(planted)
    try await repository.commit("nothing")
    let bad = try await commit("narrow", variant: "A=1", in: repository)
    try await repository.commit("nothing more")
    let process = try await night(repository, again, part)
    #expect(process.status == 5 && process.output.hasPrefix("Missing: narrow/third/10 is gone"), "\(process)")
    #expect(process.output.contains("narrow/third/10 gone: by \(bad.prefix(10)) narrow ("), "\(process)")
    #expect(process.output.contains("were compared with the night of 2026-01-01 (\(old.prefix(7)))"), "\(process)")
    // What is missing is missing since the nearest commit, even if an older one judged more benchmarks.
    #expect(process.output.contains("since the night of 2026-01-02 (\(near.prefix(7)), 3 commits ago)"), "\(process)")
    let stored = try #require(try history(again).load().entries.last?.night)
    #expect(stored.comparison?.baseline.commit == near && stored.culprits?.map(\.commits.count) == [1])
  }

  @Test func theCommitWithWhichABenchmarkFailsIsNamedOnce() async throws {
    let (repository, folder) = try await (ThrowawayRepository(), TemporaryFolder())
    let part = ["--filter", "^(varying|narrow)/mine/10$"]
    try await commit("quick", in: repository)
    #expect(try await night(repository, folder, part).status == 0)
    try await repository.commit("nothing")
    let bad = try await commit("fails", variant: "FIXTURE_VARIANT=short", in: repository)
    try await repository.commit("nothing more")
    let red = try await night(repository, folder, part)
    #expect(red.status == 1, "\(red)")
    #expect(red.output.contains("varying/mine/10 failure: by \(bad.prefix(10)) fails ("), "\(red)")
    try await commit("fails as well", variant: "A=1 FIXTURE_VARIANT=short", in: repository)
    try await repository.commit("nothing at all")
    let again = try await night(repository, folder, part)
    #expect(again.status == 1 && !again.output.contains("varying/mine/10 failure"), "\(again)")
  }

  @Test func theCommitIsNamedWithWhichEveryBenchmarkFails() async throws {
    let (repository, folder) = try await (ThrowawayRepository(), TemporaryFolder())
    let part = ["--filter", "^varying/mine/10$"]
    try await commit("quick", in: repository)
    #expect(try await night(repository, folder, part).status == 0)
    let bad = try await commit("fails", variant: "FIXTURE_VARIANT=short", in: repository)
    try await repository.commit("nothing more")
    let red = try await night(repository, folder, part)
    #expect(red.status == 1, "\(red)")
    #expect(red.output.contains("varying/mine/10 failure: by \(bad.prefix(10)) fails ("), "\(red)")
    let nights = try history(folder).load().entries.map(\.night)
    let failed = try #require(nights.first { !$0.failures.isEmpty })
    // Another job measured other benchmarks in the last night.
    var other = failed
    (other.failures, other.comparison) = ([], nil)
    other.benchmarks = [
      Night.Benchmark(
        id: BenchmarkID(scenario: "narrow", strategy: "mine", size: 10), checksum: "0",
        values: other.metrics.map { _ in nil })
    ]
    // Or the benchmark failed only when it was compared.
    var compared = other
    (compared.comparison, compared.benchmarks[0].id) = (failed.comparison, failed.failures[0].id)
    try await repository.commit("nothing at all")
    for last in [failed, compared] {
      let shared = try TemporaryFolder()
      try history(shared).prepare()
      for (day, night) in [try #require(nights.first { $0.failures.isEmpty }), last, other].enumerated() {
        var planted = night
        planted.startedAt = "2026-01-0\(day + 1)T03:00:00Z"
        _ = try history(shared).append(planted)
      }
      let again = try await night(repository, shared, part)
      #expect(again.status == 1 && !again.output.contains("varying/mine/10 failure: by"), "\(again)")
    }
  }

  @Test func framesThatBecomeCallsMakeOneNightRed() async throws {
    let (repository, folder) = try await (ThrowawayRepository(), TemporaryFolder())
    try await commit("frames", in: repository)
    #expect(try await night(repository, folder).status == 0)
    try await commit("calls", variant: "FIXTURE_VARIANT=calling", in: repository)
    let red = try await night(repository, folder)
    #expect(red.status == 1 && red.output.hasPrefix("1 benchmark could not be measured"), "\(red)")
    try await commit("calls as well", variant: "A=1 FIXTURE_VARIANT=calling", in: repository)
    let next = try await night(repository, folder)
    #expect(next.status == 0 && next.output.contains("1 commit ago"), "\(next)")
  }

  @Test func theVerdictOfAnotherMachineThatBeganLaterAndWasStoppedIsRepeated() async throws {
    let (repository, folder) = try await (ThrowawayRepository(), TemporaryFolder())
    try await commit("quick", in: repository)
    #expect(try await night(repository, folder, machine: "m/a").status == 0)
    let history = history(folder)
    var planted = try #require(try history.load().entries.last?.night)
    (planted.startedAt, planted.environment.member) = ("2099-01-01T03:00:00Z", "b")
    planted.failures = [BenchmarkFailure(id: planted.benchmarks[0].id, reason: "it was killed", standardError: "")]
    _ = try history.append(planted)
    var undelivered = Undelivered(in: history, try history.load())
    undelivered.nights = [Undelivered.Key(planted)]
    try undelivered.write(in: history)
    let process = try await night(repository, folder, machine: "m/a")
    let words = "Not delivered in the night of 2099-01-01T03:00:00Z: "
    #expect(process.status == 1 && process.output.hasPrefix(words), "\(process)")
    #expect(!process.error.contains("check the clock"), "\(process)")
  }

  @Test func benchmarksAreMissingEvenIfAllOthersAreNew() async throws {
    let (repository, folder) = try await (ThrowawayRepository(), TemporaryFolder())
    let part = ["--filter", "^(varying/mine|narrow/third)/10$"]
    try await commit("wide", variant: "FIXTURE_VARIANT=widened", in: repository)
    #expect(try await night(repository, folder, part).status == 0)
    var planted = try #require(try history(folder).load().entries.last?.night)
    let again = try TemporaryFolder()
    try history(again).prepare()
    planted.startedAt = "2026-01-01T03:00:00Z"
    planted.benchmarks.removeAll { $0.id.scenario == "varying" }
    _ = try history(again).append(planted)
    let bad = try await commit("narrow", variant: "A=1", in: repository)
    try await repository.commit("nothing")
    let process = try await night(repository, again, part)
    #expect(process.status == 5, "\(process)")
    #expect(process.output.contains("narrow/third/10 gone: by \(bad.prefix(10)) narrow ("), "\(process)")
  }
}
