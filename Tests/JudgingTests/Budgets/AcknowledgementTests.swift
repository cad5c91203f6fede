import FrameBench
import Testing

@testable import Judging
@testable import Measurements

/// Tests which acknowledgements of a budget file cover an exceeded limit, and which of them are reported as mistakes.
@Suite struct AcknowledgementTests: MadeUpRuns {
  @Test func anAcknowledgedRegressionPassesUntilItsDay() throws {
    let yaml = """
      budgets:
        - ids: s/a/10
          limits:
            frameNanoseconds.p50: 1ns
      acknowledged:
        - id: s/a/*
          metric: frameNanoseconds
          reason: shadows
          until: 2026-11-21
      """
    let now = try findings(yaml, [record("a", 10, cost: 50)])
    let entry = try #require(now[0].acknowledgement)
    #expect(entry.reason == "shadows" && now[0].expired == nil)
    let later = try findings(yaml, [record("a", 10, cost: 50)], today: "2026-11-22")
    #expect(later[0].outcome == .exceeded && later[0].expired == entry)
  }

  private func acknowledged(_ metric: String, id: String = "s/a/10") -> String {
    "acknowledged:\n  - id: \(id)\n    metric: \(metric)\n    reason: r\n    until: 2027-01-31\n"
  }

  @Test(arguments: [
    ("peakResidentBytes: 1B", "peakResidentBytes.total"), ("peakResidentBytes.total: 1B", "peakResidentBytes"),
    ("allocationCount.total: 0", "allocationCount.total"), ("allocationCount.total: 0", "allocationCount"),
    ("ratio.a/b: '<= 1'", "ratio.a/b.p50"), ("ratio.a/b.p50: '<= 1'", "ratio.a/b"),
    ("missedFrames: 0", "missedFrames.total"), ("hitchTimeRatio: 0", "hitchTimeRatio.total"),
    ("frameNanoseconds.solve.p50: 0", "frameNanoseconds.solve"),
  ]) func anAcknowledgementWithItsStatisticWrittenOutMatches(limit: String, metric: String) throws {
    let yaml = "budgets:\n" + limits("**", limit) + acknowledged(metric, id: "'**'")
    let found = try findings(yaml, [record("a", 10, cost: 1e9, allocations: 1), record("b", 10, cost: 1)])
    #expect(found[0].acknowledgement?.metric == metric, "\(found[0].sentence)")
  }

  @Test(arguments: [
    ("ratio.a/b: '<= 1'", "s/a/10", true), ("ratio.a/b: '<= 1'", "s/b/10", true),
    ("ratio.a/b: '<= 1'", "s/a/100", false), ("ratio.a/b: '<= 1'", "s/c/10", false),
    ("growthExponent: 1", "s/a/10", true), ("growthExponent: 1", "s/a/100", true),
    ("growthExponent: 1", "s/b/10", false),
  ]) func anAcknowledgementForAnyBenchmarkOfAFigureCoversIt(limit: String, id: String, covers: Bool) throws {
    let metric = String(limit.prefix { $0 != ":" })
    let yaml = "budgets:\n" + limits("s/?/10", limit) + acknowledged(metric, id: id)
    let records = [
      record("a", 10, cost: 10), record("a", 100, cost: 1_000), record("b", 10, cost: 1), record("c", 10, cost: 1),
    ]
    let found = try #require(findings(yaml, records).first { ["s/a", "s/b/10"].contains($0.subject) })
    #expect((found.acknowledgement != nil) == covers, "\(found.sentence)")
  }

  @Test(arguments: ["frameNanoseconds.p50", "solve", "frameNanoseconds.sol"])
  func anAcknowledgementOfAnotherFigureDoesNotMatch(metric: String) throws {
    let yaml = "budgets:\n" + limits("**", "frameNanoseconds.solve.p50: 0") + acknowledged(metric)
    #expect(try findings(yaml, [record("a", 10, cost: 1)])[0].outcome == .exceeded)
  }

  @Test(arguments: [
    ("main", BuildName(name: "main", commit: "12ab34"), true), ("12ab", BuildName(name: "x", commit: "12ab34"), true),
    ("main", BuildName(name: "v1", commit: "12ab34"), false), ("2ab3", BuildName(name: "x", commit: "12ab34"), false),
    ("main", BuildName(name: "x"), false), ("main", nil, false),
  ]) func anAcknowledgementOfABaselineHoldsAgainstThatAlone(name: String, build: BuildName?, holds: Bool) throws {
    let yaml = acknowledged("allocationCount") + "    baseline: \(name)\n"
    let file = try BudgetFile(reading: yaml, path: "b.yml")
    let found = file.acknowledgement(
      of: try LimitKey.parse("allocationCount.total"), for: [record("a", 10, cost: 1).id], on: "2026-01-01",
      against: build)
    #expect((found.current != nil) == holds)
  }

  private func mistake(_ metric: String, _ records: [BenchmarkRecord], id: String = "s/a/10", compared: [LimitKey] = [])
    throws -> String?
  {
    let file = try BudgetFile(reading: acknowledged(metric, id: id), path: "b.yml")
    let known = [record("a", 10, cost: 1), record("b", 10, cost: 1)].map(\.id)
    do {
      try file.checkAcknowledgements(document(records), known: known, compared: compared)
      return nil
    } catch { return error.description }
  }

  @Test(arguments: [
    ("frameNanosecond.p99", "no metric \"frameNanosecond.p99\"; did you mean \"frameNanoseconds\"?"),
    ("frameNanoseconds.slove", "no metric \"frameNanoseconds.slove\"; "), ("speed", "no metric \"speed\"; there"),
  ]) func anAcknowledgementOfWhatNothingMeasuresIsAMistake(metric: String, expected: String) throws {
    let error = try mistake(metric, [record("a", 10, cost: 1)])
    #expect(error?.hasPrefix("b.yml:3:13: " + expected) == true, "\(error ?? "no error")")
  }

  @Test(arguments: [
    "frameNanoseconds", "frameNanoseconds.solve", "frameNanoseconds.mean", "instructionCount", "checksum",
    "missedFrames", "growthExponent", "ratio.a/b", "instructionCount.solve.mean",
  ]) func anAcknowledgementOfWhatARunCanHaveIsNone(metric: String) throws {
    #expect(try mistake(metric, [record("a", 10, cost: 1)]) == nil)
  }

  @Test func aCounterThatOnlyTheBaselineOrABenchmarkThatWasLeftOutMayHaveIsNoMistake() throws {
    let record = record("a", 10, cost: 1)
    #expect(try mistake("springs", [record], id: "s/*/10") == nil)
    let compared = LimitKey.figure(FigureName(metric: "springs", phase: nil, statistic: .total))
    #expect(try mistake("springs", [record], compared: [compared]) == nil)
  }
}

extension BudgetFinding {
  fileprivate var acknowledgement: Acknowledgement? {
    if case .acknowledged(let entry) = outcome { entry } else { nil }
  }
}
