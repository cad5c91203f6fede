import Foundation
import FrameBench
import Statistics
import Testing

@testable import HistoryPages
@testable import Judging
@testable import Pages

/// Tests what nightly runs report about drifts and about the nights after them.
@Suite struct DriftTests {
  private let made = MadeUpNights()

  /// Returns values at one level with Gaussian noise of one percent.
  private func noisy(_ count: Int, seed: UInt64) -> [Double] {
    var generator = SplitMix64(seed: seed)
    func uniform() -> Double { (Double(generator.next() >> 11) + 0.5) / 0x1p53 }
    return (0..<count).map { _ in 10_000 * (1 + 0.01 * (-2 * log(uniform())).squareRoot() * cos(2 * .pi * uniform())) }
  }

  /// Raises values gradually over `nights` by the fraction `size`.
  private func raised(_ values: [Double], over nights: Range<Int>, by size: Double) -> [Double] {
    values.enumerated().map { night, value in
      let part = Double(night - nights.lowerBound) / Double(nights.count)
      return value * (1 + size * min(1, max(0, part)))
    }
  }

  @Test func driftsAreReportedOnce() {
    // Each drift is found as about six steps but reported once. Noise may make one step look like a separate change.
    let counts = (79...86 as ClosedRange<UInt64>).map { seed in
      Trend.replay(raised(noisy(150, seed: seed), over: 40..<110, by: 0.12)).count
    }
    #expect(counts.allSatisfy { (1...2).contains($0) } && counts.reduce(0, +) <= 10, "\(counts)")
  }

  @Test func aStepAfterADriftIsReported() {
    for seed in 101...104 as ClosedRange<UInt64> {
      let drift = raised(noisy(220, seed: seed), over: 60..<120, by: 0.05)
      let reports = Trend.replay(raised(drift, over: 200..<201, by: 0.05))
      #expect(reports.contains { abs($0.shift.position - 200) <= 2 && $0.night <= 210 }, "seed \(seed)")
    }
  }

  @Test func aSecondDriftIsReportedAfterTheFirstHasEnded() {
    for seed in 122...123 as ClosedRange<UInt64> {
      let first = raised(noisy(300, seed: seed), over: 40..<100, by: 0.06)
      let reports = Trend.replay(raised(first, over: 200..<260, by: 0.06))
      #expect(reports.contains { (190...260).contains($0.shift.position) && $0.shift.isRise }, "seed \(seed)")
    }
  }

  @Test func aStepFarAboveTheSlopeOfADriftIsReported() {
    for seed in 141...144 as ClosedRange<UInt64> {
      let drift = raised(noisy(180, seed: seed), over: 60..<180, by: 0.05)
      let reports = Trend.replay(raised(drift, over: 120..<121, by: 0.1))
      #expect(reports.contains { abs($0.shift.position - 120) <= 2 && $0.night <= 140 }, "seed \(seed)")
    }
  }

  @Test func nightsAnnounceADriftOnceAndPagesStateWhereItEnds() throws {
    let values = raised(noisy(120, seed: 72), over: 40..<80, by: 0.06)
    var history: [Night] = []
    var (announced, withdrawn) = (0, 0)
    for (number, value) in values.enumerated() {
      history.append(made.night(number, value))
      var analysis = HistoryAnalysis(history)
      analysis.announce()
      history = analysis.nights
      announced += history[number].announced.count
      withdrawn += history[number].withdrawn?.count ?? 0
      #expect(NightEvent.all(of: analysis).filter { $0.kind == .regression }.count == history[number].announced.count)
    }
    #expect(announced == 1 && withdrawn == 0)
    let analysis = HistoryAnalysis(history)
    let trend = try #require(analysis.trends.first)
    let drift = try #require(trend.shifts.first)
    #expect(trend.shifts.count == 1 && drift.levelPosition > drift.position + 5)
    #expect(abs(drift.before - 10_000) < 60 && abs(drift.after - 10_600) < 60)
    #expect(trend.levelStart == drift.levelPosition)
    let finding = HistoryAnalysis.Finding(trend: trend, shift: drift)
    let days = [drift.position, drift.levelPosition].map { history[$0].day }
    #expect(analysis.dayText(of: finding) == "\(days[0]) to \(days[1])")
    let range = try #require(analysis.commitRange(of: finding))
    #expect(range.good == history[drift.position - 1].environment.commit)
    #expect(range.bad == history[drift.levelPosition].environment.commit)
    let json = [analysis].json()
    #expect(json.contains("\"levelStartedAt\":\"\(history[drift.levelPosition].startedAt)\""))
    let part = Site.Part(machine: "m", suite: "s", analysis: analysis)
    let levels = BenchmarkPage(part: part, id: made.id) { _, _ in nil }.chart(trend).series.first { $0.name == "level" }
    let lines = (levels?.shapes ?? []).compactMap { if case .line(let points) = $0 { points.map(\.y) } else { nil } }
    #expect(lines.count == 3 && lines.allSatisfy { $0.first == $0.last }, "\(lines)")
    let page = Site([part]).files()
    #expect(page.contains { $0.path.hasPrefix("benchmarks/") && $0.text.contains("\(days[0]) to \(days[1])") })
  }
}
