import Foundation
import FrameBench
import Measurements
import Statistics
import Testing

@testable import Judging

/// Tests comparisons of scrolls that have too few frames to show how much frames vary.
@Suite struct ShortScrollTests {
  private let id = BenchmarkID(scenario: "list", strategy: "default", size: 1)

  /// Returns the rows of a comparison in which frames are so long that a set has one process of each build.
  /// - Parameters:
  ///   - costs: Nanoseconds of each frame in the baseline.
  ///   - factor: Multiplies the candidate's costs, by frame.
  ///   - noise: The standard deviation between sets, as a fraction.
  private func rows(_ costs: [Double], _ factor: [Double], noise: Double = 0.003, seed: UInt64 = 1) -> [ComparisonRow] {
    var random = SplitMix64(seed: seed)
    func luck() -> Double {
      let uniform = (0..<12).reduce(0) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
      return exp(noise * (uniform - 6))
    }
    let measured = (0..<2).map { _ in
      var times = ScrollTimes()
      for _ in 0..<4 {
        let baseline = costs.map { $0 * luck() }
        let candidate = zip(costs, factor).map { $0 * $1 * luck() }
        times.add([(nil, PlayedScroll([[baseline], [candidate]], slack: 0))], order: nil, pairCost: 20)
      }
      times.end()
      return times
    }
    var screened = Screened(id, measured[0], ComparisonRule(tolerance: 0.01))
    screened.confirm(measured[1])
    return screened.rows
  }

  @Test(arguments: [1.05, 1.3, 4]) func aSingleLongFrameThatBecameSlowerIsFound(factor: Double) throws {
    let row = try #require(rows([1.5e9], [factor]).first { $0.isMean && $0.metric == .frameTime })
    #expect(row.verdict == .regressed && abs((row.change ?? 0) - (factor - 1)) < 0.02 * factor, "\(row)")
  }

  @Test(arguments: [0.02, 0.4]) func aCandidateWhoseCallsAreEmptyRaisesADoubt(nanoseconds: Double) {
    var times = ScrollTimes()
    for _ in 0..<4 { times.add([(nil, PlayedScroll([[[5]], [[nanoseconds]]], slack: 0))], order: nil, pairCost: 20) }
    times.end()
    let warnings = Screened(id, times, ComparisonRule(tolerance: 0.01), isFunction: true).warnings
    #expect(warnings.map(\.message).map { $0.hasPrefix("A call takes no longer") } == (nanoseconds < 0.1 ? [true] : []))
  }

  @Test func aSlowerFrameBetweenTwoOthersIsNotTakenForNoise() throws {
    let found = rows([5e8, 5e8, 5e8], [1, 1.4, 1])
    let mean = found.first { $0.isMean && $0.metric == .frameTime }
    #expect(mean?.verdict == .regressed)
    #expect(found.compactMap(\.frames) == [FrameSet([1])])
  }

  @Test func aShortFrameBesideALongOneIsExaminedByItself() throws {
    let found = rows([1e9, 1e6, 1e6, 1e6, 1e6], [1, 1, 1, 10, 1])
    #expect(found.filter { $0.verdict == .regressed }.compactMap(\.frames) == [FrameSet([3])], "\(found)")
  }

  /// Before the correction for the number of suspects, each row may be a false alarm in 1% of the comparisons.
  @Test(arguments: [1, 3, 7], [0.001, 0.02, 0.2]) func fewFramesThatDidNotChangeAreSeldomCalledChanged(
    count: Int, noise: Double
  ) {
    let ones = Array(repeating: 1.0, count: count)
    let found = (1...60).flatMap { rows(ones.map { $0 * 1e8 }, ones, noise: noise, seed: $0) }
    let alarms = found.count(where: \.verdict.isChange)
    #expect(found.count >= 240 && alarms <= found.count / 100, "\(alarms) of \(found.count)")
  }
}
