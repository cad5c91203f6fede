import Foundation
import Scenarios
import Testing

@testable import FrameBench

private let header = "milliseconds,contentOffset,touchX,touchY,phase"

private func recording(_ rows: String...) throws -> RecordedTrace {
  try RecordedTrace(csv: ([header] + rows).joined(separator: "\n"), file: "trace.csv")
}

@Suite struct RecordedTraceTests {
  @Test func offsetAndTouchAreInterpolatedAndThePhaseIsThatOfTheRowBefore() throws {
    let trace = try recording("0,100,10,20,dragging", "10,200,20,40,decelerating", "30,160,20,0,idle")
    #expect(trace.frame(atMilliseconds: 5) == .init(contentOffset: 150, touchX: 15, touchY: 30, phase: .dragging))
    #expect(trace.frame(atMilliseconds: 10) == .init(contentOffset: 200, touchX: 20, touchY: 40, phase: .decelerating))
    #expect(trace.frame(atMilliseconds: 25) == .init(contentOffset: 170, touchX: 20, touchY: 10, phase: .decelerating))
  }

  @Test func framesAreSampledAtTheRefreshRate() throws {
    let trace = try recording("0,0,0,0,drag", "1000,600,0,0,idle")
    let sampled = ScrollTrace(trace, refreshRateHertz: 60, frameCount: 61)
    let expected = (0...60).map { Double($0) * 10 }
    for (frame, offset) in zip(sampled.frames, expected) { #expect(abs(frame.contentOffset - offset) < 1e-3) }
    #expect(trace.frameCount(refreshRateHertz: 60) == 61)
    #expect(trace.frameCount(refreshRateHertz: 7) == 8)
  }

  @Test func afterTheLastRowTheListRestsWhereItIs() throws {
    let trace = try recording("0,0,1,2,dragging", "10,50,3,4,decelerating")
    #expect(trace.frame(atMilliseconds: 10).phase == .decelerating)
    #expect(trace.frame(atMilliseconds: 11) == .init(contentOffset: 50, touchX: 3, touchY: 4, phase: .idle))
    #expect(trace.frame(atMilliseconds: 1e9).contentOffset == 50)
  }

  @Test func theFirstRowIsTheStartWhateverItsTime() throws {
    let trace = try recording("5000,10,0,0,drag", "5010,20,0,0,idle")
    #expect(trace.frame(atMilliseconds: 0).contentOffset == 10)
    #expect(trace.frame(atMilliseconds: 5).contentOffset == 15)
    #expect(trace.durationSeconds == 0.01)
  }

  @Test(arguments: [
    "\(header)\r\n0,1,2,3,idle\r\n8,2,3,4,drag\r\n", "\(header)\r0,1,2,3,idle\r8,2,3,4,drag",
    "\u{FEFF}\(header)\n0,1,2,3,idle\n8,2,3,4,drag\n\n",
    "\n# iPhone 5\n\(header)\n  # half way\n0,1,2,3,idle\n\n8,2,3,4,drag\n \t\n",
    " milliseconds ,\tcontentOffset, touchX,touchY ,phase \n 0, 1 ,2\t,3,  idle \n8e0,+2,3.0,4., Dragging\n",
    "\(header)\n0,1,2,3,IDLE\n8,2,3,4,tracking",
  ]) func harmlessDifferencesInLayoutDoNotMatter(csv: String) throws {
    let plain = try recording("0,1,2,3,idle", "8,2,3,4,dragging")
    #expect(try RecordedTrace(csv: csv, file: "trace.csv") == plain)
  }

  @Test(arguments: [
    ("idle", ScrollPhase.idle), ("drag", .dragging), ("dragging", .dragging), ("tracking", .dragging),
    ("fling", .decelerating), ("decelerating", .decelerating), ("Decelerating", .decelerating),
  ]) func everySpellingOfAPhaseIsRead(text: String, phase: ScrollPhase) {
    #expect(ScrollPhase(csvName: text) == phase)
    #expect(ScrollPhase(csvName: phase.csvName) == phase)
  }

  @Test(arguments: [60, 90, 120]) func anExportedTraceReadsBackBitForBit(hertz: Int) throws {
    let script = ScrollScript.messages(seed: 11, duration: 10)
    let trace = ScrollTrace(script, refreshRateHertz: hertz, frameCount: 10 * hertz)
    let exported = RecordedTrace(trace)
    let read = try RecordedTrace(csv: exported.csv(), file: "trace.csv")
    #expect(read == exported)
    #expect(read.frameCount(refreshRateHertz: hertz) == 10 * hertz)
    #expect(ScrollTrace(read, refreshRateHertz: hertz, frameCount: 10 * hertz) == trace)
  }

  @Test func aFileIsReadFromDisk() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "trace-\(UUID().uuidString).csv")
    defer { try? FileManager.default.removeItem(at: url) }
    let trace = try recording("0,1,2,3,idle", "8,2,3,4,drag")
    try Data(trace.csv().utf8).write(to: url)
    #expect(try RecordedTrace(contentsOfFile: url.path) == trace)
  }

  @Test func aFileThatCannotBeReadIsNamed() {
    let error = #expect(throws: TraceError.self) { try RecordedTrace(contentsOfFile: "/nowhere/trace.csv") }
    #expect(
      error?.description == "/nowhere/trace.csv: cannot be read: No such file or directory; name a readable CSV file")
    #expect(throws: TraceError.self) { try RecordedTrace(contentsOfFile: "/tmp") }
  }
}
