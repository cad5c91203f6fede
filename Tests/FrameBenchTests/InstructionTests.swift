import Foundation
import Testing

@testable import FrameBench
@testable import Measurements

@Suite struct InstructionTests {
  @Test func outsideValgrindTheInstructionPassFailsByName() {
    var suite = Suite("s")
    suite.add("a", strategies: ["b"], sizes: [1]) { _, _ in { _, _ in 0 } }
    var options = RunOptions()
    options.frameCount = 2
    let request = WorkerRequest(
      benchmark: BenchmarkID(scenario: "a", strategy: "b", size: 1), pass: .instructions, options: options)
    #expect(
      Worker(suite).reply(to: request).outcome == .failed(reason: "instructions can only be counted under valgrind"))
  }

  @Test func theProcessorsCounterIsReadOrItsAbsenceExplained() {
    var suite = Suite("s")
    suite.add("a", strategies: ["b"], sizes: [1]) { _, _ in { frame, _ in UInt64(frame.index) } }
    var options = RunOptions()
    (options.frameCount, options.warmUpFrameCount) = (5, 2)
    let request = WorkerRequest(
      benchmark: BenchmarkID(scenario: "a", strategy: "b", size: 1), pass: .hardwareInstructions, options: options,
      countedFrameCount: 3)
    switch Worker(suite).reply(to: request).outcome {
    case .measured(let measurement):
      #expect(HardwareCounter.obstacle == nil)
      #expect(measurement.hardwareInstructions?.source == .hardware)
      #expect(measurement.hardwareInstructions?.frameCount == 3)
    case .failed(let reason): #expect(reason == HardwareCounter.obstacle || reason.contains("not running all the time"))
    case .ready: Issue.record("a pass is not a turn")
    }
  }

  @Test func everyObstacleOfTheProcessorsCounterIsExplained() {
    #expect(HardwareCounter.explanation(errorNumber: ENOENT).contains("virtual machines"))
    #expect(HardwareCounter.explanation(errorNumber: EACCES).contains("kernel.perf_event_paranoid"))
    #expect(HardwareCounter.explanation(errorNumber: ENOSYS).contains("no perf_event_open"))
    #expect(HardwareCounter.explanation(errorNumber: EMFILE).hasPrefix("perf_event_open: "))
  }

  @Test func recordsAreReadBackAsTheyWereWritten() throws {
    let record = InstructionRecord(
      source: .callgrind, version: "3.19.0", frames: CountSeries([10, 10, 12]),
      phases: [PhaseInstructions(name: "solve", frames: CountSeries([4, 4, 5]))], frameOverhead: 47)
    let data = try JSONEncoder().encode(record)
    #expect(try JSONDecoder().decode(InstructionRecord.self, from: data) == record)
    #expect(record.frames.total == 32)
    #expect(record.frameCount == 3)
    #expect(record.phases[0].frames.total == 13)
  }

  @Test func aDocumentFromBeforeInstructionsIsRead() throws {
    let json = """
      {"id": "a/b/1", "frame": {"alignedNanoseconds": [1], "pooled": {"sampleCount": 1, "p50": 1, "p90": 1,
      "p99": 1, "max": 1, "mean": 1}}, "phases": [], "counters": {}, "memory": {}, "checksum": "00"}
      """
    let record = try JSONDecoder().decode(BenchmarkRecord.self, from: Data(json.utf8))
    #expect(record.instructions == nil)
    #expect(record.hardwareInstructions == nil)
  }
}
