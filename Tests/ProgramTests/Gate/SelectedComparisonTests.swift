import Foundation
import FrameBench
import Testing

@testable import Execution
@testable import Judging
@testable import Measurements
@testable import Program

/// Tests which benchmarks of a finished comparison the gate judges, and what an acknowledgement covers.
@Suite struct SelectedComparisonTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Runs the gate on a comparison with these rows.
  private func gate(_ rows: [ComparisonRow], _ arguments: [String] = [], environment: [String: String] = [:])
    async throws -> FixtureProcess
  {
    let document = ComparisonDocument(
      startedAt: "2026-11-21T06:47:12Z", durationSeconds: 2, arguments: ["compare", "main"],
      baseline: BuildName(name: "main", commit: "0123abc"), candidate: BuildName(name: "the working tree"),
      options: RunOptions(), method: ComparisonMethod(source: .lockStep, ComparisonRule(tolerance: 0.01), seed: 7),
      rows: rows)
    let path = "\(folder.path)/c.json"
    try document.encoded().write(to: URL(fileURLWithPath: path))
    return try await FixtureProcess.run(
      ["gate", "--comparison", path] + arguments, environment: environment, in: folder.path)
  }

  private func regressed(_ id: BenchmarkID) -> ComparisonRow {
    ComparisonRow(id: id, metric: .allocationCount, baseline: .number(0), candidate: .number(9), verdict: .regressed)
  }

  @Test func whatOnlyARunCouldUseIsRefusedWithoutOne() async throws {
    let metrics = "gitlab=\(folder.path)/metrics.txt"
    let process = try await gate([], ["--frames", "9", "--report", metrics])
    #expect(process.status == 64 && process.error.contains("--frames, --report gitlab: --comparison"), "\(process)")
  }

  @Test func aTagSelectsRowsOfAComparison() async throws {
    let examples = ["FIXTURE_ONLY_EXAMPLES": "1"]
    let list = try await FixtureProcess.run(["list", "--tag", "layout"], environment: examples, in: folder.path)
    let ids = list.output.split { $0.isWhitespace }.compactMap { BenchmarkID($0) }
    let (own, other) = (try #require(ids.first), BenchmarkID(scenario: "sum", strategy: "default", size: 1))
    let rows = [regressed(own), regressed(other)]
    let red = try await gate(rows, ["--tag", "layout"], environment: examples)
    #expect(red.status == 2 && red.output.contains("\(own)"), "\(red)")
    // The candidate may have taken the tag away, so what is left out is named.
    #expect(red.output.contains("--tag left out 1 benchmark of the comparison, such as \(other)."), "\(red)")
    let run = "\(folder.path)/run.json"
    var document = try StoredRuns.document("\(own)")
    document.benchmarks += try StoredRuns.document("\(other)").benchmarks
    try StoredRuns.write(document, to: run)
    try "budgets:\n  - ids: \"**\"\n    limits:\n      allocationCount.max: 9\n".write(
      toFile: folder.path + "/b.yml", atomically: true, encoding: .utf8)
    let limits = try await FixtureProcess.run(
      ["gate", "--run", run, "--budgets", "b.yml", "--tag", "layout"], environment: examples, in: folder.path)
    #expect(limits.status == 0 && limits.output.contains("--tag left out 1 benchmark of the run, such as \(other)."))
    let both = try await gate(rows, environment: examples)
    #expect(both.status == 2 && both.output.contains("\(other)"))
  }

  @Test func aBenchmarkThatIsGoneIsMissedInTheFirstShard() async throws {
    let rows = [ComparisonRow.missing(BenchmarkID(scenario: "gone", strategy: "naive", size: 10), isNew: false)]
    let first = try await gate(rows, ["--shard", "1/2"])
    #expect(first.status == 5 && first.output.contains("gone/naive/10"), "\(first)")
    #expect(try await gate(rows, ["--shard", "2/2"]).status == 1)
  }

  @Test func anAcknowledgedChecksumDoesNotAcceptABenchmarkThatIsGone() async throws {
    let id = BenchmarkID(scenario: "steady", strategy: "naive", size: 10)
    try ("acknowledged:\n  - id: steady/naive/10\n    metric: checksum\n    reason: r\n    until: 2999-01-01\n").write(
      toFile: folder.path + "/b.yml", atomically: true, encoding: .utf8)
    let run = try StoredRuns.write(StoredRuns.document("steady/naive/10"), to: folder.path + "/run.json")
    let judging = ["--run", run, "--budgets", folder.path + "/b.yml"]
    let changed = ComparisonRow(
      id: id, metric: .checksum, baseline: .text("00000000000000aa"), candidate: .text("00000000000000ab"),
      verdict: .behaviorChanged)
    let accepted = try await gate([changed], judging)
    #expect(accepted.status == 0 && accepted.output.contains("acknowledged until"), "\(accepted)")
    let gone = try await gate([.missing(id, isNew: false)], judging)
    #expect(gone.status == 5, "\(gone)")
  }

  @Test func benchmarksThatAreAllNewOpenTheGate() async throws {
    let gate = try await gate([.missing(BenchmarkID(scenario: "steady", strategy: "naive", size: 10), isNew: true)])
    #expect(gate.status == 0 && gate.output.contains("The gate passed"), "\(gate)")
  }
}
