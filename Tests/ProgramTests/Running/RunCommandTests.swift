import CAllocationCounter
import Foundation
import FrameBench
import Testing

@testable import Builds
@testable import Execution
@testable import Measurements
@testable import Platform
@testable import Program

@Suite struct RunCommandTests {
  @Test func aRunWritesItsDocumentItsReportAndTheIndex() async throws {
    let folder = try TemporaryFolder()
    let process = try await run(["--filter", "steady", "--machine", "My Desk"], in: folder)
    #expect(process.status == 0)
    #expect(process.error.isEmpty)

    let report = try #require(process.output.split(separator: "\n").last)
    #expect(report.hasPrefix(folder.path + "/my-desk/"))
    #expect(report.hasSuffix("/report.md"))
    let name = try #require(report.split(separator: "/").dropLast().last)
    #expect(OutputFolder.isRunName(String(name)))
    let pictures = [
      "distribution-steady-10.svg", "distribution-steady-100.svg", "frames-steady-10.svg", "frames-steady-100.svg",
      "growth-steady.svg", "phases-steady.svg",
    ]
    let files = (pictures + ["report.html", "report.md", "run.json"]).map { "my-desk/\(name)/\($0)" }
    #expect(folder.contents == ["README.md", "my-desk", "my-desk/\(name)"] + files)
    let page = try String(contentsOfFile: folder.path + "/my-desk/\(name)/report.md", encoding: .utf8)
    for picture in pictures { #expect(page.contains("](\(picture))")) }
    let index = try String(contentsOfFile: folder.path + "/README.md", encoding: .utf8)
    #expect(index.contains("(my-desk/\(name)/report.md)"))
  }

  @Test func setsAreLaidOutAlikeInEveryRun() async throws {
    let folder = try TemporaryFolder()
    let process = try await run(["--filter", "hashed"], in: folder)
    #expect(process.status == 0, "\(process.error)")
  }

  @Test func theDocumentHoldsWhatWasAskedFor() async throws {
    let folder = try TemporaryFolder()
    try await run(["--filter", "steady", "--hz", "120", "--seed", "9", "--machine", "m"], in: folder)
    let document = try document(in: folder)
    #expect(document.suite == "fixture")
    #expect(document.options.frameCount == 12)
    #expect(document.options.warmUpFrameCount == 3)
    #expect(document.options.runCount == 2)
    #expect(document.options.refreshRateHertz == 120)
    #expect(document.options.seed == 9)
    #expect(document.environment.machine == "m")
    #expect(document.environment.clock.source == FrameClock.calibrated().record.source)
    #expect(
      document.benchmarks.map(\.id.description) == [
        "steady/naive/10", "steady/tiled/10", "steady/naive/100", "steady/tiled/100",
      ])
    for benchmark in document.benchmarks {
      #expect(benchmark.frame.alignedNanoseconds.count == 12)
      #expect(benchmark.frame.pooled.sampleCount == 24)
      #expect(benchmark.phases.map(\.name) == ["solve", "query"])
      #expect(benchmark.phases.allSatisfy { $0.time.alignedNanoseconds.count == 12 })
      #expect(benchmark.counters["activeItems"]?.count == 12)
      #expect(benchmark.checksum.count == 16)
    }
    #expect(document.benchmarks[3].counters["activeItems"]?.maximum == 10)
  }

  @Test(.enabled(if: allocation_counter_is_active())) func aFrameThatAllocatesIsFoundAndItsPhaseNamed() async throws {
    let folder = try TemporaryFolder()
    try await run(["--filter", "allocating"], in: folder)
    let benchmark = try #require(try document(in: folder).benchmarks.first)
    #expect(benchmark.allocations?.firstAllocatingFrame == 2)
    #expect(benchmark.allocations?.frameThread.count.total == 1)
    #expect(benchmark.allocations?.frameThread.bytes.total == 48)
    #expect(benchmark.phases.first?.allocations?.count.total == 1)
  }

  @Test func theSameSeedGivesTheSameChecksumInEveryProcess() async throws {
    let first = try TemporaryFolder()
    let second = try TemporaryFolder()
    try await run(["--filter", "steady/tiled/10$"], in: first)
    try await run(["--filter", "steady/tiled/10$"], in: second)
    #expect(try document(in: first).benchmarks[0].checksum == document(in: second).benchmarks[0].checksum)
  }

  @Test func aSecondRunStandsBesideTheFirst() async throws {
    let folder = try TemporaryFolder()
    for _ in 0..<2 { try await run(["--filter", "doubtful", "--machine", "m"], in: folder) }
    #expect(folder.contents.filter { $0.hasSuffix("run.json") }.count == 2)
    let index = try String(contentsOfFile: folder.path + "/README.md", encoding: .utf8)
    #expect(index.contains("Newest: ["))
    #expect(index.contains("Earlier:\n\n- ["))
  }

  @Test func jsonIsOneArrayOnStdoutAndNothingElse() async throws {
    let folder = try TemporaryFolder()
    let process = try await run(["--filter", "doubtful", "--json"], in: folder)
    let rows = try JSONSerialization.jsonObject(with: Data(process.output.utf8)) as? [[String: Any]]
    #expect(rows?.isEmpty == false)
    #expect(rows?.allSatisfy { $0["id"] as? String == "doubtful/mine/10" } == true)
    #expect(process.error.isEmpty)
  }

  @Test func whatAScenarioDoubtsEndsAsAWarning() async throws {
    let folder = try TemporaryFolder()
    try await run(["--filter", "doubtful"], in: folder)
    let warnings = try document(in: folder).warnings
    #expect(warnings.contains { $0.message == "too small to tell anything: 10 items" && $0.benchmark?.size == 10 })
  }

  @Test func aScenarioThatPrintsDoesNoHarm() async throws {
    let folder = try TemporaryFolder()
    let process = try await run(["--filter", "printing"], in: folder)
    #expect(process.status == 0)
    #expect(!process.output.contains("set up"))
  }

  @Test func quickStillHasAThousandFrames() {
    #expect(MeasuringOptions.quick.frameCount >= 1_000)
    #expect(MeasuringOptions.quick.runCount < RunOptions().runCount)
  }

  @Test func aQuickReportSaysWhatWasLeftOut() async throws {
    let folder = try TemporaryFolder()
    let process = try await run(["--quick", "--skip", "^(?!narrow|doubtful)"], in: folder)
    let message = "--quick left out narrow at 20. Run without it, or select them with --filter or --sizes."
    let document = try document(in: folder)
    #expect(document.benchmarks.map { "\($0.id)" } == ["narrow/mine/10", "narrow/other/10", "doubtful/mine/10"])
    #expect(document.warnings.contains(Warning(message)))
    #expect(process.output.contains("--quick left out narrow at 20"))
  }

  @Test func whatIsNamedIsNotLeftOut() async throws {
    let folder = try TemporaryFolder()
    try await run(["--quick", "--filter", "narrow/mine"], in: folder)
    let document = try document(in: folder)
    #expect(document.benchmarks.map(\.id.size) == [10, 20])
    #expect(!document.warnings.contains { $0.message.contains("left out") })
  }

  @Test func aQuickGateDoesNotMissWhatItLeftOut() async throws {
    let folder = try TemporaryFolder()
    let common = ["--machine", "desk", "--output", folder.path, "--skip", "^(?!narrow/mine)"]
    let short = common + ["--frames", "12", "--warm-up", "3", "--runs", "2"]
    #expect(try await FixtureProcess.run(["run"] + short).status == 0)
    let saved = try await FixtureProcess.run([
      "baseline", "save", "main", "--run", "latest", "--machine", "desk", "--results", folder.path,
    ])
    #expect(saved.status == 0, "\(saved.error)")
    let gate = try await FixtureProcess.run(
      ["gate", "--quick", "--baseline", "main", "--fail-on", "missing"] + short, in: folder.path)
    #expect(gate.status == 0 && !gate.output.contains("narrow/mine/20"), "\(gate.output)\(gate.error)")
  }

  @Test func anIndexThatCannotBeWrittenIsSaidBeforeAnythingIsMeasured() async throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path + "/README.md/full", withIntermediateDirectories: true)
    let process = try await run(["--filter", "doubtful", "--machine", "m"], in: folder)
    #expect(process.status == 64)
    #expect(process.errorLines.count == 1)
    #expect(folder.contents == ["README.md", "README.md/full"])
  }
}

/// Makes a short run, with the results in the folder.
@discardableResult func run(_ arguments: [String], in folder: TemporaryFolder, environment: [String: String] = [:])
  async throws -> FixtureProcess
{
  try await FixtureProcess.run(
    ["run", "--frames", "12", "--warm-up", "3", "--runs", "2", "--output", folder.path] + arguments,
    environment: environment)
}

/// Returns the only run document in the folder.
func document(in folder: TemporaryFolder) throws -> RunDocument {
  let paths = folder.contents.filter { $0.hasSuffix("/run.json") }
  let path = try #require(paths.first)
  #expect(paths.count == 1)
  let data = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + path))
  #expect(data.last == UInt8(ascii: "\n"))
  return try JSONDecoder().decode(RunDocument.self, from: data)
}
