import Foundation
import Statistics
import Testing

@testable import Judging

/// Tests the search for levels in series whose values are correlated or drift. Expected numbers come from numpy 2.
@Suite struct LevelHistoryTests {
  /// Returns values with Gaussian noise of one percent. Each element of `levels` is a level and its number of values.
  private func noisy(_ levels: [(Double, Int)], seed: UInt64) -> [Double] {
    var generator = SplitMix64(seed: seed)
    func uniform() -> Double { (Double(generator.next() >> 11) + 0.5) / 0x1p53 }
    return levels.flatMap { level, count in
      (0..<count).map { _ in level * (1 + 0.01 * (-2 * log(uniform())).squareRoot() * cos(2 * .pi * uniform())) }
    }
  }

  /// Returns values with correlated noise of one percent: each night carries over seven tenths of the noise of the
  /// night before.
  private func correlated(_ count: Int, seed: UInt64) -> [Double] {
    var last = 0.0
    return noisy([(10_000, count)], seed: seed).map {
      last = 0.7 * last + (1 - 0.49).squareRoot() * ($0 - 10_000)
      return 10_000 + last
    }
  }

  // MARK: Constant levels

  /// Noisy counts, such as page faults, may be constant for a few nights by luck.
  @Test(arguments: [(1, false), (2, false), (3, false), (4, true)]) func aConstantLevelIsBelievedAfterFourNights(
    before: Int, isConfirmed: Bool
  ) {
    let levels = LevelHistory(Array(repeating: 10, count: before) + Array(repeating: 11, count: 4))
    #expect(levels.shifts.contains(where: \.isConfirmed) == isConfirmed)
  }

  // MARK: Correlation

  /// The values are an AR(1) series with coefficient 0.5 around two constant levels and a drift. Their estimated
  /// correlation is 0.6467…. `expected` is (1 − r)/(1 + r), where r is `deviations` ÷ √80 below this estimate.
  @Test(arguments: [(0.0, 0.21451434891183124), (2.0, 0.40534117524572694)])
  func correlationIsHeldAgainstTheLineOfEachLevel(deviations: Double, expected: Double) {
    let values: [Double] = [
      0, -4, -9, -6, -1, 5, 3, -1, -5, 1, 9, 6, -3, -6, 5, 3, -7, -4, -8, -7, -6, -7, -1, -1, -3, 0, 4, -6, -4, -7, 36,
      31, 36, 38, 37, 33, 95, 95, 95, 105, 104, 117, 123, 113, 122, 120, 127, 132, 125, 133, 137, 148, 143, 152, 149,
      153, 154, 167, 171, 184, 183, 184, 187, 182, 184, 194, 191, 195, 197, 202, 202, 204, 209, 212, 210, 220, 215, 214,
      215, 228,
    ]
    let share = Autocorrelation.effectiveShare(values, levels: [0..<30, 30..<36, 36..<80], deviations: deviations)
    #expect(abs(share - expected) < 1e-12)
  }

  @Test func driftsAloneAreNoCorrelation() {
    let values = noisy([(10_000, 60)], seed: 3).enumerated().map { $1 + 40 * Double($0) }
    #expect(Autocorrelation.effectiveShare(values, levels: [0..<60], deviations: 3) == 1)
  }

  @Test func stretchesThatOnlyWanderAreMerged() {
    for seed in 1...6 as ClosedRange<UInt64> {
      let values = correlated(300, seed: seed)
      let found = ChangePointDetection().changePoints(in: values).count
      #expect(LevelHistory(values).shifts.count < found, "seed \(seed): \(found)")
    }
  }

  @Test func aStepAmongCorrelatedNightsStands() throws {
    for seed in 11...18 as ClosedRange<UInt64> {
      let values = correlated(200, seed: seed).enumerated().map { $1 * ($0 < 100 ? 1 : 1.04) }
      let shift = try #require(LevelHistory(values).shifts.first { abs($0.position - 100) <= 3 }, "seed \(seed)")
      #expect(shift.isConfirmed && shift.isRise, "seed \(seed)")
    }
  }

  /// The values are an AR(1) series with coefficient 0.7 and a step at index 18. Because of the correlation, the means
  /// of both sides differ most at index 21.
  @Test func aStepIsPlacedByWhatCorrelatedValuesDoNotKeep() {
    let values: [Double] = [
      -6, -13, -11, -5, 5, 4, -1, -6, 1, 12, 10, -1, -8, 6, 5, -8, -6, -13, 2, 2, 1, 9, 10, 8, 13, 19, 6, 7, 3, 5,
    ]
    #expect(StepFit.bestIndex(in: values[...], correlation: 0) == 21)
    #expect(StepFit.bestIndex(in: values[...], correlation: 0.7) == 18)
    #expect(StepFit.bestIndex(in: ([0, 0] + values)[2...], correlation: 0.7) == 20)
    #expect(StepFit.bestIndex(in: [4, 4, 4][...], correlation: 0) == nil)
  }

  @Test func correlationAndEffectiveShareAreInverse() {
    #expect(Autocorrelation.correlation(effectiveShare: 1) == 0)
    #expect(abs(Autocorrelation.correlation(effectiveShare: 0.25) - 0.6) < 1e-12)
  }

  @Test func mergingWithNothingDiscountedKeepsWhatWasFound() {
    let values = noisy([(10_000, 40), (10_300, 40), (9_900, 40)], seed: 5)
    let detection = ChangePointDetection()
    let points = detection.changePoints(in: values).map(\.index)
    #expect(points.count >= 2)
    #expect(detection.merged(points, in: values, effectiveShare: 1) == points)
    #expect(detection.merged(points, in: values, effectiveShare: 0.01).isEmpty)
  }

  // MARK: Drifts

  @Test func advantageOfStepsIsThatOfLeastSquares() {
    let drift: [Double] = [3, 1, 4, 1, 5, 2, 6, 5, 8, 7, 9, 8, 12, 11, 13, 12, 10, 13, 12, 14]
    let steps: [Double] = [
      1, 2, 1, 0, 1, 2, 1, 0, 1, 2, 11, 12, 10, 11, 12, 11, 10, 12, 11, 12, 21, 20, 22, 21, 20, 22, 21, 21, 20, 22,
    ]
    #expect(abs(Drift.advantageOfSteps(drift, [0..<7, 7..<12, 12..<20]) + 3.7330670055138873) < 1e-9)
    #expect(abs(Drift.advantageOfSteps(steps, [0..<10, 10..<20, 20..<30]) - 237.37493857493845) < 1e-9)
    #expect(Drift.joins(drift, [0..<7, 7..<12, 12..<20], effectiveShare: 1))
    #expect(!Drift.joins(steps, [0..<10, 10..<20, 20..<30], effectiveShare: 1))
  }

  @Test func advantageOfARampIsThatOfLeastSquares() {
    let drift: [Double] = [3, 1, 4, 1, 5, 2, 6, 5, 8, 7, 9, 8, 12, 11, 13, 12, 10, 13, 12, 14]
    let step: [Double] = [1, 2, 1, 0, 1, 2, 1, 0, 1, 2, 11, 12, 10, 11, 12, 11, 10, 12, 11, 12]
    #expect(abs(Drift.advantageOfRamp(drift, step: 8, over: 12, levels: 0..<20) - 25.684462646100567) < 1e-9)
    #expect(abs(Drift.advantageOfRamp(step, step: 10, over: 5, levels: 0..<20) + 14.874381645215447) < 1e-9)
    #expect(abs(Drift.advantageOfRamp(step, step: 10, over: 14, levels: 0..<20) + 12.722136442413738) < 1e-9)
  }

  @Test func stepsWithoutNoiseAreNoDrift() {
    let values: [Double] = Array(repeating: 10, count: 8) + [11] + Array(repeating: 12, count: 8)
    #expect(!Drift.joins(values, [0..<8, 8..<9, 9..<17], effectiveShare: 1))
  }

  @Test func aDriftIsOneShiftFromTheLevelBeforeItToTheOneAfterIt() throws {
    for seed in 25...32 as ClosedRange<UInt64> {
      let values = noisy([(10_000, 240)], seed: seed).enumerated().map { night, value in
        value * (1 + 0.06 * min(1, max(0, Double(night - 70) / 60)))
      }
      let shifts = LevelHistory(values).shifts.filter(\.isConfirmed)
      let drift = try #require(shifts.first, "seed \(seed)")
      #expect(shifts.count == 1, "seed \(seed)")
      #expect((65...95).contains(drift.position) && (100...135).contains(drift.levelPosition), "seed \(seed)")
      #expect(abs(drift.before - 10_000) < 60 && abs(drift.after - 10_600) < 60, "seed \(seed)")
      #expect(drift.supportBefore == drift.position && drift.support == 240 - drift.levelPosition)
    }
  }
}
