import Foundation
import FrameBench
import Testing

@testable import Judging

/// Tests how the frame times of several sets of processes are combined.
@Suite struct ScrollTimesTests {
  /// Returns the times of one set of processes for each link order in `orders`: those of whole frames and of the phase
  /// `solve`. The times of the phase are multiplied by `factor(order)`, then all times of the set by `pace(set)`.
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

  @Test func aShortestTimeBelowZeroCountsAsZero() throws {
    let id = BenchmarkID(scenario: "list", strategy: "default", size: 1)
    var screened = Screened(id, Self.played(4) { _, _ in 1 }, ComparisonRule(tolerance: 0.01))
    screened.least[nil] = (0..<400).map { $0 % 4 == 1 ? -3 : 600 }
    let row = try #require(screened.rows.first { $0.statistic == .mean && $0.phase == nil })
    #expect(row.baseline == .number(450))
  }

  private static func judged(_ screening: ScrollTimes, _ confirmation: ScrollTimes?) throws -> [ComparisonRow] {
    let id = BenchmarkID(scenario: "list", strategy: "default", size: 1)
    var screened = Screened(id, screening, ComparisonRule(tolerance: 0.01))
    if let confirmation { screened.confirm(confirmation) }
    return screened.rows
  }

  @Test func howFarATimeChangedIsEstimatedFromAllItsSets() throws {
    let rows = try Self.judged(Self.played(2) { _, _ in 1.04 }, Self.played(2) { _, _ in 1.02 })
    let mean = try #require(rows.first)
    #expect(abs(try #require(mean.change) - (1.04 * 1.02).squareRoot() + 1) < 0.001 && mean.verdict == .regressed)
  }

  @Test func onlyFreshSetsShowThatATimeChanged() throws {
    let screening = Self.played(12) { _, _ in 1.04 }
    let suspected = try #require(try Self.judged(screening, nil).first)
    #expect(suspected.verdict == .inconclusive)
    let rows = try Self.judged(screening, Self.played(2) { set, _ in set == 0 ? 1.02 : 0.98 })
    #expect(rows.first?.verdict == .inconclusive)
    #expect(try #require(rows.first?.suspicionPValue) > 0.2)
  }

  @Test func framesThatWereSelectedAreJudgedByFreshSetsAlone() throws {
    let slower = try Self.judged(
      Self.played(2) { (100..<120).contains($1) ? 1.5 : 1 }, Self.played(3) { (100..<120).contains($1) ? 1.3 : 1 })
    let row = try #require(slower.first { $0.frames != nil })
    #expect(abs(try #require(row.change) - 0.3) < 0.01 && row.verdict == .regressed)
    let gone = try Self.judged(Self.played(2) { (100..<120).contains($1) ? 1.5 : 1 }, Self.played(3) { _, _ in 1 })
    #expect(!gone.contains { $0.frames != nil })
    // Frames that stand out only in the fresh sets are reported only if the earlier sets show their change, too. Here,
    // the earlier sets show no change.
    let late = try Self.judged(Self.played(2) { _, _ in 1 }, Self.played(3) { (100..<120).contains($1) ? 1.3 : 1 })
    #expect(!late.contains { $0.frames != nil })
  }

  @Test func setsOfOneOrderAreOneObservation() {
    let frame = FrameProbe(phase: nil)
    #expect(Self.isNear(Self.sets([0, 1, 2, 0, 1]) { _ in 1 }.times(of: frame).changes, [1.5, 2.5, 2]))
    #expect(Self.isNear(Self.sets([nil, nil, nil]) { _ in 1 }.times(of: frame).changes, [0, 1, 2]))
  }

  @Test func theSpreadOfLayoutsIsThatOfTheirTimes() throws {
    // In each link order, `solve` is 5% slower or faster, according to a fixed rule.
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
    // If the frame is slow in both processes of a build, its time counts.
    #expect(PlayedScroll([[level, level], [disturbed, disturbed]], slack: 10).costs[1][7] == 1e7)
  }

  /// Returns the times of sets with one process of each build. `factor` multiplies the candidate's costs, which are
  /// about a microsecond.
  private static func played(_ sets: Int, isSwapped: Bool = false, _ factor: (_ set: Int, _ frame: Int) -> Double)
    -> ScrollTimes
  {
    var times = ScrollTimes()
    for set in 0..<sets {
      // The noise is one percent, and the same in every run of the test.
      let baseline = (0..<400).map { 1_000 * (1 + 0.01 * sin(Double($0 * 7 + set * 13))) }
      let candidate = (0..<400).map { 1_000 * (1 + 0.01 * sin(Double($0 * 5 + set * 11))) * factor(set, $0) }
      let builds = isSwapped ? [[candidate], [baseline]] : [[baseline], [candidate]]
      times.add([(nil, PlayedScroll(builds, slack: 10))], order: set, pairCost: 10)
    }
    times.end()
    return times
  }

  private static func mean(_ times: ScrollTimes) -> [Double] { times.times(of: FrameProbe(phase: nil)).changes }

  @Test func whatDisturbsAFrameOfOneSetDoesNotCount() {
    // A different frame in each set takes fifty times as long.
    let disturbed = Self.played(5) { set, frame in frame == 40 * set + 3 ? 50 : 1 }
    #expect(Self.mean(disturbed).allSatisfy { abs($0) < 0.002 })
    #expect(abs(Self.mean(disturbed)[0]) < 0.1 * log(1 + 49.0 / 400))
  }

  @Test func whatAllSetsHaveCounts() {
    let one = Self.mean(Self.played(5) { $1 == 17 ? 50 : 1 })
    #expect(one.allSatisfy { abs($0 - log(1 + 49.0 / 400)) < 0.003 }, "\(one)")
    let local = Self.mean(Self.played(5) { (100..<200).contains($1) ? 1.3 : 1 })
    #expect(local.allSatisfy { abs($0 - log(1 + 0.3 / 4)) < 0.003 }, "\(local)")
  }

  @Test func whatDiffersInAllFramesOfASetIsKept() {
    let shifted = Self.mean(Self.played(5) { set, _ in 1 + 0.01 * Double(set) })
    for (set, change) in shifted.enumerated() { #expect(abs(change - log(1 + 0.01 * Double(set))) < 0.002) }
  }

  @Test func aFrameThatDiffersFromSetToSetStaysUncertain() {
    // In each set, frame 17 takes three times as long in one of the builds, sometimes in the baseline.
    let luck = [3, 1 / 3.0, 3, 3, 1 / 3.0, 3, 3, 1 / 3.0, 3]
    let times = Self.played(9) { set, frame in frame == 17 ? luck[set] : 1 }.times(of: FrameProbe(FrameSet([17])))
    #expect(times.pValue(.slower) > 0.02, "\(times.changes)")
  }

  @Test func ofTwoSetsNeitherTellsWhichWasDisturbed() {
    let times = Self.played(2) { set, frame in frame == 17 ? [2, 8][set] : 1 }
    let changes = times.times(of: FrameProbe(FrameSet([17]))).changes
    #expect(abs(changes[1] - changes[0] - log(4)) < 0.05, "\(changes)")
  }

  @Test func aQuantileOfFewSetsIsOfTheSameFrames() {
    let probe = FrameProbe(.p99)
    // Eight frames are slow in each set. In `random` they differ from set to set, in `same` they do not.
    let random = Self.played(2) { set, frame in frame % 50 == 3 + 7 * set ? 5 : 1 }.times(of: probe)
    #expect(random.changes.allSatisfy { abs($0) < 0.05 }, "\(random.changes)")
    let same = Self.played(2) { _, frame in frame % 50 == 3 ? 5 : 1 }.times(of: probe)
    #expect(same.changes.allSatisfy { $0 > 1 }, "\(same.changes)")
  }

  /// Compares the times of all plays of both builds, with one result for each set. Each build has two processes, and
  /// each process plays the scroll three times. `factor` multiplies the candidate's costs.
  private static func stalling(
    _ sets: Int, nanoseconds: Double = 1_000, limit: StallLimit = .low,
    _ factor: (_ set: Int, _ play: Int, _ frame: Int) -> Double
  ) -> PairedTimes { stallingScrolls(sets, nanoseconds, factor).times(of: FrameProbe(.raw(limit))) }

  private static func stallingScrolls(
    _ sets: Int, _ nanoseconds: Double = 1_000, _ factor: (_ set: Int, _ play: Int, _ frame: Int) -> Double,
    baseline: (_ set: Int, _ play: Int, _ frame: Int) -> Double = { _, _, _ in 1 }
  ) -> ScrollTimes {
    var times = ScrollTimes()
    for set in 0..<sets {
      var plays = ScrollPlays(processCount: 4)
      for play in 0..<3 {
        for process in 0..<4 {
          let frames = (0..<400).map { frame in
            let own = 1 + 0.01 * sin(Double(frame * 7 + set * 13 + process * 5 + play * 3))
            let slower = process < 2 ? baseline : factor
            return nanoseconds * own * slower(set, 2 * play + process % 2, frame)
          }
          plays.add(frames, process: process, pairCost: 0)
        }
        plays.endPlay()
      }
      times.add([(nil, plays.scroll(processCount: 2, slack: 0))], order: set, pairCost: 0)
    }
    times.end()
    return times
  }

  @Test(arguments: [2, 14]) func framesThatStallAtRandomMakeTheMeanOfAllPlaysLonger(sets: Int) throws {
    // In each play a different 1% of the frames takes five times as long.
    let times = Self.stalling(sets) { set, play, frame in (frame + 37 * play + 11 * set) % 100 == 0 ? 5 : 1 }
    #expect(times.changes.allSatisfy { abs($0 - log(1.04)) < 0.006 }, "\(times.changes)")
    let rule = ComparisonRule(tolerance: 0.01)
    #expect(rule.suspicion(times) == .slower)
    #expect(rule.verdict(times, suspected: .slower, pValue: times.pValue(.slower)) == .regressed)
  }

  @Test func stallsThatStayTheSameInNanosecondsAreNoMoreIfFramesBecomeFaster() {
    func stalls(_ play: Int, _ frame: Int) -> Double { (frame + 37 * play) % 100 == 0 ? 4 : 0 }
    let scrolls = Self.stallingScrolls(14) {
      0.5 + stalls($1 + $0, $2)
    } baseline: {
      1 + stalls($1 + $0, $2)
    }
    #expect(Self.suspectedStalls(scrolls).isEmpty)
    // In the candidate, the first play of each process (`play` 0 and 1) is faster than the other two. So the mean of
    // all plays is shorter than their median, and no stalls are suspected.
    let uneven = Self.stallingScrolls(14) { _, play, _ in play < 2 ? 1 : 1.5 }
    #expect(Self.suspectedStalls(uneven).isEmpty)
  }

  @Test(arguments: [(10.0, 10.0, false), (0.1, 0.1, false), (10, 5, false), (10, 40, true), (1, 4, true)])
  func moreStallsCountIfLongerFramesDoNotExplainThem(frames: Double, stalls: Double, counts: Bool) {
    func stall(_ play: Int, _ frame: Int) -> Double { (frame + 37 * play) % 100 == 0 ? 3 : 0 }
    let scrolls = Self.stallingScrolls(14) {
      frames + stalls * stall($1 + $0, $2)
    } baseline: {
      1 + stall($1 + $0, $2)
    }
    #expect(Self.suspectedStalls(scrolls).isEmpty != counts)
  }

  @Test func fewerStallsAreNoImprovementIfEveryFrameIsSlower() {
    let id = BenchmarkID(scenario: "list", strategy: "default", size: 1)
    func stalls(_ play: Int, _ frame: Int) -> Double { (frame + 37 * play) % 100 == 0 ? 5 : 1 }
    func verdicts(_ factor: Double) -> [ChangeVerdict] {
      let sets = (0..<2).map { _ in
        Self.stallingScrolls(14) { _, _, _ in
          factor
        } baseline: {
          stalls($1 + $0, $2)
        }
      }
      var screened = Screened(id, sets[0], ComparisonRule(tolerance: 0.01))
      screened.confirm(sets[1])
      return screened.rows.filter { $0.metric == .rawFrameTime }.map(\.verdict)
    }
    #expect(verdicts(1) == [.improved])
    #expect(verdicts(1.5).isEmpty)
  }

  @Test func aRareStallIsFoundWhereOthersSeldomHaveTheCore() {
    // In each set, one of the candidate's 2,400 frames takes 800 times as long.
    let scrolls = Self.stallingScrolls(14) { set, play, frame in play == 0 && frame == 17 * set + 3 ? 800 : 1 }
    #expect(Self.suspectedStalls(scrolls) == [FrameProbe(.raw(.high)): .slower])
  }

  @Test func frequentStallsAreFoundWhereOthersOftenHaveTheCore() {
    // In each set, one frame of one build is preempted. 1% of the candidate's frames take five times as long.
    func isPreempted(_ set: Int, _ play: Int, _ frame: Int) -> Bool { frame == 200 + set && play == 2 }
    let scrolls = Self.stallingScrolls(14) { set, play, frame in
      if set % 2 == 0 && isPreempted(set, play, frame) { return 900 }
      return (frame + 37 * play + 11 * set) % 100 == 0 ? 5 : 1
    } baseline: { set, play, frame in
      set % 2 == 1 && isPreempted(set, play, frame) ? 900 : 1
    }
    #expect(Self.suspectedStalls(scrolls) == [FrameProbe(.raw(.low)): .slower])
  }

  private static func suspectedStalls(_ scrolls: ScrollTimes) -> [FrameProbe: ComparisonRule.Direction] {
    let id = BenchmarkID(scenario: "list", strategy: "default", size: 1)
    return Screened(id, scrolls, ComparisonRule(tolerance: 0.01)).suspicions.filter { $0.key.isOfStalls }
  }

  @Test func framesThatAlwaysTakeLongAreNoStalls() {
    let local = Self.stalling(14) { _, _, frame in frame % 100 == 7 ? 5 : 1 }
    #expect(local.changes.allSatisfy { abs($0) < 0.002 }, "\(local.changes)")
    let everywhere = Self.stalling(14) { _, _, _ in 1.5 }
    #expect(everywhere.changes.allSatisfy { abs($0) < 0.002 }, "\(everywhere.changes)")
  }

  @Test func aFrameThatWasPreemptedUnseenCountsForNoMoreThanThirty() {
    let times = Self.stalling(1) { _, play, frame in frame == 200 && play == 0 ? 4_000 : 1 }
    // In one of six plays, one of 400 frames is preempted. Its extra time counts as at most 30 times the mean frame.
    #expect(abs(times.changes[0] - log(1 + 30.0 / 6 / 400)) < 0.001, "\(times.changes)")
  }

  @Test func whatIsLeftOutFavoursNeitherBuild() {
    func factor(_ set: Int, _ frame: Int) -> Double { (frame * 31 + set * 17) % 23 == 0 ? 4 : 1 }
    let (one, other) = (Self.played(6, factor), Self.played(6, isSwapped: true, factor))
    #expect(Self.isNear(Self.mean(one), Self.mean(other).map(-)))
  }

  @Test func ofFramesAllOverTheScrollThoseThatDidNotChangeAreNotNamed() {
    let times = Self.played(4) { $1 % 50 == 3 ? 1.2 : 1 }
    let suspected = FrameSet([3, 20, 53, 103, 153, 170, 203, 253])
    #expect(times.supporting(suspected).frames == [3, 53, 103, 153, 203, 253])
  }

  @Test func aReadOfTheClockLimitsWhatOneShortFrameCanShow() {
    let times = Self.played(4) { _, _ in 1 }
    // A read of the clock takes 10 ns, 1% of a frame of 1 µs. For 100 frames, the allowance is divided by √100.
    #expect(abs(times.times(of: FrameProbe(FrameSet([5]))).clockAllowance - 0.01) < 0.0003)
    #expect(abs(times.times(of: FrameProbe(FrameSet(Array(0..<100)))).clockAllowance - 0.001) < 0.0001)
    #expect(times.times(of: FrameProbe(phase: nil)).clockAllowance == 0)
  }

  @Test func theLevelOfAFrameLeavesOutWhatDisturbsLessThanHalfOfItsPlays() {
    #expect(PlayedScroll.level([[5, 7], [9, .nan]]) == [5, 7])
    #expect(PlayedScroll.level([[5], [9_000], [6], [7]]) == [6])
    #expect(PlayedScroll.level([[.nan], [.nan]])[0].isNaN)
  }

  @Test func theMeanIsOfTheTimesThatFramesTake() {
    // Every tenth frame takes 500 times as long as the others, and five times as long in the candidate as in the
    // baseline.
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
    // The slow frames are at different places in baseline and candidate.
    let baseline = (0..<1_200).map { $0 < 24 ? 2_000.0 : 1_000 }
    let candidate = (0..<1_200).map { $0 >= 1_176 ? 3_000.0 : 1_000 }
    let scroll = PlayedScroll([[baseline], [candidate]], slack: 10)
    func change(_ statistic: FrameProbe.Statistic) -> Double { exp(scroll.comparison(FrameProbe(statistic)).change) }
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

/// Tests verdicts from only a few sets of processes. Long scrolls have few sets, so the noise is estimated from single
/// frames instead of sets.
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

  /// The sets have mean 0.02 and standard deviation 0.01·√2. The noise of frames counts like 8 sets with standard
  /// deviation 0.01. From scipy: `t.sf(0.02 / sqrt((8e-4 + 2e-4) / 9 / 2), 9)` and `t.ppf(0.99, 9)`.
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
    #expect(FrameProbe(FrameSet([1])).toleranceFactor(1_200) == 10)
    #expect(FrameProbe(FrameSet(Array(0..<81))).toleranceFactor(1_200) == 2)
    #expect(FrameProbe(phase: "solve").toleranceFactor(1_200) == 1)
  }
}
