import Foundation
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
}
