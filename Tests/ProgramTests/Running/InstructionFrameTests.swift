import Foundation
import FrameBench
import Testing

@testable import Execution
@testable import Platform

@Suite struct InstructionFrameTests {
  /// A file of callgrind 3.19.0 with two dumps, and the dump at the end of the program.
  private static let file = """
    # callgrind format
    version: 1
    creator: callgrind-3.19.0
    pid: 22334
    cmd:  ./springbench worker
    part: 1


    desc: I1 cache:
    desc: D1 cache:
    desc: LL cache:

    desc: Timerange: Basic block 0 - 9
    desc: Trigger: Client Request: sb:<

    positions: line
    events: Ir
    summary: 33


    ob=(1) /tmp/springbench
    fl=(1) ???
    fn=(0) main
    0 28
    cfn=(2) work
    calls=1 0
    0 3

    totals: 33

    part: 2

    desc: Timerange: Basic block 9 - 10017
    desc: Trigger: Client Request: sb:>c

    positions: line
    events: Ir
    summary: 70029

    totals: 70029

    part: 3

    desc: Timerange: Basic block 10017 - 10045
    desc: Trigger: Program termination

    totals: 171

    """

  @Test func countsAreReadFromWhatCallgrindWrites() throws {
    let file = try MarkedCount.all(inCallgrindFile: Data(Self.file.utf8))
    #expect(file.version == "3.19.0")
    #expect(
      file.counts == [
        MarkedCount(mark: .phaseBegins, count: 33), MarkedCount(mark: .phaseEnds(slot: 2), count: 70_029),
      ])
  }

  @Test func aCountThatIsNoNumberIsAnError() {
    let text = Self.file.replacing("totals: 70029", with: "totals: many")
    #expect(throws: InstructionFailure.self) { try MarkedCount.all(inCallgrindFile: Data(text.utf8)) }
  }

  @Test(arguments: ["", "hello\n", "totals: 5\n", "desc: Trigger: Client Request: other\ntotals: 5\n"])
  func aFileWithoutMarksHasNoFrames(_ text: String) throws {
    #expect(try MarkedCount.all(inCallgrindFile: Data(text.utf8)).counts.isEmpty)
    #expect(throws: InstructionFailure.self) {
      try InstructionRecord(callgrindFile: Data(text.utf8), phaseNames: [], frameCount: 1)
    }
  }

  @Test func everyMarkIsReadBackFromItsName() {
    let ends: [InstructionMark] = [.frameEnds(.recorded), .frameEnds(.empty), .frameEnds(.emptyPhase)]
    let restarts = [false, true].map(InstructionMark.frameRestarts)
    let all = [.phaseBegins] + (0..<FrameState.capacity).map(InstructionMark.phaseEnds) + ends + restarts
    for mark in all { #expect(InstructionMark.named[String(cString: mark.name)] == mark) }
    #expect(Set(all.map { String(cString: $0.name) }).count == all.count)
    for name in ["", "sb:", "sb:>", "sb:>q", "sb:>`", "sb:>ab", "sb:2", "p"] {
      #expect(InstructionMark.named[name] == nil)
    }
  }

  /// The calls that mark phases and frames cost instructions: 40 in each frame, and 7 inside and 11 outside each phase.
  private static let calibration = [
    MarkedCount(mark: .frameEnds(.empty), count: 40), MarkedCount(mark: .phaseBegins, count: 29),
    MarkedCount(mark: .phaseEnds(slot: 0), count: 7), MarkedCount(mark: .frameEnds(.emptyPhase), count: 22),
  ]

  @Test func marksAreTakenOffLevelByLevel() throws {
    // The frame has 1,000 instructions without the marks. Phase 0 has 500 of them, 200 of which are phase 1's.
    let frame = [
      MarkedCount(mark: .phaseBegins, count: 300), MarkedCount(mark: .phaseBegins, count: 100),
      MarkedCount(mark: .phaseEnds(slot: 1), count: 207), MarkedCount(mark: .phaseEnds(slot: 0), count: 218),
      MarkedCount(mark: .frameEnds(.recorded), count: 251),
    ]
    let counted = try InstructionFrames(frame + frame + Self.calibration)
    #expect(counted.overhead == (frame: 40, phase: 7, aroundPhase: 11))
    #expect(counted.frames == [1_000, 1_000])
    #expect(counted.phases[0] == [500, 500])
    #expect(counted.phases[1] == [200, 200])
    #expect(counted.phases[2] == [0, 0])
  }

  @Test func aPhaseThatRunsTwiceAddsUpAndNothingFallsBelowZero() throws {
    let phase = [MarkedCount(mark: .phaseBegins, count: 0), MarkedCount(mark: .phaseEnds(slot: 3), count: 9)]
    let short = [MarkedCount(mark: .phaseBegins, count: 0), MarkedCount(mark: .phaseEnds(slot: 3), count: 5)]
    let end = [MarkedCount(mark: .frameEnds(.recorded), count: 1)]
    let counted = try InstructionFrames(phase + phase + end + short + end + Self.calibration)
    #expect(counted.phases[3] == [4, 0])
    #expect(counted.frames == [4, 0])
  }

  @Test func aPhaseInsideItselfCountsOnce() throws {
    let counted = try InstructionFrames(
      [
        MarkedCount(mark: .phaseBegins, count: 0), MarkedCount(mark: .phaseBegins, count: 100),
        MarkedCount(mark: .phaseEnds(slot: 1), count: 207), MarkedCount(mark: .phaseEnds(slot: 1), count: 18),
        MarkedCount(mark: .frameEnds(.recorded), count: 51),
      ] + Self.calibration)
    #expect(counted.frames == [300] && counted.phases[1] == [300])
  }

  @Test func aFrameThatStartsOverHasTheCountOfItsLastPart() throws {
    let phase = [MarkedCount(mark: .phaseBegins, count: 500), MarkedCount(mark: .phaseEnds(slot: 0), count: 307)]
    let end = MarkedCount(mark: .frameEnds(.recorded), count: 140)
    let parts =
      phase + [MarkedCount(mark: .frameRestarts(isEnded: false), count: 900), end] + [
        MarkedCount(mark: .frameRestarts(isEnded: true), count: 70), MarkedCount(mark: .phaseBegins, count: 31),
      ] + [MarkedCount(mark: .phaseEnds(slot: 0), count: 57), MarkedCount(mark: .frameEnds(.recorded), count: 60)]
    let counted = try InstructionFrames([end] + parts + parts + Self.calibration)
    #expect(counted.frames == [100, 90, 90] && counted.phases[0] == [0, 50, 50])
  }

  @Test func marksThatDoNotNestAreAnError() {
    let end = MarkedCount(mark: .frameEnds(.recorded), count: 100)
    let bad: [[MarkedCount]] = [
      [MarkedCount(mark: .phaseEnds(slot: 0), count: 1), end] + Self.calibration,
      [MarkedCount(mark: .phaseBegins, count: 1), end] + Self.calibration, Self.calibration, [end],
      [end] + Self.calibration.prefix(1),
    ]
    for counts in bad { #expect(throws: InstructionFailure.self) { try InstructionFrames(counts) } }
  }
}
