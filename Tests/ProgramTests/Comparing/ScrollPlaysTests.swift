import Statistics
import Testing

@testable import FrameBench
@testable import Judging
@testable import LockStep

/// Tests how the times of several processes that play the same scroll are combined.
@Suite struct ScrollPlaysTests {
  private static func spans(_ nanoseconds: [Double]) -> [TurnAnswer.Span] {
    nanoseconds.map { TurnAnswer.Span(nanoseconds: $0, pairCount: 1) }
  }

  @Test func theClockIsTakenOffAndTurnsFollowEachOther() {
    var plays = ScrollPlays(processCount: 2)
    for process in 0..<2 {
      plays.add(Self.spans([110, 120]), process: process, pairCost: 10)
      plays.add([TurnAnswer.Span(nanoseconds: 130, pairCount: 3)], process: process, pairCost: 10)
    }
    plays.endPlay()
    #expect(plays.finished == [[[100, 110, 100]], [[100, 110, 100]]])
  }

  @Test func aFrameThatLostTheCoreIsNotKnown() {
    var plays = ScrollPlays(processCount: 2)
    plays.add(Self.spans([110, -9_000, 110]), process: 0, pairCost: 10)
    plays.add(Self.spans([-9_000, -9_000, 110]), process: 1, pairCost: 10)
    plays.endPlay()
    #expect(plays.finished[0][0][0] == 100 && plays.finished[0][0][1].isNaN)
    // If most frames were preempted, the remaining frames are too few to represent the scroll, so all frames count.
    #expect(plays.finished[1][0] == [8_990, 8_990, 100])
  }

  @Test func aFrameThatLostTheCoreInAllPlaysIsKnownByItsTimeWithoutTheWait() {
    var plays = ScrollPlays(processCount: 2)
    plays.add(Self.spans([110, -310, 110]), process: 0, pairCost: 10)
    plays.add(Self.spans([110, 110, 110]), process: 1, pairCost: 10)
    plays.endPlay()
    #expect(plays.scroll(processCount: 1, slack: 0).costs == [[100, 300, 100], [100, 100, 100]])
    plays.add(Self.spans([110, 130, -410]), process: 0, pairCost: 10)
    plays.add(Self.spans([110, 110, 110]), process: 1, pairCost: 10)
    plays.endPlay()
    #expect(plays.scroll(processCount: 1, slack: 0).costs == [[100, 120, 100], [100, 100, 100]])
  }

  @Test func aFrameThatKeptTheCoreInOneProcessIsNotKnownByTheOther() {
    var plays = ScrollPlays(processCount: 4)
    for process in 0..<4 {
      plays.add(Self.spans([110, process == 0 ? -310 : 110, 110]), process: process, pairCost: 10)
    }
    plays.endPlay()
    #expect(plays.scroll(processCount: 2, slack: 0).costs[0] == [100, 100, 100])
  }

  private static func known(_ nanoseconds: Double, measured: Double? = nil) -> LockStepPlan.Known {
    let readiness = TurnReadiness(
      phases: ["solve"], frameNanoseconds: nanoseconds, pairCostNanoseconds: 10, measuredNanoseconds: measured)
    return LockStepPlan.Known(readiness: [readiness, readiness], RunOptions())
  }

  @Test func fromARepeatedCallTheClockOfItsOwnProcessIsTakenOff() {
    var readiness = TurnReadiness(phases: [], frameNanoseconds: 10_000, pairCostNanoseconds: 21)
    for (callCount, cost) in [(1, 20.0), (1_024, 21)] {
      readiness.callCount = callCount
      #expect(readiness.clockCost(mean: 20) == cost)
    }
  }

  @Test func shortScrollsAreOftenPlayedByFourAndLongOnesOnceByTwo() {
    let (short, long) = (Self.known(200), Self.known(5e6))
    #expect(short.processCount == 2 && short.playCount == 4 && short.turnFrameCount == 1_200)
    #expect(!short.timesAllAtOnce && !short.playsLong)
    #expect(long.processCount == 1 && long.playCount == 1 && long.turnFrameCount == 1)
    #expect(long.timesAllAtOnce && long.playsLong)
    let pace = LockStepPlan.Pace()
    let confirming = pace.confirming(level: 0.01)
    #expect(pace.screening.leastSetCount(long) == 1 && confirming.leastSetCount(long) == 2)
    #expect([pace.screening, confirming].map { $0.leastSetCount(Self.known(5e5)) } == [2, 3])
    #expect(pace.screening.leastSetCount(short) == PairedTimes.leastRankedCount)
  }

  @Test func turnsBeginAtOtherFramesInEachPlay() {
    var random = SplitMix64(seed: 7)
    let known = Self.known(10_000)
    let plays = (0..<20).map { _ in known.turns(using: &random) }
    #expect(plays.allSatisfy { $0.reduce(0, +) == 1_200 })
    #expect(plays.joined().allSatisfy { (1...25).contains($0) })
    #expect(Set(plays.map { $0[0] }).count > 8)
    #expect(Self.known(5e6).turns(using: &random) == Array(repeating: 1, count: 1_200))
  }

  @Test func aLongTailBehindAShortFrameDoesNotMakeTheFrameLong() {
    #expect(!Self.known(100_000, measured: 1_000).timesAllAtOnce)
    #expect(Self.known(100_000, measured: 90_000).timesAllAtOnce)
  }

  @Test func workersOfBothBuildsAreToldTheSameLengthOfFrames() {
    // A worker checks for preemption only if its frames are long, and the check slows the next frame. So the workers of
    // both builds must be told the same length.
    let readiness = [14_000.0, 26_000].map {
      TurnReadiness(phases: ["solve"], frameNanoseconds: $0, pairCostNanoseconds: 10)
    }
    let known = LockStepPlan.Known(readiness: readiness, RunOptions())
    #expect(known.readiness.map(\.frameNanoseconds) == [20_000, 20_000])
  }

  /// A scroll that begins with idle frames, or with one long frame, is measured as the whole scroll requires.
  @Test func aScrollThatTakesMuchLongerThanItsFirstFramesIsPlannedAnew() throws {
    func times(_ costs: [Double]) -> ScrollTimes {
      var times = ScrollTimes()
      times.add([(nil, PlayedScroll([[costs], [costs]], slack: 0))], order: nil, pairCost: 0)
      times.end()
      return times
    }
    let idle = (0..<1_200).map { $0 < 300 ? 13_000.0 : 2e6 }
    let corrected = try #require(Self.known(13_000).corrected(by: times(idle), RunOptions()))
    #expect(corrected.playsLong && corrected.processCount == 1 && corrected.scrollSeconds > 1.5)
    #expect(corrected.corrected(by: times(idle), RunOptions()) == nil)
    let short = [Double](repeating: 1_000, count: 1_200)
    #expect(Self.known(5e5).corrected(by: times(short), RunOptions())?.playsLong == false)
    #expect(Self.known(400).corrected(by: times(short), RunOptions()) == nil, "both are short")
    let mostlyUnmeasured = Self.known(1e6, measured: 1_000)
    #expect(mostlyUnmeasured.corrected(by: times(short), RunOptions()) == nil, "the length of whole frames is right")
    #expect(Self.known(13_000, measured: 12_000).corrected(by: times(idle), RunOptions())?.timesAllAtOnce == true)
  }
}
