import Foundation
import FrameBench
import Testing

@testable import Builds
@testable import Execution
@testable import Platform
@testable import Program

/// Tests that commands which cannot succeed are refused before anything is built or measured.
@Suite(.serialized) struct EarlyRefusalTests {
  private func refused(
    _ repository: ThrowawayRepository, _ arguments: [String], environment: [String: String] = [:], status: Int32 = 64,
    buildCount: Int = 0
  ) async throws -> String {
    let process = try await repository.run(arguments, environment: environment)
    #expect(process.status == status, "\(arguments): \(process.error)")
    #expect(process.errorLines.count == 1, "\(process.error)")
    #expect(repository.buildCount == buildCount, "\(arguments)")
    return process.error
  }

  /// Makes a repository whose program runs `SuiteFixture`.
  private func repository() async throws -> ThrowawayRepository {
    let repository = try await ThrowawayRepository()
    try repository.write("#!/bin/sh\nexec '\(try FixtureProcess.path)' \"$@\"\n", to: "source.txt")
    try await repository.commit("second")
    return repository
  }

  @Test func bisectSuggestsTheBenchmarkThatWasMeantAfterTheFirstBuild() async throws {
    let repository = try await repository()
    let ends = ["--good", "HEAD~1", "--bad", "HEAD"]
    let id = try await refused(repository, ["bisect", "varing/mine/10"] + ends, buildCount: 1)
    #expect(id.contains("did you mean \"varying/mine/10\"?"))
    let metric = try await refused(
      repository, ["bisect", "varying/mine/10", "--metric", "frameNanosecond"] + ends, buildCount: 1)
    #expect(metric.contains("no metric \"frameNanosecond\"; did you mean \"frameNanoseconds\"?"))
    let phase = try await refused(
      repository, ["bisect", "varying/mine/10", "--metric", "frameNanoseconds.prepar"] + ends, buildCount: 1)
    #expect(phase.contains("no phase \"prepar\"; did you mean \"prepare\"?"))
  }

  @Test func compareChecksBothRevisionsFirstAndTheSelectionBeforeItMeasures() async throws {
    let repository = try await repository()
    let candidate = try await refused(repository, ["compare", "main", "mian"])
    #expect(candidate.contains("git knows no revision \"mian\"; did you mean \"main\"?"))
    try repository.write("nothing", to: "note.txt")
    try await repository.commit("third")
    let filter = try await refused(repository, ["compare", "HEAD~1", "HEAD", "--filter", "varing"], buildCount: 2)
    #expect(filter.contains("nothing matched --filter varing"))
  }

  @Test func aGateDoesNotCompareRevisionsInPlaceOfAGivenProgram() async throws {
    let repository = try await repository()
    let gate = try await FixtureProcess.run(["gate", "--baseline", "HEAD~1"], in: repository.root)
    #expect(gate.status == 64 && gate.error.contains("--program: revisions are built here"), "\(gate.error)")
  }

  @Test func profileChecksTheRevisionBeforeItBuilds() async throws {
    let error = try await refused(repository(), ["profile", "varying/mine/10", "--against", "mian"])
    #expect(error.contains("git knows no revision \"mian\"; did you mean \"main\"?"))
  }

  @Test func theRevisionOfAGateIsOneOfThePackageInAnyFolder() async throws {
    let (repository, folder) = (try await ThrowawayRepository(), try TemporaryFolder())
    try await repository.git("branch", "only-there")
    let store = BaselineStore(results: folder.path, machine: "m")
    let reference = try await GateReference("only-there", in: repository.root, store: store, Console())
    #expect(reference.place == "the git revision only-there")
  }

  @Test func aStepSummaryThatCannotBeWrittenIsAnErrorBeforeTheBuild() async throws {
    let repository = try await ThrowawayRepository()
    let error = try await refused(
      repository, ["compare", "main", "--filter", "varying"],
      environment: ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": "/nowhere/summary.md"], status: 1)
    #expect(error.contains("GITHUB_STEP_SUMMARY (/nowhere/summary.md) cannot be written"))
  }

  // MARK: Without a repository

  private func run(_ arguments: [String], budgets: String? = nil) async throws -> FixtureProcess {
    let folder = try TemporaryFolder()
    if let budgets { try budgets.write(toFile: folder.path + "/springbench.yml", atomically: true, encoding: .utf8) }
    let process = try await FixtureProcess.run(arguments, in: folder.path)
    // The folder may contain a budget file, but no measurement.
    #expect(!folder.contents.contains { $0.hasSuffix("run.json") }, "\(arguments) measured")
    return process
  }

  private static let rule = "budgets:\n  - ids: steady/naive/*\n    limits:\n      "

  @Test func explainSuggestsTheBenchmarkThatWasMeant() async throws {
    let process = try await run(["gate", "--explain", "stedy/naive/10"], budgets: Self.rule + "missedFrames: 0\n")
    #expect(process.status == 64 && process.error.contains("did you mean \"steady/naive/10\"?"))
  }

  @Test(arguments: [
    ("frameNanoseconds.slove.p50: 1ms", "springbench.yml:4:7: no phase \"slove\"; did you mean \"solve\"?"),
    ("activeItms.mean: 3", "springbench.yml:4:7: no metric \"activeItms\"; did you mean \"activeItems\"?"),
  ]) func aLimitOfWhatNothingMeasuresIsRefusedBeforeMeasuring(_ limit: String, _ message: String) async throws {
    let process = try await run(["gate"], budgets: Self.rule + limit + "\n")
    #expect(process.status == 64 && process.error.contains(message), "\(process.error)")
  }

  @Test func aBaselineThatIsNoDocumentIsFoundBeforeMeasuring() async throws {
    let folder = try TemporaryFolder()
    try "{".write(toFile: folder.path + "/old.json", atomically: true, encoding: .utf8)
    let process = try await FixtureProcess.run(
      ["gate", "--baseline", "./old.json", "--filter", "steady"], in: folder.path)
    #expect(process.status == 1 && process.error.contains("old.json"), "\(process.error)")
    #expect(folder.contents == ["old.json"])
  }

  @Test(arguments: [
    ("speed", "no metric \"speed\""), ("frameNanosecond", "did you mean \"frameNanoseconds\"?"),
    ("frameNanoseconds.slove", "did you mean \"solve\"?"), ("ratio.naive/tild", "did you mean \"tiled\"?"),
  ]) func acknowledgeRefusesWhatTheNextGateWould(_ metric: String, _ message: String) async throws {
    let folder = try TemporaryFolder()
    let process = try await FixtureProcess.run(
      ["acknowledge", "steady/*/10", "--metric", metric, "--reason", "r", "--until", "2999-01-31"], in: folder.path)
    #expect(process.status == 64 && process.error.contains(message), "\(process.error)")
    #expect(folder.contents.isEmpty)
  }

  @Test(arguments: [
    "allocationCount.solve", "frameNanoseconds.query.p50", "activeItems", "growthExponent", "ratio.naive/tiled",
    "instructionCount",
  ]) func acknowledgeTakesWhatCanBeMeasured(_ metric: String) async throws {
    let folder = try TemporaryFolder()
    let process = try await FixtureProcess.run(
      ["acknowledge", "steady/*/10", "--metric", metric, "--reason", "r", "--until", "2999-01-31"], in: folder.path)
    #expect(process.status == 0, "\(process.error)")
  }

  @Test func aTraceForAScenarioThatPlaysNoneIsRefused() async throws {
    let folder = try TemporaryFolder()
    let trace = folder.path + "/scroll.csv"
    try "milliseconds,contentOffset,touchX,touchY,phase\n0,0,0,0,idle\n".write(
      toFile: trace, atomically: true, encoding: .utf8)
    for command in [["run", "--filter", "steady|narrow"], ["profile", "steady/naive/10"]] {
      let process = try await FixtureProcess.run(command + ["--trace", trace], in: folder.path)
      #expect(process.status == 64, "\(process.error)")
      #expect(process.error.contains("--trace: steady") && process.error.contains("not play recorded scrolls"))
    }
  }

  @Test func aLogHearsOfABuildEveryMinute() async throws {
    let pipe = Pipe()
    var console = Console()
    console.standardError = .init(rawValue: pipe.fileHandleForWriting.fileDescriptor)
    var line = ProgressLine(console: console)
    line.logInterval = .milliseconds(5)
    let (stream, more) = AsyncStream.makeStream(of: Void.self)
    let reading = Task.detached {
      let first = pipe.fileHandleForReading.availableData
      more.yield()
      return String(decoding: first, as: UTF8.self)
    }
    try await line.while("building main in release") { for await _ in stream { break } }
    #expect(await reading.value.hasPrefix("springbench: note: building main in release, 1 s\n"))
  }
}
