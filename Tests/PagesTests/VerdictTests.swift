import Testing

@testable import FrameBench
@testable import Measurements
@testable import Pages

@Suite struct VerdictTests {
  /// Returns a record whose frames all take the same time, in nanoseconds.
  private func record(_ strategy: String, _ size: Int, _ frame: Double, frames: Int = 100) -> BenchmarkRecord {
    var record = Fixtures.naive(size, frames: frames)
    record.id.strategy = strategy
    record.frame.alignedNanoseconds = Array(repeating: frame, count: frames)
    record.frame.pooled.max = frame
    return record
  }

  @Test(arguments: [
    (3, 0, "b leaves out items that a shows"), (0, 3, "b shows items that a does not"),
    (2, 1, "b shows other items than a"),
  ]) func whatOneStrategyAloneShowsIsSaidByWhoseItIs(missing: Int, extra: Int, claim: String) {
    let record = DeviationRecord(
      reference: "a", largestDistance: 0, meanDistance: 0, largestDistanceFrame: 0, missingCount: missing,
      extraCount: extra, differingFrameCount: 1, frameCount: 4)
    #expect(
      DeviationRecord.sentence("b", [record])
        == "\(claim) in 25% of the frames; items shown by both are in the same places.")
  }

  @Test func emptyDocumentSaysThatNothingWasMeasured() {
    let document = Fixtures.document([])
    #expect(document.verdict == "Nothing was measured.")
    #expect(document.terminalText(usesColor: false, isVerbose: true).contains("Nothing was measured."))
  }

  @Test func missedFramesAreCountedWithTheirHitchRatio() throws {
    var naive = record("naive", 1_000, 1e6, frames: 100)
    naive.frame.alignedNanoseconds[7] = 20e6
    let details = try #require(ScenarioGroup.all(in: Fixtures.document([naive])).first?.details)
    // At 60 Hz, one frame in 100 takes 2 periods, so 1 of 101 periods is late. At 120 Hz it takes 3 periods, so 2 of
    // 102 are late.
    #expect(
      details.dropFirst().prefix(2) == [
        "At 60 Hz (16.67 ms) naive exceeds the budget at 1,000 items in 1 of 100 frames"
          + " (hitch ratio 9.90 ms/s, warning).",
        "At 120 Hz (8.33 ms) naive exceeds the budget at 1,000 items in 1 of 100 frames"
          + " (hitch ratio 19.6 ms/s, critical).",
      ])
  }

  @Test func onABusyMachineABudgetIsNotExceededAsAFact() throws {
    var naive = record("naive", 1_000, 1e6, frames: 100)
    naive.frame.alignedNanoseconds[7] = 20e6
    var document = Fixtures.document([naive])
    #expect(document.verdict.contains("exceeds the budget"))
    document.warnings = [.busy(cores: 1.6, of: 2)]
    let said =
      "1 of 1 benchmark went over the budget at 60 Hz, 1 at 120 Hz. The machine was busy meanwhile, which may be why."
    #expect(document.verdict.hasPrefix(said))
    let details = try #require(ScenarioGroup.all(in: document).first?.details)
    #expect(!details.contains { $0.contains("exceeds") } && details.count { $0.contains("was busy meanwhile") } == 2)
  }

  @Test func aWideIntervalIsNoFigure() {
    #expect(Timing(nanoseconds: 100, halfWidth: 34).spreadText == "±34%")
    #expect(Timing(nanoseconds: 100, halfWidth: 100).spreadText == "±100%")
    #expect(Timing(nanoseconds: 100, halfWidth: 340_000).text == "100 ns ±>100%")
  }

  @Test func stallsThatAligningHidesAreStated() throws {
    var naive = record("naive", 1_000, 1e6)
    naive.frame.pooled.max = 9e6
    let details = try #require(ScenarioGroup.all(in: Fixtures.document([naive])).first?.details)
    #expect(details.contains { $0.hasPrefix("The slowest raw sample took 9.00 ms (naive at 1,000 items)") })
  }

  @Test func whatOthersClaimIsHeldAgainstWhatWasMeasured() throws {
    var document = Fixtures.document([
      record("naive", 100, 10_000), record("naive", 1_000, 100_000), record("tiled", 10_000, 10e6),
    ])
    document.claims = [
      ClaimRecord(scenario: "springs", strategy: "naive", wording: "a few hundred items", itemCount: 500),
      ClaimRecord(scenario: "springs", strategy: "tiled", wording: "ten thousand items", itemCount: 10_000),
      ClaimRecord(scenario: "springs", strategy: "tiled", wording: "a million items", itemCount: 1_000_000),
      ClaimRecord(scenario: "springs", strategy: "exact", wording: "anything", itemCount: 1),
      ClaimRecord(scenario: "drag", strategy: "naive", wording: "a hand full", itemCount: 5),
    ]
    let sentence =
      "naive copes with a few hundred items at 60 Hz and 120 Hz: the p99 frame of 1,000 items takes 100 µs,"
      + " and would still fit on a machine 170 and 83 times slower; tiled copes with ten thousand items at 60 Hz,"
      + " not at 120 Hz: the p99 frame of 10,000 items takes 10.0 ms, and would still fit on a machine 1.7 times"
      + " slower; whether tiled copes with a million items was not measured."
    #expect(try #require(ScenarioGroup.all(in: document).first).details.contains(sentence))
    document.benchmarks[1] = record("naive", 1_000, 20e6)
    // A thousand items are too many, but five hundred might fit.
    for (count, claim) in [
      (500, "whether naive copes with a few hundred items was not measured"),
      (1_000, "naive does not cope with a few hundred items at 60 Hz and 120 Hz"),
    ] {
      document.claims?[0].itemCount = count
      let details = try #require(ScenarioGroup.all(in: document).first).details
      #expect(details.contains { $0.hasPrefix("\(claim): the p99 frame of 1,000") })
    }
    document.benchmarks[1] = record("naive", 1_000, 10e6)
    for (count, claim) in [(500, "at 60 Hz: the p99"), (1_000, "at 60 Hz, not at 120 Hz: the p99")] {
      document.claims?[0].itemCount = count
      let details = try #require(ScenarioGroup.all(in: document).first).details
      #expect(details.contains { $0.hasPrefix("naive copes with a few hundred items \(claim)") })
    }
  }

  @Test func equalOutputIsTold() throws {
    var same = record("exact", 100, 50)
    let naive = record("naive", 100, 100)
    same.checksum = naive.checksum
    var other = record("tiled", 100, 50)
    other.checksum = "0000000000000000"
    let details = try #require(ScenarioGroup.all(in: Fixtures.document([naive, same, other])).first?.details)
    #expect(details.contains("exact shows exactly what naive shows."))
    #expect(details.contains("tiled does not show exactly what naive shows: checksums differ."))
  }

  @Test func functionsWhichReturnNothingToCompareShowNothing() throws {
    var zeros = Checksum()
    for _ in 0..<100 { zeros.combine(0) }
    let records = ["byHand", "library"].map { strategy in
      var record = record(strategy, 100, 50)
      record.checksum = zeros.hexadecimal
      return record
    }
    let document = Fixtures.document(records)
    let details = try #require(ScenarioGroup.all(in: document).first?.details)
    #expect(!details.contains { $0.contains("shows exactly") })
    #expect(!document.report().markdown().contains("| output checksum"))
  }

  @Test func fewRunsAreACaveat() {
    var document = Fixtures.document([record("naive", 100, 100)])
    #expect(document.caveats.isEmpty)
    document.options.runCount = 1
    #expect(document.caveats == ["With only 1 run, p99 and worst times include the machine's noise."])
  }

  @Test func allocationsOfOtherThreadsAreNotNoAllocations() throws {
    var naive = record("naive", 100, 100)
    let none = AllocationSeries(
      count: CountSeries(repeatElement(0, count: 100)), bytes: CountSeries(repeatElement(0, count: 100)))
    naive.allocations = AllocationRecord(
      frameThread: none, otherThreads: none, setUpCount: 0, setUpBytes: 0, warmUpCount: 0, warmUpBytes: 0)
    func told() throws -> [String] {
      let document = Fixtures.document([naive])
      return [document.verdict] + (try #require(ScenarioGroup.all(in: document).first?.details))
    }
    #expect(try told().contains("After warm-up no frame allocates."))
    #expect(try told()[0].contains("No frame allocates."))
    naive.allocations?.otherThreads.count = CountSeries(repeatElement(3, count: 100))
    #expect(
      try told().contains {
        $0.hasPrefix("After warm-up no frame allocates on its own thread; on other threads, these allocate:")
          && $0.hasSuffix("(3 a frame).")
      })
    #expect(
      try told()[0].contains(
        "No frame allocates on its own thread. 1 of 1 benchmark allocates on other threads after warm-up;"))
  }

  @Test func absentAllocationCounterIsNotCalledNoAllocations() throws {
    var naive = record("naive", 100, 100)
    naive.allocations = nil
    let details = try #require(ScenarioGroup.all(in: Fixtures.document([naive])).first?.details)
    #expect(details.contains("Allocations were not counted."))
    #expect(!details.contains { $0.contains("no frame allocates") })
  }
}
