import FrameBench
import Testing

@testable import Measurements
@testable import Pages

@Suite struct InstructionReportTests {
  private static var counted: RunDocument {
    var naive = Fixtures.naive(100)
    naive.instructions = InstructionRecord(
      source: .callgrind, version: "3.19.0", frames: CountSeries([1_000, 1_000, 1_600]),
      phases: [PhaseInstructions(name: "solve", frames: CountSeries([600, 600, 900]))], frameOverhead: 47)
    naive.hardwareInstructions = InstructionRecord(
      source: .hardware, version: nil, frames: CountSeries([990, 1_010]), phases: [], frameOverhead: 30)
    return Fixtures.document([naive, Fixtures.tiled(100)])
  }

  @Test func flatRowsHaveFramesAndPhases() {
    let rows = FlatRows(Self.counted).rows.filter { $0.metric == "instructionCount" }
    #expect(rows.map(\.phase) == Array(repeating: nil, count: 6) + Array(repeating: "solve", count: 6))
    #expect(rows.allSatisfy { $0.id.strategy == "naive" && $0.unit == "count" })
    func value(_ statistic: FlatRow.Statistic, _ phase: String?) -> FlatRow.Value? {
      rows.first { $0.statistic == statistic && $0.phase == phase }?.value
    }
    #expect(value(.mean, nil) == .number(1_200))
    #expect(value(.p50, nil) == .number(1_000))
    #expect(value(.max, nil) == .number(1_600))
    #expect(value(.total, nil) == .number(3_600))
    #expect(value(.mean, "solve") == .number(700))
    let hardware = FlatRows(Self.counted).rows.filter { $0.metric == "hardwareInstructionCount" }
    #expect(hardware.first { $0.statistic == .mean }?.value == .number(1_000))
  }

  @Test func theReportSaysThatItIsAModelAndNotTime() {
    let text = Self.counted.report().markdown()
    #expect(text.contains("| **instructions per frame** (a model)"))
    #expect(text.contains("1,200\u{A0}(1,600)"))
    #expect(text.contains("| … of which in `solve`"))
    #expect(text.contains("valgrind 3.19.0) over the first 3 frames"))
    #expect(text.contains("A model of the machine, not time."))
    #expect(text.contains("Instructions were not counted; a warning says why."))
    #expect(text.contains("instructions per frame, by the processor"))
    #expect(text.contains("- **Instructions** are counted in a separate run"))
  }

  @Test func aReportWithoutCountsDoesNotMentionThem() {
    #expect(!Fixtures.twoStrategies.report().markdown().lowercased().contains("instruction"))
    #expect(!FlatRows(Fixtures.twoStrategies).json().contains("instructionCount"))
  }
}
