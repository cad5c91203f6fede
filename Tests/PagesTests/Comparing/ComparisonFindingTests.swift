import Foundation
import FrameBench
import Testing

@testable import Formats
@testable import Judging
@testable import Markup
@testable import Measurements
@testable import Pages

/// Tests that figures which changed together share one row of a table, and how this row describes them.
@Suite struct ComparisonFindingTests {
  static func id(_ size: Int, _ strategy: String = "naive") -> BenchmarkID {
    BenchmarkID(scenario: "springs", strategy: strategy, size: size)
  }

  static func count(
    _ id: BenchmarkID, _ metric: Metric = .allocationCount, _ phase: String? = nil, from old: Double = 0,
    to new: Double, _ verdict: ChangeVerdict = .regressed, note: String? = nil
  ) -> ComparisonRow {
    ComparisonRow(
      id: id, metric: metric, phase: phase, baseline: .number(old), candidate: .number(new),
      change: old == 0 ? nil : new / old - 1, verdict: verdict, note: note)
  }

  static func time(
    _ id: BenchmarkID, _ phase: String? = nil, _ nanoseconds: Double = 1_000, change: Double,
    _ verdict: ChangeVerdict = .regressed
  ) -> ComparisonRow {
    ComparisonRow(
      id: id, metric: .frameTime, phase: phase, baseline: .number(nanoseconds),
      candidate: .number(nanoseconds * (1 + change)), change: change, low: change - 0.002, high: change + 0.002,
      pValue: 1e-5, verdict: verdict, control: 0.001)
  }

  /// Returns the rows of a benchmark that changed because of one new allocation in `solve` in each frame.
  static func allocation(_ id: BenchmarkID, _ number: Double = 1_200) -> [ComparisonRow] {
    let note = "first in frame 0 of solve: 0 → 1; 1,200 frames in all"
    return [
      count(id, to: number, note: note), count(id, .allocatedBytes, to: number * 48, note: note),
      count(id, .allocationCount, "solve", to: number, note: note),
      count(id, .allocatedBytes, "solve", to: number * 48, note: note),
    ]
  }

  @Test func framesThatMissTheBudgetAreCountedInBothBuilds() throws {
    // Twelve frames grow from 6 ms to 20 ms. The frame times stored for charts (`ScrollRecord`) are twice as long as
    // those behind the comparison's mean. So they must be scaled before they are compared with the budget.
    let frames = 0..<1_200
    func cost(_ frame: Int, _ slow: Double) -> Double { (500..<512).contains(frame) ? slow : 1e6 }
    let costs = [frames.map { 2 * cost($0, 6e6) }, frames.map { 2 * cost($0, 20e6) }]
    var mean = Self.time(Self.id(1), nil, (1_188 * 1e6 + 12 * 6e6) / 1_200, change: 0.133)
    mean.statistic = .mean
    var comparison = document([mean])
    comparison.scrolls = [ScrollRecord(id: Self.id(1), costs)]
    let notes = try #require(comparison.changes.first).notes(in: comparison)
    #expect(notes.contains("0 → 12 of 1,200 frames over the budget of 16.7 ms, hitches 0 → 9.90 ms/s"), "\(notes)")
    comparison.scrolls = [ScrollRecord(id: Self.id(1), [costs[0], costs[0]])]
    #expect(comparison.changes[0].notes(in: comparison).isEmpty)
  }

  static let nine = ["naive", "tiled", "exact"].flatMap { strategy in [100, 1_000, 10_000].map { id($0, strategy) } }

  private func document(_ rows: [ComparisonRow]) -> ComparisonDocument { ComparisonReportTests.document(rows) }

  /// Returns the rows of a benchmark in which some frames changed.
  static func local(_ frames: FrameSet, _ change: Double, with statistics: [FlatRow.Statistic: Double])
    -> [ComparisonRow]
  {
    let standing = [FlatRow.Statistic.mean, .p50, .p99, .max].map { statistic -> ComparisonRow in
      let own = statistics[statistic]
      var row = time(id(1), change: own ?? 0.001, own == nil ? .unchanged : change > 0 ? .regressed : .improved)
      row.statistic = statistic
      return row
    }
    var place = time(id(1), change: change, change > 0 ? .regressed : .improved)
    place.frames = frames
    return standing + [place]
  }

  @Test func framesThatChangedTogetherAreOneFindingWithWhatTheyMoved() throws {
    let document = document(Self.local(FrameSet(Array(780...879)), 0.3, with: [.mean: 0.025, .p99: 0.3, .max: 0.29]))
    let finding = try #require(document.changes.first)
    #expect(document.changes.count == 1 && finding.members[0].rows.count == 4)
    #expect(document.headline == "Regression: frames 780 to 879 are 30.0% slower in springs/naive/1.")
    #expect(finding.notes(in: document) == ["mean +2.50%, p99 +30.0%, worst frame +29.0%"])
  }

  @Test func aSingleFrameAndEachSixtiethAreSaidAsTheyAre() {
    let one = document(Self.local(FrameSet([657]), 3, with: [.max: 3]))
    #expect(one.headline == "Regression: frame 657 is 300% slower in springs/naive/1.")
    let each = document(Self.local(FrameSet(.init(first: 0, last: 1_140, step: 60)), -0.5, with: [.p99: -0.5]))
    #expect(each.headline == "Improvement: each 60th frame is 50.0% faster in springs/naive/1.")
  }

  @Test func aChangeOfMostFramesIsSaidOfTheWholeAndItsPlaceBesides() {
    let late = document(Self.local(FrameSet(Array(480...1_199)), 0.05, with: [.mean: 0.03, .p50: 0.05]))
    #expect(late.headline == "Regression: springs/naive/1 is 3.00% slower.")
    #expect(late.changes[0].notes(in: late) == ["p50 +5.00%, frames 480 to 1,199 +5.00%"])
  }

  @Test func framesThatAreMuchTheSameAreNamedOnce() {
    var rows = Self.local(FrameSet(Array(780...879)), 0.3, with: [.p99: 0.3])
    for frames in [780...870, 100...110, 105...112] {
      var row = Self.time(Self.id(1), change: 0.2)
      row.frames = FrameSet(Array(frames))
      rows.append(row)
    }
    let document = document(rows)
    #expect(document.headline == "Regression: frames 780 to 879 are 30.0% slower in springs/naive/1.")
    #expect(document.changes[0].notes(in: document) == ["p99 +30.0%, frames 100 to 110 +20.0%"])
  }

  @Test func aQuantileThatChangedAloneLeads() {
    var row = Self.time(Self.id(1), change: 0.8)
    row.statistic = .p99
    #expect(document([row]).headline == "Regression: the p99 frame is 80.0% slower in springs/naive/1.")
    row.statistic = .max
    #expect(document([row]).headline == "Regression: the worst frame is 80.0% slower in springs/naive/1.")
  }

  @Test func stallsAtRandomAreSaidAsWhatTheyCost() {
    var stalls = Self.time(Self.id(1), change: 0.04)
    (stalls.metric, stalls.statistic) = (.rawFrameTime, .mean)
    #expect(document([stalls]).headline == "Regression: springs/naive/1 is 4.00% slower, since frames stall at random.")
    let fewer = document(
      [Self.time(Self.id(1), change: -0.04, .improved)].map { row in
        var row = row
        (row.metric, row.statistic) = (.rawFrameTime, .mean)
        return row
      })
    #expect(fewer.headline == "Improvement: springs/naive/1 is 4.00% faster, since fewer frames stall at random.")
    let both = document([Self.time(Self.id(1), change: 0.5), stalls])
    #expect(both.headline == "Regression: springs/naive/1 is 50.0% slower.")
    #expect(both.changes[0].notes(in: both) == ["stalls at random +4.00%"])
  }

  @Test func figuresOfTimesSayWhatTheyAreOf() {
    var row = Self.time(Self.id(1), change: 0.8)
    #expect(row.figureText == "frame time")
    row.statistic = .p99
    #expect(row.figureText == "frame time p99")
    row.statistic = nil
    row.frames = FrameSet([657])
    #expect(row.figureText == "frame time of frame 657")
  }

  @Test func oneAllocationInNineBenchmarksIsOneFinding() throws {
    let document = document(Self.nine.flatMap { Self.allocation($0) })
    let finding = try #require(document.changes.first)
    #expect(document.changes.count == 1)
    #expect((finding.cause, finding.phase, finding.ids) == (.allocations, "solve", Self.nine))
    #expect(finding.members.allSatisfy { $0.rows.count == 4 && $0.lead.phase == "solve" })
    let text = document.blocks().markdown()
    #expect(text.hasPrefix("**Regression: 0 → 1,200 allocations in solve of 9 benchmarks.**\n"))
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| **regressed**") }
    #expect(rows.count == 1)
    #expect(rows[0].contains("`springs/naive/{100,1000,10000}`, `springs/tiled/{100,1000,10000}` and"))
    #expect(rows[0].contains("first in frame 0 of solve: 0 → 1; 1,200 frames in all |"))
  }

  @Test func allocationsOfAPhaseAreThoseOfThePhase() {
    let rows = [
      Self.count(Self.id(100), from: 22, to: 23), Self.count(Self.id(100), .allocationCount, "query", from: 4, to: 5),
    ]
    #expect(document(rows).headline == "Regression: 4 → 5 allocations in query of springs/naive/100.")
    #expect(document(rows).blocks().markdown().contains("| allocations in `query` | 4 → 5"))
  }

  @Test func theTimeOfAnAllocationIsOfTheSameCause() throws {
    let rows =
      Self.allocation(Self.id(100)) + [Self.time(Self.id(100), "solve", change: 0.1)] + [
        Self.time(Self.id(100), change: 0.03), Self.time(Self.id(100), "query", 100, change: 0.2),
      ] + Self.allocation(Self.id(1_000), 2_400)
    let finding = try #require(document(rows).changes.first)
    #expect(document(rows).changes.count == 1)
    #expect(finding.sentence == "0 → 1,200 to 2,400 allocations in solve of 2 benchmarks, time +10.0% in 1 of them")
    #expect(finding.ids.map(\.size) == [1_000, 100], "the one that changed most comes first")
  }

  @Test func aSlowerPhaseElsewhereIsACauseOfItsOwn() {
    let rows = Self.allocation(Self.id(100)) + [Self.time(Self.id(100), "query", change: 0.1)]
    #expect(document(rows).changes.map(\.cause) == [.allocations, .time])
  }

  @Test func frameAndPhaseOfASlowDownAreOneFindingAtThePhase() {
    let rows = [Self.time(Self.id(100), change: 0.034), Self.time(Self.id(100), "solve", 340, change: 0.1)]
    let document = document(rows)
    #expect(document.headline == "Regression: solve is 10.0% slower in springs/naive/100.")
    let both = rows + [Self.time(Self.id(1_000), "solve", change: 0.08)]
    #expect(self.document(both).headline == "Regression: solve is 8.00 to 10.0% slower in 2 benchmarks.")
  }

  @Test func theGravestComesFirstAndTheOthersAreCounted() {
    let moved = ComparisonRow(
      id: Self.id(100), metric: .checksum, baseline: .text("a"), candidate: .text("b"), verdict: .behaviorChanged,
      note: "items are up to 3 points from where they were (frame 12)")
    let rows = [Self.time(Self.id(10), "solve", change: -0.1, .improved)] + Self.allocation(Self.id(100)) + [moved]
    let summary = document(rows)
    #expect(
      summary.headline
        == "Behavior changed in springs/naive/100: items are up to 3 points from where they were (frame 12),"
        + " and 1 more change and 1 improvement.")
  }

  @Test(arguments: [(ChangeVerdict.unchanged, true), (.regressed, false)])
  func aTimeWhoseInstructionsDidNotChangeSaysSoInItsRow(_ instructions: ChangeVerdict, _ says: Bool) throws {
    let rows = [
      Self.time(Self.id(100), "solve", change: 0.1),
      Self.count(Self.id(100), .instructionCount, "solve", from: 1_000, to: 1_000, instructions),
    ]
    let finding = try #require(document(rows).changes.first)
    #expect(document(rows).changes.count == 1, "instructions that changed with the time are of its cause")
    #expect(finding.cause == .time)
    let notes = finding.notes(in: document(rows)).joined()
    #expect(notes.contains("as many instructions as before") == says)
  }

  @Test(arguments: [(0.099_99, "10.0%"), (0.100_04, "10.0%"), (0.999_7, "100%"), (0.099_9, "9.99%"), (0, "0.00%")])
  func equalShareReadsTheSameOnBothSidesOfAPowerOfTen(_ change: Double, _ text: String) {
    #expect(Words.percent(change) == text)
  }

  @Test func whatIsUncertainIsACount() {
    let rows = (1...117).map { Self.time(Self.id($0), "solve", change: 0.01, .inconclusive) }
    let text = document(rows).text(usesColor: false)
    #expect(text.contains("117 times are inconclusive") && text.split(separator: "\n").count < 8)
    let page = document(rows).blocks().markdown()
    #expect(page.prefix { $0 != "<" }.split(separator: "\n").count < 5)
  }

  @Test func aBenchmarkThatIsNewIsNothingBad() {
    let new = ComparisonRow(
      id: Self.id(5), metric: .checksum, baseline: nil, candidate: .text("present"), verdict: .missing)
    #expect(document([new]).headline == "No regression in 1 benchmark.")
    #expect(document([new]).blocks().markdown().contains("| new "))
    let text = document([new]).text(usesColor: false)
    #expect(text.hasPrefix("new: springs/naive/5 is not in the baseline\n"))
  }

  @Test func whatIsGoneIsSaidOfBenchmarksAndOfTheirParts() {
    func lost(_ size: Int, _ metric: Metric = .checksum, _ phase: String? = nil) -> ComparisonRow {
      ComparisonRow(
        id: Self.id(size), metric: metric, phase: phase, baseline: .number(1), candidate: nil, verdict: .missing)
    }
    let whole = document([lost(1), lost(2)])
    #expect(whole.headline == "Missing: 2 benchmarks are gone.")
    let phase = document([lost(1, .allocationCount, "solve"), lost(1, .allocatedBytes, "solve")])
    #expect(phase.headline == "Missing: phase solve is gone in springs/naive/1.")
    let figures = document([lost(1, .netBytes), lost(1, .peakHeapBytes)])
    #expect(figures.headline == "Missing: heap growth and highest live heap are gone in springs/naive/1.")
    let all = document(
      [Metric.allocationCount, .allocatedBytes, .netBytes, .peakHeapBytes].map { lost(1, $0) } + [
        lost(1, .allocationCount, "solve")
      ])
    let names = "allocations, bytes allocated, heap growth and 1 more"
    #expect(all.headline == "Missing: \(names) are gone in springs/naive/1.")
  }

  // MARK: Checks

  private func report(_ document: ComparisonDocument) -> CheckReport {
    CheckReport(
      title: "springbench compare", headline: "", checks: document.checks(), startedAt: "", durationSeconds: 1,
      comparison: document
    ) { ids in "again \(ids.map(\.description).joined(separator: " "))" }
  }

  @Test func aCommentSaysWhatBecameSlowerAndWhatFasterWithTheFiguresOfBoth() {
    let rows =
      [Self.time(Self.id(100), change: 0.25), Self.time(Self.id(10), change: -0.94, .improved)]
      + [1, 2, 3].map { Self.time(Self.id($0), change: 0, .unchanged) } + [.unmeasured(Self.id(4), "same code")]
    var comparison = document(rows)
    comparison.failures = [BenchmarkFailure(id: Self.id(5), reason: "it crashed", standardError: "")]
    var report = report(comparison)
    report.headline = "The gate failed: springs/naive/100 is 25.0% slower."
    for text in [report.blocks().markdown(), comparison.blocks().markdown()] {
      let shown = text.prefix(upTo: text.range(of: "<details>")?.lowerBound ?? text.endIndex)
      #expect(
        shown.contains("\nOf 7 benchmarks: 1 failed, 1 regressed, 1 improved, 3 unchanged, 1 not measured.\n"),
        "\(text)")
      #expect(shown.contains("| **regressed** | time | 1.00 µs → 1.25 µs"), "\(text)")
      #expect(shown.contains("| **improved**  | time | 1.00 µs → 60.0 ns"), "\(text)")
      #expect(!shown.contains("- **regression**"))
    }
  }

  @Test func manyChangesLeaveRoomForWhatBecameBetter() {
    func slower(_ number: Int) -> ComparisonRow {
      var row = Self.count(Self.id(number), to: Double(number))
      row.metric = Metric.named("counter\(number)", declared: nil)
      return row
    }
    let text = document((1...20).map(slower) + [Self.time(Self.id(10), change: -0.94, .improved)]).blocks().markdown()
    let fold = text.range(of: "<summary>12 more changes</summary>")?.lowerBound ?? text.startIndex
    #expect(text[..<fold].components(separatedBy: "**regressed**").count == 9 && text[..<fold].contains("**improved**"))
  }

  @Test func theHeadlineIsNotRepeated() throws {
    var report = report(document([]))
    var check = Check(
      subject: "a/b/1", figure: "allocationCount.max", kind: .budget, outcome: .failed,
      sentence: "a/b/1 is beyond its limit", benchmarks: [Self.id(1)])
    report.checks = [check]
    report.headline = "The gate failed: a/b/1 is beyond its limit."
    #expect(report.blocks().markdown().components(separatedBy: "is beyond its limit").count == 2)
    check.place = ("springbench.yml", 4)
    report.checks = [check]
    let text = report.blocks().markdown()
    #expect(text.contains("\n- **budget** (`springbench.yml:4`)\n"), "\(text)")
    #expect(text.components(separatedBy: "is beyond its limit").count == 2)
  }

  @Test func onlyARegressionOfTwoBuildsCanBeProfiled() {
    var comparison = document([Self.time(Self.id(100), change: 0.25)])
    #expect(report(comparison).next?.command == "again springs/naive/100 --profile")
    comparison.profiles = []
    #expect(report(comparison).next?.line == "to look at it again: again springs/naive/100")
    comparison.profiles = nil
    comparison.method.source = .documents
    #expect(report(comparison).next?.command == "again springs/naive/100")
    #expect(report(document([Self.time(Self.id(100), change: 0, .unchanged)])).next == nil)
  }

  @Test func oneAllocationIsOneAnnotation() {
    let lines = report(document(Self.nine.flatMap { Self.allocation($0) })).githubAnnotations().split(separator: "\n")
    #expect(lines.count == 1)
    #expect(
      lines[0].hasPrefix(
        "::error title=regression%3A springs/naive/100 and 8 more::0 → 1,200 allocations in solve of 9"))
    #expect(lines[0].hasSuffix("to repeat it: again springs/naive/100"))
  }

  @Test func aDoubtAboutSeveralBenchmarksIsOneParagraph() {
    var document = document([])
    document.warnings = Self.nine.prefix(2).map { Warning("too short", benchmark: $0) } + [Warning("busy")]
    let report = report(document)
    let doubts = ["springs/naive/100 and springs/naive/1000: too short", "busy"]
    #expect(report.doubts.map(\.plainText) == doubts)
    #expect(report.blocks().markdown().components(separatedBy: "too short").count == 2)
  }

  @Test func theCauseThatDecidesTheStatusIsTheOneToRepeat() {
    let moved = ComparisonRow(
      id: Self.id(7), metric: .checksum, baseline: .text("a"), candidate: .text("b"), verdict: .behaviorChanged)
    let groups = report(document(Self.allocation(Self.id(100)) + [moved])).failedGroups
    #expect(groups.map(\.kind) == [.behaviorChanged, .regression])
    #expect(groups[0].repeated == [Self.id(7)])
  }

  @Test func whatIsAcknowledgedForSomeIsAGroupOfItsOwn() {
    var checks = document(Self.allocation(Self.id(100)) + Self.allocation(Self.id(10))).checks()
    for index in checks.indices where checks[index].subject == "springs/naive/10" {
      checks[index].add(remark: "acknowledged until 2999-01-31: a cache")
    }
    let document = document(Self.allocation(Self.id(100)) + Self.allocation(Self.id(10)))
    var report = report(document)
    report.checks = checks
    let texts = report.failedGroups.map(\.text.plainText)
    #expect(texts.count == 2 && texts[1].hasSuffix("acknowledged until 2999-01-31: a cache"))
  }

  @Test(arguments: [("allocationCount.max", 1), ("frameNanoseconds.p99", 2)])
  func aLimitThatARegressionBreaksIsOfItsCause(_ figure: String, _ count: Int) {
    let document = document(Self.allocation(Self.id(10)) + Self.allocation(Self.id(100)))
    var report = report(document)
    var check = Check(
      subject: "\(Self.id(10))", figure: figure, kind: .budget, outcome: .failed,
      sentence: "\(Self.id(10)): \(figure) is 1, beyond the limit of 0")
    check.place = ("b.yml", 4)
    check.benchmarks = [Self.id(10)]
    report.checks.append(check)
    let groups = report.failedGroups
    #expect(groups.count == count)
    #expect((groups[0].place?.line == 4) == (count == 1))
    #expect(
      groups[0].text.plainText.hasSuffix(
        "; over budget: springs/naive/10: allocationCount.max is 1, beyond the limit of 0") == (count == 1))
  }

  @Test func benchmarksBeyondOneLimitAreOneFinding() {
    var report = report(document([]))
    report.checks = [10, 100].map { size in
      var check = Check(
        subject: "\(Self.id(size))", figure: "allocationCount.max", kind: .budget, outcome: .failed,
        sentence: "\(Self.id(size)): allocationCount.max is \(size), beyond the limit of 0")
      check.place = ("b.yml", 4)
      check.excess = Double(size)
      check.benchmarks = [Self.id(size)]
      return check
    }
    let groups = report.failedGroups
    #expect(groups.count == 1 && groups[0].place?.line == 4)
    #expect(
      groups[0].sentence
        == "springs/naive/100: allocationCount.max is 100, beyond the limit of 0, and 1 more beyond the same limit")
    #expect(groups[0].text.plainText.hasSuffix(": springs/naive/10"))
  }
}
