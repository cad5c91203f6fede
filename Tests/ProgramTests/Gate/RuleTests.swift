import CAllocationCounter
import Foundation
import Testing

@testable import Builds
@testable import Execution
@testable import FrameBench
@testable import Judging
@testable import Measurements
@testable import Platform
@testable import Program

/// Tests that the candidate cannot change its own rules: tolerances and frame counts come from the baseline.
@Suite struct RuleTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func document(time: Double = 1_000, allocations: [Int] = [0, 0], day: Int = 20) throws -> RunDocument {
    try StoredRuns.document(
      "steady/naive/10", allocations: allocations, times: allocations.map { _ in time },
      startedAt: "2026-11-\(day)T06:47:12Z")
  }

  /// Returns five measurements of the baseline, which are enough to judge times.
  private func nights(_ change: (inout RunDocument) -> Void = { _ in }) throws -> [RunDocument] {
    try [1_000, 1_004, 998, 1_002, 996].enumerated().map { index, time in
      var night = try document(time: time, day: 11 + index)
      change(&night)
      return night
    }
  }

  private func gate(_ candidate: RunDocument, _ baseline: [RunDocument], _ arguments: String...) async throws
    -> FixtureProcess
  {
    let run = try StoredRuns.write(candidate, to: folder.path + "/run.json")
    let store = BaselineStore(results: folder.path, machine: "desk")
    for night in baseline { try store.save(night, as: "main", adding: true) }
    defer { try? store.remove("main") }
    return try await FixtureProcess.run(
      ["gate", "--run", run, "--baseline", "main", "--output", folder.path, "--machine", "desk"] + arguments,
      environment: ["GITHUB_ACTIONS": "false"], in: folder.path)
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: "\(folder.path)/\(name)", encoding: .utf8)
  }

  @Test func aCandidateDoesNotSayHowMuchSlowerItMayBe() async throws {
    var slow = try document(time: 10_000)
    slow.tolerancesPercent = ["steady": 1_000]
    let files = ["markdown=a.md", "html=a.html", "junit=a.xml", "json=a.json", "document=a.document"]
    var reports: [String] = []
    for file in files { reports += ["--report", file] }
    let run = try StoredRuns.write(slow, to: folder.path + "/run.json")
    let store = BaselineStore(results: folder.path, machine: "desk")
    for night in try nights() { try store.save(night, as: "main", adding: true) }
    let process = try await FixtureProcess.run(
      ["gate", "--run", run, "--baseline", "main", "--output", folder.path, "--machine", "desk"] + reports,
      environment: ["GITHUB_ACTIONS": "false"], in: folder.path)
    #expect(process.status == 2, "\(process.output) \(process.error)")
    let sentence = "steady: tolerance of times the usual one in the baseline, 1,000% in the candidate"
    #expect(process.output.contains("\nnote  rule changed  \(sentence)"), "\(process.output)")
    for file in files {
      let name = try #require(file.split(separator: "=").last)
      let page = try text(String(name))
      #expect(page.contains(sentence) || name == "a.document" && page.contains("\"ruleChanges\":[{"), "\(name)")
    }
  }

  @Test func aCandidateDoesNotSayHowOftenItMayAllocate() async throws {
    var hungry = try document(allocations: [0, 5])
    hungry.allocationTolerances = ["steady": AllocationTolerance(count: 1_000, percent: 100)]
    let process = try await gate(hungry, [try document()])
    #expect(process.status == 2, "\(process.output)")
    #expect(process.output.contains("tolerance of allocations none in the baseline, 1,000 a frame or 100% in the"))
  }

  @Test func aCandidateDoesNotWidenTheLimitsOfItsThresholds() async throws {
    let thresholds = "\(folder.path)/Thresholds"
    try FileManager.default.createDirectory(atPath: thresholds, withIntermediateDirectories: true)
    try #"{"mallocCountTotal": 2}"#.write(
      toFile: "\(thresholds)/Suite.steady.p90.json", atomically: true, encoding: .utf8)
    func document(tolerating count: Double) throws -> RunDocument {
      var run = try StoredRuns.document("steady/default/10", allocations: [5, 5])
      if count > 0 { run.allocationTolerances = ["steady": AllocationTolerance(count: count)] }
      return run
    }
    for (own, baseline, isRed) in [(10.0, 0.0, true), (10, 10, false), (0, 10, false)] {
      let process = try await gate(
        try document(tolerating: own), [try document(tolerating: baseline)], "--budgets", thresholds)
      #expect(process.status == (isRed ? 3 : 0), "\(process.output) \(process.error)")
      #expect(!isRed || process.output.contains("150% over the limit of 2."), "\(process.output)")
    }
  }

  /// With `--tolerance`, a comparison names no tolerances of scenarios.
  @Test func anUnchangedToleranceWidensThresholdsDespiteThatOfTheCommandLine() throws {
    var run = try document()
    run.tolerancesPercent = ["steady": 10]
    for (baseline, expected) in [(run, 10.0), (try document(), nil)] {
      let comparison = try StoredComparison(tolerance: 0.05, isForced: false, arguments: []).compare(
        baseline: Baseline([baseline]), named: "main", with: run, named: "this run")
      #expect(run.tolerant(as: comparison).tolerancesPercent?["steady"] == expected)
    }
  }

  @Test func theToleranceOfTheBaselineHoldsAndIsNamed() async throws {
    let tolerant = try nights { $0.tolerancesPercent = ["steady": 1_000] }
    let process = try await gate(try document(time: 8_000), tolerant)
    #expect(process.status == 0, "\(process.output)")
    #expect(process.output.hasPrefix("The gate passed: ") && process.output.contains(", 1 rule changed"))
    #expect(process.output.contains("Tolerances other than the usual one: 1,000% of times in steady."))
    let alike = try document(time: 8_000)
    var same = alike
    same.tolerancesPercent = ["steady": 1_000]
    #expect(try await !gate(same, tolerant).output.contains("rule"))
    let strict = try await gate(alike, tolerant, "--tolerance", "5%")
    #expect(strict.status == 2 && strict.output.contains("the usual one: 5.00% of times."), "\(strict.output)")
  }

  @Test func theAllocationsThatTheBaselineToleratesPass() async throws {
    var baseline = try document()
    baseline.allocationTolerances = ["steady": AllocationTolerance(count: 50)]
    let process = try await gate(try document(allocations: [0, 5]), [baseline])
    #expect(process.status == 0, "\(process.output)")
    #expect(process.output.contains("50 a frame of allocations in steady."), "\(process.output)")
  }

  @Test func aScenarioOfFewerFramesOrAnotherWarmUpCannotBeCompared() async throws {
    let baseline = [try document(allocations: [0, 0, 9])]
    var fewer = try document(allocations: [0, 0])
    fewer.options.frameCount = 3
    fewer.options.scenarioFrames = ["steady": .init(recorded: 2)]
    let process = try await gate(fewer, baseline)
    #expect(process.status == 1, "\(process.output)")
    #expect(process.output.contains("it cannot be compared: frames differ (3 in main, 2 in this run)"))
    var warm = try document(allocations: [0, 0, 9])
    warm.options.scenarioFrames = ["steady": .init(warmUp: 5_000)]
    let warmed = try await gate(warm, baseline)
    #expect(warmed.status == 1, "\(warmed.output)")
    #expect(warmed.output.contains("warm-up frames differ (120 in main, 5000 in this run)"), "\(warmed.output)")
  }

  @Test func earlierMeasurementsOfOtherFramesAreLeftOut() async throws {
    var earlier = try document(allocations: [0], day: 10)
    earlier.options.frameCount = 2
    earlier.options.scenarioFrames = ["steady": .init(recorded: 1)]
    let process = try await gate(try document(time: 1_001), [earlier] + nights())
    #expect(process.status == 0 && process.output.contains("The gate passed: "), "\(process.output)")
  }

  @Test func timesOfAnotherNumberOfRunsAreNotJudged() async throws {
    let process = try await gate(try document(time: 10_000), try nights { $0.options.runCount = 3 })
    #expect(process.status == 0 && process.output.contains("environments differ (measuring: 3 runs of"), "\(process)")
  }

  @Test func framesThatBecomeCallsCannotBeCompared() async throws {
    var calls = try document()
    calls.benchmarks[0].callsPerFrame = 64
    let process = try await gate(calls, [try document()])
    #expect(process.status == 1, "\(process.output)")
    #expect(process.output.contains("contents of frames differ (any work in main, calls of a function in this run)"))
  }

  @Test func moreCoresAreSaid() async throws {
    var wide = try document()
    wide.cores = ["steady": 4]
    let process = try await gate(wide, [try document()])
    #expect(process.status == 0, "\(process.output)")
    #expect(
      process.output.contains("steady: cores 1 in the baseline, 4 in the candidate; each build has its own"),
      "\(process.output)")
  }

  // MARK: Builds

  private func compare(_ baseline: String, _ candidate: String, _ arguments: String...) async throws -> FixtureProcess {
    let path = try FixtureProcess.path
    let programs = try [baseline, candidate].map { variant in
      let program = "\(folder.path)/\(variant)"
      let script = "#!/bin/sh\nFIXTURE_VARIANT=\(variant) exec '\(path)' \"$@\"\n"
      try script.write(toFile: program, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
      return program
    }
    return try await FixtureProcess.run(
      ["compare", "--program"] + programs + ["--filter", "varying", "--seconds", "1", "--seed", "1"] + arguments,
      in: folder.path)
  }

  /// The candidate allocates in frame 12 of 1,200. It declares ten frames, a longer warm-up and large tolerances.
  @Test(.enabled(if: allocation_counter_is_active())) func aBuildRunsTheFramesOfTheBaseline() async throws {
    let process = try await compare("same", "lax")
    #expect(process.status == 2, "\(process.output) \(process.error)")
    for change in [
      "tolerance of times the usual one in the baseline, 1,000% in the candidate; the baseline's holds",
      "tolerance of allocations none in the baseline, 1,000 a frame in the candidate",
      "frames as elsewhere in the baseline, 10 in the candidate",
      "warm-up frames as elsewhere in the baseline, 500 in the candidate",
    ] { #expect(process.line.contains("rule changed: varying: \(change)"), "\(process.output)") }
    #expect(process.output.contains("0 → 1 allocations in prepare of varying/mine/10"), "\(process.output)")
  }

  @Test(.enabled(if: allocation_counter_is_active())) func aBuildMayAllocateAsOftenAsTheBaselineSays() async throws {
    let process = try await compare("lenient", "allocating", "--frames", "40", "--json")
    let rows = try #require(
      try JSONSerialization.jsonObject(with: Data(process.output.utf8)) as? [[String: Any]], "\(process.error)")
    let allocations = rows.filter { $0["metric"] as? String == "allocationCount" }
    #expect(!allocations.isEmpty && allocations.allSatisfy { $0["verdict"] as? String == "unchanged" })
    #expect(allocations.contains { $0["candidate"] as? Double == 1 })
  }

  @Test func aBuildWhoseFramesBecomeCallsCannotBeCompared() async throws {
    let process = try await compare("same", "calling", "--frames", "40")
    #expect(process.status == 1, "\(process.output)")
    #expect(process.line.contains("its frames are calls of a function in the candidate alone"), "\(process.output)")
  }

  @Test func aCounterThatTurnsAroundIsJudgedAsBefore() async throws {
    let process = try await compare("counting", "turning", "--frames", "40")
    #expect(process.status == 2, "\(process.output)")
    let change = "counter load count, less is better in the baseline, count, more is better in the candidate"
    #expect(process.line.contains("rule changed: varying: \(change); the baseline's holds"), "\(process.output)")
  }

  @Test func scenariosAreComparedRuleByRule() {
    var old = ScenarioDescription(name: "list", strategies: ["a"], sizes: [1], quickSizes: [1])
    var new = old
    #expect(RuleChange.all(old, new).isEmpty)
    (new.cores, new.secondsPerRun, new.tolerancePercent) = (Int.max, 0.1, 2.5)
    #expect(RuleChange.all(old, new).map(\.rule) == ["tolerance of times", "seconds of a run", "cores"])
    #expect(RuleChange.all(old, new).map(\.candidate) == ["2.5%", "at most 0.1", "all"])
    #expect(RuleChange.all(old, new).map(\.isHeld) == [true, true, false])
    new.quickSizes = []
    #expect(RuleChange.all(old, new).map(\.rule).contains("sizes of --quick"))
    new.quickSizes = [1]
    new.strategies = ["b", "a"]
    #expect(RuleChange.all(old, new).last?.rule == "reference strategy")
    (old.cores, new) = (1, old)
    #expect(RuleChange.all(old, new).isEmpty)
  }
}

extension FixtureProcess {
  /// The output without line breaks.
  fileprivate var line: String { output.replacing(#/\s+/#, with: " ") }
}
