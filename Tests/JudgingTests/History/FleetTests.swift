import Foundation
import FrameBench
import Testing

@testable import HistoryPages
@testable import Judging
@testable import Measurements
@testable import Pages

/// Tests histories that several machines of the same kind share.
@Suite struct FleetTests {
  private let made = MadeUpNights()

  private func night(_ number: Int, _ member: String?, _ value: Double, minute: Int = 0) -> Night {
    var night = made.night(number, value)
    night.environment.member = member
    night.startedAt.replace("T03:00", with: String(format: "T03:%02d", minute))
    return night
  }

  /// Returns nights of the machines `a`, `b` and `c`, which share a history. The times of `c` are multiplied by
  /// `slower`.
  private func fleet(_ count: Int, slower: Double = 1) -> [Night] {
    (0..<count).flatMap { number in
      let value = 1_000 + 2 * sin(Double(number) * 2.4)
      return [
        night(number, "a", value), night(number, "b", value + 4, minute: 1),
        night(number, "c", value * slower + 8, minute: 2),
      ]
    }
  }

  @Test func nightsOfMachinesOfAClassAreOneNightWithTheirMedian() {
    let analysis = HistoryAnalysis(fleet(3))
    #expect(analysis.nights.count == 3)
    #expect(analysis.trend(made.id, made.metric)?.values.first == 1_004)
    #expect(analysis.newestSpreads["\(made.id) \(made.metric)"].map { $0.upperBound - $0.lowerBound } == 8)
  }

  @Test func machinesWithOtherFrameCountsAreOneNightOfThoseThatAgree() throws {
    let nights = zip(["a", "b", "c"], [300, 100, 300]).enumerated().map { minute, machine in
      var night = night(0, machine.0, Double(machine.1 + minute), minute: minute)
      night.options?.scenarioFrames = ["s/10": .init(recorded: machine.1)]
      return night
    }
    let analysis = HistoryAnalysis(nights)
    #expect(analysis.nights.count == 1 && analysis.trends[0].values == [301])
    var other = night(0, "a", 1)
    other.benchmarks = []
    #expect(Fleet.combined([other] + nights.dropFirst()).frames(of: made.id)?.recorded == 100)
  }

  @Test func ratiosToTheAnchorOfAnotherMachineDoNotCount() {
    var nights = [night(0, "a", 1), night(0, "b", 1, minute: 1)]
    nights[0].add(anchor: "1111", [:])
    nights[1].add(anchor: "2222", [made.id: CodeRatio(logarithm: 0.1, variance: 0.0001)])
    let combined = Fleet.combined(nights)
    #expect(combined.anchor == "1111" && combined.benchmarks[0].anchorRatio == nil)
  }

  @Test func aBenchmarkIsJudgedByTheMachineThatComparedIt() {
    var nights = [night(1, "a", 1), night(1, "b", 1, minute: 1)]
    let row = ComparisonRow(
      id: made.id, metric: .allocationCount, baseline: .number(0), candidate: .number(1), verdict: .regressed)
    nights[0].comparison = made.comparison(of: 1, with: 0, [])
    nights[1].comparison = made.comparison(of: 1, with: 0, [row])
    #expect(Fleet.combined(nights).comparison?.rows == [row])
    nights[1].comparison?.rows[0].verdict = .improved
    nights[0].benchmarks[0].ratio = CodeRatio(logarithm: 0, variance: 0)
    #expect(Fleet.combined(nights).comparison?.rows == [])
  }

  @Test func aRegressionThatOnlyTheSecondMachineFoundCounts() {
    let slower = CodeRatio(logarithm: 0.1, variance: 1e-6)
    let row = ComparisonRow(
      id: made.id, metric: .frameTime, statistic: .mean, baseline: .number(1), candidate: .number(1.1), change: 0.1,
      verdict: .regressed)
    var nights = [night(2, "a", 1), night(2, "b", 1, minute: 1)]
    nights[0].add(made.comparison(of: 2, with: 1, [.unmeasured(made.id, "same code")]))
    nights[1].comparison = made.comparison(of: 2, with: 0, [row])
    nights[1].benchmarks[0].ratio = slower
    let combined = Fleet.combined(nights)
    #expect(combined.comparison?.rows == [row])
    #expect(combined.benchmarks[0].ratio == slower && combined.base(of: made.id) == "c000000")
    let analysis = HistoryAnalysis(endingWith: nights[1], after: [made.night(0, 1), made.night(1, 1), nights[0]])
    #expect(analysis.failedKinds == [.regression], "\(analysis.sentences)")
  }

  @Test func identicalProgramsOnOneMachineDoNotHideWhatAnotherFound() {
    let row = ComparisonRow(
      id: made.id, metric: .allocationCount, baseline: .number(0), candidate: .number(1), verdict: .regressed)
    var nights = [night(2, "a", 1), night(2, "b", 1, minute: 1)]
    var same = made.comparison(of: 2, with: 1, [.unmeasured(made.id, ComparisonRow.identicalProgram)])
    same.method.source = .identicalPrograms
    nights[0].add(same)
    nights[0].commitCount = 1
    nights[1].comparison = made.comparison(of: 2, with: 0, [row])
    nights[1].commitCount = 2
    let analysis = HistoryAnalysis(endingWith: nights[1], after: [made.night(0, 1), made.night(1, 1), nights[0]])
    #expect(analysis.sentences[0].hasPrefix("Regression: "), "\(analysis.sentences)")
    #expect(analysis.sentences[0].hasSuffix(", since night 0 (c000000, 2 commits ago)."), "\(analysis.sentences)")
  }

  @Test func aRegressionCountsWhateverTheMachineComparedWith() {
    let other = BenchmarkID(scenario: "s", strategy: "b", size: 10)
    let row = ComparisonRow(
      id: other, metric: .allocationCount, baseline: .number(0), candidate: .number(1), verdict: .regressed)
    var nights = [night(2, "a", 1), night(2, "b", 1, minute: 1)]
    nights[0].comparison = made.comparison(of: 2, with: 1, [])
    nights[1].benchmarks[0].id = other
    // Last night this machine was off.
    nights[1].comparison = made.comparison(of: 2, with: 0, [row])
    let combined = Fleet.combined(nights)
    #expect(combined.comparison?.rows == [row])
    #expect(combined.base(of: made.id) == "c000001" && combined.base(of: other) == "c000000")
    let analysis = HistoryAnalysis([made.night(0, 1), made.night(1, 1)] + nights)
    #expect(analysis.failedKinds.contains(.regression), "\(analysis.sentences)")
    #expect(analysis.sentences[0].hasSuffix(", since the night of 2026-01-01 (c000000)."), "\(analysis.sentences)")
  }

  @Test func benchmarksThatOnlyAnInterruptedMachineMeasuredAreNotJudged() {
    var nights = [night(2, "a", 1), night(2, "b", 1, minute: 1)]
    nights[1].isJudged = false
    #expect(Fleet.combined(nights).isJudged == nil, "the other machine judged it")
    nights[1].benchmarks[0].id = BenchmarkID(scenario: "s", strategy: "b", size: 10)
    #expect(Fleet.combined(nights).isJudged == false && HistoryAnalysis(nights).failedKinds.contains(.failure))
  }

  @Test func otherCommitsTheSameMachineAndMachinesOfNoClassAreNightsOfTheirOwn() {
    let nights = [night(0, "a", 1), night(1, "b", 1), night(1, "b", 1, minute: 5), night(1, nil, 1, minute: 6)]
    #expect(HistoryAnalysis(nights).nights.count == 4)
  }

  @Test func machinesThatDifferByMoreThanTheirNightsDoAreNamed() throws {
    #expect(HistoryAnalysis(fleet(6)).machineDifferences.isEmpty)
    #expect(HistoryAnalysis(fleet(3, slower: 1.05)).machineDifferences.isEmpty)
    let analysis = HistoryAnalysis(fleet(6, slower: 1.05))
    #expect(analysis.machineDifferences.map { [$0.slower, $0.faster] } == [["c", "a"], ["c", "b"]])
    let words = "c takes 5.8% longer than a, more than the nights of either move (6 nights)"
    #expect(analysis.machineSentences.first == words)
    #expect(analysis.report.markdown().contains("## Machines that differ\n\n- \(words)"))
  }

  @Test func aChangePointThatOneMachineReportedIsNotReportedByAnother() throws {
    var nights = fleet(20).map { night in
      var night = night
      if night.startedAt >= made.night(10, 0).startedAt {
        night.benchmarks[0].values = [1_100 + (night.benchmarks[0].values[0] ?? 0)]
      }
      return night
    }
    var analysis = HistoryAnalysis(nights)
    analysis.announce()
    #expect(analysis.announced.count == 1)
    nights[nights.count - 3].announced = analysis.nights.last?.announced ?? []
    #expect(HistoryAnalysis(nights).news().new.isEmpty)
    // `b` and `c` report that the rise began with the night of `c`, not with that of `a`. This rise must count only
    // once.
    var report = try #require(analysis.nights.last?.announced.first)
    report.startedAt.replace("T03:00", with: "T03:02")
    for (number, reports) in [[], [report], [report]].enumerated() {
      nights[nights.count - 3 + number].announced = reports
    }
    #expect(HistoryAnalysis(nights).news().new.isEmpty && HistoryAnalysis(nights).announced.count == 1)
  }

  @Test func classesStandSideBySideOnTheFirstPage() {
    let parts = [("x", 1_000.0), ("y", 1_500.0)].map { machine, value in
      Site.Part(machine: machine, suite: "s", analysis: HistoryAnalysis([made.night(0, value)]))
    }
    let page = Site(parts).files()[0].text
    #expect(page.contains(">s, machine by machine</h2>"))
    #expect(page.contains("1.50 µs (1.5×)"))
  }

  @Test func whatIsWrongComesFirstThenWhatChangedMost() throws {
    let ids = ["steady", "faster", "slower", "slowest"].map { BenchmarkID(scenario: $0, strategy: "a", size: 10) }
    let nights = (0..<24).map { number in
      var night = made.night(number, 0, ids: ids)
      let base = 1_000 * (1 + 0.003 * sin(Double(number) * 2.4))
      for (index, factor) in [1, 0.5, 1.1, 1.3].enumerated() {
        night.benchmarks[index].values = [number < 12 ? base : base * factor]
      }
      return night
    }
    let page = Site([Site.Part(machine: "m", suite: "s", analysis: HistoryAnalysis(nights))]).files()[0].text
    let table = try #require(page.components(separatedBy: "<table data-filter>").last)
    let order = ["slowest", "slower", "faster", "steady"].map { name in
      table.range(of: ">\(name)/a/<wbr>10<")?.lowerBound.utf16Offset(in: table) ?? 0
    }
    #expect(order == order.sorted() && order[0] > 0)
  }
}
