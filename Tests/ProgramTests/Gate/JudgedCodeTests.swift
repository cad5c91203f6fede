import Foundation
import FrameBench
import Testing

@testable import Execution
@testable import Judging
@testable import Measurements
@testable import Program

/// Tests that limits and regressions are judged of the same code, and that the gate says where this is not known.
@Suite(.serialized) struct JudgedCodeTests {
  private let folder: TemporaryFolder
  private let repository: ThrowawayRepository
  private let head: String

  init() async throws {
    folder = try TemporaryFolder()
    repository = try await ThrowawayRepository()
    try repository.write("#!/bin/sh\nexec '\(try FixtureProcess.path)' \"$@\"\n", to: "source.txt")
    try repository.write(
      "budgets:\n  - ids: narrow/*/*\n    limits:\n      frameNanoseconds.p99: 60s\n", to: "springbench.yml")
    try await repository.commit("limits")
    head = try await repository.git("rev-parse", "HEAD")
  }

  /// Writes a comparison of `narrow/mine/10`, whose candidate has this commit.
  private func compared(_ commit: String?, _ change: (inout ComparisonDocument) -> Void = { _ in }) throws -> String {
    let id = BenchmarkID(scenario: "narrow", strategy: "mine", size: 10)
    var document = ComparisonDocument(
      startedAt: "2026-11-21T06:47:12Z", durationSeconds: 2, arguments: ["compare", "main"],
      baseline: BuildName(name: "main", commit: head), candidate: BuildName(name: "HEAD", commit: commit),
      options: RunOptions(), method: ComparisonMethod(source: .lockStep, ComparisonRule(tolerance: 0.01), seed: 7),
      rows: [.unmeasured(id, "same code")])
    change(&document)
    try document.encoded().write(to: URL(fileURLWithPath: folder.path + "/c.json"))
    return folder.path + "/c.json"
  }

  private func stored(_ commit: String?) throws -> String {
    var run = try StoredRuns.document("narrow/mine/10")
    (run.environment.commit, run.environment.isDirty) = (commit, commit.map { _ in false })
    return try StoredRuns.write(run, to: folder.path + "/run.json")
  }

  private func gate(_ arguments: [String]) async throws -> FixtureProcess {
    try await repository.run(
      ["gate", "--budgets", repository.root + "/springbench.yml", "--output", folder.path, "--machine", "desk"]
        + arguments)
  }

  private func gateMeasuring(_ comparison: String) async throws -> String {
    let process = try await gate([
      "--comparison", comparison, "--filter", "narrow/mine/10$", "--frames", "4", "--warm-up", "1", "--runs", "1",
    ])
    return process.output + process.error
  }

  @Test func limitsOfTheCheckoutAreNotCheckedBesideAComparisonOfAnotherCommit() async throws {
    let process = try await gate(["--comparison", try compared("4567def4567def")])
    #expect(process.status == 4, "\(process)")
    #expect(process.error.contains("limits would be checked in commit \(head.prefix(12)), and --comparison is of"))
    #expect(repository.buildCount == 0)
  }

  @Test func aRunOfTheComparedCommitThatHasChangesIsNamed() async throws {
    let clean = try await gateMeasuring(try compared(head))
    #expect(clean.contains("The run is of commit \(head.prefix(12))."), "\(clean)")
    #expect(!clean.contains("judges other code") && !clean.contains("not judged") && !clean.contains("not known"))
    try repository.write("changed", to: "other.txt")
    let changed = try await gateMeasuring(try compared(head))
    #expect(changed.contains("with changes. The comparison is of that commit without changes, so it judges other code"))
    #expect(!changed.contains("which were not judged"), "\(changed)")
    let unnamed = try await gateMeasuring(try compared(nil))
    #expect(unnamed.contains("The comparison names no commit, so it is not known whether the run is"), "\(unnamed)")
  }

  @Test func otherFramesThanThoseOfTheComparisonAreNamed() async throws {
    let path = try compared(head) { document in
      document.ruleChanges = [
        RuleChange(scenario: "narrow", rule: "frames", baseline: "1,200", candidate: "2", isHeld: true)
      ]
    }
    #expect(try await gateMeasuring(path).contains("The run has the candidate's frames of narrow, so"))
  }

  @Test func aRunWithoutACommitIsNamedBesideARevision() async throws {
    let process = try await gate(["--run", try stored(nil), "--baseline", "main", "--seconds", "1"])
    #expect(process.output.contains("The run names no commit, so it is not known whether the run is"), "\(process)")
    #expect(process.output.contains("Whether the checkout here is what was judged is not known: "), "\(process)")
  }

  @Test func aRunOfAnotherCommitIsNotJudgedBesideARevision() async throws {
    let process = try await gate(["--run", try stored("4567def4567def"), "--baseline", "main"])
    #expect(process.status == 4, "\(process)")
    #expect(
      process.error.contains("--run is of commit 4567def4567d, and --baseline compares the checkout, which is at"))
  }

  @Test func limitsOfABaselineWithoutACommitAreNotKnown() async throws {
    let run = try stored(head)
    let baseline = try StoredRuns.write(StoredRuns.document("narrow/mine/10"), to: folder.path + "/old.json")
    let process = try await gate(["--run", run, "--baseline", baseline])
    let remark = "Whether the limits are those of \(baseline) is not known: it names no commit."
    #expect(process.output.contains(remark), "\(process)")
  }

  @Test func aCheckoutThatGitCannotReadIsNotTakenForTheJudgedOne() async throws {
    let run = try stored(head)
    try repository.write("damaged", to: ".git/index")
    let process = try await gate(["--run", run])
    #expect(process.output.contains("Whether the checkout here is what was judged is not known: "), "\(process)")
  }

  @Test func aProgramIsOfTheCommitFromWhichItWasBuilt() async throws {
    let built = try await repository.build("HEAD")
    let program = built.output.trimmingCharacters(in: .whitespacesAndNewlines)
    try await repository.commit("later")
    for (program, commit) in [(program, head), (try FixtureProcess.path, nil)] {
      let results = "\(folder.path)/\(commit == nil ? "other" : "stored")"
      let process = try await FixtureProcess.run(
        ["run", "--program", program, "--filter", "narrow/mine/10$", "--frames", "4", "--warm-up", "1", "--runs", "1"]
          + ["--output", results, "--machine", "desk"], in: repository.root)
      #expect(process.status == 0, "\(process)")
      let run = try StoredRun(argument: "latest", results: results).read()
      #expect(
        run.environment.commit == commit && run.selection == ["--filter", "narrow/mine/10$", "--program", program])
    }
  }
}
