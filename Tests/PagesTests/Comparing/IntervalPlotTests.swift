import Foundation
import FrameBench
import Testing

@testable import Judging
@testable import Measurements
@testable import Pages

/// Tests the chart that shows the interval of each change of a comparison.
@Suite struct IntervalPlotTests {
  private func row(_ strategy: String, _ change: Double, _ verdict: ChangeVerdict = .unchanged) -> ComparisonRow {
    var row = ComparisonReportTests.time(verdict, phase: nil, change: change)
    row.id.strategy = strategy
    return row
  }

  private func page(_ rows: [ComparisonRow]) -> String {
    let document = ComparisonReportTests.document(rows)
    let report = CheckReport(
      title: "springbench compare", headline: "", checks: [], startedAt: "", durationSeconds: 1, comparison: document,
      repeating: { _ in "" })
    return report.html(document.blocks())
  }

  @Test func everyTimeHasALineBeforeTheFoldedFigures() throws {
    let page = page([row("naive", 0.021, .regressed), row("tiled", -0.03, .improved), row("exact", 0.0004)])
    let picture = try #require(page.range(of: "<figure"))
    let fold = try #require(page.range(of: "<details>"))
    #expect(picture.lowerBound < fold.lowerBound)
    let narrow = try #require(page.range(of: "class=\"narrow\""))
    let wide = page[picture.lowerBound..<narrow.lowerBound]
    #expect(wide.components(separatedBy: "class=\"line\"").count == 4)
    for text in ["springs/tiled/10000", "+2.10%", "-3.00%", "class=\"c0\"", "class=\"c2\"", "class=\"c6\""] {
      #expect(wide.contains(text), "\(text)")
    }
  }

  @Test func aScenarioWithItsOwnToleranceHasItsOwnBand() {
    var own = row("naive", 0.02)
    own.id.scenario = "heap"
    var document = ComparisonReportTests.document([row("naive", 0.001), row("tiled", 0.001), own])
    document.method.scenarioTolerances = ["heap": 0.05]
    let drawn = IntervalPlot(document)?.drawn(width: 900).elements ?? []
    #expect(drawn.count { $0.contains("class=\"band\"") } == 2)
    #expect(drawn.contains { $0.contains("the band is the tolerance of 1.00% and 5.00%") })
  }

  /// Returns the plot of a benchmark in which the mean, another statistic, and frames 30 to 89 changed.
  private func plot(_ statistic: FlatRow.Statistic) -> IntervalPlot? {
    var rows = (0..<3).map { _ in row("naive", 0.4, .regressed) }
    rows[1].statistic = statistic
    rows[2].frames = FrameSet(Array(30..<90))
    return IntervalPlot(ComparisonReportTests.document(rows))
  }

  @Test func aBenchmarkWithSeveralChangesHasAHeadingWithItsWholeName() {
    let texts = plot(.max)?.drawn(width: 360).elements ?? []
    for text in [">springs/naive/10000<", ">frame time<", ">the worst frame<", ">frames 30 to 89<"] {
      #expect(texts.contains { $0.contains(text) }, "\(text)")
    }
  }

  @Test func framesThatStandOutAreLeftOutIfTheMedianFrameChanged() {
    let plot = plot(.p50)
    #expect(plot?.description.contains("p50") == true && plot?.description.contains("frames 30") == false)
  }

  @Test func withoutIntervalsThereIsNoPicture() {
    #expect(!page([ComparisonReportTests.sameChecksum]).contains("<figure"))
  }

  /// One change of 400% must not compress all other intervals to zero.
  @Test func oneLargeChangeDoesNotHideTheOthers() {
    let rows = (0..<20).map { row("s\($0)", 0.002) } + [row("slow", 4, .regressed)]
    let page = page(rows)
    #expect(page.contains("+2.00%") && page.contains("+400%") && page.contains("class=\"ring\""))
  }

  @Test func manyPhasesThatDidNotChangeAreLeftOut() {
    let phases = (0..<60).map { ComparisonReportTests.time(.unchanged, phase: "phase\($0)", change: 0) }
    let changed = ComparisonReportTests.time(.regressed, phase: "solve", change: 0.02)
    let plot = IntervalPlot(ComparisonReportTests.document(phases + [changed, row("naive", 0.01)]))
    #expect(plot?.description.contains("phase7") == false && plot?.description.contains("solve time") == true)
    #expect(plot?.description.contains("frame time") == true)
  }
}
