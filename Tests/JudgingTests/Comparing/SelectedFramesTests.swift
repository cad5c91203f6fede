import Foundation
import FrameBench
import Measurements
import Statistics
import Testing

@testable import Judging

/// Tests what a comparison reports about frames that stand out, and about quantiles on a busy machine.
@Suite struct SelectedFramesTests {
  private let id = BenchmarkID(scenario: "list", strategy: "default", size: 1)

  /// Returns the rows of a comparison of 400 frames. The first 14 sets find suspect times, and 14 more sets confirm or
  /// refute them.
  /// - Parameters:
  ///   - factor: Multiplies the candidate's costs.
  ///   - extra: Nanoseconds that the machine adds to a frame of a process. Processes 0 and 1 run the baseline.
  private func rows(
    _ factor: (_ set: Int, _ frame: Int) -> Double,
    extra: (_ set: Int, _ process: Int, _ frame: Int) -> Double = { _, _, _ in 0 }
  ) -> [ComparisonRow] { screened(factor, extra: extra).rows }

  private func screened(
    _ factor: (_ set: Int, _ frame: Int) -> Double, extra: (_ set: Int, _ process: Int, _ frame: Int) -> Double
  ) -> Screened {
    let measured = [0, 100].map { first in
      var times = ScrollTimes()
      for set in first..<first + 14 {
        let processes = (0..<4).map { process in
          (0..<400).map { frame in
            let noise = 1 + 0.01 * sin(Double(frame * 7 + set * 13 + process * 5))
            let cost = 1_000 * (1 + Double(frame % 7) / 5) * noise
            return cost * (process < 2 ? 1 : factor(set, frame)) + extra(set, process, frame)
          }
        }
        let scroll = PlayedScroll([Array(processes[..<2]), Array(processes[2...])], slack: 0)
        times.add([(nil, scroll)], order: set, pairCost: 0)
      }
      times.end()
      return times
    }
    var screened = Screened(id, measured[0], ComparisonRule(tolerance: 0.01))
    screened.confirm(measured[1])
    return screened
  }

  /// Frames can be slower in most sets although their code did not change, for example if the allocator cleans up in
  /// these frames. So frames that are slower in 11 of 14 sets are not named, but frames that are slower in all 14 are.
  @Test func framesThatAreSlowerInMostSetsButNotByThemselvesAreNotNamed() {
    let slow: Set = [105, 106, 140, 255, 305]
    func named(slowSets: Int) -> [ComparisonRow] {
      rows { set, frame in slow.contains(frame) && set % 14 < slowSets ? 1.5 : 1 }.filter { $0.frames != nil }
    }
    #expect(named(slowSets: 11).isEmpty)
    let all = named(slowSets: 14)
    #expect(all.map(\.verdict) == [.regressed] && all.first?.frames?.frames.sorted() == slow.sorted())
  }

  /// Frame 300 is a bit slower only in the sets that find suspects, and frame 310 only in the sets that confirm them.
  @Test func framesThatBothHalvesFindAreNamedOnce() throws {
    let slow: Set = [17, 60, 105, 106, 140, 183, 211, 255, 305, 350, 371, 390]
    let screened = screened(
      { set, frame in slow.contains(frame) ? 1.5 : frame == (set < 100 ? 300 : 310) ? 1.12 : 1 },
      extra: { _, _, _ in 0 })
    #expect(screened.probes.count { if case .frames = $0.statistic { true } else { false } } > 1)
    let named = screened.rows.filter { $0.frames != nil }
    #expect(named.map { $0.frames?.frames } == [slow.sorted()], "\(named)")
  }

  /// The p-value of a rank test of 14 sets is at least 1 in 16,384, which is not enough among many suspects.
  @Test func framesThatOnlyTheFreshSetsFindNeedNoRanks() {
    let slow = FrameSet([17, 60, 105, 106, 140, 183, 211, 255, 305, 350, 371, 390])
    for change in [1.3, 1] {
      let times = screened({ _, frame in slow.frames.contains(frame) ? change : 1 }, extra: { _, _, _ in 0 }).times
      let pValues = [true, false].map { times.times(of: FrameProbe(slow), ranked: $0).pValue(.slower) }
      #expect(change == 1 ? pValues.allSatisfy { $0 > 0.02 } : pValues[0] > 6e-5 && pValues[1] < 1e-6, "\(pValues)")
    }
  }

  /// The shortest times of a row come from plays in which a long frame was always interrupted.
  @Test func aFrameWithoutAShortestTimeHasItsUsualTime() throws {
    var screened = screened({ _, frame in frame == 300 ? 6 : 1 }, extra: { _, _, _ in 0 })
    screened.least[nil] = (0..<400).map { $0 == 300 ? .nan : 1_000 }
    let frame = try #require(screened.rows.first { $0.frames == FrameSet([300]) })
    #expect(abs((frame.baseline?.number ?? 0) / (1_000 * (1 + Double(300 % 7) / 5)) - 1) < 0.05, "\(frame)")
  }

  /// Each build plays the scroll once per set. In the candidate, five random frames of each play wait for 45 ms.
  @Test func stallsOfLongFramesAreFound() throws {
    func times(_ seeds: ClosedRange<UInt64>) -> ScrollTimes {
      var times = ScrollTimes()
      for seed in seeds {
        var random = SplitMix64(seed: seed)
        let stalled = Set((0..<1_200).shuffled(using: &random).prefix(5))
        let builds = [false, true].map { isCandidate in
          (0..<1_200).map { frame in
            5e6 * Double.random(in: 0.995...1.005, using: &random) + (isCandidate && stalled.contains(frame) ? 45e6 : 0)
          }
        }
        let scroll = PlayedScroll(builds.map { [$0] }, slack: 0, plays: builds.map { [$0] })
        times.add([(nil, scroll)], order: nil, pairCost: 0)
      }
      times.end()
      return times
    }
    var screened = Screened(id, times(1...1), ComparisonRule(tolerance: 0.01))
    screened.confirm(times(2...4))
    let stalls = try #require(screened.rows.first { $0.metric == .rawFrameTime })
    #expect(stalls.verdict == .regressed && abs((stalls.change ?? 0) - 0.0375) < 0.01, "\(stalls)")
  }

  /// The machine interrupts frames of both builds for 5 µs. These frames differ from set to set.
  @Test func aBusyMachineDoesNotHideHowMuchSlowerTheSlowestFramesAre() throws {
    let found = rows({ _, _ in 8 }, extra: { set, process, frame in (frame + 31 * set) % 60 == 0 ? 5_000 : 0 })
    for statistic in [FlatRow.Statistic.p99, .max] {
      let row = try #require(found.first { $0.statistic == statistic })
      #expect(row.verdict == .regressed && abs((row.change ?? 0) - 7) < 0.4, "\(statistic) \(row)")
      #expect(try #require(row.low) < 7 && #require(row.high) > 6.7, "\(statistic) \(row)")
    }
  }

  /// In each set, the machine interrupts different frames for 5 µs. One frame takes six times as long as before.
  @Test func theWorstFrameIsAsSlowAsTheFrameThatBecameSlow() throws {
    let found = rows(
      { _, frame in frame == 300 ? 6 : 1 }, extra: { set, _, frame in (frame + 31 * set) % 80 == 0 ? 5_000 : 0 })
    let frame = try #require(found.first { $0.frames == FrameSet([300]) })
    let worst = try #require(found.first { $0.statistic == .max })
    let (slow, worstBefore) = (1_000 * (1 + Double(300 % 7) / 5) * 6, 1_000 * (1 + 6.0 / 5))
    #expect(abs((frame.change ?? 0) - 5) < 0.3, "\(frame)")
    #expect(worst.verdict == .regressed && abs((worst.change ?? 0) / (slow / worstBefore - 1) - 1) < 0.1, "\(worst)")
  }
}
