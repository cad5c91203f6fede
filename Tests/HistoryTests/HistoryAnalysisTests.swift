import Foundation
import FrameBench
import Testing

@testable import History

/// Nights of made-up figures: levels, segments, and what is told when.
@Suite struct HistoryAnalysisTests {
  private let id = BenchmarkID(scenario: "s", strategy: "a", size: 10)

  private func night(
    _ number: Int, _ value: Double?, toolchain: String = "Swift 6.3.1", ids: [BenchmarkID]? = nil
  ) -> Night {
    let environment = Environment(
      machine: "m", cpuModel: nil, coreCount: 2, memoryBytes: nil, kernel: "k", operatingSystem: nil,
      isVirtualMachine: nil, commit: "c\(number)", isDirty: false, toolchain: toolchain,
      buildConfiguration: "release", allocator: "jemalloc 5.3.0",
      clock: ClockRecord(source: "tsc", pairCostNanoseconds: 20, resolutionNanoseconds: 1), loadAverage: nil)
    return Night(
      suite: "s", startedAt: String(format: "2026-%02d-%02dT03:00:00Z", 1 + number / 28, 1 + number % 28),
      environment: environment, metrics: ["frameNanoseconds.p50"],
      benchmarks: (ids ?? [id]).map { Night.Benchmark(id: $0, checksum: "0", values: [value]) },
      failures: [], announced: [])
  }

  /// A level with a ripple of half a percent.
  private func values(_ levels: [(Double, Int)]) -> [Double] {
    var position = 0
    return levels.flatMap { level, count in
      (0..<count).map { _ in
        position += 1
        return level * (1 + 0.005 * sin(Double(position) * 2.4))
      }
    }
  }

  private func nights(_ levels: (Double, Int)...) -> [Night] {
    values(levels).enumerated().map { night($0, $1) }
  }

  @Test func aStepIsFoundWithItsCommitsAndSize() throws {
    let analysis = HistoryAnalysis(nights((100, 40), (105, 20)).shuffled())
    let finding = try #require(analysis.unannounced().first)
    #expect(analysis.unannounced().count == 1)
    #expect(finding.shift.position == 40 && finding.shift.support == 20 && finding.shift.isRegression)
    #expect(abs((finding.shift.relativeChange ?? 0) - 0.05) < 0.002)
    let range = try #require(analysis.commitRange(of: finding))
    #expect(range == (good: "c39", bad: "c40"))
    #expect(abs((finding.trend.currentLevel ?? 0) - 105) < 0.3)
  }

  @Test func aFlatHistoryTellsNothing() {
    #expect(HistoryAnalysis(nights((100, 200))).unannounced().isEmpty)
    #expect(HistoryAnalysis(nights((100, 1))).unannounced().isEmpty)
    #expect(HistoryAnalysis([]).trends.isEmpty)
  }

  @Test func aShiftIsToldOnceItHasSupportAndNeverAgain() {
    var told: [(night: Int, start: String)] = []
    var history: [Night] = []
    for (number, value) in values([(100, 30), (110, 40)]).enumerated() {
      history.append(night(number, value))
      let analysis = HistoryAnalysis(history)
      let findings = analysis.unannounced()
      history[number].announced = findings.map(analysis.announcement)
      told += findings.map { (number, analysis.announcement(of: $0).startedAt) }
    }
    #expect(told.count == 1)
    #expect(told.first?.night == 30 + Trend.requiredSupport - 1)
    #expect(told.first?.start == night(30, nil).startedAt)
  }

  @Test func anotherToolchainBeginsASegmentAndIsNoChangePoint() {
    let history = values([(100, 30), (120, 30)]).enumerated().map { number, value in
      night(number, value, toolchain: number < 30 ? "Swift 6.3.1" : "Swift 6.3.2")
    }
    let analysis = HistoryAnalysis(history)
    #expect(analysis.trends[0].segmentStarts == [30] && analysis.unannounced().isEmpty)
    #expect(
      history[0].surroundings.changes(to: history[59].surroundings) == [
        "toolchain: Swift 6.3.1 → Swift 6.3.2"
      ])
    #expect(abs((analysis.trends[0].currentLevel ?? 0) - 120) < 0.5)
  }

  @Test func nightsWithoutTheFigureAreLeftOut() {
    var history = nights((100, 30), (110, 10))
    history[5] = night(5, nil)
    let analysis = HistoryAnalysis(history)
    #expect(analysis.trends[0].nights.count == 39 && !analysis.trends[0].nights.contains(5))
    #expect(analysis.unannounced().map(\.shift.position) == [29])
  }

  @Test func aBenchmarkThatIsGoneIsNamed() {
    let other = BenchmarkID(scenario: "s", strategy: "b", size: 10)
    let analysis = HistoryAnalysis([night(0, 1, ids: [id, other]), night(1, 1)])
    #expect(analysis.vanished == [other])
  }

  @Test func aNightIsReadAsItWasWritten() throws {
    let first = night(3, 1.5)
    let data = try JSONEncoder().encode(first)
    #expect(try JSONDecoder().decode(Night.self, from: data) == first)
  }
}
