import Foundation
import Testing

@testable import FrameBench
@testable import Measurements

/// Tests how times of several runs are combined.
struct TimeRunsTests {
  private func times(_ runs: [[Double]], pairCosts: [Double]? = nil, clockStep: Double = 0, layoutCount: Int = 1)
    -> TimeRuns
  {
    TimeRuns(
      runs: runs, clockPairs: nil, pairCosts: pairCosts ?? runs.map { _ in 0 }, clockStep: clockStep,
      layoutCount: layoutCount)
  }

  private func cost(_ samples: [Double], clockStep: Double, pairCost: Double = 0) -> Double? {
    times(samples.map { [$0] }, pairCosts: samples.map { _ in pairCost }, clockStep: clockStep).aligned().first
  }

  @Test func aClockOfCoarseStepsTellsMoreThanItsSteps() {
    // A clock with steps of 10 ns reads 303 ns as 300 or 310. Two of the runs were disturbed.
    let samples = [300.0, 300, 310, 300, 300, 310, 300, 300, 310, 300, 520, 9_000]
    #expect(cost(samples, clockStep: 10) == 303)
  }

  @Test func aFineClockGivesTheMinimum() {
    #expect(cost([300.4, 300, 310, 520], clockStep: 0.3) == 300)
    #expect(cost([300.4, 300, 310], clockStep: 0) == 300)
  }

  @Test func theCostOfTheClockIsTakenOffBeforeTheMean() {
    // The frame takes 5 ns, and a pair of clock reads 20 ns. A sample may be shorter than such a pair.
    #expect(cost([20, 30, 20, 30], clockStep: 10, pairCost: 20) == 5)
    #expect(cost([10, 20], clockStep: 10, pairCost: 20) == 0)
  }

  @Test func aRepeatedCallDoesNotShiftWithTheCostOfItsRunsClock() throws {
    // A call takes 2 ns. Each sample also contains the cost of reading the clock, which differs from run to run.
    let costs = [19.0, 20, 20.6, 22, 20.2]
    let runs = costs.map { cost in
      var run = RunMeasurement.sample(frames: [2 + cost, 2 + cost], pairCost: cost)
      run.callCount = 1_024
      return run
    }
    let time = try #require(TimeRuns(framesOf: runs)).record()
    #expect(time.alignedNanoseconds == [2, 2])
    #expect(time.runs?.allSatisfy { $0.p50 == 2 } == true)
  }

  @Test func eachRunKeepsItsOwnPercentiles() throws {
    let time = times([[100, 102, 104], [200, 202, 210]], pairCosts: [1, 1]).record()
    #expect(time.runs?.map(\.p50) == [101, 201])
    #expect(time.runs?.map(\.max) == [103, 209])
    #expect(time.halfWidths == nil, "two runs say too little")
  }

  @Test func theIntervalGrowsWithTheSpreadBetweenRuns() throws {
    func width(_ spread: Double) throws -> Double {
      let runs = (0..<10).map { run in [Double](repeating: 1_000 + spread * Double(run), count: 20) }
      return try #require(times(runs).record().halfWidths).p50
    }
    #expect(try width(0) == 0)
    #expect(try width(10) > 2 * width(1))
  }

  @Test func noTimeIsMoreCertainThanTheClockRounds() throws {
    let runs = [[Double]](repeating: [300, 300, 300], count: 8)
    let widths = try #require(times(runs, clockStep: 10).record().halfWidths)
    // 95% of the sums of two rounding errors, each uniform up to half a step, are below 10·(1 − √0.05).
    #expect(widths == TimeFigures(p50: 7.8, p90: 7.8, p99: 7.8, max: 7.8, mean: 7.8))
  }

  @Test func overLinkOrdersAFrameCostsTheMeanOfWhatItCostsInEach() throws {
    // Frames take 100, 110 and 90 ns in the three link orders. The second run of each order was disturbed.
    let runs = [100.0, 110, 90, 140, 150, 135].map { [Double](repeating: $0, count: 50) }
    let time = times(runs, layoutCount: 3).record()
    #expect(time.alignedNanoseconds == [Double](repeating: 100, count: 50))
    // The median distance of ln 90, ln 100 and ln 110 from ln 100 is ln 1.1.
    #expect(try abs(#require(time.layoutSpread) - 1.4826 * log(1.1)) < 1e-4)
    // The standard deviation of a mean of three is 10 ÷ √3. Student's t for two degrees of freedom is 4.3.
    #expect(try abs(#require(time.halfWidths).p50 - 4.3 * 10 / 3.0.squareRoot()) < 6)
  }

  @Test func oneOrderHasNoSpread() {
    #expect(times([[1, 2], [1, 2]]).record().layoutSpread == nil)
    #expect(times([[1, 2]], layoutCount: 4).record().layoutSpread == nil)
  }
}
