import Foundation
import FrameBench
import Statistics
import Testing

@testable import HistoryPages
@testable import Judging
@testable import Markup
@testable import Pages

/// Tests what nightly runs report about noisy histories. A single bad night must not be reported.
@Suite struct BadNightTests {
  private let made = MadeUpNights()

  /// Returns values with Gaussian noise of one percent. Each element of `levels` is a level and its number of nights.
  private func noisy(_ levels: [(Double, Int)], seed: UInt64) -> [Double] {
    var generator = SplitMix64(seed: seed)
    func uniform() -> Double { (Double(generator.next() >> 11) + 0.5) / 0x1p53 }
    return levels.flatMap { level, count in
      (0..<count).map { _ in level * (1 + 0.01 * (-2 * log(uniform())).squareRoot() * cos(2 * .pi * uniform())) }
    }
  }

  @Test(arguments: [0.1, 0.2, 0.4]) func oneBadNightIsNeverReported(excess: Double) {
    for seed in 1...8 as ClosedRange<UInt64> {
      var values = noisy([(10_000, 90)], seed: seed)
      values[45] *= 1 + excess
      #expect(Trend.replay(values).isEmpty, "seed \(seed)")
    }
  }

  @Test func twoBadNightsInARowAreNeverReported() {
    for seed in 21...30 as ClosedRange<UInt64> {
      var values = noisy([(10_000, 90)], seed: seed)
      values[40] *= 1.2
      values[41] *= 1.25
      #expect(Trend.replay(values).isEmpty, "seed \(seed)")
    }
  }

  @Test func aStepIsReportedOnceWithinAFewNights() throws {
    for seed in 41...50 as ClosedRange<UInt64> {
      var values = noisy([(10_000, 50), (10_500, 60)], seed: seed)
      values[20] *= 1.3
      values[80] *= 1.3
      let reports = Trend.replay(values)
      let report = try #require(reports.first, "seed \(seed)")
      #expect(reports.count == 1 && report.withdrawnAt == nil, "seed \(seed)")
      #expect(abs(report.shift.position - 50) <= 2 && report.night < 70, "seed \(seed)")
    }
  }

  @Test func levelsAreThoseOfTheFinalStretches() {
    for seed in 61...70 as ClosedRange<UInt64> {
      var values = noisy([(10_000, 40), (10_400, 30), (10_000, 40)], seed: seed)
      values[20] *= 1.3
      let history = LevelHistory(values)
      let bounds = [0] + history.shifts.map(\.position) + [values.count]
      #expect(history.shifts.filter(\.isConfirmed).count > 0)
      for (number, shift) in history.shifts.enumerated() {
        let (old, new) = (values[bounds[number]..<shift.position], values[shift.position..<bounds[number + 2]])
        #expect(abs(shift.before - old.reduce(0, +) / Double(old.count)) < 1e-6)
        #expect(abs(shift.after - new.reduce(0, +) / Double(new.count)) < 1e-6)
        #expect(shift.medianAfter == Quantile.median(new))
        #expect(shift.supportBefore == old.count && shift.support == new.count)
      }
    }
  }

  // MARK: Withdrawals

  /// The times of a history with five slow nights, which look like a new level for some time.
  private var taken: [Double] { noisy([(10_000, 60), (10_350, 5), (10_000, 60)], seed: 4) }

  @Test func aPointThatLaterNightsTakeBackIsWithdrawnOnce() throws {
    var (reported, withdrawn): ([Night.Announcement], [Night.Announcement]) = ([], [])
    var history: [Night] = []
    for (number, value) in taken.enumerated() {
      history.append(made.night(number, value))
      var analysis = HistoryAnalysis(history)
      analysis.announce()
      history = analysis.nights
      reported += history[number].announced
      let newest = history[number].withdrawn ?? []
      withdrawn += newest
      guard !newest.isEmpty else { continue }
      #expect(!analysis.isRed)
      #expect(analysis.sentences == ["1 change point of earlier nights is withdrawn."])
      let event = try #require(NightEvent.all(of: analysis).first { $0.kind == .withdrawn })
      #expect(event.startedAt == newest[0].startedAt && event.before == newest[0].before)
      #expect(analysis.report.markdown().contains("## Withdrawn"))
    }
    #expect(reported.count == 1 && withdrawn == reported)
    let replay = try #require(Trend.replay(taken).first)
    #expect(replay.withdrawnAt == history.firstIndex { $0.withdrawn != nil })
    let page = Site([Site.Part(machine: "m", suite: "s", analysis: HistoryAnalysis(history))]).files()
    #expect(page.contains { $0.path.hasPrefix("benchmarks/") && $0.text.contains("Withdrawn") })
    let json = [HistoryAnalysis(history)].json()
    #expect(json.contains("\"withdrawnAt\""))
  }

  /// The time rises in night 60. Night 70 withdrew a report of a rise in night 60 or 40.
  @Test(arguments: [(10_130.0, 60, 0), (10_130, 40, 1), (10_500, 60, 1)])
  func whatWasWithdrawnIsReportedAgainOnlyBeyondDoubt(level: Double, place: Int, count: Int) throws {
    var history = noisy([(10_000, 60), (level, 24)], seed: 12).enumerated().map { made.night($0, $1) }
    let found = try #require(HistoryAnalysis(history).news().new.first)
    #expect(abs(found.shift.position - 60) <= 3)
    history[70].withdrawn = [
      Night.Announcement(
        id: made.id, metric: made.metric, startedAt: history[place].startedAt, before: 10_000, after: level)
    ]
    #expect(HistoryAnalysis(history).news().new.count == count, "p = \(found.shift.pValue)")
  }

  // MARK: Correlated nights

  /// Returns values with correlated noise of one percent: each night carries over seven tenths of the noise of the
  /// night before.
  private func correlated(_ count: Int, seed: UInt64) -> [Double] {
    var last = 0.0
    return noisy([(10_000, count)], seed: seed).map {
      last = 0.7 * last + (1 - 0.49).squareRoot() * ($0 - 10_000)
      return 10_000 + last
    }
  }

  @Test(arguments: [310, 322] as [UInt64]) func aPlaceIsNotReportedAgainAndAgain(seed: UInt64) {
    let reports = Trend.replay(correlated(400, seed: seed))
    #expect(!reports.isEmpty)
    for (number, report) in reports.enumerated() {
      let same = reports[..<number].filter { abs($0.shift.position - report.shift.position) <= 5 }
      #expect(!same.contains { $0.shift.isRise == report.shift.isRise }, "\(report)")
    }
  }

  /// With these seeds, the level wanders so much that an early night reports a step far from the real one.
  @Test(arguments: [206, 228, 229, 238] as [UInt64]) func anEarlierReportHidesNoStepAmongCorrelatedNights(seed: UInt64)
  {
    let values = correlated(240, seed: seed).enumerated().map { $1 * ($0 < 120 ? 1 : 1.02) }
    let reports = Trend.replay(values)
    #expect(reports.contains { abs($0.shift.position - 120) <= 10 && $0.shift.isRise }, "\(reports)")
  }

  @Test func withdrawalsAreReadAsTheyWereWritten() throws {
    var night = made.night(3, 1.5)
    night.withdrawn = [
      Night.Announcement(id: made.id, metric: made.metric, startedAt: night.startedAt, before: 1, after: 1.5)
    ]
    #expect(try Night(reading: try night.data()) == night)
    #expect(night.schemaVersion == 1)
    let without = try made.night(3, 1.5).data()
    #expect(!String(decoding: without, as: UTF8.self).contains("withdrawn"))
  }
}
