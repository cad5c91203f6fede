import Foundation
import Testing

@testable import FrameBench
@testable import Measurements

@Suite struct RunDocumentTests {
  @Test func aDocumentSurvivesItsJSON() throws {
    let document = RunDocument.sample
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let data = try encoder.encode(document)
    #expect(try JSONDecoder().decode(RunDocument.self, from: data) == document)
    #expect(try encoder.encode(try JSONDecoder().decode(RunDocument.self, from: data)) == data)
  }

  @Test func whatIsAbsentIsLeftOutAndNotZero() throws {
    let text = String(decoding: try JSONEncoder().encode(RunDocument.sample), as: UTF8.self)
    #expect(!text.contains("liveHeapBytes"))
    #expect(text.contains("\"peakResidentBytes\":4096"))
  }

  @Test func steadyCountsAreShort() throws {
    let data = try JSONEncoder().encode(CountSeries(repeatElement(0, count: 1_000)))
    #expect(String(decoding: data, as: UTF8.self) == "[[0,1000]]")
  }

  @Test(arguments: ["[[0,0]]", "[[0,-1]]", "[[1]]", "[1,2]", "{}"])
  func countsThatMakeNoSenseAreRefused(_ text: String) {
    #expect(throws: (any Error).self) { try JSONDecoder().decode(CountSeries.self, from: Data(text.utf8)) }
  }

  @Test(arguments: ["a/b/0", "a/b/-1", "a/b", "a//1", "/b/1", "a/b/1/2", "a/b/x", ""])
  func textThatIsNoIdIsRefused(_ text: String) {
    #expect(BenchmarkID(text) == nil)
    let json = Data("\"\(text)\"".utf8)
    #expect(throws: (any Error).self) { try JSONDecoder().decode(BenchmarkID.self, from: json) }
  }
}

extension RunDocument {
  fileprivate static var sample: RunDocument {
    let counts = AllocationSeries(count: CountSeries([0, 0, 2]), bytes: CountSeries([0, 0, 96]))
    let time = TimeRecord(runs: [[120.5, 130, 99.9]], clockPairs: nil, pairCost: 20, clockStep: 0)
    let id = BenchmarkID(scenario: "springs", strategy: "naive", size: 10)
    let record = BenchmarkRecord(
      id: id, frame: time, phases: [PhaseRecord(name: "solve", time: time, allocations: counts)],
      allocations: AllocationRecord(
        frameThread: counts, otherThreads: counts, setUpCount: 5, setUpBytes: 500, warmUpCount: 1,
        warmUpBytes: 8),
      counters: ["activeItems": CountSeries([10, 10, 11])],
      memory: MemoryRecord(peakResidentBytes: 4_096, liveHeapBytes: nil), checksum: "00000000000000aa")
    return RunDocument(
      suite: "sample", startedAt: "2026-11-21T06:47:12Z", durationSeconds: 1.25, arguments: ["run"],
      options: RunOptions(),
      environment: Environment(
        machine: "desk", cpuModel: nil, coreCount: 4, memoryBytes: nil, kernel: "Linux 6",
        operatingSystem: nil,
        isVirtualMachine: true, commit: nil, isDirty: nil, toolchain: "6.3", buildConfiguration: "debug",
        allocator: "system",
        clock: ClockRecord(source: "tsc", pairCostNanoseconds: 20, resolutionNanoseconds: 10),
        loadAverage: 0.5),
      benchmarks: [record],
      failures: [BenchmarkFailure(id: id, reason: "crashed", standardError: "a\nb")],
      warnings: [Warning("doubtful", benchmark: id), Warning("all of it")])
  }
}
