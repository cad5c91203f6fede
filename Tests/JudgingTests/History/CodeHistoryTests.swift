import Foundation
import Testing

@testable import FrameBench
@testable import HistoryPages
@testable import Judging
@testable import Measurements
@testable import Pages

/// Tests what a history concludes from comparisons in lock step: whether the code changed the figures or not.
@Suite struct CodeHistoryTests {
  private let made = MadeUpNights()

  private func ratio(_ fraction: Double, error: Double = 0.001) -> CodeRatio {
    CodeRatio(logarithm: log1p(fraction), variance: error * error)
  }

  private func slower(_ change: Double) -> ComparisonRow {
    ComparisonRow(
      id: made.id, metric: .frameTime, statistic: .mean, baseline: .number(1_000), candidate: .number(1_120),
      change: change, low: change - 0.01, high: change + 0.01, verdict: .regressed)
  }

  /// Returns the analysis of twenty nights with 1,000 ns and four nights with 1,120 ns. `code` returns the ratio and
  /// the rows of a night's comparison.
  private func history(_ code: (Int) -> (ratio: CodeRatio?, rows: [ComparisonRow])) -> HistoryAnalysis {
    let nights = made.values([(1_000, 20), (1_120, 4)]).enumerated().map { number, value in
      let (ratio, rows) = number == 0 ? (nil, []) : code(number)
      return ratio == nil ? made.night(number, value) : made.night(number, value, ratio: ratio, rows)
    }
    var analysis = HistoryAnalysis(nights)
    analysis.announce()
    return analysis
  }

  @Test func timesThatMovedWithoutTheCodeMakeNoNightRed() throws {
    let analysis = history { _ in (ratio(0), []) }
    let finding = try #require(analysis.announced.first)
    guard case .unmoved(let ratio) = analysis.codeShare(of: finding) else {
      Issue.record("\(analysis.codeShare(of: finding) as Any)")
      return
    }
    #expect(ratio.low < 0 && ratio.high > 0)
    #expect(!analysis.isRed && analysis.newRegressions.isEmpty)
    let kinds = NightEvent.all(of: analysis).map(\.kind)
    #expect(kinds.contains(.moved) && !kinds.contains(.regression))
    #expect(
      analysis.sentences.contains { $0.hasPrefix("Times moved, and the code did not: 1 figure of 1 benchmark, ") })
    #expect(analysis.report.markdown().contains("did not change ("))
  }

  @Test func whatLockStepReportedIsNotReportedAgainByTheHistory() throws {
    let analysis = history { $0 == 20 ? (ratio(0.12), [slower(0.12)]) : (ratio(0), []) }
    #expect(analysis.codeShare(of: try #require(analysis.announced.first)) == .reported)
    #expect(!analysis.isRed)
    #expect(
      analysis.sentences.last?.hasPrefix("Other change points: 1 figure of 1 benchmark, ") == true,
      "\(analysis.sentences)")
    let nights = Array(analysis.nights[...20])
    let thatNight = HistoryAnalysis(nights)
    #expect(thatNight.failedKinds == [.regression] && !thatNight.report.markdown().contains("Of 1 benchmark"))
    #expect(
      thatNight.sentences.first?.hasPrefix("Regression: s/a/10 is 12.0% slower, since night 19 (c000019)") == true)
  }

  @Test func aReportedChangeIsTheCauseOfAPointThatIsFoundAFewNightsLater() throws {
    let nights = made.values([(1_000, 22), (1_015, 20)], ripple: 0.01).enumerated().map { number, value in
      made.night(number, value, ratio: ratio(number == 20 ? 0.015 : 0), number == 20 ? [slower(0.015)] : [])
    }
    var analysis = HistoryAnalysis(nights)
    analysis.announce()
    let finding = try #require(analysis.announced.first)
    #expect(finding.shift.position > 21 && finding.shift.slack >= finding.shift.position - 20)
    #expect(analysis.codeShare(of: finding) == .reported && !analysis.isRed)
  }

  @Test func nightsBeforeTheFirstComparisonDoNotHideThatTheCodeDidNotChange() throws {
    let nights = made.values([(1_000, 22), (1_015, 20)], ripple: 0.01).enumerated().map { number, value in
      number > 20 ? made.night(number, value, ratio: ratio(0)) : made.night(number, value)
    }
    var analysis = HistoryAnalysis(nights)
    analysis.announce()
    let finding = try #require(analysis.announced.first)
    #expect(finding.shift.position > 21 && finding.shift.slack >= finding.shift.position - 20)
    if case .unmoved? = analysis.codeShare(of: finding) {} else { Issue.record("\(finding)") }
    #expect(!analysis.isRed)
  }

  @Test func inconclusiveTimesAreNamedAndNotGood() {
    var unsure = slower(0.01)
    unsure.verdict = .inconclusive
    let nights =
      [made.night(0, 1_000)] + (1..<20).map { made.night($0, 1_000, ratio: ratio(0), $0 == 19 ? [unsure] : []) }
    #expect(HistoryAnalysis(Array(nights[..<19])).tone == .good)
    let analysis = HistoryAnalysis(nights)
    let words = "No regression in 1 benchmark since night 18 (c000018). 1 time is inconclusive: "
    #expect(analysis.sentences[0].hasPrefix(words), "\(analysis.sentences)")
    #expect(!analysis.isRed && analysis.tone == nil)
  }

  @Test func aRegressionIsTheStateOfABenchmarkUntilThatFigureImproves() throws {
    func state(_ rows: [ComparisonRow]...) throws -> String {
      let nights = rows.enumerated().map { made.night($0 + 1, 1_000, ratio: ratio(0), $1) }
      let analysis = HistoryAnalysis([made.night(0, 1_000)] + nights)
      let part = Site.Part(machine: "m", suite: "s", analysis: analysis)
      return part.state(of: try #require(analysis.mainTrend(of: made.id))).text
    }
    var (mean, tail, betterTail) = (slower(-0.12), slower(0.12), slower(-0.12))
    (mean.verdict, betterTail.verdict) = (.improved, .improved)
    (tail.statistic, betterTail.statistic) = (.p99, .p99)
    #expect(try state([mean, tail]) == "regressed on 2026-01-02")
    #expect(try state([tail], [mean]) == "regressed on 2026-01-02")
    #expect(try state([tail], [betterTail]) == "steady")
  }

  @Test func theOverviewListsWhatComparisonsFoundUntilTheNewsAreOld() throws {
    var nights = [made.night(0, 1_000), made.night(1, 1_000, ratio: ratio(0.12), [slower(0.12)])]
    nights[1].culprits = [
      Night.Culprit(
        id: made.id, figure: "frameNanoseconds", commits: [Night.Commit(hash: "abcdef1234", subject: "Sort twice")],
        confidence: 0.99)
    ]
    nights += (2..<4).map { made.night($0, 1_000, ratio: ratio(0)) }
    let analysis = HistoryAnalysis(nights)
    #expect(!analysis.isRed && analysis.tone == nil, "the regression is still there")
    let page = Site([Site.Part(machine: "m", suite: "s", analysis: analysis)]).files()[0].text
    #expect(page.contains("on 2026-01-02 (c000001): ") && page.contains("10 is 12.0% slower"), "\(page)")
    #expect(page.contains("Sort twice") && !page.contains("No level changed in the last"))
  }

  @Test func aCommitThatChangedManyFiguresIsNamedOnce() {
    var nights = [made.night(0, 1_000), made.night(1, 1_000, ratio: ratio(0.12), [slower(0.12)])]
    nights[1].culprits = (1...5).map { size in
      Night.Culprit(
        id: BenchmarkID(scenario: "s", strategy: "a", size: size), figure: "allocationCount",
        commits: [Night.Commit(hash: "abcdef1234", subject: "Sort twice")], confidence: size == 4 ? 0.5 : 1)
    }
    let words =
      "s/a/1 allocationCount, s/a/2 allocationCount, s/a/3 allocationCount and 2 other figures: by abcdef1234 Sort"
      + " twice (50"
    #expect(HistoryAnalysis(nights).codeSentences[1].hasPrefix(words), "\(HistoryAnalysis(nights).codeSentences)")
  }

  @Test func theCommitOfAFailureIsOnThePagesInTheNightsAfter() {
    var nights = [made.night(0, 1_000), made.night(1, 1_000, ratio: ratio(0)), made.night(2, 1_000, ratio: ratio(0))]
    nights[1].culprits = [
      Night.Culprit(
        id: made.id, figure: "failure", commits: [Night.Commit(hash: "abcdef1234", subject: "Sort twice")],
        confidence: 0.99)
    ]
    let files = Site([Site.Part(machine: "m", suite: "s", analysis: HistoryAnalysis(nights))]).files()
    for page in [files[0].text, files.last?.text ?? ""] {
      #expect(page.contains(" on 2026-01-02 (c000001): s/a/"), "\(page)")
      #expect(page.contains("10 failure: by abcdef1234 Sort twice ("), "\(page)")
    }
  }

  /// The commit of night 0 no longer builds, so the comparison of night 9 with it gives no ratio.
  @Test func anAnchorThatFailedIsNotTriedAgain() {
    var nights = [made.night(0, 1_000)] + (1..<20).map { made.night($0, 1_000, ratio: ratio(0.001)) }
    nights[9].anchor = "c000000"
    #expect(CodeHistory(nights).nextAnchor(after: 10) == 9)
    nights[9].benchmarks[0].anchorRatio = ratio(0.009)
    #expect(CodeHistory(nights).nextAnchor(after: 10) == 9)
    nights[9].anchor = nil
    #expect(CodeHistory(nights).nextAnchor(after: 10) == 0)
  }

  @Test func aCommitIsNamedBesideTheFigureThatItChangedAndNoOther() throws {
    var nights = [made.night(0, 1_000)]
    let heap = ComparisonRow(
      id: made.id, metric: .peakHeapBytes, baseline: .number(1_000), candidate: .number(9_000), verdict: .regressed)
    nights.append(made.night(1, 1_000, ratio: ratio(0.12), [slower(0.12), heap]))
    nights[1].culprits = [("frameNanoseconds", "Sort twice"), ("peakHeapBytes", "Keep all")].map { figure, subject in
      Night.Culprit(
        id: made.id, figure: figure, commits: [Night.Commit(hash: "abcdef1234", subject: subject)], confidence: 0.99)
    }
    let files = Site([Site.Part(machine: "m", suite: "s", analysis: HistoryAnalysis(nights))]).files()
    for page in [files[0].text, try #require(files.last?.text)] {
      let lines = page.components(separatedBy: "<li>").filter { $0.contains("on 2026-01-02 (c000001): ") }
      #expect(lines.count == 2, "\(page)")
      for line in lines { #expect(line.contains("Sort twice") != line.contains("Keep all"), "\(line)") }
    }
  }

  @Test func programsThatAreGivenByTheirPathsAreNotTheSameCode() throws {
    let nights = made.values([(1_000, 20), (1_120, 4)]).enumerated().map { number, value in
      var night = made.night(number, value)
      (night.environment.commit, night.hasGivenPrograms) = ("c000000", true)
      return night
    }
    var analysis = HistoryAnalysis(nights)
    analysis.announce()
    #expect(analysis.codeShare(of: try #require(analysis.announced.first)) == nil)
    #expect(analysis.failedKinds == [.regression] && !analysis.repeatsCommit)
    let texts = [[analysis].csv(), [analysis].json(), analysis.report.markdown()]
    for text in texts + [HistoryExport.csv.rows(nights[0])] { #expect(!text.contains("c000000")) }
  }

  @Test func aNewBenchmarkIsNotAmongThoseWithoutARegression() {
    let new = BenchmarkID(scenario: "new", strategy: "a", size: 10)
    var night = made.night(1, 1_000, ratio: ratio(0), [.missing(new, isNew: true)])
    night.benchmarks.append(Night.Benchmark(id: new, checksum: "0", values: [1_000]))
    let sentences = HistoryAnalysis([made.night(0, 1_000), night]).sentences
    #expect(sentences[0].hasPrefix("No regression in 1 benchmark since night 0"), "\(sentences)")
  }

  @Test func changedOutputIsNamedBesideAnImprovementOfTheSameBenchmark() {
    var faster = slower(-0.12)
    faster.verdict = .improved
    var night = made.night(1, 1_000, ratio: ratio(-0.12), [faster])
    (night.environment.isDirty, night.benchmarks[0].checksum) = (true, "1")
    let analysis = HistoryAnalysis([made.night(0, 1_000), night])
    #expect(analysis.failedKinds == [.behaviorChanged])
    #expect(analysis.sentences.contains("1 benchmark behaves differently than before."), "\(analysis.sentences)")
  }

  @Test func whereTheCodeWasNotComparedTheHistoryDecides() throws {
    let analysis = history { $0 == 20 ? (nil, []) : (ratio(0), []) }
    #expect(analysis.codeShare(of: try #require(analysis.announced.first)) == nil)
    #expect(analysis.failedKinds == [.regression])
  }

  /// The comparison of night 20, the first of the new level, was interrupted. So night 21 was compared with night 19.
  @Test(arguments: [false, true]) func theNextNightAnswersForOneThatWasNotJudged(_ isSlower: Bool) throws {
    let next = isSlower ? (ratio(0.12), [slower(0.12)]) : (ratio(0), [])
    var nights = history { $0 == 20 ? (nil, []) : $0 == 21 ? next : (ratio(0), []) }.nights
    nights[20].isJudged = false
    nights[21].comparison?.baseline.commit = "c000019"
    let analysis = HistoryAnalysis(nights)
    let share = analysis.codeShare(of: try #require(analysis.announced.first))
    if case .unmoved? = share { #expect(!isSlower) } else { #expect(share == .reported && isSlower) }
    #expect(!analysis.isRed)
  }

  @Test func codeThatMovedTooLittleForAReportIsTheCauseAllTheSame() throws {
    let analysis = history { $0 == 20 ? (ratio(0.11), []) : (ratio(0), []) }
    guard case .drifted = analysis.codeShare(of: try #require(analysis.announced.first)) else {
      Issue.record("\(analysis.announced)")
      return
    }
    #expect(analysis.failedKinds == [.regression])
  }

  @Test func aDriftIsRedOnce() throws {
    var nights: [Night] = []
    var reports: [Int] = []
    for number in 0..<24 {
      nights.append(number == 0 ? made.night(0, 1_000) : made.night(number, 1_000, ratio: ratio(0.002)))
      var analysis = HistoryAnalysis(nights)
      analysis.announce()
      nights = analysis.nights
      guard let drift = analysis.newDrifts.first?.drift else { continue }
      #expect(analysis.failedKinds == [.regression] && drift.links.first?.night == (reports.last ?? 0) + 1)
      reports.append(number)
      #expect(analysis.sentences.contains { $0.hasPrefix("Drift: the code of s/a/10 +") }, "\(analysis.sentences)")
    }
    // A drift is reported once it exceeds 4.5 standard deviations and the tolerance. The next report covers only later
    // nights.
    #expect(reports == [6, 12, 18], "\(reports)")
  }

  @Test func aNightThatRepeatsACommitIsNoNightOfTheCode() {
    var again = made.night(2, 1_000)
    again.environment.commit = "c000001"
    let analysis = HistoryAnalysis([
      made.night(0, 1_000), made.night(1, 1_000, ratio: ratio(0.01)), again,
      made.night(3, 1_000, ratio: ratio(0.02), base: 1),
    ])
    #expect(analysis.chain(of: made.id)?.links.map(\.night) == [1, 3] && analysis.commitCount == 3)
    #expect(HistoryAnalysis([made.night(1, 1_000), again]).repeatsCommit && !analysis.repeatsCommit)
  }

  @Test func changesThatAreNotCommittedAreNotTheSameCode() throws {
    let nights = made.values([(1_000, 20), (1_120, 4)]).enumerated().map { number, value in
      var night = made.night(number, value)
      (night.environment.commit, night.environment.isDirty) = ("c000000", number >= 20)
      night.remarks = number == 0 ? nil : ["No new commit since the night before."]
      return night
    }
    var analysis = HistoryAnalysis(nights)
    analysis.announce()
    #expect(analysis.codeShare(of: try #require(analysis.announced.first)) == nil)
    #expect(analysis.failedKinds == [.regression] && !analysis.repeatsCommit)
    #expect(!analysis.report.markdown().contains("the code is not the cause"))
    let first = HistoryAnalysis(Array(nights[...20]))
    #expect(first.tone == nil && HistoryAnalysis(Array(nights[..<20])).tone == .good)
  }

  @Test func aNightWithChangesAtTheEndOfALevelIsPassedOver() throws {
    var nights = history { _ in (ratio(0), []) }.nights
    for number in [19, 20] { nights[number].environment.isDirty = true }
    let analysis = HistoryAnalysis(nights)
    guard case .unmoved? = analysis.codeShare(of: try #require(analysis.announced.first)) else {
      Issue.record("\(analysis.announced)")
      return
    }
    #expect(!analysis.isRed)
  }

  @Test(arguments: 1...3) func aChangeBeyondAllNightsBeforeIsShownAtOnceUnconfirmed(_ count: Int) {
    let analysis = HistoryAnalysis(made.nights((1_000, 3), (58_000, count), ripple: 0.002))
    let sentence = analysis.sentences.first ?? ""
    #expect(
      sentence.hasPrefix("Unconfirmed until 4 nights have it (\(count) so far): s/a/10, frame time, p50 +5"),
      "\(sentence)")
    #expect(!analysis.isRed && analysis.tone == nil)
  }

  @Test func aLevelThatIsFarFromTheOtherIsConfirmedAfterFourNights() {
    for (old, new) in [(6, 4), (6, 8), (10, 4), (20, 4), (4, 4)] {
      let shifts = HistoryAnalysis(made.nights((1_000, old), (58_000, new), ripple: 0.002)).trends[0].findings
      #expect(shifts.map(\.shift.position) == [old], "\(old) and \(new)")
    }
    #expect(HistoryAnalysis(made.nights((1_000, 6), (1_030, 4))).trends[0].findings.isEmpty)
  }

  @Test func machinesOfAClassAreOneNightWithOneVerdictOnEachBenchmark() {
    let other = BenchmarkID(scenario: "s", strategy: "b", size: 10)
    var nights = [0, 1].map { number -> Night in
      var night = made.night(5, 1_000, ratio: ratio(0.02), [slower(0.02)])
      night.environment.member = "m\(number)"
      return night
    }
    nights[1].benchmarks.append(
      Night.Benchmark(id: other, checksum: "0", values: [1_000], ratio: ratio(0.03), anchorRatio: nil))
    let night = HistoryAnalysis([made.night(4, 1_000)] + nights).nights[1]
    #expect(night.comparison?.rows.count == 1)
    #expect(night.benchmarks.map(\.ratio) == [ratio(0.02), ratio(0.03)])
  }
}
