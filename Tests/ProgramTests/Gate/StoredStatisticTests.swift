import Foundation
import FrameBench
import Testing

@testable import Judging
@testable import Measurements

/// Tests that a comparison with a saved baseline judges the slow frames, and not only the mean.
@Suite struct StoredStatisticTests {
  /// Returns a measurement of 1,200 frames of about a microsecond, of which each fiftieth takes `slow` nanoseconds.
  private static func measurement(_ factor: Double = 1, slow: Double = 2_000) throws -> ComparisonRule.Measurement {
    let times = (0..<1_200).map { factor * ($0 % 50 == 7 ? slow : 1_000) }
    let run = try StoredRuns.document(
      "steady/naive/10", allocations: Array(repeating: 0, count: times.count), times: times)
    return (run.benchmarks[0], 10)
  }

  private static func rows(slow: Double, count: Int = 5) throws -> [ComparisonRow] {
    let baseline = try [0.96, 0.98, 1, 1.02, 1.04].prefix(count).map { try measurement($0) }
    let rule = ComparisonRule(tolerance: 0.01)
    return rule.rows(baseline: baseline, comparable: baseline, candidate: try measurement(slow: slow)).filter {
      $0.metric == .frameTime && $0.phase == nil
    }
  }

  @Test func slowFramesThatTheMeanHidesAreFound() throws {
    let rows = try Self.rows(slow: 6_000)
    #expect(rows.map(\.statistic) == [nil, .p50, .p99, .max])
    #expect(rows.map { $0.verdict == .regressed } == [false, false, true, true])
    #expect(try Self.rows(slow: 700).map { $0.verdict == .improved } == [false, false, true, true])
    #expect(try Self.rows(slow: 2_000).allSatisfy { !$0.verdict.isChange })
  }

  @Test func fewMeasurementsShowOnlyTheMean() throws {
    #expect(try Self.rows(slow: 6_000, count: 4).map(\.statistic) == [nil])
  }

  @Test func aMedianOfZeroIsNoRow() throws {
    func measurement() throws -> ComparisonRule.Measurement {
      let run = try StoredRuns.document("steady/naive/10", allocations: [0, 0, 0], times: [0, 0, 900])
      return (run.benchmarks[0], 10)
    }
    let baseline = try (0..<5).map { _ in try measurement() }
    let rows = ComparisonRule(tolerance: 0.01).rows(
      baseline: baseline, comparable: baseline, candidate: try measurement())
    #expect(rows.filter { $0.metric == .frameTime && $0.phase == nil }.map(\.statistic) == [nil, .p99, .max])
  }

  @Test func otherStatisticsDoNotMakeMeansHarderToFind() throws {
    func row(_ number: Int, _ statistic: FlatRow.Statistic?) throws -> ComparisonRow {
      let id = try #require(BenchmarkID("steady\(number)/naive/10"))
      var row = ComparisonRow(id: id, metric: .frameTime, statistic: statistic, verdict: .regressed)
      row.suspicionPValue = 3.3e-4
      return row
    }
    let rows = try (0..<14).flatMap { number in try [nil, .p50, .p99, .max].map { try row(number, $0) } }
    let rule = ComparisonRule(tolerance: 0.01)
    var document = ComparisonDocument(
      startedAt: "2026-11-20T06:47:12Z", durationSeconds: 1, arguments: [], baseline: BuildName(name: "main"),
      candidate: BuildName(name: "run"), options: RunOptions(),
      method: ComparisonMethod(source: .documents, rule, seed: 1), rows: rows)
    document.correct()
    // Fourteen tests at 3.3e-4 are significant together at half of 0.01, forty-two are not.
    #expect(document.rows.allSatisfy { ($0.verdict == .regressed) == $0.isMean })
  }
}
