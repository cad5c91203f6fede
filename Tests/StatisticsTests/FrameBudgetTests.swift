import Testing

@testable import Statistics

@Suite struct FrameBudgetTests {
  let sixty = FrameBudget(refreshRateHertz: 60)
  /// Five frames of 1, 16, 17, 34 and 51 ms, and 95 frames of 5 ms.
  let costs: [Double] = [1e6, 16e6, 17e6, 34e6, 51e6] + Array(repeating: 5e6, count: 95)

  @Test func budgetIsTheSharedPartOfThePeriod() {
    #expect(isClose(sixty.periodNanoseconds, 1e9 / 60))
    #expect(FrameBudget(refreshRateHertz: 120, share: 0.5).budgetNanoseconds == 1e9 / 240)
  }

  @Test func overrunIsSigned() {
    let budget = FrameBudget(refreshRateHertz: 100)
    #expect(budget.overrunNanoseconds(ofFrame: 12e6) == 2e6)
    #expect(budget.overrunNanoseconds(ofFrame: 4e6) == -6e6)
  }

  @Test func missedFramesAreThoseAboveTheBudget() {
    #expect(sixty.missedCount(in: costs) == 3)
    // The 16 ms frame also misses this budget of 8.33 ms.
    #expect(FrameBudget(refreshRateHertz: 60, share: 0.5).missedCount(in: costs) == 4)
  }

  @Test func frameThatTakesTheBudgetExactlyIsNotMissed() {
    let budget = FrameBudget(refreshRateHertz: 100)
    #expect(budget.missedCount(in: [10e6]) == 0)
    #expect(budget.hitchTimeRatio(in: [10e6]) == 0)
  }

  @Test(arguments: [(0, 0), (9.9, 0), (10, 0), (10.1, 10), (20, 10), (20.1, 20), (99, 90)])
  func hitchIsTheWholePeriodsThatAFrameComesLate(_ cost: Double, _ hitch: Double) throws {
    let budget = FrameBudget(refreshRateHertz: 100)
    #expect(isClose(try #require(budget.hitchTimeRatio(in: [cost * 1e6])), 1_000 * hitch / (10 + hitch)))
  }

  @Test func hitchTimeRatioIsPerSecondOfDisplayTime() throws {
    // In Python: T=1e9/60; h=sum(max(0,ceil(c/T)-1)*T for c in costs); d=sum(max(1,ceil(c/T))*T for c in costs)
    // Then h is 100 ms, d is 1766.67 ms, and h/d*1000 is 56.60377358490559.
    #expect(isClose(try #require(sixty.hitchTimeRatio(in: costs)), 56.60377358490559))
  }

  @Test func hitchTimeRatioOfNoFramesIsAbsent() {
    #expect(sixty.hitchTimeRatio(in: []) == nil)
    #expect(sixty.hitchTimeRatio(in: [1e6]) == 0)
  }

  @Test(arguments: [
    (0, HitchClass.good), (4.99, .good), (5, .warning), (10, .warning), (10.01, .critical), (900, .critical),
  ]) func hitchClassesFollowApplesScrollScale(_ ratio: Double, _ expected: HitchClass) {
    #expect(HitchClass(millisecondsPerSecond: ratio) == expected)
  }
}
