import Scenarios
import Testing

@testable import FrameBench

private let header = "milliseconds,contentOffset,touchX,touchY,phase"

/// A broken file, with the expected line, column and kind of the error.
struct BrokenTrace: Sendable, CustomTestStringConvertible {
  var csv: String
  var line: Int
  var column: Int
  var problem: TraceError.Problem

  init(_ csv: String, _ line: Int, _ column: Int, _ problem: TraceError.Problem) {
    self.csv = csv
    self.line = line
    self.column = column
    self.problem = problem
  }

  /// Returns a trace in which this row, the third line, is between two valid rows.
  static func row(_ row: String, _ column: Int, _ problem: TraceError.Problem) -> BrokenTrace {
    BrokenTrace("\(header)\n0,0,0,0,idle\n\(row)\n90,0,0,0,idle", 3, column, problem)
  }

  var testDescription: String { csv.debugDescription }
}

private let brokenFiles: [BrokenTrace] = [
  BrokenTrace("", 1, 1, .empty), BrokenTrace("\u{FEFF}", 1, 1, .empty), BrokenTrace("\n# nothing\n\n", 1, 1, .empty),
  BrokenTrace("0,0,0,0,idle\n1,0,0,0,idle", 1, 1, .missingHeader),
  BrokenTrace("# new\n\n  0,0,0,0,idle", 3, 3, .missingHeader),
  BrokenTrace(
    "milliseconds,offset,touchX,touchY,phase", 1, 14, .wrongHeader(found: "offset", expected: "contentOffset")),
  BrokenTrace(
    "milliseconds,contentOffset,touchY,touchX,phase", 1, 28, .wrongHeader(found: "touchY", expected: "touchX")),
  BrokenTrace("milliseconds,contentOffset,touchX,touchY", 1, 41, .wrongHeader(found: nil, expected: "phase")),
  BrokenTrace("\(header), force", 1, 49, .wrongHeader(found: "force", expected: nil)),
  BrokenTrace(header, 1, 1, .tooFewRows(0)),
  BrokenTrace("\(header)\r\n# one\r\n0,0,0,0,idle\r\n\r\n", 3, 1, .tooFewRows(1)),
]

private let brokenRows: [BrokenTrace] = [
  .row("8,0,0,idle", 11, .wrongFieldCount(4)), .row("8", 2, .wrongFieldCount(1)),
  .row("8,0,0,0,idle,", 14, .wrongFieldCount(6)), .row("8,1,5,0,0,idle", 11, .wrongFieldCount(6)),
  .row("abc,0,0,0,idle", 1, .notANumber(field: "milliseconds", text: "abc")),
  .row("8,abc,0,0,idle", 3, .notANumber(field: "contentOffset", text: "abc")),
  .row("8,\t  é9,0,0,idle", 6, .notANumber(field: "contentOffset", text: "é9")),
  .row("8,0,é,0,idle", 5, .notANumber(field: "touchX", text: "é")),
  .row("8,0,0,,idle", 7, .notANumber(field: "touchY", text: "")),
  .row("8,0,0,1 2,idle", 7, .notANumber(field: "touchY", text: "1 2")),
  .row("8,0x10,0,0,idle", 3, .notANumber(field: "contentOffset", text: "0x10")),
  .row("8,nan,0,0,idle", 3, .notFinite(field: "contentOffset", text: "nan")),
  .row("inf,0,0,0,idle", 1, .notFinite(field: "milliseconds", text: "inf")),
  .row("8,0,0,-1e999,idle", 7, .notFinite(field: "touchY", text: "-1e999")),
  .row("8,-1e300,0,0,idle", 3, .outOfRange(field: "contentOffset", text: "-1e300", limit: 1e12)),
  .row("1e18,0,0,0,idle", 1, .outOfRange(field: "milliseconds", text: "1e18", limit: 1e13)),
  .row("-8,0,0,0,idle", 1, .negativeTime(text: "-8")),
  .row("  0,0,0,0,idle", 3, .timeNotIncreasing(text: "0", previous: 0)),
  .row("8,0,0,0, moving", 10, .unknownPhase(text: "moving")), .row("8,0,0,0,", 9, .unknownPhase(text: "")),
]

@Suite struct TraceErrorTests {
  @Test(arguments: brokenFiles + brokenRows) func aBrokenTraceIsNamedWithLineAndColumn(broken: BrokenTrace) {
    let error = #expect(throws: TraceError.self) { try RecordedTrace(csv: broken.csv, file: "trace.csv") }
    let expected = TraceError(file: "trace.csv", line: broken.line, column: broken.column, problem: broken.problem)
    #expect(error == expected)
  }

  @Test(arguments: brokenRows) func lineEndsAndByteOrderMarkDoNotMoveThePlace(broken: BrokenTrace) {
    let csv = "\u{FEFF}# recorded\r\n" + broken.csv.split(separator: "\n").joined(separator: "\r\n")
    let error = #expect(throws: TraceError.self) { try RecordedTrace(csv: csv, file: "trace.csv") }
    #expect(error?.line == broken.line + 1 && error?.column == broken.column)
  }

  @Test(arguments: brokenFiles + brokenRows) func everyMessageIsOneLineThatBeginsWithThePlace(broken: BrokenTrace)
    throws
  {
    let error = try #require(throws: TraceError.self) { try RecordedTrace(csv: broken.csv, file: "trace.csv") }
    #expect(!error.description.contains { $0.isNewline })
    #expect(error.description.hasPrefix("trace.csv:\(broken.line):\(broken.column): "))
    #expect(error.description.contains(";"), "no remedy: \(error)")
  }

  @Test func aTimeThatGoesBackIsNotIncreasing() {
    let error = #expect(throws: TraceError.self) {
      try RecordedTrace(csv: "\(header)\n16,0,0,0,idle\n8,0,0,0,idle", file: "t")
    }
    #expect(error?.problem == .timeNotIncreasing(text: "8", previous: 16))
  }

  @Test func theMessageSaysWhatToDo() {
    let error = TraceError(
      file: "trace.csv", line: 7, column: 12, problem: .notANumber(field: "contentOffset", text: "abc"))
    #expect(
      error.description
        == "trace.csv:7:12: contentOffset is \"abc\", which is not a number; write a decimal such as 12.5")
  }

  @Test func anUnknownPhaseIsAnsweredWithTheKnownOnes() {
    let problem = TraceError.Problem.unknownPhase(text: "moving")
    for name in ["idle", "dragging", "decelerating", "drag", "fling", "tracking"] {
      #expect(problem.description.contains(name))
    }
  }

  @Test func whatTheFileHoldsCannotBreakTheLine() {
    let text = "a\u{2028}b\u{1B}[31m\u{85}" + String(repeating: "x", count: 500)
    let description = TraceError.Problem.unknownPhase(text: text).description
    #expect(!description.contains { $0.isNewline } && !description.contains("\u{1B}"))
    #expect(description.count < 250)
  }

  @Test(arguments: [
    ([UInt8](header.utf8) + [10] + [UInt8]("0,é,".utf8) + [0xFF], 2, 5), ([0xFF, 0xFE, 0x6D, 0x00], 1, 1),
    ([0xEF, 0xBB, 0xBF, 0x61, 0xC3], 1, 2), ([0x61, 0x0D, 0x0A, 0x80], 2, 1),
  ]) func bytesThatAreNotUTF8AreFound(bytes: [UInt8], line: Int, column: Int) {
    let error = #expect(throws: TraceError.self) { try RecordedTrace(utf8: bytes, file: "trace.csv") }
    #expect(error == TraceError(file: "trace.csv", line: line, column: column, problem: .notUTF8))
  }
}
