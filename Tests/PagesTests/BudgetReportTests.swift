import Foundation
import FrameBench
import Testing

@testable import Measurements
@testable import Pages

@Suite struct BudgetReportTests {
  private func capacity(_ strategy: String, fits: Int?, exceeds: Int?, end: CapacityRecord.End, failure: String? = nil)
    -> CapacityRecord
  {
    CapacityRecord(
      scenario: "springs", strategy: strategy, refreshRateHertz: 120, share: 0.5, budgetNanoseconds: 4_166_666.7,
      itemCount: fits, exceedingItemCount: exceeds, precision: 0.05, end: end, failure: failure, durationSeconds: 61.2,
      probes: [fits, exceeds].compactMap { $0 }.map {
        CapacityRecord.Probe(
          itemCount: $0, runCount: 2, p50Nanoseconds: Double($0) * 100, p99Nanoseconds: Double($0) * 100)
      })
  }

  @Test func capacitiesSayHowTheirSearchEnded() {
    var document = Fixtures.twoStrategies
    document.capacities = [
      capacity("naive", fits: 41_000, exceeds: 42_100, end: .found),
      capacity("tiled", fits: 1_000_000, exceeds: nil, end: .timeLimit),
      capacity("exact", fits: 500, exceeds: 2_000, end: .failure, failure: "signal 9"),
    ]
    let text = document.report().markdown()
    #expect(text.contains("fits the budget at 50% of 120 Hz (4.17 ms)"))
    #expect(text.contains("| naive    |             41,000 |   4.10\u{A0}ms |     42,100 |"))
    #expect(text.contains("at least 1,000,000"))
    #expect(text.contains("the time limit (61.2 s)"))
    #expect(text.contains("]: signal 9."))
    #expect(
      text.contains(
        "naive takes 41,000 items, tiled takes at least 1,000,000 items and exact takes between 500 and"
          + " 2,000 items."))
    #expect(document.terminalText(usesColor: false).contains("springs: Within the budget at 50% of 120 Hz"))
    let rows = FlatRows(document).rows.filter { $0.metric == "capacityItems" }
    #expect(rows.map(\.id.description) == ["springs/naive/10000", "springs/tiled/10000"])
    #expect(rows.map(\.value) == [.number(41_000), .number(1_000_000)])
  }

  @Test func reportsWithoutASearchDoNotMentionCapacity() {
    #expect(!Fixtures.twoStrategies.report().markdown().contains("### Capacity"))
    #expect(!FlatRows(Fixtures.twoStrategies).rows.contains { $0.metric == "capacityItems" })
  }

  @Test func flatRowsHoldTheBudgetOfTheChosenRateAndShare() throws {
    var record = Fixtures.naive(100)
    record.frame = TimeRecord(
      alignedNanoseconds: [4e6, 5e6, 6e6, 12e6],
      pooled: PooledTimes(sampleCount: 4, p50: 0, p90: 0, p99: 0, max: 0, mean: 0))
    var document = Fixtures.document([record], frameCount: 4)
    document.options.refreshRateHertz = 100
    document.options.budgetShare = 0.5
    let rows = FlatRows(document).rows
    func value(_ metric: String, _ statistic: FlatRow.Statistic) -> FlatRow.Value? {
      rows.first { $0.metric == metric && $0.statistic == statistic && $0.phase == nil }?.value
    }
    #expect(value("missedFrames", .total) == .number(2))
    #expect(value("hitchTimeRatio", .total) == .number(200))
    #expect(value("overrunNanoseconds", .max) == .number(7e6))
    #expect(value("overrunNanoseconds", .p50) == .number(0.5e6))
    let text = document.report().markdown()
    #expect(text.contains("Against the budget at 50% of 100 Hz (5.00 ms)"))
    let line = try #require(text.split(separator: "\n").first { $0.contains("**critical**") })
    let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(cells == ["naive", "100", "ms", "0.500", "6.82", "7.00", "**2**", "200\u{A0}ms/s", "**critical**"])
  }

  @Test func growthSaysWhereASingleSizeIsTooFew() {
    #expect(Fixtures.oneStrategy.report().markdown().contains("One size does not show"))
    #expect(!Fixtures.twoStrategies.report().markdown().contains("One size does not show"))
  }

  @Test func framesOfTwoKindsGrowByTheMean() throws {
    // One frame in ten processes all items, so only its cost grows with their number.
    let records = [100, 1_000].map { size in
      var record = Fixtures.naive(size, frames: 20)
      record.frame.alignedNanoseconds = (0..<20).map { $0 % 10 == 0 ? 20 * Double(size) : 400 }
      return record
    }
    let document = Fixtures.document(records, frameCount: 20)
    let text = document.report().markdown()
    #expect(
      text.contains(
        "naive has frames of two kinds: from 100 to 1,000 items the median grows to 1.0×, the mean to 4.2×."))
    #expect(text.contains("| flat   |") && text.contains("k of the mean"))
    let chart = try #require(document.pictures.first { $0.kind == .growth })
    #expect(chart.svg.contains("without marks: the mean") && chart.svg.contains("mean ~ items^0.62"))
    #expect(!Fixtures.twoStrategies.report().markdown().contains("of two kinds"))
  }

  @Test func growthSaysWhereTheFitIsPoor() {
    func document(_ costs: [(Int, Double)]) -> RunDocument {
      Fixtures.document(
        costs.map { size, cost in
          var record = Fixtures.naive(size)
          record.frame = Fixtures.times(frame: cost, spread: 0)
          return record
        }, frameCount: 24)
    }
    let bent = document([(100, 100), (1_000, 105), (10_000, 110), (100_000, 9_000)])
    #expect(bent.report().markdown().contains("]: A poor fit:"))
    let straight = document([(100, 100), (1_000, 1_000), (10_000, 10_000)])
    #expect(!straight.report().markdown().contains("A poor fit"))
  }

  @Test func calibrationStandsInTheEnvironmentWhereItWasMeasured() throws {
    var document = Fixtures.oneStrategy
    #expect(!document.report().markdown().contains("calibration"))
    let start = try #require(KernelTimes(samples: [20_000, 20_100]))
    document.calibration = CalibrationRecord(roundCount: 10_000, start: start, end: nil)
    let text = document.report().markdown()
    #expect(text.contains("500 steps of a fixed kernel per µs"))
    #expect(text.contains("20.0 µs at best; p50 0.25% above that"))
    #expect(text.contains("| calibration at the end         | –[^"))
  }
}
