import CAllocationCounter
import Foundation
import Testing

@testable import Builds
@testable import FrameBench
@testable import Measurements
@testable import Pages
@testable import Platform
@testable import Program

/// Compares `SuiteFixture` with itself, and with a script that runs it as if it were another build.
@Suite struct CompareCommandTests {
  @Test func theWorstFaultDecidesTheStatus() {
    func status(_ kinds: Check.Kind...) -> Platform.ExitStatus {
      let checks = kinds.map { Check(subject: "a", figure: "b", kind: $0, outcome: .failed, sentence: "") }
      return CheckReport(title: "", headline: "", checks: checks, startedAt: "", durationSeconds: 0) { _ in "" }.status
    }
    #expect(status() == .success)
    #expect(status(.inconclusive) == .inconclusive)
    #expect(status(.inconclusive, .regression) == .regression)
    #expect(status(.regression, .behaviorChanged) == .behaviorChanged)
    #expect(status(.regression, .missing) == .behaviorChanged)
    #expect(status(.behaviorChanged, .failure) == .failure)
  }

  @Test func aComparisonOfBenchmarksThatNeitherBuildHasIsEmpty() async throws {
    let id = BenchmarkID(scenario: "steady", strategy: "naive", size: 10)
    let context = CommandContext(arguments: [], console: Console(), environment: [:])
    var comparison = RevisionComparison(selection: try .only(id), context: context)
    comparison.only = []
    let program = try FixtureProcess.path
    #expect(try await comparison.compare([program, program]).rows.isEmpty)
  }

  private func compare(variant: String? = nil, filter: String, selection: [String] = [], _ arguments: String...)
    async throws -> FixtureProcess
  {
    let folder = try TemporaryFolder()
    let path = try FixtureProcess.path
    var candidate = path
    if let variant {
      candidate = folder.path + "/candidate"
      try "#!/bin/sh\n\(variant) exec '\(path)' \"$@\"\n".write(toFile: candidate, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: candidate)
    }
    return try await FixtureProcess.run(
      [
        "compare", "--program", path, candidate, "--filter", filter, "--seconds", "1", "--frames", "40", "--tolerance",
        "90%", "--seed", "1",
      ] + selection + arguments)
  }

  private func rows(_ process: FixtureProcess) throws -> [[String: Any]] {
    try #require(try JSONSerialization.jsonObject(with: Data(process.output.utf8)) as? [[String: Any]])
  }

  @Test func theSameProgramIsNotMeasured() async throws {
    let process = try await compare(filter: "steady/naive", "--json")
    #expect(process.status == 0, "\(process.error)")
    let rows = try rows(process)
    #expect(rows.count > 1)
    #expect(rows.allSatisfy { $0["verdict"] as? String == "unchanged" && $0["baseline"] is NSNull })
    let text = try await compare(filter: "steady/naive")
    #expect(text.output.hasPrefix("Identical program: "))
  }

  /// The two programs do the same work. Their times depend on the machine, but all other figures must be equal.
  @Test func anotherProgramThatDoesTheSameIsMeasuredAndDiffersInTimesAlone() async throws {
    let process = try await compare(variant: "true;", filter: "steady/naive/100$", "--json")
    #expect(process.status == 0, "\(process.error)")
    let rows = try rows(process)
    let times = rows.filter { $0["metric"] as? String == "frameNanoseconds" }
    // The six times are mean, p50, p99, worst frame, and the means of two phases. Rows of single frames are left out.
    #expect(times.count { $0["frames"] is NSNull } == 6)
    for side in ["baseline", "candidate"] {
      #expect(times.contains { $0["phase"] is NSNull && ($0[side] as? Double ?? 0) > 0 })
    }
    let counted = [Metric.freeCount, .freedBytes, .netBytes].map(\.name)
    let granted = Set(Metric.ofRuns.map(\.name) + counted)
    let shown = rows.filter { $0["verdict"] as? String == "notJudged" }
    #expect(granted.isSuperset(of: shown.compactMap { $0["metric"] as? String }))
    #expect(shown.contains { $0["metric"] as? String == "pageFaultCount" })
    let exact = rows.filter {
      let metric = $0["metric"] as? String ?? ""
      return metric != "frameNanoseconds" && !granted.contains(metric)
    }
    #expect(Set(exact.compactMap { $0["metric"] as? String }).isSuperset(of: ["checksum", "activeItems"]))
    for row in exact {
      #expect(row["verdict"] as? String == "unchanged")
      #expect(row["baseline"] as? NSObject == row["candidate"] as? NSObject && !(row["baseline"] is NSNull))
    }
  }

  @Test(.enabled(if: allocation_counter_is_active(), "allocations are not counted in this build"))
  func oneAllocationInOneFrameIsARegressionNamedByPhaseAndFrame() async throws {
    let process = try await compare(variant: "FIXTURE_VARIANT=allocating", filter: "varying", "--markdown")
    #expect(process.status == 2, "\(process.error)")
    #expect(process.output.contains("first in frame 12 of prepare: 0 → 1"))
  }

  @Test(
    .enabled(if: allocation_counter_is_active(), "allocations are not counted in this build"),
    arguments: [
      ("hungry", "helped", "otherThreadAllocatedBytes"),
      ("shifted", "shifting", "newly allocates in frame 20 of prepare"),
    ]) func whatAllocatesElsewhereIsARegression(_ variant: String, _ scenario: String, _ mention: String) async throws
  {
    let process = try await compare(variant: "FIXTURE_VARIANT=\(variant)", filter: scenario, "--markdown")
    #expect(process.status == 2, "\(process.error)")
    #expect(process.output.contains(mention), "\(process.output)")
  }

  @Test func aMillionthOfAPointIsChangedBehaviorWithItsDistance() async throws {
    let process = try await compare(variant: "FIXTURE_VARIANT=moved", filter: "varying", "--markdown")
    #expect(process.status == 5, "\(process.error)")
    #expect(process.output.hasPrefix("**Behavior changed in varying/mine/10"))
    #expect(process.output.contains("0.00000100 points from where they were (frame 7)"))
  }

  @Test func aComparisonHasTheDoubtsThatARunWouldRaise() async throws {
    let process = try await compare(variant: "true;", filter: "careless", "--markdown")
    for doubt in ["Of several measured parts only the last counts", "What it posts to the main queue"] {
      #expect(process.output.contains(doubt), "\(process.output)")
    }
  }

  @Test func aCrashIsAFailureWithItsLastWords() async throws {
    let process = try await compare(variant: "true;", filter: "crashing", "--json")
    #expect(process.status == 1)
    #expect(process.error.contains("crashing/mine/10") && process.error.contains("frame 3 went wrong"))
  }

  @Test(arguments: [["--strategies", "other,third"], ["--tag", "fresh"]])
  func whatOnlyOneBuildKnowsHidesNothingOfTheOther(_ selection: [String]) async throws {
    let process = try await compare(
      variant: "FIXTURE_VARIANT=widened", filter: "narrow/(other|third)/10$", selection: selection, "--json")
    #expect(process.status == 0, "\(process.error)")
    let rows = try rows(process)
    let missing = rows.filter { $0["verdict"] as? String == "missing" }.compactMap { $0["id"] as? String }
    #expect(missing == ["narrow/third/10"])
    #expect(rows.contains { $0["id"] as? String == "narrow/other/10" && $0["metric"] as? String == "frameNanoseconds" })
  }

  @Test func whatMatchesNothingInEitherIsAnErrorOfTheCommandLine() async throws {
    let process = try await compare(filter: "nosuchthing")
    #expect(process.status == 64)
    #expect(process.error.contains("nothing matched") && process.output.isEmpty)
  }
}
