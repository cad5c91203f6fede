import Foundation
import Statistics
import Testing

@testable import Builds
@testable import Execution
@testable import FrameBench
@testable import Judging
@testable import Measurements

/// Tests bisections of made-up commits.
@Suite struct BisectionTests {
  private func time(_ fraction: Double, error: Double = 0.002) -> Bisection.Effect {
    .time(log1p(fraction), standardError: error)
  }

  @Test func everyCommitOfARangeIsFound() async {
    for count in 1...33 {
      for culprit in 0..<count {
        var measured = 0
        let finding = await Bisection(count: count, whole: time(0.05)).run { position, _ in
          measured += 1
          return time(position >= culprit ? 0.05 : 0)
        }
        #expect(finding.candidates == [culprit])
        #expect(finding.confidence > 0.999)
        // If the last commit is the culprit, the bisection measures it once more before it names it.
        let most = Int(log2(Double(count)).rounded(.up)) + (culprit == count - 1 && count > 1 ? 1 : 0)
        #expect(measured <= most, "\(count)")
      }
    }
  }

  @Test(arguments: [0, 4, 7]) func aChangeThatWasMeasuredAsTooLargeIsMeasuredAgain(culprit: Int) async {
    let finding = await Bisection(count: 8, whole: time(0.07)).run { position, _ in
      time(position >= culprit ? 0.015 : 0)
    }
    #expect(finding.candidates == [culprit] && finding.steps[0].decision == .again && finding.confidence > 0.99)
  }

  @Test(arguments: [0, -0.05]) func noCommitIsNamedForAChangeThatIsGoneOrReversedWhenItIsMeasuredAgain(change: Double)
    async
  {
    var measured: [Int] = []
    let finding = await Bisection(count: 8, whole: time(0.07)).run { position, _ in
      measured.append(position)
      return time(change)
    }
    #expect(finding.candidates == Array(0..<8) && finding.steps == [finding.steps[0]])
    #expect(measured == [3, 5, 6, 7] && finding.steps[0].decision == .again)
  }

  @Test(arguments: [
    (Bisection.Effect.time(0.05, standardError: 0.002), Bisection.Effect.time(0, standardError: 0.002)),
    (Bisection.Effect.exact(good: 1e7, candidate: 2e7, .ofVerdict), Bisection.Effect.exact(good: 1e7, candidate: 1e7)),
  ]) func theLastCommitIsNotNamedIfThereIsNoTimeToMeasureItAgain(whole: Bisection.Effect, good: Bisection.Effect) async
  {
    var measured = 0
    let finding = await Bisection(count: 4, whole: whole).run(
      { _, _ in
        measured += 1
        return good
      }, isOver: { measured == 2 })
    #expect(finding.candidates == Array(0..<4))
  }

  @Test func aFigureThatIsGoneAndABenchmarkThatFailsAreChanges() {
    let id = BenchmarkID(scenario: "s", strategy: "a", size: 1)
    let gone = ComparisonRow(
      id: id, metric: .frameTime, phase: "solve", statistic: .mean, baseline: .number(1), verdict: .missing)
    var kept = gone
    (kept.candidate, kept.verdict) = (.number(1), .unchanged)
    let figures = [ComparedFigure(gone), ComparedFigure(.missing(id, isNew: false)), .failure]
    #expect(figures.map(\.description) == ["frameNanoseconds.solve gone", "gone", "failure"])
    func effects(_ rows: [ComparisonRow], _ build: BenchmarkFailure.Build? = nil) -> [Bool?] {
      var document = document(rows)
      document.failures = build.map { [BenchmarkFailure(id: id, reason: "", standardError: "", build: $0)] } ?? []
      return figures.map { if case .behavior(let isChanged) = $0.effect(in: document) { isChanged } else { nil } }
    }
    #expect(effects([gone]) == [true, false, false])
    #expect(effects([kept]) == [false, false, false])
    #expect(effects([.missing(id, isNew: false)]) == [nil, true, nil])
    #expect(effects([], .candidate) == [nil, false, true])
    #expect(effects([], .baseline) == [nil, false, nil])
  }

  private func document(_ rows: [ComparisonRow]) -> ComparisonDocument {
    ComparisonDocument(
      startedAt: "2026-11-21T06:47:12Z", durationSeconds: 2, arguments: [], baseline: BuildName(name: "good"),
      candidate: BuildName(name: "bad"), options: RunOptions(),
      method: ComparisonMethod(source: .lockStep, ComparisonRule(tolerance: 0.01), seed: 7), rows: rows)
  }

  @Test func aTimeOfAPhaseIsSearchedForBeforeACount() {
    let rows = [(Metric.allocationCount, nil), (.frameTime, "solve")].map { metric, phase in
      ComparisonRow(
        id: BenchmarkID(scenario: "s", strategy: "a", size: 1), metric: metric, phase: phase, baseline: .number(1),
        candidate: .number(2), verdict: .regressed)
    }
    #expect(ComparedFigure.mainChange(in: rows)?.name.phase == "solve")
  }

  @Test func anImprovementIsFoundToo() async {
    let finding = await Bisection(count: 20, whole: time(-0.3)).run { position, _ in time(position >= 7 ? -0.3 : 0) }
    #expect(finding.candidates == [7])
  }

  @Test func countsAndBehaviorAreFoundWithoutDoubt() async {
    let counts = await Bisection(count: 9, whole: .exact(good: 0, candidate: 2)).run { position, _ in
      .exact(good: 0, candidate: position >= 4 ? 2 : 0)
    }
    #expect(counts.candidates == [4] && counts.confidence == 1)
    let behavior = await Bisection(count: 9, whole: .behavior(isChanged: true)).run { position, _ in
      .behavior(isChanged: position >= 8)
    }
    #expect(behavior.candidates == [8] && behavior.confidence == 1)
  }

  /// The sum over all frames falls at position 2. A frame becomes worse at position 6, which the search must find.
  @Test(arguments: [1_000.0, 1_300.0]) func aFrameThatBecameWorseIsFoundWhateverTheTotalIs(total: Double) async {
    let whole = Bisection.Effect.exact(good: 2_000, candidate: total, .ofVerdict)
    let finding = await Bisection(count: 9, whole: whole).run { position, _ in
      .exact(
        good: 2_000, candidate: position >= 6 ? total : position >= 2 ? 1_000 : 2_000, position >= 6 ? .ofVerdict : nil)
    }
    #expect(finding.candidates == [6] && finding.confidence == 1)
  }

  @Test func aCounterOfWhichMoreIsBetterIsFoundWhereItFellMost() async throws {
    let hits = Metric.named("hits", declared: ["hits": CounterKind(unit: .count, direction: .higherIsBetter)])
    func effect(_ candidate: Double) -> Bisection.Effect {
      let row = ComparisonRow(
        id: BenchmarkID(scenario: "s", strategy: "a", size: 1), metric: hits, baseline: .number(100),
        candidate: .number(candidate), verdict: .regressed)
      return ComparedFigure(row).effect(in: document([row]))
    }
    let finding = await Bisection(count: 3, whole: effect(80)).run { position, _ in effect(position == 0 ? 99 : 80) }
    #expect(finding.candidates == [1])
  }

  /// The total rises at position 2, for a reason that is no regression, and the figure regresses at position 6. A cache
  /// hides a leak in this way, and a disturbed run hides a longer set-up.
  @Test(arguments: [Metric.netBytes, .setUpNanoseconds])
  func aRegressionIsFoundWhereTheVerdictShowsItAndNotWhereTheTotalRises(metric: Metric) async {
    let id = BenchmarkID(scenario: "s", strategy: "a", size: 1)
    func row(_ candidate: Double, _ isWorse: Bool) -> ComparisonRow {
      ComparisonRow(
        id: id, metric: metric, baseline: .number(0), candidate: .number(candidate),
        verdict: isWorse ? .regressed : metric == .netBytes ? .unchanged : .notJudged)
    }
    let figure = ComparedFigure(row(3.12e6, true))
    let whole = figure.effect(in: document([row(3.12e6, true)]))
    let finding = await Bisection(count: 9, whole: whole).run { position, _ in
      figure.effect(in: document([row(position >= 6 ? 3.12e6 : position >= 2 ? 3e6 : 0, position >= 6)]))
    }
    #expect(finding.candidates == [6])
    for (isWorse, doubt) in [(true, 0.0), (false, 1)] {
      var result = result(figure)
      result.verify(by: document([row(1.2e5, isWorse)]), whole: whole)
      #expect(result.verificationDoubt == doubt)
    }
  }

  @Test(arguments: [Metric.allocationCount, .setUpNanoseconds]) func aFigureOnWhichRunsDisagreeDecidesNothing(
    metric: Metric
  ) {
    let row = ComparisonRow(
      id: BenchmarkID(scenario: "s", strategy: "a", size: 1), metric: metric, baseline: .number(0),
      candidate: .number(5), verdict: .notJudged, note: "two runs of the candidate differ by 5")
    #expect(ComparedFigure(row).effect(in: document([row])) == .unmeasurable("two runs of the candidate differ by 5"))
  }

  @Test func aCulpritThatCannotBeMeasuredAgainIsNotCalledUnchanged() {
    let row = ComparisonRow(
      id: BenchmarkID(scenario: "s", strategy: "a", size: 1), metric: .allocationCount, baseline: .number(0),
      candidate: .number(1), verdict: .regressed)
    var result = result(ComparedFigure(row))
    var crash = document([])
    crash.failures = [BenchmarkFailure(id: row.id, reason: "it crashed", standardError: "", build: .baseline)]
    result.verify(by: crash, whole: .exact(good: 0, candidate: 1, .ofTotal))
    #expect(result.verificationDoubt == nil)
    result.verify(by: document([row]), whole: .exact(good: 0, candidate: 1, .ofTotal))
    #expect(result.verificationDoubt == 0 && result.own == row)
  }

  /// Returns the result of a search among two commits.
  private func result(_ figure: ComparedFigure) -> BisectResult {
    let commits = (0..<3).map { CommitRange.Commit(hash: "\($0)", time: 0, isMerge: false, date: "", subject: "") }
    var result = BisectResult(
      benchmark: BenchmarkID(scenario: "s", strategy: "a", size: 1),
      range: CommitRange(good: commits[0], commits: Array(commits.dropFirst()), isFirstParent: true))
    result.figure = figure
    return result
  }

  @Test func aTimeIsVerifiedIfItChangedInTheDirectionOfTheWhole() {
    let bisection = Bisection(count: 2, whole: time(-0.3))
    let judged = [-0.1, 0.1, 0].map { bisection.judge(time($0, error: 0.01), beyond: 0) }
    #expect(judged.map { $0?.isBad } == [true, false, false])
    #expect(judged[0]?.doubt == judged[1]?.doubt && judged[2]?.doubt == 0.5)
  }

  @Test func aCommitWithoutARowOfStallsIsGood() async {
    let finding = await Bisection(count: 9, whole: time(0.4)).run { position, _ in
      position >= 5 ? time(0.4) : .unchanged
    }
    #expect(finding.candidates == [5] && finding.confidence > 0.99)
  }

  /// A bisection finds where half of the total change is reached. Here, this is the larger of two changes.
  @Test func ofTwoChangesTheOneThatCrossesTheMiddleIsFound() async {
    let finding = await Bisection(count: 16, whole: time(0.10)).run { position, _ in
      time(position >= 12 ? 0.10 : position >= 3 ? 0.03 : 0)
    }
    #expect(finding.candidates == [12])
  }

  @Test func whatCannotBeMeasuredIsGoneAround() async {
    let broken: Set<Int> = [6, 7, 8]
    for culprit in [2, 5, 9, 11] {
      let finding = await Bisection(count: 15, whole: time(0.05)).run { position, _ in
        broken.contains(position) ? .unmeasurable("does not build") : time(position >= culprit ? 0.05 : 0)
      }
      #expect(finding.candidates == (culprit == 9 ? [6, 7, 8, 9] : [culprit]))
    }
    let hidden = await Bisection(count: 15, whole: time(0.05)).run { position, _ in
      broken.contains(position) ? .unmeasurable("does not build") : time(position >= 7 ? 0.05 : 0)
    }
    #expect(hidden.candidates == [6, 7, 8, 9])
  }

  @Test func aCulpritWithoutARowOfItsOwnIsDoubtedUnlessTimeRanOut() {
    let commits = (0..<2).map { CommitRange.Commit(hash: "\($0)", time: 0, isMerge: false, date: "", subject: "") }
    var result = BisectResult(
      benchmark: BenchmarkID(scenario: "s", strategy: "a", size: 1),
      range: CommitRange(good: commits[0], commits: [commits[1]], isFirstParent: true))
    result.finding = Bisection.Finding(steps: [], candidates: [0])
    #expect(result.confidenceSoFar == 1 && result.confidence == 0)
    result.verificationDoubt = 1
    #expect(result.confidenceSoFar == 0)
  }

  @Test func aSkippedCommitDoesNotCountAsCompared() {
    let id = BenchmarkID(scenario: "s", strategy: "a", size: 1)
    let commits = (0..<4).map { CommitRange.Commit(hash: "\($0)", time: 0, isMerge: false, date: "", subject: "") }
    var result = BisectResult(
      benchmark: id, range: CommitRange(good: commits[0], commits: Array(commits.dropFirst()), isFirstParent: true))
    let row = ComparisonRow(
      id: id, metric: .allocationCount, baseline: .number(0), candidate: .number(1), verdict: .regressed)
    (result.figure, result.whole, result.own) = (ComparedFigure(row), row, row)
    result.finding = Bisection.Finding(
      steps: [
        Bisection.Step(position: 0, effect: .unmeasurable("does not build"), decision: .skipped, doubt: 0),
        Bisection.Step(position: 1, effect: .exact(good: 0, candidate: 0), decision: .good, doubt: 0),
      ], candidates: [2])
    #expect(result.text(width: 80).contains("2 of 3 commits were compared with the good one"))
  }

  @Test func aDoubtfulCommitIsMeasuredAgainAndTheDoubtIsKept() async {
    var attempts: [Int] = []
    let finding = await Bisection(count: 2, whole: time(0.02)).run { _, attempt in
      attempts.append(attempt)
      return time(0.011, error: 0.004)
    }
    #expect(attempts == [1, 2, 3])
    #expect(finding.confidence > 0.5 && finding.confidence < 0.65)
  }

  @Test func aLongerMeasurementSettlesIt() async {
    let finding = await Bisection(count: 2, whole: time(0.02)).run { _, attempt in
      time(0.019, error: attempt == 1 ? 0.009 : 0.001)
    }
    #expect(finding.candidates == [0] && finding.confidence > 0.99)
    #expect(finding.steps.count == 1)
  }

  /// Results must be right at least as often as their confidence says.
  @Test func theConfidenceIsThatOfTheAnswers() async {
    var generator = SplitMix64(seed: 11)
    func normal() -> Double { (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &generator) } }
    var right = 0
    var promised = 0.0
    let rounds = 2_000
    for _ in 0..<rounds {
      let culprit = Int.random(in: 0..<16, using: &generator)
      var bisection = Bisection(count: 16, whole: .time(0.02 + normal() * 0.001, standardError: 0.001))
      bisection.attemptCount = 1
      let finding = await bisection.run { position, _ in
        .time((position >= culprit ? 0.02 : 0) + normal() * 0.006, standardError: 0.006)
      }
      if finding.candidates == [culprit] { right += 1 }
      promised += finding.confidence
    }
    let share = Double(right) / Double(rounds)
    #expect(share > 0.7 && share < 0.95)
    #expect(share >= promised / Double(rounds) - 0.02, "\(share), promised \(promised / Double(rounds))")
  }

  /// The expected values come from scipy.stats.norm.sf.
  @Test(arguments: [(0.0, 0.5), (1.0, 0.15865525393145707), (3.0, 0.0013498980316300933)])
  func theTailIsThatOfTheNormalDistribution(z: Double, expected: Double) {
    #expect(abs(Bisection.upperTail(z) - expected) < 1e-12)
  }
}
