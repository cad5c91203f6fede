import Formats
import Foundation
import HistoryPages
import Markup
import Testing

@testable import Builds
@testable import FrameBench
@testable import Judging
@testable import Measurements
@testable import Platform
@testable import Program

/// Tests `springbench history export` as a process.
@Suite struct HistoryExportTests {
  private func folder(_ count: Int) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let history = history(folder)
    try history.prepare()
    for number in 0..<count {
      let environment = Environment(
        machine: "m", cpuModel: nil, coreCount: 2, memoryBytes: nil, kernel: "k", operatingSystem: nil,
        isVirtualMachine: nil, commit: nil, isDirty: nil, toolchain: "Swift 6.3.1, \"a\"",
        buildConfiguration: "release", allocator: "jemalloc 5.3.0",
        clock: ClockRecord(source: "tsc", pairCostNanoseconds: 20, resolutionNanoseconds: 1), loadAverage: nil)
      var night = Night(
        suite: "s", startedAt: String(format: "2026-01-%02dT03:00:00Z", 1 + number), environment: environment,
        metrics: ["frameNanoseconds.p50", "visibleItems.mean"],
        benchmarks: [
          Night.Benchmark(
            id: BenchmarkID(scenario: "a", strategy: "b", size: 10), checksum: "00e1", values: [1.5, nil]),
          Night.Benchmark(id: BenchmarkID(scenario: "a", strategy: "c", size: 20), checksum: "0", values: [2, 7]),
        ], failures: [])
      night.counterKinds = ["visibleItems": CounterKind(direction: .neither)]
      _ = try history.append(night)
    }
    return folder
  }

  private func export(_ arguments: [String], _ folder: TemporaryFolder) async throws -> FixtureProcess {
    try await FixtureProcess.run(["history", "export", "--history", folder.path + "/history"] + arguments)
  }

  @Test func everyFigureOfEveryNightIsARow() async throws {
    let process = try await export([], try folder(2))
    #expect(process.status == 0 && process.error.isEmpty)
    let lines = process.output.split(whereSeparator: \.isNewline)
    #expect(lines.count == 1 + 2 * 3)
    #expect(lines[0] == HistoryExport.columns.joined(separator: ","))
    #expect(
      lines[1] == #"""
        2026-01-01T03:00:00Z,m,s,,,"Swift 6.3.1, ""a""",release,jemalloc 5.3.0,a/b/10,a,b,10,\#
        frameNanoseconds.p50,ns,lowerIsBetter,1.5,00e1
        """#)
    #expect(lines[3].hasSuffix(",20,visibleItems.mean,count,neither,7,0"))
  }

  @Test func jsonLinesHaveEveryKeyAndNumbersAsNumbers() async throws {
    let folder = try folder(3)
    let file = folder.path + "/nights.jsonl"
    let process = try await export(["a/c/20", "--format", "jsonl", "--output", file], folder)
    #expect(process.status == 0 && process.output.isEmpty)
    let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 6)
    for line in lines {
      let row = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      #expect(row?.keys.sorted() == HistoryExport.columns.sorted())
      #expect(row?["commit"] is NSNull && row?["value"] is NSNumber && row?["size"] as? Int == 20)
      #expect(row?["id"] as? String == "a/c/20" && row?["checksum"] as? String == "0")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["history", "nights.jsonl"])
  }

  @Test func aFileThatIsNoNightIsNamedAndTheOthersAreWritten() async throws {
    let folder = try folder(2)
    try Data("{".utf8).write(to: URL(fileURLWithPath: history(folder).path + "/20260101T040000Z-nogit.json"))
    let process = try await export([], folder)
    #expect(process.status == 0 && process.errorLines.count == 1)
    #expect(process.error.contains("20260101T040000Z-nogit.json: not JSON"))
    #expect(process.output.split(whereSeparator: \.isNewline).count == 7)
  }

  @Test func whatCannotBeWrittenIsSaidFirst() async throws {
    let folder = try folder(1)
    let process = try await export(["--output", folder.path], folder)
    #expect(process.status == 64 && process.errorLines.count == 1 && process.error.contains("--output"))
    let file = folder.path + "/nights.csv"
    try Data("precious".utf8).write(to: URL(fileURLWithPath: file))
    let mistyped = try await export(["a/c/21", "--output", file], folder)
    #expect(mistyped.status == 64 && mistyped.error.contains("no night has measured \"a/c/21\""), "\(mistyped.error)")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "precious")
    #expect(try await export(["--machine", "other"], folder).status == 64)
    #expect(try await export(["--format", "xml"], folder).status == 64)
  }
}
