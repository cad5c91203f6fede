import Foundation
import Testing

@testable import FrameBench

@Suite struct WorkerProtocolTests {
  @Test func aRequestSurvivesItsLine() throws {
    let request = WorkerRequest(
      benchmark: BenchmarkID(scenario: "springs", strategy: "tiled", size: 10_000), pass: .phases,
      options: RunOptions(), core: 3, parentProcess: 42)
    let line = try request.line()
    #expect(line.filter { $0 == UInt8(ascii: "\n") }.count == 1)
    #expect(line.last == UInt8(ascii: "\n"))
    #expect(try WorkerRequest(line: line) == request)
  }

  @Test func aReplySurvivesItsLine() throws {
    for reply in [
      WorkerReply(.failed(reason: "no\nway")), WorkerReply(.measured(.sample(frames: [1.5, 20]))),
    ] {
      let line = try reply.line()
      #expect(line.filter { $0 == UInt8(ascii: "\n") }.count == 1)
      #expect(try WorkerReply(line: line) == reply)
    }
  }

  @Test func anotherVersionIsRefusedByItsNumberWhateverElseItSays() {
    let line = Data("{\"protocolVersion\": 7, \"verb\": \"go\"}\n".utf8)
    #expect(throws: WorkerProtocolError.versionMismatch(found: 7, expected: 2)) {
      try WorkerRequest(line: line)
    }
    #expect(throws: WorkerProtocolError.versionMismatch(found: 7, expected: 2)) {
      try WorkerReply(line: line)
    }
    #expect(WorkerProtocolError.versionMismatch(found: 7, expected: 2).description.contains("version 7"))
  }

  @Test(arguments: ["", "\n", "hello\n", "{}", "[1]", "{\"protocolVersion\": 1}", "{\"protocolVersion\": 1"])
  func rubbishIsNotAReply(_ text: String) {
    #expect(throws: WorkerProtocolError.self) { try WorkerReply(line: Data(text.utf8)) }
  }

  @Test func twoRepliesOnOneOutputAreRubbish() throws {
    let line = try WorkerReply(.failed(reason: "one")).line()
    #expect(throws: WorkerProtocolError.self) { try WorkerReply(line: line + line) }
  }
}

extension WorkerMeasurement {
  /// What a run of the pass that times frames answers.
  static func sample(
    frames: [Double]? = nil, phases: [PhaseMeasurement] = [], allocations: AllocationRecord? = nil,
    pairCost: Double = 0, checksum: String = "00000000000000aa", counters: [String: CountSeries] = [:],
    memory: MemoryRecord = MemoryRecord(peakResidentBytes: nil, liveHeapBytes: nil)
  ) -> WorkerMeasurement {
    WorkerMeasurement(
      clock: ClockRecord(source: "tsc", pairCostNanoseconds: pairCost, resolutionNanoseconds: 10),
      frameNanoseconds: frames, phases: phases, allocations: allocations, counters: counters,
      memory: memory, checksum: checksum)
  }
}
