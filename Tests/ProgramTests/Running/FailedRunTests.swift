import Foundation
import FrameBench
import Testing

@testable import Builds
@testable import Formats
@testable import Markup
@testable import Measurements
@testable import Platform
@testable import Program

/// Tests what a run keeps of a benchmark that crashes, and that it still measures the other benchmarks.
@Suite struct FailedRunTests {
  @Test func aReferenceStrategyThatCrashesTakesNoOtherWithIt() async throws {
    let folder = try TemporaryFolder()
    let process = try await run(["--filter", "headless"], in: folder)
    #expect(process.status == 1 && process.errorLines.count == 1, "\(process.error)")
    let document = try document(in: folder)
    #expect(document.failures.map { "\($0.id)" } == ["headless/reference/10"])
    #expect(document.benchmarks.map(\.id.strategy) == ["second", "third"])
    #expect(document.benchmarks.allSatisfy { $0.deviation == nil })
    for strategy in ["second", "third"] {
      #expect(
        document.warnings.contains {
          $0.benchmark?.strategy == strategy
            && $0.message.hasPrefix("Not compared with reference, which failed: the worker crashed")
        })
    }
  }

  @Test func whatFailedIsMeasuredAndPutTogetherWithTheRest() async throws {
    let folder = try TemporaryFolder()
    try await run(["--filter", "headless|steady/naive/10$", "--machine", "m"], in: folder)
    let first = try document(in: folder)
    let process = try await again(in: folder, environment: ["FIXTURE_VARIANT": "mended"])
    #expect(process.status == 0, "\(process.error)")
    let whole = try newest(in: folder)
    #expect(
      whole.benchmarks.map { "\($0.id)" } == [
        "steady/naive/10", "headless/reference/10", "headless/second/10", "headless/third/10",
      ])
    #expect(whole.failures.isEmpty && whole.options == first.options)
    // The measurements of the first run are unchanged, but they are now compared with the reference strategy, which had
    // failed in the first run.
    #expect(whole.benchmarks[2].frame == first.benchmarks[1].frame)
    #expect(whole.benchmarks.map { $0.deviation?.reference } == [nil, nil, "reference", "reference"])
    #expect(!whole.warnings.contains { $0.message.hasPrefix("Not compared") })
    #expect(whole.parts?.map(\.benchmarks.count) == [3, 1])
    let nothing = try await again(in: folder)
    #expect(nothing.status == 0 && nothing.error.contains("nothing failed in"), "\(nothing.error)")
    #expect(try await again(["--json"], in: folder).output.contains("\"headless/third/10\""))
  }

  @Test func anUncommittedProgramThatWasBuiltAgainIsKeptSeparate() async throws {
    let folder = try TemporaryFolder()
    try await run(["--filter", "headless", "--machine", "m"], in: folder)
    // In the stored run, the clock shows a time before the program was built.
    let path = folder.path + "/" + (try #require(folder.contents.first { $0.hasSuffix("run.json") }))
    var first = try document(in: folder)
    first.startedAt = "2001-01-01T00:00:00Z"
    (first.environment.commit, first.environment.isDirty) = (nil, nil)
    try first.encoded().write(to: URL(fileURLWithPath: path))
    // The folder belongs to no repository, so the second run has no commit either.
    let process = try await FixtureProcess.run(
      ["run", "--failed", "--output", folder.path], environment: ["FIXTURE_VARIANT": "mended"], in: folder.path)
    #expect(process.status == 0 && process.error.contains("the program was built again since"), "\(process.error)")
  }

  @Test func whatStillFailsIsLeftToFailAgain() async throws {
    let folder = try TemporaryFolder()
    try await run(["--filter", "headless", "--machine", "m"], in: folder)
    #expect(try await again(in: folder).status == 1)
    let whole = try newest(in: folder)
    #expect(whole.benchmarks.count == 2 && whole.failures.map(\.id.strategy) == ["reference"])
  }

  @Test func whatFailedIsMeasuredWithTheFramesOfTheStoredRun() async throws {
    let folder = try TemporaryFolder()
    // The scenario `varying` declares other frame counts, which the options of the first run override.
    let variant = ["FIXTURE_VARIANT": "lax"]
    try await run(["--filter", "headless|varying", "--machine", "m"], in: folder, environment: variant)
    let first = try document(in: folder)
    #expect(try await again(in: folder, environment: variant).status == 1)
    #expect(try newest(in: folder).options == first.options)
  }

  @Test func aCrashLeavesWhatWasMeasuredBeforeIt() async throws {
    let folder = try TemporaryFolder()
    let process = try await FixtureProcess.run(
      ["run", "--filter", "wearing", "--frames", "12", "--warm-up", "3", "--runs", "9", "--output", folder.path],
      environment: ["FIXTURE_RUNS": folder.path + "/runs", "FIXTURE_RUN_LIMIT": "14"])
    #expect(process.status == 1, "\(process.error)")
    let document = try document(in: folder)
    #expect(document.failures.map(\.id.strategy) == ["mine"])
    #expect(document.benchmarks.map(\.id.strategy) == ["mine", "other"])
    let record = document.benchmarks[0]
    #expect(record.frame.pooled.sampleCount < 9 * 12 && record.frame.alignedNanoseconds.count == 12)
    // On a busy machine there may be additional runs, and so more samples.
    #expect(document.benchmarks[1].frame.pooled.sampleCount >= 9 * 12)
    #expect(document.warnings.contains { $0.message.hasPrefix("A later run failed; the figures come from the runs") })
    for format in ReportFormat.allCases { _ = try format.render(document) }
    #expect(document.allIDs.count == 2)
  }

  @Test(arguments: [
    (["run", "--failed", "--filter", "a"], "--filter contradicts them"),
    (["run", "--failed", "--frames", "9"], "--frames contradicts them"),
    (["run", "--failed", "--runs", "9"], "--runs contradicts them"),
    (["run", "--failed", "--output", "/nowhere"], "there is no run below"), (["nightly", "--failed"], "--failed"),
    (["gate", "--failed"], "--failed"),
  ]) func whatContradictsFailedIsRefused(_ arguments: [String], _ mention: String) async throws {
    let folder = try TemporaryFolder()
    let process = try await FixtureProcess.run(arguments, in: folder.path)
    #expect(process.status == 64 && process.errorLines.count == 1, "\(process.error)")
    #expect(process.error.contains(mention), "\(process.error)")
  }

  @Test func aCounterBeyondWhatJSONHoldsIsRefusedByName() async throws {
    let folder = try TemporaryFolder()
    try await run(["--filter", "huge"], in: folder)
    let document = try document(in: folder)
    #expect(document.benchmarks.map(\.id.strategy) == ["fitting"])
    let failures = document.failures
    #expect(failures.map(\.id.strategy) == ["value", "sum", "overflow"])
    #expect(failures[0].reason.contains("counter \"springs\" is 9,007,199,254,740,993 in recorded frame 0"))
    #expect(failures[1].reason.contains("counter \"springs\" adds up to some"))
    #expect(failures[2].standardError.contains("counter \"springs\" does not fit into 64 bits"))
  }

  private func again(_ arguments: [String] = [], in folder: TemporaryFolder, environment: [String: String] = [:])
    async throws -> FixtureProcess
  { try await FixtureProcess.run(["run", "--failed", "--output", folder.path] + arguments, environment: environment) }

  private func newest(in folder: TemporaryFolder) throws -> RunDocument {
    let documents = try folder.contents.filter { $0.hasSuffix("run.json") }.map {
      try RunDocument(contentsOf: Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/\($0)")))
    }
    return try #require(documents.first { $0.parts != nil } ?? documents.last)
  }
}
