import Testing

@testable import FrameBench
@testable import Measurements

/// What a frame costs, from its samples in several runs.
struct AlignmentTests {
  private func cost(_ samples: [Double], clockStep: Double, pairCost: Double = 0) -> Double? {
    TimeRecord(runs: samples.map { [$0] }, clockPairs: nil, pairCost: pairCost, clockStep: clockStep)
      .alignedNanoseconds.first
  }

  @Test func aClockOfCoarseStepsTellsMoreThanItsSteps() {
    // 303 ns are read as 300 or 310 by a clock of 10 ns; two of the runs were disturbed.
    let samples = [300.0, 300, 310, 300, 300, 310, 300, 300, 310, 300, 520, 9_000]
    #expect(cost(samples, clockStep: 10) == 303)
  }

  @Test func aFineClockGivesTheMinimum() {
    #expect(cost([300.4, 300, 310, 520], clockStep: 0.3) == 300)
    #expect(cost([300.4, 300, 310], clockStep: 0) == 300)
  }

  @Test func theCostOfTheClockIsTakenOffBeforeTheMean() {
    // 5 ns beside a pair of 20: some samples are less than the pair itself.
    #expect(cost([20, 30, 20, 30], clockStep: 10, pairCost: 20) == 5)
    #expect(cost([10, 20], clockStep: 10, pairCost: 20) == 0)
  }
}
