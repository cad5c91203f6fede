import Foundation
import FrameBench
import Testing

@testable import Judging

/// What the scrolls of several sets amount to.
@Suite struct ScrollTimesTests {
  /// Sets of two things in one link order after another; `factor` says what an order does to the second.
  private static func sets(_ orders: [Int?], pace: (Int) -> Double = { _ in 1 }, factor: (Int) -> Double) -> ScrollTimes
  {
    var times = ScrollTimes()
    for (set, order) in orders.enumerated() {
      let costs = [1_000, 100 * factor(order ?? 0)].map { $0 * pace(set) }
      let scrolls = costs.map { cost -> PlayedScroll in
        let (baseline, candidate) = (Self.level(cost), Self.level(cost * exp(Double(set))))
        return PlayedScroll([[baseline, baseline], [candidate, candidate]], slack: 10)
      }
      times.add(Array(zip([nil, "solve"], scrolls)), order: order, pairCost: 10)
    }
    return times
  }

  private static func level(_ cost: Double) -> [Double] { Array(repeating: cost, count: 40) }

  private static func isNear(_ values: [Double], _ others: [Double]) -> Bool {
    values.count == others.count && zip(values, others).allSatisfy { abs($0 - $1) < 1e-9 }
  }

  @Test func setsOfOneOrderAreOneObservation() {
    let frame = FrameProbe(phase: nil)
    #expect(Self.isNear(Self.sets([0, 1, 2, 0, 1]) { _ in 1 }.times(of: frame).changes, [1.5, 2.5, 2]))
    #expect(Self.isNear(Self.sets([nil, nil, nil]) { _ in 1 }.times(of: frame).changes, [0, 1, 2]))
  }

  @Test func theSpreadOfLayoutsIsThatOfTheirTimes() throws {
    // Orders that are 5% slower or faster, drawn by a fixed rule.
    let times = Self.sets(Array(0..<32)) { $0 * 7 % 11 < 5 ? 1.05 : 0.95 }
    let spread = try #require(times.layoutSpread(of: "solve"))
    #expect((0.03...0.12).contains(spread), "\(spread)")
    #expect(try #require(times.layoutSpread(of: nil)) < 1e-9)
    #expect(Self.sets(Array(repeating: nil, count: 32)) { _ in 1 }.layoutSpread(of: nil) == nil)
    #expect(Self.sets([0, 1, 2]) { _ in 1 }.layoutSpread(of: nil) == nil)
  }

  @Test func aMachineThatChangesItsPaceIsNoSpreadOfLayouts() throws {
    let times = Self.sets(Array(0..<32), pace: { $0 % 3 == 0 ? 1.5 : 1 }) { _ in 1 }
    #expect(try #require(times.layoutSpread(of: "solve")) < 1e-9)
  }

  @Test func whatDisturbsOneOfTwoProcessesDoesNotCount() throws {
    var disturbed = Self.level(1_000)
    disturbed[7] = 1e7
    let level = Self.level(1_000)
    let scroll = PlayedScroll([[level, level], [disturbed, level]], slack: 10)
    #expect(try #require(scroll.costs[1].max()) <= 1_030)
    // Both processes of a build run its slow frames.
    #expect(PlayedScroll([[level, level], [disturbed, disturbed]], slack: 10).costs[1][7] == 1e7)
  }

  @Test func theLevelOfAFrameLeavesOutWhatDisturbsLessThanHalfOfItsPlays() {
    #expect(PlayedScroll.level([[5, 7], [9, .nan]]) == [5, 7])
    #expect(PlayedScroll.level([[5], [9_000], [6], [7]]) == [6])
    #expect(PlayedScroll.level([[.nan], [.nan]])[0].isNaN)
  }

  @Test func theMeanIsOfTheTimesThatFramesTake() {
    // Every tenth frame takes 500 times as long, and becomes five times slower: the mean nearly does.
    let baseline = (0..<1_200).map { $0 % 10 == 0 ? 150_000.0 : 300 }
    let candidate = baseline.map { $0 > 1_000 ? 5 * $0 : $0 }
    let scroll = PlayedScroll([[baseline], [candidate]], slack: 10)
    let change = exp(scroll.comparison(FrameProbe(phase: nil)).change)
    #expect(abs(change - (15_000 * 5 + 270) / 15_270) < 1e-9)
    #expect(abs(exp(scroll.comparison(FrameProbe(FrameSet([0, 10]))).change) - 5) < 1e-9)
  }

  @Test func aPhaseThatFewFramesHaveIsAsLongAsInThese() {
    var times = ScrollTimes()
    let rare = (0..<1_200).map { $0 % 10 == 0 ? 150_000.0 : 0 }
    let short = Array(repeating: 3.0, count: 1_200)
    let scrolls = [rare, rare, short].map { PlayedScroll([[$0], [$0]], slack: 10) }
    times.add(Array(zip([nil, "diff", "empty"], scrolls)), order: nil, pairCost: 25)
    #expect(times.isTestable("diff") && !times.isTestable("empty") && times.isTestable(nil))
  }

  @Test func quantilesCompareFramesOfOneRank() {
    // The candidate's slow frames are others than the baseline's.
    let baseline = (0..<1_200).map { $0 < 24 ? 2_000.0 : 1_000 }
    let candidate = (0..<1_200).map { $0 >= 1_176 ? 3_000.0 : 1_000 }
    let scroll = PlayedScroll([[baseline], [candidate]], slack: 10)
    func change(_ statistic: FrameProbe.Statistic) -> Double {
      exp(scroll.comparison(FrameProbe(statistic, costs: [baseline, candidate])).change)
    }
    #expect(abs(change(.p99) - 1.5) < 1e-9 && abs(change(.max) - 1.5) < 1e-9 && abs(change(.p50) - 1) < 1e-9)
  }

  @Test func onlyPhasesThatEverySetKnowsAreCompared() {
    func scroll(_ cost: Double) -> PlayedScroll { PlayedScroll([[Self.level(cost)], [Self.level(cost)]], slack: 10) }
    var times = ScrollTimes()
    times.add([(nil, scroll(60)), ("rare", scroll(7)), ("solve", scroll(50))], order: nil, pairCost: 10)
    times.add([(nil, scroll(60)), ("solve", scroll(50))], order: nil, pairCost: 10)
    #expect(times.phases == [nil, "solve"])
    #expect(times.times(of: FrameProbe(phase: "solve")).baseline == [50, 50])
  }
}

/// Few sets, as of long scrolls, whose frames say how noisy they are.
@Suite struct FewSetsTests {
  private static func times(_ changes: [Double], deviation: Double) -> PairedTimes {
    var times = PairedTimes()
    times.changes = changes
    times.variances = changes.map { _ in deviation * deviation }
    times.baseline = changes.map { _ in 1_000 }
    return times
  }

  private let rule = ComparisonRule(tolerance: 0.01)

  @Test func twoSetsFarBeyondTheNoiseOfTheirFramesDecide() {
    let slower = Self.times([0.098, 0.103], deviation: 0.003)
    #expect(rule.verdict(slower, suspected: .slower, pValue: slower.pValue(.slower)) == .regressed)
    let faster = Self.times([-0.098, -0.103], deviation: 0.003)
    #expect(rule.verdict(faster, suspected: .faster, pValue: faster.pValue(.faster)) == .improved)
  }

  @Test func setsThatDifferSayNothing() {
    let times = Self.times([0.2, 0], deviation: 0.003)
    #expect(rule.verdict(times, suspected: .slower, pValue: times.pValue(.slower)) == .inconclusive)
  }

  /// Two sets of mean 0.02 and standard deviation 0.01·√2, beside a prior of 8 degrees with 0.01. By scipy:
  /// `t.sf(0.02 / sqrt((8e-4 + 2e-4) / 9 / 2), 9)` and `t.ppf(0.99, 9)`.
  @Test func theTestIsStudentsWithBothVariances() throws {
    let times = Self.times([0.03, 0.01], deviation: 0.01)
    let error = ((8e-4 + 2e-4) / 9 / 2).squareRoot()
    #expect(abs(times.pValue(.slower) - 0.012_535_46) < 1e-7, "\(times.pValue(.slower))")
    #expect(abs(times.pValue(.faster) + times.pValue(.slower) - 1) < 1e-12)
    let interval = try #require(times.interval(0.98))
    #expect(abs(log(1 + interval.upperBound) - 0.02 - 2.821_437_9 * error) < 1e-6)
  }

  @Test func oneSetHasAnInterval() {
    #expect(rule.verdict(Self.times([0.001], deviation: 0.002)) == .unchanged)
    #expect(rule.verdict(Self.times([0.001], deviation: 0.02)) == .inconclusive)
  }

  @Test func fewFramesHaveToChangeByMore() {
    #expect(FrameProbe(FrameSet([1])).toleranceFactor == 10)
    #expect(FrameProbe(FrameSet(Array(0..<81))).toleranceFactor == 2)
    #expect(FrameProbe(phase: "solve").toleranceFactor == 1)
  }
}
