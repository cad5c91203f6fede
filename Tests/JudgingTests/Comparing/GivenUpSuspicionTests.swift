import Foundation
import FrameBench
import Statistics
import Testing

@testable import Judging

/// Suspect times are measured again, in new sets. Tests when this ends early because the new sets show no change.
@Suite struct GivenUpSuspicionTests {
  /// Returns the times of sets in which two processes of each build play a scroll of 400 frames. `factor` multiplies
  /// the candidate's costs.
  private static func scrolls(_ setCount: Int, seed: Int = 0, _ factor: (_ frame: Int) -> Double = { _ in 1 })
    -> ScrollTimes
  {
    var times = ScrollTimes()
    for set in 0..<setCount {
      let processes = (0..<4).map { process in
        (0..<400).map { frame in
          let noise = 1 + 0.01 * sin(Double(frame * 7 + (set + seed) * 13 + process * 5))
          return 1_000 * (1 + Double(frame % 7) / 5) * noise * (process < 2 ? 1 : factor(frame))
        }
      }
      let scroll = PlayedScroll([Array(processes[..<2]), Array(processes[2...])], slack: 0)
      times.add([(nil, scroll)], order: set + seed, pairCost: 0)
    }
    times.end()
    return times
  }

  private static func screened(_ setCount: Int, _ factor: (_ frame: Int) -> Double) -> Screened {
    let id = BenchmarkID(scenario: "list", strategy: "default", size: 1)
    return Screened(id, scrolls(setCount, factor), ComparisonRule(tolerance: 0.01))
  }

  /// Makes twenty of the shortest frames slower, which is too little to change the mean or a quantile of the scroll.
  private static func factor(_ frame: Int) -> Double { frame % 7 == 0 && (100..<240).contains(frame) ? 1.15 : 1 }

  @Test(arguments: [(14, [4, 8]), (2, [1, 2])]) func framesThatFreshSetsDoNotShowAreGivenUp(setCount: Int, looks: [Int])
  {
    let screened = Self.screened(setCount, Self.factor)
    #expect(!screened.suspicions.isEmpty)
    for count in 1...9 {
      let ends = [{ _ in 1 }, Self.factor].map { screened.isSettled(by: Self.scrolls(count, seed: 50, $0), level: 0) }
      #expect(ends == [looks.contains(count), false], "\(count)")
    }
  }

  /// Returns the times of a scroll of 1,200 frames that one process of each build plays once. Three in 20 frames are
  /// disturbed, and take up to 50% longer. If `isSlower`, 60 random frames of the candidate take a tenth longer.
  private static func disturbed(seed: UInt64, isSlower: Bool) -> ScrollTimes {
    var (random, places) = (SplitMix64(seed: seed), SplitMix64(seed: 1))
    let slower = Set((0..<1_200).shuffled(using: &places).prefix(60))
    let builds = [false, true].map { isCandidate in
      (0..<1_200).map { frame in
        let disturbance =
          Double.random(in: 0..<1, using: &random) < 0.15 ? Double.random(in: 0..<0.5, using: &random) : 0
        let noise = Double.random(in: -0.005...0.005, using: &random)
        return 5e6 * (1 + disturbance + noise) * (isCandidate && isSlower && slower.contains(frame) ? 1.1 : 1)
      }
    }
    var times = ScrollTimes()
    times.add([(nil, PlayedScroll(builds.map { [$0] }, slack: 0))], order: nil, pairCost: 0)
    times.end()
    return times
  }

  @Test(arguments: [3, 12, 19, 22, 26, 34]) func scatteredFramesThatWereSelectedWithManyDisturbedOnesAreKept(
    seed: UInt64
  ) {
    let id = BenchmarkID(scenario: "list", strategy: "default", size: 1)
    let screened = Screened(id, Self.disturbed(seed: seed, isSlower: true), ComparisonRule(tolerance: 0.01))
    let ends = [true, false].map { screened.isSettled(by: Self.disturbed(seed: seed + 100, isSlower: $0), level: 0) }
    #expect(ends == [false, true])
  }

  @Test func framesThatChangeTheOtherWayAreGivenUp() {
    let screened = Self.screened(14, Self.factor)
    let isGivenUp = screened.isSettled(by: Self.scrolls(4, seed: 50) { 1 / Self.factor($0) }, level: 0)
    #expect(isGivenUp)
  }

  @Test(arguments: [(14, 4, false), (2, 1, true)]) func aTimeThatHasARowIsGivenUpOnlyInLongScrolls(
    setCount: Int, freshCount: Int, isGivenUp: Bool
  ) {
    let screened = Self.screened(setCount) { _ in 1.1 }
    #expect(screened.suspicions.keys.contains(FrameProbe(phase: nil)))
    let ends = [1, 1.1].map { factor in
      screened.isSettled(by: Self.scrolls(freshCount, seed: 50) { _ in factor }, level: 0)
    }
    #expect(ends == [isGivenUp, false])
  }

  @Test(arguments: [(2, 2, 1e-3, true), (2, 2, 0, false), (2, 3, 1e-3, false), (14, 4, 1e-3, false)])
  func twoFreshSetsOfALongScrollMayProveAChange(setCount: Int, freshCount: Int, level: Double, isProven: Bool) {
    let screened = Self.screened(setCount, Self.factor)
    #expect(screened.isSettled(by: Self.scrolls(freshCount, seed: 50, Self.factor), level: level) == isProven)
  }
}
