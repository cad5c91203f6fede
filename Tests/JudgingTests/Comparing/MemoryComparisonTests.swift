import FrameBench
import Testing

@testable import Judging
@testable import Measurements

/// Tests how two builds are compared by their heap, their set-up and the work of their other threads.
@Suite struct MemoryComparisonTests {
  private static let id = BenchmarkID(scenario: "springs", strategy: "tiled", size: 1_000)

  private func run(
    net: Int = 0, peak: Int? = 10_000, left: Int = 0, setUpCount: Int = 3, start: Double = 8, setUp: Double? = 10,
    firstFrame: Double = 1, warmUp: Double = 5, tearDown: Double = 2, exit: Double = 3, otherThreads: Double? = 0,
    otherThreadBytes: Int = 0
  ) -> RunMeasurement {
    var run = ExactComparisonTests.figures(otherThreadBytes: [5: otherThreadBytes])
    run.allocations?.peakHeapBytes = peak
    run.allocations?.leftHeapBytes = peak.map { _ in left }
    run.allocations?.setUpCount = setUpCount
    run.memory.startNanoseconds = Int(start * 1e6)
    run.memory.setUpNanoseconds = setUp.map { Int($0 * 1e6) }
    run.memory.firstFrameNanoseconds = Int(firstFrame * 1e6)
    run.memory.warmUpNanoseconds = Int(warmUp * 1e6)
    run.memory.tearDownNanoseconds = Int(tearDown * 1e6)
    run.memory.exitNanoseconds = Int(exit * 1e6)
    run.memory.otherThreadCPUNanoseconds = otherThreads.map { Int($0 * 1e6) }
    guard peak != nil else { return run }
    let series = CountSeries(repeatElement(net, count: 1_000))
    run.allocations?.netBytes = series
    run.phases[0].allocations?.netBytes = series
    return run
  }

  private func comparison(_ baseline: [RunMeasurement], _ candidate: [RunMeasurement]) -> ExactComparison {
    let records = [baseline, candidate].compactMap { BenchmarkRecord(id: Self.id, exactlyOf: $0) }
    return ExactComparison(baseline: records[0], candidate: records[1])
  }

  private func row(_ metric: Metric, _ baseline: [RunMeasurement], _ candidate: [RunMeasurement]) -> ComparisonRow? {
    comparison(baseline, candidate).rows(deviation: nil).first { $0.metric == metric && $0.phase == nil }
  }

  @Test func aHeapThatGrowsInEachFrameIsARegressionWithItsFrameAndPhase() throws {
    let row = try #require(self.row(.netBytes, [run()], [run(net: 1_024)]))
    #expect(row.verdict == .regressed && row.candidate == .number(1_024_000))
    #expect(row.note == "the heap grows from frame 0 on in solve, by 1.00 KiB a frame")
    let back = try #require(self.row(.netBytes, [run(net: 1_024)], [run()]))
    #expect(back.verdict == .improved)
  }

  @Test func growthInAPhaseAndFreesAreShownOnly() throws {
    let rows = comparison([run()], [run(net: 1_024)]).rows(deviation: nil)
    let phase = try #require(rows.first { $0.metric == .netBytes && $0.phase == "solve" })
    #expect(phase.verdict == .notJudged && !phase.isJudged)
  }

  @Test func aHigherHeapIsARegressionWhereTwoRunsOfABuildAgree() {
    let (old, new) = ([run(peak: 10_000), run(peak: 10_000)], [run(peak: 10_048), run(peak: 10_048)])
    #expect(row(.peakHeapBytes, old, new)?.verdict == .regressed)
    #expect(row(.peakHeapBytes, new, old)?.verdict == .improved)
    #expect(row(.peakHeapBytes, old, old)?.verdict == .unchanged)
  }

  @Test func aHeapThatDiffersFromRunToRunHasToDifferByMore() {
    let old = [run(peak: 10_000), run(peak: 10_400)]
    let little = row(.peakHeapBytes, old, [run(peak: 10_700), run(peak: 10_800)])
    #expect(little?.verdict == .notJudged && little?.note == "two runs of one build differ by 400 B")
    #expect(row(.peakHeapBytes, old, [run(peak: 20_000), run(peak: 20_100)])?.verdict == .regressed)
  }

  @Test func aStateThatOutlivesItsTearDownIsARegression() {
    let (old, new) = ([run(left: 640), run(left: 640)], [run(left: 5_000), run(left: 5_000)])
    #expect(row(.leftHeapBytes, old, new)?.verdict == .regressed)
    #expect(row(.leftHeapBytes, new, old)?.verdict == .improved)
    #expect(
      comparison(old, new).rows(deviation: nil).contains { $0.metric == .peakHeapBytes && $0.verdict == .unchanged })
  }

  @Test func oneFileThatStaysOpenIsARegression() throws {
    var (old, new) = (run(), run())
    (old.memory.leftFileCount, new.memory.leftFileCount) = (0, 1)
    let row = try #require(self.row(.leftFileCount, [old, old], [new, new]))
    #expect(row.verdict == .regressed && row.change == nil)
    #expect(self.row(.leftFileCount, [new, new], [old, old])?.verdict == .improved)
    #expect(self.row(.leftFileCount, [old, new], [new, new])?.verdict == .notJudged)
    #expect(self.row(.leftFileCount, [old, old], [run(), run()])?.isLost == true)
  }

  @Test func anExactFigureThatOneBuildLacksIsSaid() {
    for (old, new) in [([run(peak: nil)], [run()]), ([run()], [run(peak: nil)])] {
      let rows = comparison(old, new).rows(deviation: nil).filter(\.verdict.isChange)
      #expect(rows.map(\.metric) == [.netBytes, .peakHeapBytes, .leftHeapBytes])
      #expect(rows.allSatisfy { $0.verdict == .missing && $0.phase == nil })
      #expect(rows.allSatisfy { $0.isLost == (old[0].allocations?.peakHeapBytes != nil) })
    }
    #expect(row(.setUpNanoseconds, [run(setUp: nil)], [run()]) == nil)
  }

  @Test func oneAllocationMoreInSetUpIsARegression() {
    #expect(row(.setUpAllocationCount, [run()], [run(setUpCount: 4)])?.verdict == .regressed)
    #expect(row(.setUpAllocationCount, [run(), run(setUpCount: 5)], [run(setUpCount: 4)])?.verdict == .notJudged)
  }

  @Test func aStartThatTakesTwiceAsLongIsARegressionWhereRunsAgree() {
    let (old, new) = ([run(setUp: 10), run(setUp: 10.4), run(setUp: 30)], [run(setUp: 20), run(setUp: 21)])
    #expect(row(.setUpNanoseconds, old, new)?.verdict == .regressed)
    #expect(row(.setUpNanoseconds, new, old)?.verdict == .improved)
    for (setUps, note) in [([20.0, 40], "runs of one build differ too much"), ([14, 14], nil), ([20], nil)] {
      let row = row(.setUpNanoseconds, setUps.count == 1 ? [old[0]] : old, setUps.map { run(setUp: $0) })
      #expect(row?.verdict == .notJudged && row?.note == note)
    }
  }

  @Test func aFirstFrameThatTakesLongerIsARegressionOfTheStart() throws {
    let (old, new) = ([run(), run()], [run(firstFrame: 46), run(firstFrame: 49)])
    let row = try #require(self.row(.firstFrameNanoseconds, old, new))
    #expect(row.verdict == .regressed && row.metric.isOfSetUp)
    #expect(self.row(.firstFrameNanoseconds, new, old)?.verdict == .improved)
    #expect(self.row(.firstFrameNanoseconds, old, [run(firstFrame: 1.9), run(firstFrame: 1.9)])?.verdict == .notJudged)
  }

  @Test func warmUpFramesAndATearDownThatTakeLongerAreRegressions() throws {
    let (old, new) = ([run(), run()], [run(warmUp: 9, tearDown: 52), run(warmUp: 9.2, tearDown: 50)])
    for metric in [Metric.warmUpNanoseconds, .tearDownNanoseconds] {
      #expect(row(metric, old, new)?.verdict == .regressed)
      #expect(row(metric, new, old)?.verdict == .improved)
    }
    #expect(row(.warmUpNanoseconds, old, [run(warmUp: 7), run(warmUp: 7)])?.verdict == .notJudged)
  }

  @Test func codeBeforeAndAfterTheRunCountsIfItTakesLongerThanLoadingALibrary() {
    let old = [run(), run()]
    for metric in [Metric.startNanoseconds, .exitNanoseconds] {
      #expect(row(metric, old, [run(start: 60, exit: 60), run(start: 61, exit: 61)])?.verdict == .regressed)
      #expect(row(metric, old, [run(start: 25, exit: 20), run(start: 25, exit: 20)])?.verdict == .notJudged)
    }
  }

  @Test(arguments: [(warmUp: 0.8, isSame: true), (warmUp: 2, isSame: false), (warmUp: -0.8, isSame: false)])
  func aWarmUpThatSlowsDownAsTheFramesDoIsTheSameFinding(_ warmUp: Double, _ isSame: Bool) {
    let rows = [(Metric.frameTime, 0.8), (.warmUpNanoseconds, warmUp)].map { metric, change in
      ComparisonRow(
        id: Self.id, metric: metric, statistic: metric == .frameTime ? .mean : .total, baseline: .number(1e6),
        candidate: .number(1e6 * (1 + change)), change: change, verdict: change > 0 ? .regressed : .improved)
    }
    #expect(ComparisonFinding.all(of: rows).map(\.cause) == (isSame ? [.time] : [.time, .setUp]))
  }

  @Test func aSpreadOfAQuarterOfTheChangeDoesNotHideIt() {
    let old = [run(otherThreads: 0), run(otherThreads: 0)]
    #expect(
      row(.otherThreadCPUNanoseconds, old, [run(otherThreads: 40), run(otherThreads: 49)])?.verdict == .regressed)
  }

  @Test func oneRunOfATimeAsksForMore() {
    let suspect = comparison([run(setUp: 10)], [run(setUp: 20)])
    #expect(suspect.hasSuspectTimes && !suspect.rows(deviation: nil).contains { $0.verdict.isChange })
    #expect(!comparison([run(setUp: 0.2)], [run(setUp: 0.6)]).hasSuspectTimes)
  }

  @Test func aWarmUpOnWhichTwoRunsAgreeAsksForMore() {
    let old = [run(warmUp: 10), run(warmUp: 10)]
    #expect(comparison(old, [run(warmUp: 20), run(warmUp: 20)]).hasSuspectWarmUp)
    #expect(!comparison(old, [run(warmUp: 20), run(warmUp: 40)]).hasSuspectWarmUp, "runs do not agree")
    #expect(!comparison(old, [run(warmUp: 11), run(warmUp: 11)]).hasSuspectWarmUp, "a small change")
    #expect(!comparison([run(setUp: 10), run(setUp: 10)], [run(setUp: 20), run(setUp: 20)]).hasSuspectWarmUp)
  }

  @Test func workOfOtherThreadsIsJudgedWhereRunsAgree() {
    let (old, new) = ([run(otherThreads: 0), run(otherThreads: 0.1)], [run(otherThreads: 40), run(otherThreads: 41)])
    #expect(row(.otherThreadCPUNanoseconds, old, new)?.verdict == .regressed)
    #expect(
      row(.otherThreadCPUNanoseconds, old, [run(otherThreads: 40), run(otherThreads: 60)])?.verdict == .notJudged)
    #expect(row(.otherThreadCPUNanoseconds, old, [run(otherThreads: 1.5)])?.verdict == .notJudged)
  }

  @Test func allocationsOfOtherThreadsThatDifferFromRunToRunAreNotJudged() {
    let old = [run(otherThreadBytes: 1_000), run(otherThreadBytes: 1_300)]
    #expect(row(.otherThreadAllocatedBytes, old, [run(otherThreadBytes: 1_500)])?.verdict == .notJudged)
    #expect(row(.otherThreadAllocatedBytes, old, [run(otherThreadBytes: 9_000)])?.verdict == .regressed)
  }

  @Test(arguments: [(saved: 30_000.0, isMoved: true), (saved: 90_000, isMoved: false)])
  func aFrameWhoseWorkMovedToAnotherThreadIsCalledSo(_ saved: Double, _ isMoved: Bool) throws {
    let frame = ComparisonRow(
      id: Self.id, metric: .frameTime, baseline: .number(100_000), candidate: .number(100_000 - saved),
      change: -saved / 100_000, verdict: .improved)
    let threads = ComparisonRow(
      id: Self.id, metric: .otherThreadCPUNanoseconds, baseline: .number(100_000), candidate: .number(40_100_000),
      verdict: .regressed)
    var rows = [frame, threads]
    var options = RunOptions()
    (options.warmUpFrameCount, options.frameCount) = (0, 1_000)
    rows.nameMovedWork(options)
    #expect((rows[0].note == nil) != isMoved)
    if isMoved { #expect(rows[0].note == "work moved to other threads, whose CPU time rose from 100 µs to 40.1 ms") }
  }

  @Test(arguments: [(after: 98e6, isMoved: true), (after: 62e6, isMoved: false)])
  func aFrameWhoseWorkMovedOutOfItIsCalledSo(_ after: Double, _ isMoved: Bool) throws {
    let frame = ComparisonRow(
      id: Self.id, metric: .frameTime, baseline: .number(80_000), candidate: .number(40_000), change: -0.5,
      verdict: .improved)
    let run = [(Metric.cpuUserNanoseconds, 90e6, after - 10e6), (.cpuSystemNanoseconds, 10e6, 10e6)].map {
      ComparisonRow(id: Self.id, metric: $0, baseline: .number($1), candidate: .number($2), verdict: .notJudged)
    }
    var rows = [frame] + run
    var options = RunOptions()
    (options.warmUpFrameCount, options.frameCount) = (0, 1_000)
    rows.nameMovedWork(options)
    let note =
      "work may have moved out of the frames, or the frames wait less, because the run's CPU time only changed from"
      + " 100 ms to 98.0 ms"
    #expect(rows[0].note == (isMoved ? note : nil))
  }

  @Test func theFiguresOfTheHeapAreOneCauseAndThoseOfSetUpAnother() {
    let candidate = run(net: 1_024, peak: 1_000_000, setUpCount: 9)
    let rows = comparison([run()], [candidate]).rows(deviation: nil)
    let causes = ComparisonFinding.all(of: rows).map(\.cause)
    #expect(causes == [.heap, .setUp])
  }

  @Test func aSlowerTearDownIsNamedBeforeBytesOfTheHeapAndThoseBeforeBytesOfTheSetUp() {
    let id = BenchmarkID(scenario: "list", strategy: "default", size: 1)
    let rows = [Metric.leftHeapBytes, .tearDownNanoseconds, .setUpAllocatedBytes].map {
      ComparisonRow(id: id, metric: $0, baseline: .number(192), candidate: .number(3e7), verdict: .regressed)
    }
    #expect(ComparisonFinding.all(of: rows).map(\.cause) == [.setUp, .heap])
    #expect(ComparisonFinding.all(of: [rows[2], rows[0]]).map(\.cause) == [.heap, .setUp])
  }
}
