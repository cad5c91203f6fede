import CAllocationCounter
import Foundation
import FrameBench
import Testing

@testable import Execution
@testable import Judging
@testable import Measurements
@testable import Program

/// Tests that a candidate chooses neither the frames over which its limits are checked, nor which limits are checked.
@Suite(.serialized) struct CheckedLimitTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Runs a gate with a limit on the allocations of `scenario`. Only the limit fails the gate.
  private func gate(_ baseline: String, _ candidate: String, _ scenario: String, _ selection: [String]) async throws
    -> FixtureProcess
  {
    let repository = try await ThrowawayRepository()
    func write(_ variant: String) throws {
      try repository.write(
        "#!/bin/sh\nFIXTURE_VARIANT=\(variant) exec '\(try FixtureProcess.path)' \"$@\"\n", to: "source.txt")
    }
    try write(baseline)
    try repository.write(
      "budgets:\n  - ids: \(scenario)/*/*\n    limits:\n      allocationCount.max: 0\n", to: "springbench.yml")
    try await repository.commit("limits")
    try write(candidate)
    let arguments = [
      "gate", "--baseline", "main", "--budgets", repository.root + "/springbench.yml", "--fail-on", "budget",
      "--seconds", "1", "--runs", "1", "--output", folder.path, "--machine", "desk",
    ]
    return try await repository.run(arguments + selection)
  }

  /// The candidate allocates in frame 12 of 1,200. It declares ten frames, over which its limit would hold.
  @Test(.enabled(if: allocation_counter_is_active())) func aLimitIsCheckedOverTheFramesOfTheBaseline() async throws {
    let process = try await gate("same", "lax", "varying", ["--filter", "varying"])
    #expect(process.status == 3, "\(process.output) \(process.error)")
  }

  private func measured() throws -> RunDocument { try StoredRun(argument: "latest", results: folder.path).read() }

  @Test func aLimitIsCheckedThoughTheBenchmarkLostTheTag() async throws {
    let process = try await gate("widened", "retagged", "narrow", ["--tag", "fresh"])
    let ids = try measured().allIDs.map(\.description)
    #expect(ids == ["narrow/mine/10", "narrow/other/10", "narrow/mine/20", "narrow/other/20"], "\(process)")
  }

  @Test func limitsOfAShardAreThoseOfTheComparedBenchmarks() async throws {
    var parts: [RunDocument] = []
    for part in 1...2 {
      _ = try await gate("same", "widened", "narrow", ["--filter", "narrow", "--shard", "\(part)/2"])
      parts.append(try measured())
    }
    #expect(parts.map { $0.shard?.index } == [1, 2] && parts[0].shard?.deal == parts[1].shard?.deal)
    #expect(parts.flatMap(\.allIDs).count == 6)
  }

  @Test func onlyBenchmarksThatTheBaselineHasRunItsFrames() throws {
    func row(_ id: String, _ note: String? = nil, isNew: Bool = false) throws -> ComparisonRow {
      let id = try #require(BenchmarkID(id))
      return isNew ? .missing(id, isNew: true) : .unmeasured(id, note ?? "same code")
    }
    let rows = try [
      row("list/naive/10"), row("list/naive/20", isNew: true), row("fresh/naive/10", isNew: true),
      row("twin/naive/10", ComparisonRow.identicalProgram),
    ]
    var document = ComparisonDocument(
      startedAt: "2026-11-21T06:47:12Z", durationSeconds: 2, arguments: ["compare", "main"],
      baseline: BuildName(name: "main"), candidate: BuildName(name: "the working tree"), options: RunOptions(),
      method: ComparisonMethod(source: .lockStep, ComparisonRule(tolerance: 0.01), seed: 7), rows: rows)
    document.options.scenarioFrames = ["list/10": .init(recorded: 900)]
    var options = RunOptions()
    let own = RunOptions.FrameCounts(recorded: 1)
    options.scenarioFrames = ["list": own, "list/10": own, "list/20": own, "fresh": own, "twin": own]
    let framed = try #require(options.framed(as: document).scenarioFrames)
    #expect(framed == ["list/10": .init(recorded: 900), "list/20": own, "fresh": own, "twin": own])
    options.frameCount = 40
    #expect(options.framed(as: document) == options)
  }

  @Test func theFramesOfAStoredRunAreNamed() async throws {
    let run = try StoredRuns.write(StoredRuns.document("steady/naive/10"), to: folder.path + "/run.json")
    try "budgets:\n  - ids: steady/*/*\n    limits:\n      allocationCount.max: 9\n".write(
      toFile: folder.path + "/b.yml", atomically: true, encoding: .utf8)
    var document = ComparisonDocument(
      startedAt: "2026-11-21T06:47:12Z", durationSeconds: 2, arguments: ["compare", "main"],
      baseline: BuildName(name: "main"), candidate: BuildName(name: "the working tree"), options: RunOptions(),
      method: ComparisonMethod(source: .lockStep, ComparisonRule(tolerance: 0.01), seed: 7),
      rows: [.unmeasured(try #require(BenchmarkID("steady/naive/10")), "same code")])
    document.ruleChanges = [
      RuleChange(scenario: "steady", rule: "frames", baseline: "1,200", candidate: "2", isHeld: true)
    ]
    try document.encoded().write(to: URL(fileURLWithPath: folder.path + "/c.json"))
    let process = try await FixtureProcess.run(
      ["gate", "--run", run, "--comparison", folder.path + "/c.json", "--budgets", folder.path + "/b.yml"],
      in: folder.path)
    #expect(process.output.contains("The run has the candidate's frames of steady, so"), "\(process)")
  }

  @Test func theLimitsOfASavedBaselineAreThoseOfItsNewestCommit() throws {
    func document(_ id: String, _ commit: String, day: Int) throws -> RunDocument {
      var document = try StoredRuns.document(id, startedAt: "2026-11-\(day)T06:47:12Z")
      document.environment.commit = commit
      return document
    }
    let runs = try Baseline([document("s/a/1", "aaaaaaa", day: 12), document("s/b/1", "bbbbbbb", day: 11)])
    #expect(GateReference.runs(runs, name: "main", place: "").measured?.commit == "aaaaaaa")
    #expect(GateReference.runs(Baseline([]), name: "main", place: "").measured == nil)
    #expect(LimitChange.unknown.remark(since: "main")?.hasSuffix("not compared with those of main.") == true)
  }
}
