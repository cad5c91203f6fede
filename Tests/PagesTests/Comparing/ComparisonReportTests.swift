import Foundation
import FrameBench
import Testing

@testable import Formats
@testable import Judging
@testable import Measurements
@testable import Pages

@Suite struct ComparisonReportTests {
  private static let id = BenchmarkID(scenario: "springs", strategy: "naive", size: 10_000)

  static func time(_ verdict: ChangeVerdict, phase: String? = "solve", change: Double = 0.021, note: String? = nil)
    -> ComparisonRow
  {
    ComparisonRow(
      id: id, metric: .frameTime, phase: phase, baseline: .number(1_740), candidate: .number(1_740 * (1 + change)),
      change: change, low: change - 0.003, high: change + 0.003, pValue: 0.0001, verdict: verdict, control: 0.0012,
      note: note)
  }

  static let sameChecksum = ComparisonRow(
    id: id, metric: .checksum, baseline: .text("00000000000000aa"), candidate: .text("00000000000000aa"),
    verdict: .unchanged)

  static func document(_ rows: [ComparisonRow], failures: [BenchmarkFailure] = []) -> ComparisonDocument {
    ComparisonDocument(
      startedAt: "2026-11-21T06:47:12Z", durationSeconds: 12.5, arguments: ["compare", "main"],
      baseline: BuildName(name: "main", commit: "0123456789abcdef"), candidate: BuildName(name: "work|tree"),
      options: RunOptions(),
      method: ComparisonMethod(
        tolerance: 0.01, familyAlpha: 0.01, testCount: 5, screeningSetCounts: 16...16, confirmingSetCounts: 24...36,
        seed: 7), rows: rows, failures: failures, warnings: [Warning("a doubt", benchmark: id)])
  }

  @Test func theVerdictStandsInTheFirstLine() throws {
    let text = Self.document([Self.sameChecksum, Self.time(.regressed)]).blocks().markdown()
    let first = try #require(text.split(separator: "\n").first)
    #expect(first == "**Regression: solve is 2.10% slower in springs/naive/10000.**")
  }

  @Test func lostAndNewFiguresHideNeitherRegressionsNorCountAsBenchmarks() {
    func row(_ size: Int, _ metric: Metric, _ old: Double?, _ new: Double?, _ verdict: ChangeVerdict = .missing)
      -> ComparisonRow
    {
      ComparisonRow(
        id: BenchmarkID(scenario: "springs", strategy: "naive", size: size), metric: metric, phase: nil,
        baseline: old.map { .number($0) }, candidate: new.map { .number($0) }, verdict: verdict)
    }
    let rows = [
      row(1, .netBytes, 1, nil), row(1, .allocationCount, 1, 2, .regressed), row(2, .netBytes, 1, nil),
      row(3, .netBytes, nil, 1), row(4, .checksum, 1, nil), row(5, .checksum, nil, 1),
    ]
    #expect(
      Self.document(rows).counts == "Of 5 benchmarks: 1 missing, 1 regressed, 1 with lost figures, 1 new, 1 unchanged.")
  }

  @Test func aRegressionWhoseTotalFellNamesItsFrame() {
    let notes: [(String, phase: String?)] = [
      ("newly allocates in frame 7 of prepare: 0 → 2", "prepare"), ("frame 12: 3 → 20", nil),
    ]
    for (note, phase) in notes {
      let row = ComparisonRow(
        id: Self.id, metric: .allocationCount, phase: phase, baseline: .number(30), candidate: .number(20),
        change: -1.0 / 3, verdict: .regressed, note: note)
      let place = phase.map { "\($0) of " } ?? ""
      #expect(Self.document([row]).headline == "Regression: allocations in \(place)springs/naive/10000: \(note).")
    }
  }

  @Test func aDoubtThatConcernsSeveralBenchmarksIsToldOnce() {
    var document = Self.document([Self.sameChecksum])
    let other = BenchmarkID(scenario: "springs", strategy: "tiled", size: 10)
    document.warnings += [Warning("a doubt", benchmark: other), Warning("another doubt")]
    let text = document.blocks().markdown()
    #expect(text.contains("`springs/naive/10000` and `springs/tiled/10`: a doubt\n"))
    #expect(text.contains("- another doubt\n"))
    #expect(text.components(separatedBy: "a doubt").count == 2)
  }

  @Test func benchmarksThatRunTheSameCodeAreCountedAndNotMeasured() {
    let others = [10, 100].map {
      ComparisonRow.unmeasured(BenchmarkID(scenario: "heap", strategy: "discs", size: $0), "same code")
    }
    var document = Self.document([Self.sameChecksum, Self.time(.regressed)] + others)
    let text = document.blocks().markdown()
    #expect(text.contains("\n2 of 3 benchmarks run the same code in both builds, so they were not measured.\n"))
    #expect(text.contains("- A benchmark runs the same code if") && text.contains("- Both builds played"))
    #expect(document.text(usesColor: false).contains("2 of 3 benchmarks run the same code"))
    document.rows = others
    (document.method.testCount, document.method.screeningSetCounts) = (0, nil)
    let none = document.blocks().markdown()
    #expect(none.hasPrefix("**No regression in 2 benchmarks.**"))
    #expect(none.contains("\nAll 2 benchmarks run the same code in both builds, so they were not measured.\n"))
    #expect(!none.contains("Both builds played"))
    #expect(document.tone == .good)
  }

  @Test func aGateSaysThatTheProgramsAreTheSame() {
    var document = Self.document([Self.sameChecksum])
    document.method.source = .identicalPrograms
    func report(_ headline: String) -> CheckReport {
      CheckReport(
        title: "", headline: headline, checks: [], startedAt: "", durationSeconds: 1, comparison: document,
        repeating: { _ in "" })
    }
    #expect(report("The gate passed.").gateText(width: nil).contains("\nIdentical program: "))
    let wrapped = report("The gate passed.").gateText(width: 40)
    #expect(wrapped.contains("\nIdentical program: ") && wrapped.split(separator: "\n").allSatisfy { $0.count <= 40 })
    #expect(report(document.headline).doubts.allSatisfy { !$0.plainText.contains("Identical") })
  }

  @Test func everyPageNamesTheTolerancesAndTheRulesThatChange() {
    var document = Self.document([Self.sameChecksum])
    func report() -> CheckReport {
      CheckReport(
        title: "springbench compare", headline: document.headline, checks: document.checks(), startedAt: "",
        durationSeconds: 1, comparison: document, repeating: { _ in "" })
    }
    #expect(report().changesNothing && !document.blocks().markdown().contains("Tolerances"))
    document.method.scenarioTolerances = ["springs": 0.03]
    document.method.allocationTolerances = ["heap": AllocationTolerance(count: 50, percent: 1)]
    document.ruleChanges = [
      RuleChange(scenario: "springs", rule: "tolerance of times", baseline: "3%", candidate: "1,000%", isHeld: true)
    ]
    let tolerances =
      "Tolerances other than the usual one: 50 a frame or 1% of allocations in heap and 3.00% of times in springs."
    let change = "springs: tolerance of times 3% in the baseline, 1,000% in the candidate"
    let pages = [
      document.text(width: 400, usesColor: false), document.blocks().markdown(), report().html(document.blocks()),
      report().blocks().markdown(), report().html(report().blocks()),
    ]
    for page in pages { #expect(page.contains(tolerances) && page.contains(change), "\(page)") }
    for text in [report().junit(), report().json()] { #expect(text.contains(change)) }
    #expect(report().githubAnnotations().contains("::warning title=rule changed%3A springs::"))
    #expect(!report().changesNothing && report().failed.isEmpty)
    #expect(document.headline == "No regression in 1 benchmark, and 1 changed rule.")
    document.method.tolerance = 0.003
    #expect(document.text(width: 400, usesColor: false).contains("0.30% of times, 50 a frame"))
  }

  @Test func exactFiguresInWhichABuildDiffersFromItselfAreCounted() {
    var row = Self.sameChecksum
    (row.metric, row.baseline, row.candidate, row.verdict) = (.peakHeapBytes, .number(1), .number(9), .notJudged)
    let sentence = "1 exact figure is not judged, since two runs of one build differ in it."
    #expect(Self.document([Self.sameChecksum, row]).text(usesColor: false).contains(sentence))
    #expect(Self.document([Self.sameChecksum, row]).blocks().markdown().contains(sentence))
    #expect(row.relation == "is not judged against")
    row.metric = .pageFaultCount
    #expect(!Self.document([Self.sameChecksum, row]).blocks().markdown().contains("not judged, since"))
  }

  @Test func everyPageSaysWhichTimesAreNotJudged() {
    let document = Self.document([Self.sameChecksum, Self.time(.notJudged)])
    let report = CheckReport(
      title: "springbench gate", headline: "", checks: document.checks(), startedAt: "", durationSeconds: 1,
      comparison: document, repeating: { _ in "" })
    let pages = [
      document.text(width: 400, usesColor: false), document.blocks().markdown(), report.blocks().markdown(),
      report.gateText(width: nil),
    ]
    let sentence = "1 time is not judged; the largest difference is +2.10% in springs/naive/10000 solve time."
    for page in pages { #expect(page.contains(sentence), "\(page)") }
  }

  @Test func wholeFramesAndCallsAreNamedByTheirBenchmark() throws {
    let text = Self.document([Self.time(.regressed, phase: nil)]).blocks().markdown()
    let first = try #require(text.split(separator: "\n").first)
    #expect(first == "**Regression: springs/naive/10000 is 2.10% slower.**")
  }

  @Test func onlyChangedRowsStandOpenTheRestIsFolded() throws {
    let text = Self.document([
      Self.sameChecksum, Self.time(.regressed, note: "spread over all frames"),
      Self.time(.unchanged, phase: "query", change: 0.0004), Self.time(.inconclusive, phase: nil, change: 0.009),
    ]).blocks().markdown()
    let fold = try #require(text.range(of: "<details>"))
    let open = text[..<fold.lowerBound]
    #expect(open.contains("+2.10% (+1.80 to +2.40%)"))
    #expect(open.contains("1.74 µs → 1.78 µs") && open.contains("spread over all frames"))
    #expect(open.contains("1 time is inconclusive"))
    #expect(!open.contains("query time"))
    #expect(text.contains("3 other figures, 1 of them inconclusive"))
    #expect(text[fold.lowerBound...].contains("query time"))
    #expect(text.contains("1 figure changed") && text.contains("0.12%"))
    #expect(text.contains("`0123456`") && text.contains("Seed 7") && text.contains("a doubt"))
  }

  @Test func everyRowOfTheJSONHasAllTenKeys() throws {
    let document = Self.document([
      Self.sameChecksum, Self.time(.improved, change: -0.05),
      ComparisonRow(id: Self.id, metric: .checksum, baseline: nil, candidate: .text("x"), verdict: .missing),
    ])
    let parsed = try #require(
      try JSONSerialization.jsonObject(with: Data(document.flatRowsJSON().utf8)) as? [[String: Any]])
    let keys: Set = [
      "id", "metric", "phase", "statistic", "frames", "baseline", "candidate", "change", "low", "high", "pValue",
      "verdict", "layout",
    ]
    #expect(parsed.count == 3)
    #expect(parsed.allSatisfy { Set($0.keys) == keys })
    #expect(parsed[1]["change"] as? Double == -0.05)
    #expect(parsed[1]["verdict"] as? String == "improved")
    #expect(parsed[2]["baseline"] is NSNull)
    #expect(Self.document([]).flatRowsJSON() == "[]\n")
  }

  @Test func theWorstOutcomeHidesTheOthers() {
    let changed = ComparisonRow(
      id: Self.id, metric: .checksum, baseline: .text("a"), candidate: .text("b"), verdict: .behaviorChanged)
    let gone = ComparisonRow(
      id: Self.id, metric: .checksum, baseline: .text("present"), candidate: nil, verdict: .missing)
    let new = ComparisonRow(
      id: Self.id, metric: .checksum, baseline: nil, candidate: .text("present"), verdict: .missing)
    let failure = BenchmarkFailure(id: Self.id, reason: "crashed", standardError: "")
    #expect(Self.document([Self.sameChecksum]).tone == .good)
    #expect(Self.document([new]).tone == .good)
    #expect(Self.document([Self.time(.inconclusive)]).tone == nil)
    let worse: [(ComparisonDocument, String)] = [
      (Self.document([Self.time(.inconclusive), Self.time(.regressed)]), "Regression: "),
      (Self.document([Self.time(.regressed), changed]), "Behavior changed in "),
      (Self.document([Self.time(.regressed), gone]), "Missing: "),
      (Self.document([changed], failures: [failure]), "1 benchmark could not be measured. Behavior changed in "),
    ]
    for (document, opening) in worse { #expect(document.tone == .bad && document.headline.hasPrefix(opening)) }
  }

  @Test func aCalibrationSuggestsTheLeastSilentTolerance() {
    var cells: [CalibrationCell] = []
    for (tolerance, verdict) in [(0.01, ChangeVerdict.unchanged), (0.003, .inconclusive), (0.0, .regressed)] {
      var cell = CalibrationCell(id: Self.id, planted: 0, tolerance: tolerance)
      for _ in 0..<20 { cell.add([Self.time(verdict)], phase: "solve", seconds: 2) }
      cells.append(cell)
    }
    let document = CalibrationDocument(phase: "solve", secondsPerBenchmark: 5, seed: 1, cells: cells)
    #expect(document.suggestedTolerance == 0.003)
    #expect(cells[2].falseAlarmCount == 20)
    let text = document.blocks().markdown()
    #expect(text.hasPrefix("**Suggested tolerance: 0.30%**"))
  }

  @Test func whatWasPlantedIsNoFalseAlarm() {
    var cell = CalibrationCell(id: Self.id, planted: 0.02, tolerance: 0)
    cell.add([Self.time(.regressed, phase: "solve"), Self.time(.regressed, phase: nil)], phase: "solve", seconds: 1)
    #expect((cell.foundCount, cell.falseAlarmCount) == (1, 0))
    cell.add([Self.time(.regressed, phase: "query")], phase: "solve", seconds: 1)
    cell.add([Self.time(.improved, phase: "solve")], phase: "solve", seconds: 1)
    #expect((cell.foundCount, cell.falseAlarmCount, cell.trialCount) == (1, 2, 3))
  }

  @Test func framesThatChangedHardlyMoreThanAllAreNoPlaceOfTheChange() {
    let everywhere = Self.document(
      ComparisonFindingTests.local(
        FrameSet(.init(first: 25, last: 1_175, step: 50)), 0.12, with: [.mean: 0.1, .p50: 0.1]))
    #expect(everywhere.changes[0].notes(in: everywhere) == ["p50 +10.0%"])
  }

  @Test func figuresThatDifferByAFewBytesAreWrittenDifferently() {
    let row = ComparisonRow(
      id: Self.id, metric: .setUpAllocatedBytes, baseline: .number(29_080), candidate: .number(29_088),
      verdict: .regressed)
    #expect(row.baselineText == "29,080 B" && row.candidateText == "29,088 B")
    #expect(Self.document([row]).headline.contains("29,080 B → 29,088 B"))
  }
}
