import FrameBench
import Testing

@testable import Markup
@testable import Measurements
@testable import Pages
@testable import TextFormat

@Suite struct HeadlineTests {
  /// Returns the record of a benchmark of 1,000 frames. Most take `p50`, two in a hundred take `p99`, and one takes
  /// `worst`, all in nanoseconds.
  private func record(
    _ strategy: String, _ size: Int, p50: Double, p99: Double? = nil, worst: Double? = nil, layoutSpread: Double? = nil
  ) -> BenchmarkRecord {
    var record = Fixtures.naive(size, frames: 1_000)
    record.id.strategy = strategy
    let tail = p99 ?? p50
    let frames = Array(repeating: p50, count: 975) + Array(repeating: tail, count: 24) + [worst ?? tail]
    record.frame = TimeRecord(
      alignedNanoseconds: frames,
      pooled: PooledTimes(sampleCount: 20_000, p50: p50, p90: p50, p99: tail, max: worst ?? tail, mean: p50),
      halfWidths: layoutSpread.map { spread in
        TimeFigures(all: [p50, p50, tail, worst ?? tail, p50].map { 2 * spread * $0 })
      }, layoutSpread: layoutSpread)
    return record
  }

  private func headline(_ records: [BenchmarkRecord]) -> String? {
    let document = Fixtures.document(records)
    return ScenarioGroup.all(in: document).first.map { $0.headlines.joined(separator: " ") }
  }

  @Test func cheaperStrategyIsNamedWithItsFactorAtTheLargestAndTheSmallestSize() {
    let headline = headline([
      record("naive", 100, p50: 5_900), record("tiled", 100, p50: 4_000), record("naive", 1_000, p50: 48_000),
      record("tiled", 1_000, p50: 4_000), record("naive", 10_000, p50: 430_000), record("tiled", 10_000, p50: 4_000),
    ])
    #expect(headline == "p99 frame: tiled is 110× cheaper than naive at 10,000 items, 1.5× at 100.")
  }

  @Test func referenceIsCalledCheaperWhereItIs() {
    let headline = headline([
      record("naive", 10, p50: 10_000), record("tiled", 10, p50: 13_000), record("naive", 1_000, p50: 480_000),
      record("tiled", 1_000, p50: 10_000),
    ])
    #expect(
      headline == "p99 frame: tiled is 48× cheaper than naive at 1,000 items; naive is 1.3× cheaper than tiled at 10"
        + " items.")
  }

  @Test func theTailLeadsAndTheMedianFollowsWhereItSaysSomethingElse() {
    let headline = headline([
      record("naive", 1_000, p50: 2_100, p99: 147_000), record("visible", 1_000, p50: 2_100, p99: 13_600),
    ])
    #expect(
      headline == "p99 frame: visible is 11× cheaper than naive at 1,000 items. Median frame: visible and naive cost"
        + " about the same at 1,000 items.")
  }

  @Test func theWorstFrameIsSpokenOfWhereItDecides() {
    let headline = headline([
      record("naive", 1_000, p50: 2_100, worst: 400_000), record("tiled", 1_000, p50: 2_100, worst: 20_000),
    ])
    #expect(
      headline == "p99 frame: tiled and naive cost about the same at 1,000 items. Worst frame: tiled is 20× cheaper"
        + " than naive at 1,000 items.")
  }

  @Test func aMedianThatHardlySaysSomethingElseIsNotSpokenOf() {
    #expect(
      headline([record("naive", 100, p50: 10_000, p99: 12_000), record("tiled", 100, p50: 10_000, p99: 10_000)])
        == "p99 frame: tiled is 1.2× cheaper than naive at 100 items.")
  }

  @Test func theFirstSentenceLeadsAndTheOthersAreDetails() {
    let document = Fixtures.document([
      record("naive", 1_000, p50: 2_100, p99: 147_000), record("visible", 1_000, p50: 2_100, p99: 13_600),
    ])
    let group = ScenarioGroup.all(in: document).first
    #expect(group?.headline == "p99 frame: visible is 11× cheaper than naive at 1,000 items.")
    #expect(group?.details.first?.hasPrefix("Median frame: ") == true)
  }

  @Test func aFewStepsOfTheClockAreNoDifference() {
    // The fixture's clock has steps of 9.6 ns. Another link order changes times of a few hundred ns by up to 20 ns.
    #expect(
      headline([record("naive", 100, p50: 301), record("exact", 100, p50: 331)])
        == "p99 frame: exact and naive cost about the same at 100 items.")
    #expect(
      headline([record("naive", 1_000, p50: 601), record("exact", 1_000, p50: 331)])
        == "p99 frame: exact is about 1.8× cheaper than naive at 1,000 items.")
  }

  @Test func whatLayoutsOfCodeExplainIsNoDifference() {
    // The times are 14% apart. Between link orders, each has a standard deviation of 5%.
    #expect(
      headline([
        record("naive", 100, p50: 11_400, layoutSpread: 0.05), record("tiled", 100, p50: 10_000, layoutSpread: 0.05),
      ]) == "p99 frame: tiled and naive cost about the same at 100 items.")
    #expect(
      headline([
        record("naive", 100, p50: 11_400, layoutSpread: 0.001), record("tiled", 100, p50: 10_000, layoutSpread: 0.001),
      ]) == "p99 frame: tiled is 1.1× cheaper than naive at 100 items.")
  }

  @Test func framesTooShortForTheClockGiveABoundOrNothing() {
    // 28.8 ns is the shortest time that the fixture's clock resolves.
    #expect(
      headline([record("naive", 100, p50: 2_880), record("tiled", 100, p50: 0)])
        == "p99 frame: tiled is more than 100× cheaper than naive at 100 items.")
    #expect(
      headline([record("naive", 100, p50: 20), record("tiled", 100, p50: 0)])
        == "p99 frame: tiled and naive are both too short for the clock at 100 items.")
  }

  @Test func strategyThatComesFirstIsTheReference() {
    #expect(
      headline([
        record("tiled", 100, p50: 10_000), record("naive", 100, p50: 59_000), record("exact", 100, p50: 20_000),
      ]) == "p99 frame: tiled is 5.9× cheaper than naive at 100 items; tiled is 2.0× cheaper than exact at 100"
        + " items.")
  }

  @Test func strategiesOfDifferentSizesAreNotCompared() {
    #expect(
      headline([record("naive", 100, p50: 100), record("tiled", 1_000, p50: 100)])
        == "p99 frame: tiled and naive were not measured at the same size.")
  }

  @Test func aSoleStrategyIsDescribedByItsTailAndItsMedian() {
    #expect(
      headline([record("mine", 10, p50: 2_000, p99: 9_000), record("mine", 100, p50: 3_000, p99: 20_000)])
        == "p99 frame: mine takes 20.0 µs at 100 items, 9.00 µs at 10. Median frame: mine takes 3.00 µs at 100 items,"
        + " 2.00 µs at 10.")
  }

  @Test(arguments: [
    (8.9, 0.01, "8.9×"), (8.9, 0.1, "~9×"), (2.07, 0.1, "~2×"), (1.8, 0.1, "~1.8×"), (0.112, 0.1, "~0.11×"),
    (430, 0.08, "~440×"), (1.2, 0.2, "~1.2×"),
  ]) func ratiosAreNoFinerThanTheyAreSure(_ ratio: Double, _ uncertainty: Double, _ text: String) {
    #expect(Format.ratio(ratio, uncertainty: uncertainty) == text)
  }
}
