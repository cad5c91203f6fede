import FrameBench
import Testing

@testable import Judging
@testable import Measurements
@testable import Pages

/// Tests in which order the findings of a comparison are reported.
@Suite struct FindingOrderTests {
  private typealias Made = ComparisonFindingTests

  @Test func theLargestChangeOfAKindComesFirst() {
    let rows = [
      Made.time(Made.id(1), change: 0.012), Made.time(Made.id(2), "solve", change: 57),
      Made.time(Made.id(3), "layout", change: -0.1, .improved), Made.time(Made.id(4), "query", change: -0.5, .improved),
    ]
    let document = ComparisonReportTests.document(rows)
    #expect(document.changes.map(\.phase) == ["solve", nil, "query", "layout"])
    #expect(document.headline.hasPrefix("Regression: solve is "), "\(document.headline)")
  }

  @Test func aLeakComesBeforeAHigherPeak() {
    let rows = [
      Made.count(Made.id(1), .peakHeapBytes, from: 1_000, to: 9_000),
      Made.count(Made.id(2), .netBytes, from: 1e6, to: 1.1e6),
    ]
    #expect(ComparisonFinding.all(of: rows).map(\.members[0].lead.metric) == [.netBytes, .peakHeapBytes])
  }
}
