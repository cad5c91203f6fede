import Foundation
import FrameBench
import Testing

@testable import Measurements
@testable import Pages
@testable import TextFormat

@Suite struct ReportTests {
  private func row(_ label: String, in text: String) -> [String]? {
    text.split(separator: "\n").first { $0.hasPrefix("| \(label) ") }?.split(separator: "|").map {
      $0.trimmingCharacters(in: .whitespaces)
    }
  }

  @Test func sameDocumentRendersTheSameText() {
    let texts = (0..<5).map { _ in Fixtures.troubled.report().markdown() }
    #expect(Set(texts).count == 1)
  }

  @Test func zeroIsPrintedAsZeroAndAbsentAsADash() throws {
    let counted = Fixtures.twoStrategies.report().markdown()
    #expect(try #require(row("**allocations per frame**", in: counted))[2] == "0")
    let uncounted = Fixtures.oneStrategy.report().markdown()
    let cell = try #require(row("**allocations per frame**", in: uncounted))[2]
    #expect(cell.hasPrefix("–[^"))
    #expect(uncounted.contains("]: Allocations were not counted"))
  }

  @Test func failuresStandAboveTheVerdict() throws {
    let text = Fixtures.troubled.report().markdown()
    let failure = try #require(text.range(of: "could not be measured"))
    let verdict = try #require(text.range(of: "cheaper than naive"))
    #expect(failure.lowerBound < verdict.lowerBound)
  }

  @Test func ofManyFailuresTenAreListedAndWhatTheyWroteIsCut() {
    var document = Fixtures.oneStrategy
    document.failures = (1...100).map { size in
      BenchmarkFailure(
        id: BenchmarkID(scenario: "s", strategy: "a", size: size), reason: "it crashed",
        standardError: "Fatal error" + String(repeating: "!", count: 100_000))
    }
    let text = document.report().markdown()
    #expect(text.contains("<summary>90 more failures</summary>"))
    #expect(text.contains("Fatal error!!") && text.utf8.count < 500_000)
  }

  @Test func allocationsOnOtherThreadsAreShownOnlyWhereThereAreAny() {
    #expect(Fixtures.troubled.report().markdown().contains("allocations on other threads"))
    #expect(!Fixtures.twoStrategies.report().markdown().contains("allocations on other threads"))
  }

  @Test func documentWithoutFramesRendersWithoutFigures() {
    var record = Fixtures.naive(100)
    record.frame = TimeRecord(
      alignedNanoseconds: [], pooled: PooledTimes(sampleCount: 0, p50: 0, p90: 0, p99: 0, max: 0, mean: 0))
    record.phases = []
    record.counters = ["activeItems": CountSeries()]
    let document = Fixtures.document([record])
    #expect(document.report().markdown().contains("No frame was recorded."))
    #expect(document.terminalText(usesColor: false, isVerbose: true).contains("naive recorded no frames"))
    #expect(FlatRows(document).rows.allSatisfy { $0.metric != "frameNanoseconds" && $0.metric != "activeItems" })
  }

  @Test func emptyDocumentRenders() {
    let document = Fixtures.document([])
    #expect(document.report().markdown().contains("**Nothing was measured.**"))
    #expect(FlatRows(document).json() == "[]\n")
    #expect(document.terminalText(usesColor: true, isVerbose: true).contains("Nothing was measured."))
  }

  @Test func commandThatRepeatsTheRunIsQuotedForTheShell() {
    #expect(ShellWord.quoted(["springs/tiled", "a b", ""]) == "springs/tiled 'a b' ''")
    #expect(ShellWord.quoted(["it's $5"]) == "'it'\\''s $5'")
    let text = Fixtures.twoStrategies.report().markdown()
    #expect(text.contains("\nspringbench run --filter 'springs/(naive|tiled)' --sizes 100,1000,10000\n"))
  }

  @Test(arguments: [40, 60, 80, 120], Fixture.allCases) func terminalLinesFitTheWidth(_ width: Int, _ fixture: Fixture)
  {
    var document = fixture.document
    document.benchmarks[0].id.strategy = "a-strategy-of-an-unreasonably-long-name-that-fits-no-terminal"
    for line in document.terminalText(width: width, usesColor: false, isVerbose: true).split(separator: "\n") {
      #expect(line.count <= width, "\(line)")
    }
  }

  @Test func colorsAddNothingButEscapeSequences() {
    let colored = Fixtures.troubled.terminalText(usesColor: true, isVerbose: true)
    let plain = Fixtures.troubled.terminalText(usesColor: false, isVerbose: true)
    #expect(colored != plain)
    #expect(colored.replacing(#/\u{1B}\[\d+m/#, with: "") == plain)
    #expect(!plain.contains("\u{1B}"))
  }

  @Test func escapeSequencesInAReasonDoNotReachTheTerminal() {
    var document = Fixtures.document([])
    document.failures = [
      BenchmarkFailure(id: BenchmarkID(scenario: "s", strategy: "t", size: 1), reason: "a\u{1B}[2Jb", standardError: "")
    ]
    #expect(!document.terminalText(usesColor: false, isVerbose: true).contains("\u{1B}"))
  }
}

@Suite struct FlatRowsTests {
  @Test func jsonIsOneArrayOfRowsWithAllKeys() throws {
    let json = FlatRows(Fixtures.troubled).json()
    let parsed = try JSONSerialization.jsonObject(with: Data(json.utf8))
    let rows = try #require(parsed as? [[String: Any]])
    for row in rows {
      #expect(Set(row.keys) == Set(FlatRow.columns))
      #expect((row["value"] is NSNumber) != (row["text"] is String))
    }
    let phases = FlatRows(Fixtures.troubled).rows.map(\.phase)
    #expect(rows.map { $0["phase"] as? String } == phases)
    #expect(phases.contains(nil) && phases.contains("re|play"))
    #expect(rows.count { $0["phase"] is NSNull } == phases.count { $0 == nil })
  }

  @Test func rowsOfAMergedRunSayWhereEachWasMeasured() {
    var document = Fixtures.document([Fixtures.naive(50), Fixtures.tiled(50)], frameCount: 24)
    var other = document.environment
    other.machine = "graviton-8c"
    document.parts = zip(document.benchmarks, [document.environment, other]).map {
      RunPart(startedAt: document.startedAt, durationSeconds: 1, environment: $1, benchmarks: [$0.id])
    }
    for row in FlatRows(document).rows {
      #expect(row.machine == (row.id.strategy == "tiled" ? other : document.environment).machine)
      #expect(row.commit == document.environment.commit)
    }
  }

  @Test func bytesOfOtherThreadsHaveRows() {
    let rows = FlatRows(Fixtures.troubled).rows.filter { $0.metric == "otherThreadAllocatedBytes" }
    #expect(rows.contains { $0.statistic == .total && $0.value == .number(64) && $0.unit == "bytes" })
  }

  @Test func absentCountsHaveNoRow() {
    let rows = FlatRows(Fixtures.oneStrategy).rows
    #expect(!rows.contains { $0.metric == "allocationCount" })
    #expect(FlatRows(Fixtures.twoStrategies).rows.contains { $0.metric == "allocationCount" && $0.value == .number(0) })
  }

  @Test func countsHaveTheirStatisticsAndTheirTotal() {
    var record = Fixtures.naive(100)
    record.counters = ["activeItems": CountSeries([1, 2, 3, 10])]
    let rows = FlatRows(Fixtures.document([record])).rows.filter { $0.metric == "activeItems" }
    // In numpy, np.quantile([1, 2, 3, 10], [.5, .9, .99]) gives 2.5, 7.9 and 9.79.
    let expected: [(FlatRow.Statistic, Double)] = [
      (.p50, 2.5), (.p90, 7.9), (.p99, 9.79), (.max, 10), (.mean, 4), (.total, 16),
    ]
    #expect(rows.map(\.statistic) == expected.map(\.0))
    for (row, value) in zip(rows, expected.map(\.1)) {
      guard case .number(let number) = row.value else {
        Issue.record("\(row.value) is not a number")
        continue
      }
      #expect(abs(number - value) < 1e-9)
    }
  }

  @Test func controlCharactersAreEscaped() {
    #expect(JSONText.string("a\"b\\c\nd\u{1}é") == "\"a\\\"b\\\\c\\nd\\u0001é\"")
    #expect(JSONText.number(14) == "14")
    #expect(JSONText.number(.nan) == "null")
  }

  @Test(arguments: [(60, 1), (100, 3)]) func aScreenCountsTheBenchmarksThatItLeavesOut(width: Int, sizes: Int) throws {
    let records = (0..<40).flatMap { strategy in
      (1...4).map { size in
        var record = Fixtures.naive(size)
        record.id.strategy = "s\(strategy)"
        return record
      }
    }
    let lines = Fixtures.document(records).terminalText(width: width, usesColor: false).split(separator: "\n")
    // Lines that begin with an id followed by a comma belong to the verdict, so they are not counted.
    let shown = lines.count { $0.hasPrefix("springs/s") && !$0.prefix { $0 != " " }.contains(",") } * sizes
    #expect(shown > 0 && lines.contains { $0.contains("\(160 - shown) more benchmarks: ") }, "\(lines)")
  }
}
