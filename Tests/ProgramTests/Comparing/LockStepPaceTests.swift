import FrameBench
import Judging
import Testing

@testable import LockStep

@Suite struct LockStepPaceTests {
  private let pace = LockStepPlan.Pace(seconds: 5)

  @Test func screeningAndConfirmingStayWithinTheSeconds() {
    for seconds in [1.0, 5, 60] {
      let pace = LockStepPlan.Pace(seconds: seconds)
      let quota = pace.confirming(level: 0.01)
      #expect(pace.screening.seconds + quota.seconds < seconds)
    }
  }

  @Test func aConfirmationCanAlwaysReachItsLevel() {
    for testCount in [1, 5, 45, 1_000] {
      let quota = pace.confirming(level: 0.01 / Double(testCount))
      let best = 1.0 / Double(1 << quota.leastRankedSetCount)
      #expect(best * Double(testCount) <= 0.01)
      #expect(quota.mostSetCount >= quota.leastRankedSetCount && quota.orders.count >= quota.leastRankedSetCount)
      #expect(quota.leastRankedSetCount >= PairedTimes.leastRankedCount)
    }
  }

  /// The expected values follow from quantiles of Student's t distribution that were computed outside this project.
  @Test(arguments: [(1, [3, 2]), (10, [3, 2]), (100, [5, 3]), (1_000, [6, 4])])
  func moreSuspectsGetMoreSetsOfLongScrolls(testCount: Int, leastCounts: [Int]) {
    #expect(pace.confirming(level: 0.01 / Double(testCount)).leastLongSetCounts == leastCounts)
  }
}
