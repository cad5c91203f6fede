import FrameBench
import Testing

@testable import Judging
@testable import Pages

@Suite struct CalibrationTests {
  private func row(_ phase: String?, _ verdict: ChangeVerdict) -> ComparisonRow {
    ComparisonRow(
      id: BenchmarkID(scenario: "a", strategy: "b", size: 1), metric: .frameTime, phase: phase, baseline: .number(1),
      candidate: .number(1), change: 0.01, verdict: verdict)
  }

  private func cell(_ planted: Double, _ tolerance: Double, _ verdicts: [[ComparisonRow]]) -> CalibrationCell {
    var cell = CalibrationCell(
      id: BenchmarkID(scenario: "a", strategy: "b", size: 1), planted: planted, tolerance: tolerance)
    for rows in verdicts { cell.add(rows, phase: "solve", seconds: 2) }
    return cell
  }

  private func document() -> CalibrationDocument {
    let quiet = [row(nil, .unchanged), row("solve", .unchanged)]
    let found = [row(nil, .inconclusive), row("solve", .regressed)]
    return CalibrationDocument(
      phase: "solve", secondsPerBenchmark: 5, seed: 3,
      cells: [
        cell(0, 0.01, [quiet, quiet]), cell(0, 0, [quiet, found]), cell(0.02, 0.01, [found, quiet]),
        cell(0.02, 0, [found, found]),
      ])
  }

  @Test func anyChangeOfTheSameIsAFalseAlarm() {
    #expect(cell(0, 0, [[row("solve", .regressed)], [row("query", .improved)]]).falseAlarmCount == 2)
    #expect(cell(0, 0, [[row("solve", .inconclusive)]]).falseAlarmCount == 0)
  }

  @Test func whatWasPlantedIsNoFalseAlarmAndAnythingElseIs() {
    #expect(cell(0.02, 0, [[row("solve", .regressed), row(nil, .regressed)]]).falseAlarmCount == 0)
    #expect(cell(0.02, 0, [[row("solve", .improved)], [row("query", .regressed)]]).falseAlarmCount == 2)
  }

  @Test func theSuggestedToleranceIsTheSmallestWithoutAFalseAlarm() { #expect(document().suggestedTolerance == 0.01) }

  @Test func thePageNamesWhatWasFoundAndUnderWhichConditions() {
    var document = document()
    var conditions = CalibrationConditions(
      startedAt: "2026-01-02T03:04:05Z", arguments: ["calibrate", "--trials", "2"], machine: "desk", cpuModel: nil,
      coreCount: 2)
    (conditions.durationSeconds, conditions.loadAverages) = (120, [3, 1, 2])
    document.conditions = conditions
    let page = document.blocks(picture: "power.svg").markdown()
    #expect(page.hasPrefix("No tolerance is suggested: of 2 comparisons of unchanged code 0–66% may be false"))
    #expect(page.contains(" 2 min, seed 3."))
    #expect(page.contains("| 1\u{A0}of\u{A0}2 |") && page.contains("| 2\u{A0}of\u{A0}2 |"))
    #expect(page.contains("](power.svg)"))
    #expect(page.contains("`springbench calibrate --trials 2` on desk (unknown CPU, 2 cores, load 1.0 to 3.0"))
  }

  @Test func thePictureSaysWhatShareWasFound() throws {
    let svg = try #require(document().picture())
    #expect(svg.contains("tolerance 1.00%: found 0% of 0% and 50% of 2%."))
    #expect(svg.contains("tolerance 0.00%: found 50% of 0% and 100% of 2%."))
  }

  @Test func withoutAnythingPlantedThereIsNoPicture() {
    let document = CalibrationDocument(
      phase: "solve", secondsPerBenchmark: 5, seed: 3, cells: [cell(0, 0.01, [[row("solve", .unchanged)]])])
    #expect(document.picture() == nil)
  }
}
