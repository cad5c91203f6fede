import Foundation
import FrameBench
import Testing

@testable import Judging

/// Tests which changes since yesterday and since a week ago exceed the noise.
@Suite struct NoiseTests {
  private let made = MadeUpNights()

  private func analysis(_ values: [Double]) -> HistoryAnalysis {
    HistoryAnalysis(values.enumerated().map { made.night($0, $1) })
  }

  @Test func aJumpTonightIsBeyondTheNoise() throws {
    let values = made.values([(10_000, 30)]) + [10_700]
    let move = try #require(analysis(values).trends[0].sinceYesterday)
    #expect(move.isBeyondNoise && move.isRegression)
    #expect(abs(move.after / move.before - 1 - 0.07) < 0.011)
  }

  @Test func theRippleIsNot() throws {
    for count in 8..<60 {
      let analysis = analysis(made.values([(10_000, count)]))
      #expect(analysis.trends[0].sinceYesterday?.isBeyondNoise == false)
      #expect(analysis.trends[0].sinceLastWeek(days: analysis.days)?.isBeyondNoise != true)
    }
  }

  @Test func aStepOfLastDaysIsSeenAgainstTheWeekBefore() throws {
    let analysis = analysis(made.values([(10_000, 30), (10_700, 5)]))
    let trend = analysis.trends[0]
    #expect(trend.sinceYesterday?.isBeyondNoise == false)
    let week = try #require(trend.sinceLastWeek(days: analysis.days))
    #expect(week.isBeyondNoise && abs(week.before - 10_000) < 100)
  }

  @Test func fewNightsTellNoNoise() throws {
    let move = try #require(analysis([100, 101, 99, 140]).trends[0].sinceYesterday)
    #expect(move.noise == nil && !move.isBeyondNoise)
    #expect(analysis([100]).trends[0].sinceYesterday == nil)
  }

  @Test func aConstantCountHasNoNoiseAtAll() throws {
    let counts = MadeUpNights(metric: "allocationCount.mean")
    let nights = ([Double](repeating: 3, count: 12) + [4]).enumerated().map { counts.night($0, $1) }
    let move = try #require(HistoryAnalysis(nights).trends[0].sinceYesterday)
    #expect(move.noise == 0 && move.isBeyondNoise)
    let same = try #require(HistoryAnalysis(nights.dropLast()).trends[0].sinceYesterday)
    #expect(!same.isBeyondNoise)
  }

  @Test func aStepOfTheClockIsNoNews() throws {
    let analysis = analysis([Double](repeating: 30.1, count: 20) + [40.1])
    #expect(analysis.trends[0].sinceYesterday?.isBeyondNoise == false)
    #expect(analysis.news().new.isEmpty)
  }

  @Test func nothingIsComparedAcrossToolchains() {
    let values = made.values([(100, 20), (130, 1)])
    let nights = values.enumerated().map { made.night($0, $1, toolchain: $0 < 20 ? "one" : "other") }
    let analysis = HistoryAnalysis(nights)
    #expect(analysis.trends[0].sinceYesterday == nil)
    #expect(analysis.trends[0].sinceLastWeek(days: analysis.days) == nil)
    #expect(analysis.environmentChanges == ["toolchain: one → other"])
  }

  @Test func aWeekWithoutNightsIsNotComparedWith() {
    let nights = [0, 1, 2, 20].map { made.night($0, 100) }
    let analysis = HistoryAnalysis(nights)
    #expect(analysis.trends[0].sinceLastWeek(days: analysis.days) == nil)
  }
}
