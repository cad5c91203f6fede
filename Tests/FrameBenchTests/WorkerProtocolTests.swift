import Foundation
import Testing

@testable import FrameBench
@testable import Measurements

@Suite struct WorkerProtocolTests {
  @Test func aRequestSurvivesItsLine() throws {
    let request = WorkerRequest(
      benchmark: BenchmarkID(scenario: "springs", strategy: "tiled", size: 10_000), pass: .phases,
      options: RunOptions(), core: 3)
    let line = try request.line()
    #expect(line.filter { $0 == UInt8(ascii: "\n") }.count == 1)
    #expect(line.last == UInt8(ascii: "\n"))
    #expect(try WorkerRequest(line: line) == request)
  }

  @Test func everyMemberSurvivesItsLine() throws {
    let id = BenchmarkID(scenario: "springs", strategy: "tiled", size: 10)
    for pass in MeasurementPass.allCases {
      let request = WorkerRequest(
        benchmark: id, pass: pass, options: RunOptions(), reference: "naive", countedFrameCount: 60,
        profile: ProfileRequest(kind: .samples, frames: [1, 2], sampleTarget: 7),
        turns: TurnOptions(preparationCore: 1, layoutSeed: 9, planting: PlantingOptions(phase: "solve", fraction: 0.1)))
      #expect(try WorkerRequest(line: request.line()) == request)
    }
  }

  /// Uses a request that the build of commit b2f0243 wrote. Builds of that time send and read this format.
  @Test func theRequestOfAnEarlierBuildIsUnderstoodAndWrittenAlike() throws {
    let text = """
      {"benchmark":"springs/tiled/10","core":1,"options":{"frameCount":1200,"refreshRateHertz":60,"runCount":20,\
      "seed":1,"warmUpFrameCount":120},"pass":"frames","protocolVersion":2,\
      "turns":{"layoutSeed":5,"preparationCore":0}}
      """
    let request = try WorkerRequest(line: Data((text + "\n").utf8))
    #expect(request.turns?.layoutSeed == 5 && request.core == 1)
    let (written, expected) = try (
      JSONSerialization.jsonObject(with: request.line()), JSONSerialization.jsonObject(with: Data(text.utf8))
    )
    #expect(written as? NSDictionary == expected as? NSDictionary)
  }

  @Test func aReplySurvivesItsLine() throws {
    let measurement = RunMeasurement(
      clock: ClockRecord(source: "tsc", pairCostNanoseconds: 7, resolutionNanoseconds: 10),
      frameNanoseconds: [1.5, 20], phases: [], allocations: nil, counters: ["hits": CountSeries([1, 1])],
      memory: MemoryRecord(), checksum: "00000000000000aa")
    for reply in [WorkerReply(outcome: .failed(reason: "no\nway")), WorkerReply(outcome: .measured(measurement))] {
      let line = try reply.line()
      #expect(line.filter { $0 == UInt8(ascii: "\n") }.count == 1)
      #expect(try WorkerReply(line: line) == reply)
    }
  }

  @Test func anotherVersionIsRefusedByItsNumberWhateverElseItSays() {
    let line = Data("{\"protocolVersion\": 7, \"verb\": \"go\"}\n".utf8)
    #expect(throws: WorkerProtocolError.versionMismatch(found: 7, expected: 2)) { try WorkerRequest(line: line) }
    #expect(throws: WorkerProtocolError.versionMismatch(found: 7, expected: 2)) { try WorkerReply(line: line) }
    #expect(WorkerProtocolError.versionMismatch(found: 7, expected: 2).description.contains("version 7"))
  }

  @Test(arguments: ["", "\n", "hello\n", "{}", "[1]", "{\"protocolVersion\": 1}", "{\"protocolVersion\": 1"])
  func rubbishIsNotAReply(_ text: String) {
    #expect(throws: WorkerProtocolError.self) { try WorkerReply(line: Data(text.utf8)) }
  }

  @Test func twoRepliesOnOneOutputAreRubbish() throws {
    let line = try WorkerReply(outcome: .failed(reason: "one")).line()
    #expect(throws: WorkerProtocolError.self) { try WorkerReply(line: line + line) }
  }
}
