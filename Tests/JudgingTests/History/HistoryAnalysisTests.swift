import Foundation
import Testing

@testable import FrameBench
@testable import HistoryPages
@testable import Judging
@testable import Measurements

/// Tests how nights with made-up figures are divided into segments and levels, and what is reported about them.
@Suite struct HistoryAnalysisTests {
  private let made = MadeUpNights()
  private var id: BenchmarkID { made.id }

  private func night(_ number: Int, _ value: Double?, toolchain: String = "Swift 6.3.1", ids: [BenchmarkID]? = nil)
    -> Night
  { made.night(number, value, toolchain: toolchain, ids: ids) }

  private func values(_ levels: [(Double, Int)]) -> [Double] { made.values(levels) }

  private func nights(_ levels: (Double, Int)...) -> [Night] { made.values(levels).enumerated().map { night($0, $1) } }

  @Test func aStepIsFoundWithItsCommitsAndSize() throws {
    let analysis = HistoryAnalysis(nights((100, 40), (105, 20)).shuffled())
    let finding = try #require(analysis.news().new.first)
    #expect(analysis.news().new.count == 1)
    #expect(finding.shift.position == 40 && finding.shift.support == 20 && finding.shift.isRegression)
    #expect(abs((finding.shift.relativeChange ?? 0) - 0.05) < 0.002)
    let range = try #require(analysis.commitRange(of: finding))
    #expect(range == (good: "c000039", bad: "c000040"))
    #expect(abs((finding.trend.currentLevel ?? 0) - 105) < 0.3)
  }

  @Test func aFlatHistoryTellsNothing() {
    #expect(HistoryAnalysis(nights((100, 200))).news().new.isEmpty)
    #expect(HistoryAnalysis(nights((100, 1))).news().new.isEmpty)
    #expect(HistoryAnalysis([]).trends.isEmpty)
  }

  @Test func aShiftIsToldOnceItHasSupportAndNeverAgain() {
    var told: [(night: Int, start: String)] = []
    var history: [Night] = []
    for (number, value) in values([(100, 30), (110, 40)]).enumerated() {
      history.append(night(number, value))
      let analysis = HistoryAnalysis(history)
      let findings = analysis.news().new
      history[number].announced = findings.map(analysis.announcement)
      told += findings.map { (number, analysis.announcement(of: $0).startedAt) }
    }
    #expect(told.count == 1)
    #expect(told.first?.night == 30 + Trend.requiredSupport - 1)
    #expect(told.first?.start == night(30, nil).startedAt)
  }

  @Test func anotherToolchainBeginsASegmentAndIsNoChangePoint() {
    let history = values([(100, 30), (120, 30)]).enumerated().map { number, value in
      night(number, value, toolchain: number < 30 ? "Swift 6.3.1" : "Swift 6.3.2")
    }
    let analysis = HistoryAnalysis(history)
    #expect(analysis.trends[0].segmentStarts == [30] && analysis.news().new.isEmpty)
    #expect(
      history[0].environmentKey.changes(to: history[59].environmentKey) == ["toolchain: Swift 6.3.1 → Swift 6.3.2"])
    #expect(abs((analysis.trends[0].currentLevel ?? 0) - 120) < 0.5)
  }

  @Test func nightsWithoutTheFigureAreLeftOut() {
    var history = nights((100, 30), (110, 10))
    history[5] = night(5, nil)
    let analysis = HistoryAnalysis(history)
    #expect(analysis.trends[0].nights.count == 39 && !analysis.trends[0].nights.contains(5))
    #expect(analysis.news().new.map(\.shift.position) == [29])
  }

  @Test func aBenchmarkThatIsGoneIsNamed() {
    let other = BenchmarkID(scenario: "s", strategy: "b", size: 10)
    let analysis = HistoryAnalysis([night(0, 1, ids: [id, other]), night(1, 1)])
    #expect(analysis.missing == [other])
  }

  @Test func aSecondStepNearAToldOneIsToldToo() {
    var history = nights((100, 30), (110, 8))
    var analysis = HistoryAnalysis(history)
    analysis.announce()
    history = analysis.nights
    #expect(history.last?.announced.count == 1)
    for (offset, value) in values([(100, 12)]).enumerated() { history.append(night(38 + offset, value)) }
    let findings = HistoryAnalysis(history).news().new
    #expect(findings.map(\.shift.position) == [38])
    #expect(findings.first?.shift.isRegression == false)
  }

  @Test func aCountIsToldInItsFirstNight() {
    let counts = MadeUpNights(metric: "allocationCount.mean")
    var history = counts.nights((3, 20), ripple: 0)
    history.append(counts.night(20, 4))
    let findings = HistoryAnalysis(history).news().new
    #expect(findings.map(\.shift.position) == [20])
    #expect(findings.first?.shift.isExact == true)
  }

  @Test func whatANightToldIsFoundAgain() {
    var analysis = HistoryAnalysis(nights((100, 30), (110, 6)))
    analysis.announce()
    #expect(analysis.announced.map(\.shift.position) == [30])
    #expect(analysis.news().new.isEmpty)
  }

  @Test func aCounterIsJudgedByTheDirectionThatItDeclares() {
    for (kind, regressions) in [
      (CounterKind?.none, [true]), (CounterKind(direction: .higherIsBetter), [false]),
      (CounterKind(direction: .neither), []),
    ] {
      var made = MadeUpNights()
      made.metric = "hits.mean"
      let nights = ([10, 10, 10, 10, 10, 12, 12, 12, 12] as [Double]).enumerated().map { index, value in
        var night = made.night(index, value)
        night.counterKinds = kind.map { ["hits": $0] }
        return night
      }
      #expect(HistoryAnalysis(nights).news().new.map(\.shift.isRegression) == regressions)
    }
  }

  @Test func aCounterNamedLikeATimeIsKept() {
    var document = RunDocument(
      suite: "s", startedAt: "2026-11-21T06:47:12Z", durationSeconds: 1, arguments: [], options: RunOptions(),
      environment: made.night(0, 1).environment, benchmarks: [])
    let time = TimeRecord(
      alignedNanoseconds: [5, 5], pooled: PooledTimes(sampleCount: 2, p50: 5, p90: 5, p99: 5, max: 5, mean: 5))
    var record = BenchmarkRecord(
      id: made.id, frame: time, phases: [], allocations: nil, counters: ["stallNanoseconds": CountSeries([3, 5])],
      memory: MemoryRecord(), checksum: "0000000000000000")
    record.counterKinds = ["stallNanoseconds": CounterKind(unit: .nanoseconds)]
    document.benchmarks = [record]
    let night = Night(document)
    let column = night.metrics.firstIndex(of: "stallNanoseconds.mean")
    #expect(column.flatMap { night.benchmarks[0].values[$0] } == 4)
    #expect(night.counterKinds == record.counterKinds)
    #expect(!night.metrics.contains { $0.hasPrefix("pooledFrame") || $0.hasPrefix("overrun") })
  }

  @Test func otherOptionsBeginASegment() {
    var options = RunOptions()
    options.runCount = 3
    let history = values([(100, 10), (120, 10)]).enumerated().map { number, value in
      made.night(number, value, options: number < 10 ? RunOptions() : options)
    }
    let analysis = HistoryAnalysis(history)
    #expect(analysis.trends[0].segmentStarts == [10])
    #expect(history[9].environmentKey.changes(to: history[10].environmentKey).count == 1)
  }

  @Test func theFrameCountOfOneBenchmarkBeginsASegmentOfThisBenchmarkAlone() {
    func history(_ name: String) -> HistoryAnalysis {
      HistoryAnalysis(
        values([(100, 10), (120, 10)]).enumerated().map { number, value in
          var options = RunOptions()
          options.scenarioFrames = [name: .init(recorded: number < 10 ? 300 : 100, warmUp: 10)]
          return made.night(number, value, checksum: number < 19 ? "a" : "b", options: options)
        })
    }
    let other = history("other")
    #expect(other.trends[0].segmentStarts.isEmpty && other.nightsOfEnvironment == 20)
    #expect(other.behaviorChanged == [id] && other.news().new.count == 1)
    for name in ["s", "s/10"] {
      let own = history(name)
      #expect(own.trends[0].segmentStarts == [10] && own.environmentChanges.isEmpty)
      let changes = own.environmentChanges(own.trends[0], at: 10)
      #expect(
        changes.count == 1 && changes[0].contains("of 300 frames after 10 ") && changes[0].contains("of 100 frames"))
      #expect(HistoryAnalysis([own.nights[9], own.nights[19]]).behaviorChanged.isEmpty)
    }
  }

  @Test func aBudgetChangesNoSegment() {
    var options = RunOptions()
    options.budgetShare = 0.5
    #expect(made.night(0, 1).environmentKey == made.night(1, 1, options: options).environmentKey)
  }

  @Test func behaviorThatChangesIsNamedOnce() {
    let history = ["a", "a", "b", "b"].enumerated().map { made.night($0, 1, checksum: $1) }
    #expect(HistoryAnalysis(Array(history[..<2])).behaviorChanged.isEmpty)
    #expect(HistoryAnalysis(Array(history[..<3])).behaviorChanged == [id])
    #expect(HistoryAnalysis(history).behaviorChanged.isEmpty)
  }

  @Test func aNightOfAnotherBranchOrOfAnOldCommitMakesNothingMissingOrDifferent() {
    let other = BenchmarkID(scenario: "new", strategy: "a", size: 1)
    // Between two nights of a branch, a night measured another one, which changes a checksum and has a new benchmark.
    var nights = [made.night(0, 1), made.night(1, 1, ids: [id, other], checksum: "b"), made.night(2, 1)]
    #expect(HistoryAnalysis(nights).missing == [other] && HistoryAnalysis(nights).behaviorChanged == [id])
    nights[2].comparison = made.comparison(of: 2, with: 0, [])
    #expect(HistoryAnalysis(nights).missing.isEmpty && HistoryAnalysis(nights).behaviorChanged.isEmpty)
    // The last night measured the first commit again.
    nights[2].comparison = nil
    nights[2].environment.commit = nights[0].environment.commit
    #expect(HistoryAnalysis(nights).missing.isEmpty && HistoryAnalysis(nights).behaviorChanged.isEmpty)
    nights[0].benchmarks[0].checksum = "a"
    #expect(HistoryAnalysis(nights).behaviorChanged == [id])
  }

  @Test func whatANightOfAPartReportedIsNotReportedAgainByTheNextNight() {
    let (other, gone) = (
      BenchmarkID(scenario: "s", strategy: "b", size: 10), BenchmarkID(scenario: "g", strategy: "a", size: 1)
    )
    var nights = [
      made.night(0, 1, ids: [id, other, gone]), made.night(1, 1, ids: [id], checksum: "b"),
      made.night(2, 1, ids: [id, other]),
    ]
    nights[1].leftOut = [other]
    let part = HistoryAnalysis(Array(nights[..<2]))
    #expect(part.behaviorChanged == [id] && part.missing == [gone])
    // The next night compares most benchmarks with the first night, because the second measured only a part.
    nights[2].comparison = made.comparison(of: 2, with: 0, [])
    (nights[2].benchmarks[0].base, nights[2].benchmarks[0].checksum) = ("c000001", "b")
    #expect(HistoryAnalysis(nights).behaviorChanged.isEmpty && HistoryAnalysis(nights).missing.isEmpty)
    nights[2].benchmarks[1].checksum = "c"
    #expect(HistoryAnalysis(nights).behaviorChanged == [other])
  }

  @Test func aCounterThatShouldBeHighIsSaidToFall() {
    let made = MadeUpNights(metric: "hits.mean")
    let nights = ([10, 10, 5] as [Double]).enumerated().map { index, value in
      var night = made.night(index, value)
      night.counterKinds = ["hits": CounterKind(direction: .higherIsBetter)]
      return night
    }
    let sentence = HistoryAnalysis(nights).sentences[0]
    #expect(
      sentence.hasSuffix(" fell from 10 to 5, less than in any earlier night of this environment."), "\(sentence)")
  }

  @Test func aReplayTellsWhatNightsWouldHaveTold() {
    let reports = Trend.replay(values([(100, 60), (105, 40)]))
    #expect(reports.map(\.shift.position) == [60])
    #expect(reports.map(\.night) == [63])
  }
}
