import FrameBench
import FrameReport
import Testing

@testable import SpringBenchCLI

@Suite struct LockStepPaceTests {
  private let pace = LockStepPlan.Pace(seconds: 5)

  @Test func screeningAndConfirmingStayWithinTheSeconds() {
    for seconds in [1.0, 5, 60] {
      let pace = LockStepPlan.Pace(seconds: seconds)
      #expect(pace.screeningSeconds + pace.confirmingSeconds < seconds)
      #expect(pace.roundCount >= LockStepPlan.Pace.leastRoundCount)
    }
  }

  @Test func aConfirmationCanAlwaysReachItsLevel() {
    for testCount in [1, 5, 45, 1_000] {
      let quota = pace.confirming(setCount: 1, testCount: testCount, familyAlpha: 0.01)
      let best = 1.0 / Double(1 << quota.leastSetCount)
      #expect(best * Double(testCount) <= 0.01)
      #expect(quota.setCount >= quota.leastSetCount)
    }
  }

  @Test func aConfirmationIsNeverLongerThanThePaceAllows() {
    #expect(pace.confirming(setCount: 10_000, testCount: 5, familyAlpha: 0.01).setCount == 36)
  }

  private func screened(change: Double, noise: Double, tolerance: Double) -> Screened {
    var times = PairedTimes()
    for index in 0..<16 {
      times.changes.append(change + noise * (Double(index % 5) - 2) / 2)
      times.controls.append(noise * (Double(index % 3) - 1))
      times.baseline.append(1_000)
      times.candidate.append(1_000)
    }
    let id = BenchmarkID(scenario: "a", strategy: "b", size: 1)
    return Screened(
      id: id, times: LockStepTimes(frames: times, pairCost: 10), rule: ComparisonRule(tolerance: tolerance))
  }

  @Test func aClearChangeIsConfirmedByFewerSetsThanAFaintOne() {
    let rule = ComparisonRule(tolerance: 0.003)
    func count(_ change: Double) -> Int {
      screened(change: change, noise: 0.004, tolerance: 0.003)
        .confirmingQuota(pace, rule, testCount: 5).setCount
    }
    #expect(count(0.05) < count(0.0062))
    #expect(count(0.005) == pace.confirmingSetCount)
  }

  @Test func ofSeveralSetsTheFirstCanBeTaken() {
    let times = screened(change: 0.02, noise: 0.004, tolerance: 0.01).times
    let first = times.prefix(5)
    #expect(first.times[0].changes == Array(times.times[0].changes.prefix(5)))
    #expect(first.times[0].controls.count == 5)
  }
}
