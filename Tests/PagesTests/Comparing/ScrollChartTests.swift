import FrameBench
import Testing

@testable import Judging
@testable import Markup
@testable import Pages

/// Tests charts that compare two builds along the scroll.
@Suite struct ScrollChartTests {
  private static func record(_ candidate: (Int) -> Double) -> ScrollRecord {
    let frames = 0..<1_200
    return ScrollRecord(
      id: BenchmarkID(scenario: "springs", strategy: "naive", size: 1),
      [frames.map { _ in 1_000 }, frames.map { $0 == 3 ? .nan : candidate($0) }])
  }

  @Test func aPieceIsTheMeanOfItsFrames() throws {
    let record = Self.record { (600..<630).contains($0) ? 1_300 : 1_000 }
    let changes = record.changes(pieceCount: 40)
    #expect(changes.count == 40)
    #expect(abs(try #require(changes[20]) - 0.3) < 1e-9 && changes[0] == 0 && changes[39] == 0)
    let frames = record.changes(pieceCount: 1_200)
    #expect(frames[3] == nil && frames[601] ?? 0 > 0.29)
  }

  @Test func theLineRisesWhereTheCandidateIsSlower() {
    let line = Self.record { $0 >= 600 ? 1_050 : 1_000 }.sparkline()
    #expect(line == String(repeating: "▁", count: 20) + String(repeating: "█", count: 20))
    #expect(Self.record { _ in 1_000 }.sparkline().isEmpty)
    #expect(Self.record { $0 < 300 ? 500 : 1_000 }.sparkline(width: 4) == "█▁▁▁")
  }

  @Test func chartsNameTheirEnds() throws {
    let record = Self.record { (600..<630).contains($0) ? 1_300 : 1_000 }
    let ratio = try #require(record.ratioChart())
    #expect(ratio.description == "From 0.00% to +30.0% of the baseline's time.")
    let frames = try #require(record.distributionChart())
    #expect(frames.description == "baseline: p50 1.00 µs, worst 1.00 µs. candidate: p50 1.00 µs, worst 1.30 µs.")
    #expect(ratio.render(id: "a", width: 720).contains("change along the scroll"))
  }

  @Test func impossibleScrollsAreRefused() {
    var record = Self.record { _ in 1_000 }
    #expect(!record.isImpossible)
    record.baseline.removeLast()
    #expect(record.isImpossible)
  }
}
