import Foundation
import Testing

@testable import FrameBench
@testable import HistoryPages
@testable import Judging
@testable import Measurements

/// Tests which changes of level a history blames on the code, for figures other than the median frame.
@Suite struct CauseOfShiftTests {
  private let made = MadeUpNights()
  private let code = CodeRatio(logarithm: 0.0001, variance: 1e-6)
  private let sameCode = CodeRatio(logarithm: 0, variance: 0)

  private func row(_ metric: Metric, _ verdict: ChangeVerdict) -> ComparisonRow {
    ComparisonRow(id: made.id, metric: metric, baseline: .number(100), candidate: .number(90), verdict: verdict)
  }

  /// Returns the analysis of 24 nights, each compared with the night before. The comparison of night 20, the first
  /// night of the new level, has the rows `rows`.
  /// - Parameter figures: The levels of each figure in the first 20 nights and in the last four, keyed by its name.
  private func history(
    _ figures: KeyValuePairs<String, (Double, Double)>, _ rows: [ComparisonRow] = [], ratio: CodeRatio,
    ripple: Double = 0.005
  ) -> HistoryAnalysis {
    let columns = figures.map { made.values([($0.value.0, 20), ($0.value.1, 4)], ripple: ripple) }
    let nights = (0..<24).map { number in
      var night = number == 0 ? made.night(0, 0) : made.night(number, 0, ratio: ratio, number == 20 ? rows : [])
      night.metrics = figures.map(\.key)
      night.benchmarks[0].values = columns.map { $0[number] }
      return night
    }
    var analysis = HistoryAnalysis(nights)
    analysis.announce()
    return analysis
  }

  @Test(arguments: ["cpuUserNanoseconds", "setUpNanoseconds", "peakResidentBytes", "frameNanoseconds.solve.p50"])
  func aSlowerMachineIsNotTheFaultOfTheSameCode(_ figure: String) throws {
    let analysis = history([figure: (1_000, 1_200)], ratio: sameCode)
    guard case .unmoved? = analysis.codeShare(of: try #require(analysis.announced.first)) else {
      Issue.record("\(analysis.announced)")
      return
    }
    #expect(!analysis.isRed)
  }

  @Test func anImprovementOrAnotherFigureDoesNotExcuseARegression() throws {
    for rows in [
      [row(.allocationCount, .improved)], [row(.allocationCount, .regressed)], [row(.peakHeapBytes, .improved)],
    ] {
      let analysis = history(["peakResidentBytes": (1_000, 5_000)], rows, ratio: code)
      #expect(analysis.codeShare(of: try #require(analysis.announced.first)) == nil)
      #expect(analysis.failedKinds == [.regression])
    }
    let analysis = history(["peakResidentBytes": (1_000, 5_000)], [row(.peakHeapBytes, .regressed)], ratio: code)
    #expect(analysis.codeShare(of: try #require(analysis.announced.first)) == .reported)
    #expect(!analysis.isRed)
  }

  @Test func aPhaseThatMovedAloneIsNotExcusedByTheFrame() throws {
    let alone = history(
      ["frameNanoseconds.p50": (50_000, 50_350), "frameNanoseconds.solve.p50": (1_000, 1_350)], ratio: code)
    #expect(alone.announced.map(\.trend.metric) == ["frameNanoseconds.solve.p50"])
    #expect(alone.codeShare(of: try #require(alone.announced.first)) == nil && alone.isRed)
    let together = history(
      ["frameNanoseconds.p50": (50_000, 60_000), "frameNanoseconds.solve.p50": (1_000, 1_210)], ratio: code)
    #expect(together.announced.count == 2 && !together.isRed)
  }

  @Test func aCountThatComparisonsTolerateMakesNoNightRed() throws {
    let analysis = history(["allocationCount.mean": (100, 103)], ratio: code, ripple: 0)
    #expect(analysis.announced.count == 1 && !analysis.isRed)
  }

  // MARK: - The night to compare with

  private let other = BenchmarkID(scenario: "s", strategy: "b", size: 10)

  /// Returns the commits with which a new night may be compared, each with the benchmarks that were judged there.
  private func commits(_ nights: [Night], for ids: BenchmarkID...) -> [String: Set<BenchmarkID>] {
    Dictionary(uniqueKeysWithValues: nights.bases(for: Set(ids)).map { ($0.night.environment.commit ?? "", $0.ids) })
  }

  @Test func aNightThatMeasuredAPartIsNoBaseForTheRest() {
    var nights = [made.night(0, 1, ids: [made.id, other]), made.night(1, 1, ids: [made.id])]
    #expect(commits(nights, for: made.id, other) == ["c000001": [made.id], "c000000": [made.id, other]])
    #expect(commits(nights, for: other) == ["c000000": [other]])
    let new = BenchmarkID(scenario: "new", strategy: "a", size: 1)
    #expect(commits(nights, for: made.id, new) == ["c000001": [made.id], "c000000": [made.id]])
    // Another night measured the other benchmark at the same commit.
    nights.append(made.night(2, 1, ids: [other]))
    nights[2].environment.commit = "c000001"
    #expect(commits(nights, for: made.id, other)["c000001"] == [made.id, other])
  }

  @Test func aBenchmarkHasARatioToItsOwnBase() {
    let ids = [made.id, other]
    var nights = [made.night(0, 1, ids: ids), made.night(1, 1, ids: [made.id]), made.night(2, 1, ids: ids)]
    for (index, base) in [(1, 0), (2, 1)] {
      var document = made.comparison(of: index, with: base, [])
      document.rows = nights[index].benchmarks.map {
        ComparisonRow(
          id: $0.id, metric: .frameTime, statistic: .mean, change: 0.02, low: 0.01, high: 0.03, verdict: .unchanged)
      }
      nights[index].add(document, bases: index == 2 ? [other: "c000000"] : [:])
    }
    #expect(nights[2].base(of: made.id) == "c000001" && nights[2].base(of: other) == "c000000")
    let analysis = HistoryAnalysis(nights)
    #expect(analysis.chain(of: made.id)?.links.map(\.base) == [0, 1])
    #expect(analysis.chain(of: other)?.links.map(\.base) == [0])
    #expect(analysis.sentences[0].hasPrefix("No regression in 1 benchmark since night 1"), "\(analysis.sentences)")
  }

  @Test func aNightWhoseComparisonFailedIsNoBaseForThatBenchmark() {
    var nights = (0..<9).map { made.night($0, 1, ids: [made.id, other]) }
    for index in 8..<9 {
      nights[index].comparison = made.comparison(of: index, with: index - 1, [])
      nights[index].comparison?.failures = [BenchmarkFailure(id: other, reason: "it was killed", standardError: "")]
    }
    var bases = nights.bases(for: [made.id, other])
    #expect(bases[0].ids == [made.id] && bases[1].ids == [made.id, other])
    for index in 1..<9 {
      nights[index].comparison = made.comparison(of: index, with: index - 1, [])
      nights[index].comparison?.failures = [BenchmarkFailure(id: other, reason: "it was killed", standardError: "")]
    }
    bases = nights.bases(for: [made.id, other])
    #expect(bases.count == 9 && bases.dropLast().allSatisfy { $0.ids == [made.id] })
    #expect(bases[8].ids == [made.id, other], "the last night that judged it, however long ago")
  }

  @Test func aNightWhoseBaselineNoLongerRunsIsTheNextBase() {
    var nights = [made.night(0, 1), made.night(1, 1)]
    nights[1].comparison = made.comparison(of: 1, with: 0, [])
    nights[1].comparison?.failures = [
      BenchmarkFailure(id: made.id, reason: "it crashed", standardError: "", build: .baseline)
    ]
    #expect(nights.bases(for: [made.id])[0].night.commit == "c000001")
    nights[1].comparison?.failures[0].build = .candidate
    #expect(nights.bases(for: [made.id])[0].night.commit == "c000000")
  }

  @Test func aChangeIsSinceTheNightWithWhichItsBenchmarkWasCompared() {
    let ids = [made.id, other]
    var nights = [made.night(0, 1, ids: ids), made.night(1, 1, ids: [made.id]), made.night(2, 1, ids: ids)]
    var slower = row(.allocationCount, .regressed)
    (slower.id, slower.candidate) = (other, .number(200))
    nights[2].add(made.comparison(of: 2, with: 1, [slower]), bases: [other: "c000000"])
    let sentences = HistoryAnalysis(nights).sentences
    #expect(sentences[0].hasSuffix(", since the night of 2026-01-01 (c000000)."), "\(sentences)")
  }

  @Test func nightsThatWereAddedAfterwardsAreABaseOnlyIfThereIsNoOther() {
    var nights = [made.night(0, 1), made.night(1, 1), made.night(2, 1)]
    nights[2].measuredAt = "2026-02-01T03:00:00Z"
    #expect(commits(nights, for: made.id).keys.sorted() == ["c000000", "c000001"])
    #expect(commits([nights[2]], for: made.id).keys.sorted() == ["c000002"])
  }

  // MARK: - Nights of a part, and of several machines

  @Test func whatTheOptionsLeaveOutIsNotMissingUntilTheNextNight() {
    var part = made.night(1, 1, ids: [made.id])
    let whole = made.night(0, 1, ids: [made.id, other])
    #expect(HistoryAnalysis([whole, part]).missing == [other])
    part.leftOut = [other]
    #expect(HistoryAnalysis([whole, part]).missing.isEmpty)
    #expect(HistoryAnalysis([whole, part, made.night(2, 1, ids: [made.id])]).missing == [other])
  }

  @Test func aMachineReportsTheCommitThatItMeasuredItself() {
    func night(_ number: Int, _ member: String, minute: Int) -> Night {
      var night = made.night(number, 1)
      night.environment.member = member
      night.startedAt = "2026-01-01T03:0\(minute):00Z"
      return night
    }
    let earlier = [night(0, "a", minute: 0), night(1, "a", minute: 1)]
    let analysis = HistoryAnalysis(endingWith: night(0, "b", minute: 2), after: earlier)
    #expect(analysis.nights.map(\.environment.commit) == ["c000000"])
    let newer = HistoryAnalysis(endingWith: night(1, "b", minute: 2), after: earlier)
    #expect(newer.nights.map(\.environment.commit) == ["c000000", "c000001"])
  }

  @Test func aHeapThatShrinksIsReadAgain() throws {
    var night = made.night(1, -64)
    night.metrics = ["netBytes.mean"]
    #expect(try Night(reading: night.data()) == night)
  }
}
