import Foundation
import Testing

@testable import Execution
@testable import FrameBench
@testable import Measurements
@testable import Platform
@testable import Program

/// Tests instruction counts with valgrind. The tests that need no valgrind are in `MissingValgrindTests`.
@Suite(.enabled(if: ValgrindProbe.isInstalled, "valgrind is not installed")) struct InstructionRunTests {
  private static var options: RunOptions {
    var options = RunOptions()
    (options.frameCount, options.warmUpFrameCount) = (6, 2)
    return options
  }

  private static func id(_ strategy: String) -> BenchmarkID {
    BenchmarkID(scenario: "layered", strategy: strategy, size: 200)
  }

  @Test func twoRunsOfABuildCountTheSameAndMoreWorkCountsMore() async throws {
    let program = try FixtureProcess.path
    let first = try await CallgrindRunner(executable: program)
    let second = try await CallgrindRunner(executable: program)
    async let again = second.count(Self.id("once"), options: Self.options, frameCount: 6)
    async let twiceCount = first.count(Self.id("twice"), options: Self.options, frameCount: 6)
    async let thriceCount = first.count(Self.id("thrice"), options: Self.options, frameCount: 6)
    let once = try await first.count(Self.id("once"), options: Self.options, frameCount: 6)
    #expect(once.record.source == .callgrind)
    #expect(once.record.version == first.version)
    #expect(once.record.frameCount == 6)
    try await expectSame(once.record, again.record)

    let (twice, thrice) = try await (twiceCount, thriceCount)
    for frame in 0..<6 {
      let counts = [once, twice, thrice].map { Double($0.record.frames.values[frame]) }
      let (step, next) = (counts[1] - counts[0], counts[2] - counts[1])
      #expect(step > 200)
      #expect(abs(step - next) / step < 1e-3, "\(counts)")
    }
    expectNested(once.record)
    let expected = try await nativeChecksum("once")
    #expect(once.checksum == expected)
  }

  /// Expects the same phases, and counts that differ by less than 0.01%, both in each frame and in total.
  private func expectSame(_ one: InstructionRecord, _ other: InstructionRecord) {
    for (left, right) in zip(one.frames.values, other.frames.values) {
      #expect(Double(abs(left - right)) < 1e-4 * Double(left), "\(left) and \(right)")
    }
    #expect(one.phases.map(\.name) == other.phases.map(\.name))
    #expect(abs(one.frames.total - other.frames.total) * 10_000 < one.frames.total)
  }

  /// Expects that `query` runs inside `solve`, that `prepare` does nothing, and that the first frame also works outside
  /// all phases.
  private func expectNested(_ record: InstructionRecord) {
    #expect(record.phases.map(\.name) == ["solve", "query", "prepare"])
    let (solve, query, prepare) = (
      record.phases[0].frames.values, record.phases[1].frames.values, record.phases[2].frames.values
    )
    for (frame, whole) in record.frames.values.enumerated() {
      #expect(solve[frame] + prepare[frame] <= whole)
      #expect(query[frame] > 200)
      #expect(solve[frame] > query[frame])
      #expect(prepare[frame] < 20)
      // `solve` and `query` each spin 200 steps. `solve` also contains `query`, so it costs twice as much.
      #expect(abs(solve[frame] - 2 * query[frame]) < query[frame] / 10)
    }
    #expect(record.frames.values[0] - record.frames.values[1] > 5 * query[0])
    #expect(abs(solve[0] - solve[1]) < 20)
  }

  private func nativeChecksum(_ strategy: String) async throws -> String {
    let worker = WorkerProcess(executablePath: try FixtureProcess.path, timeout: hangLimit)
    return try await worker.measure(WorkerRequest(benchmark: Self.id(strategy), pass: .frames, options: Self.options))
      .checksum
  }

  @Test func countsStandInTheDocumentTheReportAndTheRows() async throws {
    let folder = try TemporaryFolder()
    let process = try await run(["--filter", "layered", "--instructions", "--json"], in: folder)
    #expect(process.status == 0)
    #expect(process.error.isEmpty)
    let document = try document(in: folder)
    #expect(document.benchmarks.map(\.id.strategy) == ["once", "twice", "thrice"])
    let records = document.benchmarks.compactMap(\.instructions)
    #expect(records.map(\.frameCount) == [12, 12, 12])
    #expect(records.map(\.frames.total) == records.map(\.frames.total).sorted())
    #expect(document.warnings.allSatisfy { !$0.message.hasPrefix("Instructions were not counted") })
    #expect(process.output.contains("\"metric\": \"instructionCount\", \"phase\": \"solve\""))
    let path = try #require(folder.contents.first { $0.hasSuffix("report.md") })
    let report = try String(contentsOfFile: "\(folder.path)/\(path)", encoding: .utf8)
    #expect(report.contains("A model of the machine, not time."))
  }

  @Test func onlyTheFramesThatAreAskedForAreCounted() async throws {
    let runner = try await CallgrindRunner(executable: try FixtureProcess.path)
    let count = try await runner.count(Self.id("once"), options: Self.options, frameCount: 2)
    #expect(count.record.frameCount == 2)
  }

  @Test func onlyTheLastPartOfAFrameIsCountedAndAllPartsAreProfiled() async throws {
    let runner = try await CallgrindRunner(executable: try FixtureProcess.path)
    let id = BenchmarkID(scenario: "parted", strategy: "mine", size: 200)
    let record = try await runner.count(id, options: Self.options, frameCount: 6).record
    #expect(record.frameCount == 6 && record.phases.map(\.name) == ["prepare", "solve", "query"])
    #expect(record.phases[0].frames.total == 0 && record.phases[1].frames.total == 0)
    let query = record.phases[2].frames.values
    for (frame, whole) in record.frames.values.enumerated() {
      #expect(query[frame] > 200 && whole >= query[frame] && whole < query[frame] + 200)
    }
    let request = WorkerRequest(
      benchmark: id, pass: .profile, options: Self.options,
      profile: ProfileRequest(kind: .callgrind, frames: Array(0..<6)))
    let (_, data) = try await runner.run(request, collecting: "--collect-atstart=no")
    let spin = try #require(try CallgrindCosts(data).functions.first { $0.key.contains("spin") }).value
    // A frame does four times the work of its last part. `query` consists of this part and fewer than 200 other
    // instructions.
    let missing = query.reduce(0, +) - spin.own / 4
    #expect((0..<200 * query.count).contains(missing), "\(spin.own), \(query)")
  }

  @Test func aBenchmarkThatStartsProcessesIsCounted() async throws {
    let runner = try await CallgrindRunner(executable: try FixtureProcess.path)
    let id = BenchmarkID(scenario: "spawning", strategy: "mine", size: 10)
    #expect(try await runner.count(id, options: Self.options, frameCount: 2).record.frameCount == 2)
  }

  @Test func aBenchmarkThatFailsUnderValgrindIsNamed() async throws {
    let runner = try await CallgrindRunner(executable: try FixtureProcess.path)
    let id = BenchmarkID(scenario: "throwing", strategy: "mine", size: 10)
    await #expect { try await runner.count(id, options: Self.options, frameCount: 2) } throws: { error in
      "\(error)".contains("set-up failed: there is no data")
    }
  }
}

enum ValgrindProbe {
  static var isInstalled: Bool {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").contains { FileManager.default.isExecutableFile(atPath: "\($0)/valgrind") }
  }
}
