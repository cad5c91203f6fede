import Foundation
import Statistics
import Testing

@testable import FrameBench
@testable import Measurements

@Suite struct BudgetTests {
  @Test func framesAreJudgedByTheShareButHitchesByTheWholePeriod() throws {
    var options = RunOptions()
    options.refreshRateHertz = 100
    options.budgetShare = 0.5
    // The period is 10 ms, the budget 5 ms. The frame of 12 ms takes two periods, so one of five periods is a hitch.
    let record = try #require(BudgetRecord(frames: [4e6, 5e6, 6e6, 12e6], options: options))
    #expect(record.budgetNanoseconds == 5e6)
    #expect(record.share == 0.5)
    #expect(record.missedFrameCount == 2)
    #expect(record.hitchTimeRatio == 200)
    #expect(record.hitchClass == .critical)
    #expect(record.overrun.max == 7e6)
    #expect(record.overrun.p50 == 0.5e6)
    #expect(record.overrun.mean == 1.75e6)
  }

  @Test func timeToSpareIsANegativeOverrun() throws {
    let record = try #require(BudgetRecord(frames: [1_000, 3_000], options: RunOptions()))
    #expect(record.overrun.max == -16_663_666.7)
    #expect(record.missedFrameCount == 0)
    #expect(record.hitchTimeRatio == 0)
    #expect(record.hitchClass == .good)
  }

  @Test func noFramesHaveNoBudgetAndAnAbsentShareIsAllOfTheFrame() {
    #expect(BudgetRecord(frames: [], options: RunOptions()) == nil)
    #expect(RunOptions().frameBudget.share == 1)
  }

  @Test(arguments: [0, -1, 1.5, .nan, .infinity]) func aShareThatIsNoneIsTakenAsAllOfTheFrame(_ share: Double) {
    var options = RunOptions()
    options.budgetShare = share
    #expect(options.frameBudget.share == 1)
    options.refreshRateHertz = 0
    #expect(BudgetRecord(frames: [1], options: options) == nil)
  }

  @Test func documentsWithoutTheNewFieldsAreStillRead() throws {
    let encoder = JSONEncoder()
    let text = String(decoding: try encoder.encode(RunOptions()), as: UTF8.self)
    #expect(!text.contains("budgetShare"))
    #expect(try JSONDecoder().decode(RunOptions.self, from: Data(text.utf8)).budgetShare == nil)
  }
}

@Suite struct CalibrationTests {
  @Test func spreadAndScoreAreOfTheFastestSample() throws {
    let times = try #require(KernelTimes(samples: [100, 110, 120, 100, 200]))
    #expect(times.sampleCount == 5)
    #expect(times.fastest == 100)
    #expect(times.p50 == 110)
    #expect(times.slowest == 200)
    #expect(abs(times.typicalExcess - 0.1) < 1e-12)
    // By Hyndman and Fan's type 7, the p99 of 100, 100, 110, 120 and 200 is at index 3.96.
    #expect(abs(times.spread - 0.968) < 1e-12)
    var record = CalibrationRecord(roundCount: 50, start: times, end: nil)
    #expect(record.score == 500)
    #expect(record.drift == nil)
    record.end = KernelTimes(samples: [125])
    #expect(record.score == 500)
    #expect(record.drift == 0.25)
  }

  @Test func nothingMeasuredIsNoTime() {
    #expect(KernelTimes(samples: [Double]()) == nil)
    #expect(KernelTimes(samples: [0, 0]) == nil)
  }

  @Test func framesOfSeveralRunsAreAlignedLessTheMedianCostOfTheClock() throws {
    let runs = [([50.0, 90], 10.0), ([70, 60], 20), ([80, 80], 90)].map { frames, cost in
      RunMeasurement.sample(frames: frames, pairCost: cost)
    }
    #expect(TimeRuns(framesOf: runs)?.aligned() == [30, 40])
    #expect(TimeRuns(framesOf: []) == nil)
    #expect(TimeRuns(framesOf: runs + [.sample()]) == nil)
    #expect(TimeRuns(framesOf: runs + [.sample(frames: [1])]) == nil)
  }
}
