import Foundation
import FoundationXML
import Judging
import Testing

@testable import Builds
@testable import Execution
@testable import FrameBench
@testable import Measurements
@testable import Platform
@testable import Program

/// Tests `springbench gate` as a CI job runs it: exit codes, messages and reports.
@Suite struct GateCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func gate(
    _ document: RunDocument, _ arguments: [String] = [], budgets: String? = nil, baseline: [RunDocument] = [],
    environment: [String: String] = [:]
  ) async throws -> FixtureProcess {
    let run = try StoredRuns.write(document, to: folder.path + "/run.json")
    var all = ["gate", "--run", run, "--output", folder.path, "--machine", "desk"] + arguments
    if let budgets {
      try budgets.write(toFile: folder.path + "/b.yml", atomically: true, encoding: .utf8)
      all += ["--budgets", folder.path + "/b.yml"]
    }
    if !baseline.isEmpty {
      for part in baseline {
        try BaselineStore(results: folder.path, machine: "desk").save(part, as: "main", adding: true)
      }
      all += ["--baseline", "main"]
      defer { try? BaselineStore(results: folder.path, machine: "desk").remove("main") }
      return try await process(all, environment)
    }
    return try await process(all, environment)
  }

  private func process(_ arguments: [String], _ environment: [String: String]) async throws -> FixtureProcess {
    try await FixtureProcess.run(
      arguments, environment: ["GITHUB_ACTIONS": "false"].merging(environment) { $1 }, in: folder.path)
  }

  private static let generous = "budgets:\n  - ids: steady/naive/10\n    limits:\n      frameNanoseconds.p99: 1ms\n"
  private static let tight = "budgets:\n  - ids: steady/naive/10\n    limits:\n      frameNanoseconds.p99: 60ns\n"

  private func document(
    allocations: [Int] = [0, 0], times: [Double] = [100, 120], checksum: String = "00000000000000aa"
  ) throws -> RunDocument {
    try StoredRuns.document("steady/naive/10", allocations: allocations, times: times, checksum: checksum)
  }

  @Test func anOpenGateIsStatusZero() async throws {
    let process = try await gate(document(), budgets: Self.generous, baseline: [document()])
    #expect(process.status == 0 && process.error.isEmpty)
    #expect(process.output.hasPrefix("The gate passed: "))
  }

  @Test func aFailedBenchmarkIsStatusOne() async throws {
    var failing = try document()
    failing.failures = [
      BenchmarkFailure(
        id: BenchmarkID(scenario: "steady", strategy: "tiled", size: 10), reason: "it crashed", standardError: "")
    ]
    let process = try await gate(failing, budgets: Self.generous)
    #expect(process.status == 1 && process.output.contains("steady/tiled/10 could not be measured: it crashed"))
  }

  @Test func oneAllocationWhereThereWasNoneIsStatusTwo() async throws {
    let process = try await gate(document(allocations: [0, 1]), baseline: [document()])
    #expect(process.status == 2)
    #expect(process.output.hasPrefix("The gate failed: "))
    #expect(process.output.contains("\nFAIL  regression  0 → 1 allocations in solve of steady/naive/10; "))
    #expect(process.output.contains("first in frame 1 of solve: 0 → 1"))
  }

  @Test func aRunDocumentIsABaselineToo() async throws {
    let old = try StoredRuns.write(document(), to: folder.path + "/old.json")
    #expect(try await gate(document(), ["--baseline", old]).status == 0)
    #expect(try await gate(document(allocations: [0, 1]), ["--baseline", old]).status == 2)
  }

  @Test func anExceededLimitIsStatusThreeWithItsPlace() async throws {
    let process = try await gate(document(), budgets: Self.tight)
    #expect(process.status == 3)
    #expect(process.output.contains("frameNanoseconds.p99 is 120ns, 100% over the limit of 60ns"))
    #expect(process.output.contains("/b.yml:4)"))
  }

  @Test func aTimeFailsOnlyIfTwoRunsExceedItsLimit() async throws {
    for (limit, status, crashes) in [(10, Int32(0), false), (1, 3, false), (10, 1, true)] {
      let results = "\(folder.path)/results-\(limit)-\(crashes)"
      try "budgets:\n  - ids: delayed/*/*\n    limits:\n      delay.max: \(limit)ns\n".write(
        toFile: folder.path + "/b.yml", atomically: true, encoding: .utf8)
      let process = try await self.process(
        ["gate", "--budgets", "b.yml", "--filter", "delayed", "--runs", "2", "--output", results],
        ["FIXTURE_RESULTS": results + "/README.md"].merging(crashes ? ["FIXTURE_CRASHES_LATER": "1"] : [:]) { $1 })
      #expect(process.output.contains("delayed/mine/10 could not be measured") == crashes, "\(process.output)")
      #expect(process.status == status, "\(process.output) \(process.error)")
      #expect(process.error.contains("note: measuring 1 benchmark again"))
      let remark = "A first run exceeded a limit that a second run met: delayed/mine/10: delay.max is 50ns, 400% over"
      #expect(process.output.contains(remark) == (status == 0))
      let runs = try FileManager.default.subpathsOfDirectory(atPath: results).filter { $0.hasSuffix("run.json") }
      #expect(runs.count == 1)
    }
  }

  @Test func limitsBesideThePackageOfBenchmarksHoldInEachFolder() async throws {
    let package = "\(folder.path)/Benchmarks"
    try FileManager.default.createDirectory(atPath: "\(package)/Sources", withIntermediateDirectories: true)
    for path in [folder.path, package] {
      try "// swift-tools-version: 6.2\n".write(toFile: "\(path)/Package.swift", atomically: true, encoding: .utf8)
    }
    try Self.tight.write(toFile: "\(package)/springbench.yml", atomically: true, encoding: .utf8)
    let run = try StoredRuns.write(document(), to: folder.path + "/run.json")
    for (current, place) in [
      (folder.path, "(Benchmarks/springbench.yml:4)"), (package, "(springbench.yml:4)"),
      ("\(package)/Sources", "/Benchmarks/springbench.yml:4)"),
    ] {
      let process = try await FixtureProcess.run(
        ["gate", "--run", run], environment: ["GITHUB_ACTIONS": "false"], in: current)
      #expect(process.status == 3 && process.output.contains(place), "\(process.output) \(process.error)")
    }
  }

  @Test func aDeviceOfTheBudgetFileScalesTimes() async throws {
    let budgets = Self.generous + "devices:\n  old-phone: {cpuSlowdown: 20000}\n  watch: {score: 4}\n"
    let slow = try await gate(document(), ["--device", "old-phone"], budgets: budgets)
    #expect(slow.status == 3 && slow.output.contains("Judged for old-phone: times × 20,000, 60 Hz."), "\(slow.output)")
    let asMeasured = try await gate(document(), budgets: budgets)
    #expect(asMeasured.status == 0 && !asMeasured.output.contains("Judged"))
    let scaled = try await gate(document(), budgets: Self.generous + "cpuSlowdown: 2\n")
    #expect(scaled.output.contains("Judged by cpuSlowdown: times × 2.00, 60 Hz."), "\(scaled.output)")
    let unknown = try await gate(document(), ["--device", "old-fone"], budgets: budgets)
    #expect(unknown.status == 64 && unknown.error.contains("did you mean \"old-phone\"?"))
    let scoreless = try await gate(document(), ["--device", "watch"], budgets: budgets)
    #expect(scoreless.status == 64 && scoreless.error.contains("no calibration"), "\(scoreless.error)")
  }

  @Test func aMissingBaselineIsStatusFourAndNeverZero() async throws {
    for name in ["no-such-thing", "missing.json", "results/nowhere"] {
      let process = try await gate(document(), ["--baseline=\(name)"], budgets: Self.generous)
      #expect(process.status == 4, "\(name): \(process.error)")
      #expect(process.errorLines.count == 1 && process.output.isEmpty)
    }
  }

  @Test func aBaselineOfOtherWorkIsStatusFour() async throws {
    var other = try document()
    other.options.seed = 7
    let process = try await gate(document(), baseline: [other])
    #expect(process.status == 4 && process.error.contains("seed differ (7 in main, 1 in this run)"))
    other.startedAt = "2026-11-01T06:47:12Z"
    #expect(try await gate(document(), baseline: [other, document()]).status == 0)
  }

  @Test func changedBehaviorIsStatusFive() async throws {
    let process = try await gate(document(checksum: "00000000000000ab"), baseline: [document()])
    #expect(process.status == 5 && process.output.contains("The gate failed: behavior changed in steady/naive/10"))
  }

  @Test func aVanishedBenchmarkIsStatusFive() async throws {
    let gone = try StoredRuns.document("steady/tiled/10")
    let process = try await gate(document(), baseline: [document(), gone])
    #expect(process.status == 5 && process.output.contains("steady/tiled/10"))
    let filtered = try await gate(document(), ["--filter", "naive"], baseline: [document(), gone])
    #expect(filtered.status == 0)
  }

  /// Returns measurements of one program, whose times differ a little from day to day.
  private func nights(_ times: [Double], toolchain: String = "Swift 6.3.1") throws -> [RunDocument] {
    try times.enumerated().map { index, time in
      try StoredRuns.document(
        "steady/naive/10", times: [time, time], toolchain: toolchain, startedAt: "2026-11-\(10 + index)T06:47:12Z")
    }
  }

  @Test func oneMeasurementOfTheBaselineShowsTimesAndJudgesNone() async throws {
    let slower = try document(times: [3_000, 3_600])
    for arguments in [[], ["--strict"], ["--fail-on", "regression,inconclusive"]] {
      let process = try await gate(slower, arguments, baseline: [document()])
      #expect(process.status == 0 && process.output.hasPrefix("The gate passed: "), "\(arguments)")
      #expect(process.output.contains("2 times are not judged; the largest difference is +2,900% in steady/naive/10"))
      #expect(process.output.contains("takes 5 of the baseline to know, and there is 1 measurement"))
    }
  }

  @Test(arguments: [
    (1_030.0, 0, 6), (1_600, 2, 2), (600, 0, 0),
    // The difference is less than a step of the clock, which is 10 ns.
    (1_009, 0, 6),
  ]) func fiveMeasurementsJudgeTimesByTheirSpread(time: Double, status: Int32, strict: Int32) async throws {
    let baseline = try nights([1_000, 1_004, 998, 1_002, 996])
    let now = try document(times: [time, time])
    #expect(try await gate(now, baseline: baseline).status == status)
    #expect(try await gate(now, ["--strict"], baseline: baseline).status == strict)
  }

  @Test func aSpreadOfTheBaselineExcusesWhatItExplains() async throws {
    let baseline = try nights([1_000, 1_400, 900, 1_200, 1_600])
    #expect(try await gate(document(times: [1_900, 1_900]), baseline: baseline).status == 0)
    #expect(try await gate(document(times: [90_000, 90_000]), baseline: baseline).status == 2)
  }

  @Test func timesOfAnotherEnvironmentAreComparedOnlyByForce() async throws {
    let slower = try document(times: [2_000, 2_400])
    let old = try nights([1_000, 1_004, 998, 1_002, 996], toolchain: "Swift 5.9")
    #expect(try await gate(slower, baseline: old).status == 0)
    #expect(try await gate(slower, ["--force"], baseline: old).status == 2)
  }

  @Test func whatToFailOnCanBeChosen() async throws {
    let worse = try document(allocations: [0, 1])
    #expect(try await gate(worse, ["--fail-on", "budget,missing"], baseline: [document()]).status == 0)
    let unknown = try await gate(worse, ["--fail-on", "regresion"], baseline: [document()])
    #expect(unknown.status == 64 && unknown.error.contains("did you mean \"regression\"?"))
  }

  @Test func nothingToHoldARunAgainstIsAUsageError() async throws {
    let process = try await gate(document())
    #expect(process.status == 64 && process.error.contains("--suggest"))
  }

  @Test func aGateThatMeasuredNothingIsNotOpen() async throws {
    var empty = try document()
    empty.benchmarks = []
    #expect(try await gate(empty, budgets: "budgets: []\n").status == 1)
    #expect(try await gate(document(), budgets: "budgets: []\n").status == 1)
  }

  @Test func aGateWhoseOnlyLimitIsLeftOutIsNotOpen() async throws {
    var both = try document()
    both.benchmarks += try StoredRuns.document("steady/tiled/10").benchmarks
    let budgets = "budgets:\n  - ids: steady/*/*\n    limits:\n      ratio.naive/tiled: \"<= 9\"\n"
    #expect(try await gate(both, budgets: budgets).status == 0)
    let process = try await gate(both, ["--filter", "tiled"], budgets: budgets)
    #expect(process.status == 1 && process.error.contains("nothing was checked"), "\(process)")
  }

  @Test func aMistakeInTheBudgetFileNamesLineAndColumn() async throws {
    let process = try await gate(document(), budgets: "budgets:\n  - ids: steady/naive/10\n    limit: 3\n")
    #expect(process.status == 64 && process.error.contains("/b.yml:3:5: unknown key \"limit\""))
    let nothing = try await gate(document(), budgets: Self.generous.replacingOccurrences(of: "steady", with: "stead"))
    #expect(nothing.status == 64 && nothing.error.contains("/b.yml:2:10: \"stead/naive/10\" matches no benchmark"))
  }

  @Test func anAcknowledgedRegressionPassesAndAnExpiredOneIsLoud() async throws {
    func budgets(_ day: String) -> String {
      Self.generous
        + "acknowledged:\n  - id: steady/naive/10\n    metric: allocationCount\n    reason: a cache\n    until: \(day)\n"
        + "  - id: steady/naive/10\n    metric: allocatedBytes.total\n    reason: a cache\n    until: \(day)\n"
        + "  - id: steady/naive/10\n    metric: allocatedBytes.solve\n    reason: a cache\n    until: \(day)\n"
    }
    let worse = try document(allocations: [0, 1])
    let passing = try await gate(worse, budgets: budgets("2999-01-01"), baseline: [document()])
    #expect(passing.status == 0 && passing.output.contains("acknowledged until 2999-01-01: a cache"))
    let failing = try await gate(worse, budgets: budgets("2020-01-01"), baseline: [document()])
    #expect(failing.status == 2)
    #expect(failing.output.contains("it was acknowledged until 2020-01-01, which has passed: a cache"))
  }

  @Test func aGateWhoseOnlyLimitIsExceededAndAcknowledgedPasses() async throws {
    let budgets =
      "version: 1\nbudgets:\n  - ids: steady/naive/10\n    limits:\n      allocationCount.total: 0\nacknowledged:\n"
      + "  - id: steady/naive/10\n    metric: allocationCount.total\n    reason: a cache\n    until: 2999-01-01\n"
    let passing = try await gate(try document(allocations: [0, 1]), budgets: budgets)
    #expect(passing.status == 0 && passing.output.contains("acknowledged until 2999-01-01: a cache"))
  }

  @Test func anAcknowledgementCoversItsOwnFigureThoughOthersAreShownAndNotJudged() async throws {
    func two(_ allocations: [Int]) throws -> RunDocument {
      var document = try document(allocations: allocations)
      document.benchmarks[0].memory = MemoryRecord(peakResidentBytes: 1 << 20, pageFaultCount: 9)
      let other = try StoredRuns.document("steady/tiled/10", allocations: allocations)
      document.benchmarks += other.benchmarks
      return document
    }
    let entries =
      "acknowledged:\n  - id: steady/tiled/10\n    metric: allocationCount\n    reason: a cache\n    until: 2999-01-01\n"
    let process = try await gate(two([0, 1]), budgets: Self.generous + entries, baseline: [two([0, 0])])
    let lines = process.output.split(separator: "\n").filter { $0.contains(" allocations in ") }
    #expect(process.status == 2 && lines.count == 3, "\(process.output)")
    for line in lines.dropFirst() {
      #expect(line.hasPrefix("note") == line.contains("steady/tiled/10"))
      #expect(line.contains("acknowledged") == line.contains("steady/tiled/10"))
    }
  }

  @Test func anAcknowledgementOfWhatNothingMeasuresIsAUsageError() async throws {
    let budgets =
      Self.generous
      + "acknowledged:\n  - id: steady/naive/10\n    metric: speed\n    reason: r\n    until: 2999-01-01\n"
    let process = try await gate(document(), budgets: budgets)
    #expect(process.status == 64 && process.error.contains("/b.yml:7:13: no metric \"speed\""))
  }

  @Test func githubGetsAnnotationsAndASummary() async throws {
    let summary = folder.path + "/summary.md"
    try Data("before\n".utf8).write(to: URL(fileURLWithPath: summary))
    try Data(Self.tight.utf8).write(to: URL(fileURLWithPath: folder.path + "/springbench.yml"))
    let process = try await gate(document(), environment: ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": summary])
    #expect(process.status == 3)
    let line = try #require(process.output.split(separator: "\n").first { $0.hasPrefix("::error") })
    #expect(line.contains("/springbench.yml,line=4") && line.contains("100%25 over the limit of 60ns"))
    #expect(line.contains("to repeat it: springbench gate --run"))
    let text = try String(contentsOfFile: summary, encoding: .utf8)
    #expect(text.hasPrefix("before\n**The gate failed: "))
  }

  @Test func severalReportsAreWrittenInOneCall() async throws {
    let names = ["junit=a.xml", "html=b.html", "markdown=c.md", "json=d.json", "gitlab=e.txt", "github=f.md"]
    let arguments = names.flatMap { name in
      let parts = name.split(separator: "=")
      return ["--report", "\(parts[0])=\(folder.path)/\(parts[1])"]
    }
    let process = try await gate(document(allocations: [0, 1]), arguments, budgets: Self.tight, baseline: [document()])
    #expect(process.status == 2)
    func text(_ name: String) throws -> String { try String(contentsOfFile: "\(folder.path)/\(name)", encoding: .utf8) }
    let junit = XMLParser(data: Data(try text("a.xml").utf8))
    #expect(junit.parse())
    #expect(try text("a.xml").contains("to repeat it: springbench gate"))
    #expect(try text("b.html").hasPrefix("<!DOCTYPE html>"))
    #expect(try text("c.md").hasPrefix("**The gate failed: "))
    #expect(try text("e.txt").hasSuffix("# EOF\n"))
    let rows = try JSONSerialization.jsonObject(with: Data(try text("d.json").utf8)) as? [[String: Any]]
    #expect(rows?.contains { $0["kind"] as? String == "budget" && $0["line"] as? Int == 4 } == true)
  }

  @Test(arguments: ["gitlab", "html"]) func twoReportsDoNotShareAFile(_ format: String) async throws {
    let paths = ["junit=\(folder.path)/a", "\(format)=\(folder.path)/./a"]
    let process = try await gate(document(), paths.flatMap { ["--report", $0] }, budgets: Self.generous)
    #expect(process.status == 64 && process.error.contains("--report: two formats for "), "\(process.error)")
  }

  @Test func annotationsOnStdoutAreNotRepeatedOnStderr() async throws {
    let process = try await gate(
      document(), ["--report", "github-annotations"], budgets: Self.tight, environment: ["GITHUB_ACTIONS": "true"])
    #expect(process.output.contains("::error") && !process.error.contains("::error"), "\(process)")
  }

  @Test func anExplanationSaysWhichLimitApplies() async throws {
    let process = try await gate(document(), ["--explain", "steady/naive/10"], budgets: Self.tight)
    #expect(process.status == 0 && process.output.hasPrefix("FAIL  steady/naive/10: frameNanoseconds.p99 is 120ns"))
    #expect(process.output.contains("b.yml:4, frameNanoseconds.p99: <= 60ns, for steady/naive/10"))
  }

  @Test func whatIsSuggestedLetsTheSameRunPass() async throws {
    let suggested = try await gate(document(allocations: [0, 2]), ["--suggest"])
    #expect(suggested.status == 0)
    #expect(try await gate(document(allocations: [0, 2]), budgets: suggested.output).status == 0)
    #expect(try await gate(document(allocations: [0, 3]), budgets: suggested.output).status == 3)
    var partial = try document()
    partial.failures = [BenchmarkFailure(id: partial.allIDs[0].with(size: 20), reason: "it crashed", standardError: "")]
    let part = try await gate(partial, ["--suggest"])
    #expect(part.status == 1 && part.output.contains("limits:") && part.error.contains("it crashed"), "\(part.error)")
  }

  @Test func aRunIsMeasuredWhereNoneIsNamed() async throws {
    // The limit is high, because a frame may take long on a busy machine.
    try Self.generous.replacing("1ms", with: "60s").write(
      toFile: folder.path + "/b.yml", atomically: true, encoding: .utf8)
    let process = try await FixtureProcess.run([
      "gate", "--budgets", folder.path + "/b.yml", "--filter", "steady/naive/10$", "--frames", "4", "--runs", "1",
      "--warm-up", "1", "--output", folder.path, "--machine", "desk",
    ])
    #expect(process.status == 0 && process.output.contains("The gate passed: 1 check passed."))
    #expect(folder.contents.contains { $0.hasSuffix("run.json") })
  }
}
