import FrameBench
import Testing

@testable import Judging
@testable import Measurements

/// What whole scrolls of two builds show beyond the frames that turns reach.
@Suite struct WholeScrollTests {
  private func time(_ cost: (Int) -> Double, worst: Double? = nil) -> TimeRecord {
    let frames = (0..<200).map(cost)
    let most = worst ?? frames.max() ?? 0
    let pooled = PooledTimes(sampleCount: 400, p50: most, p90: most, p99: most, max: most, mean: most)
    return TimeRecord(alignedNanoseconds: frames, pooled: pooled)
  }

  private var level: TimeRecord { time { _ in 100_000 } }

  @Test func whatIsSlowerInItsSecondHalfOnlyIsSlower() {
    let half = time { $0 < 100 ? 100_000 : 500_000 }
    #expect(half.isSlower(than: level, change: 0))
    #expect(!level.isSlower(than: half, change: 0) && !level.isSlower(than: level, change: 0))
  }

  @Test func aSingleFrameTwiceAsLongAsAnyOfTheBaselineIsSlower() {
    let stall = time { $0 == 150 ? 250_000 : 100_000 }
    #expect(stall.isSlower(than: level, change: 0))
    // The baseline had such a frame in one of its runs.
    #expect(!stall.isSlower(than: time({ _ in 100_000 }, worst: 130_000), change: 0))
  }

  @Test func whatLayoutsOrTheMachineMayDoIsNot() {
    // 20% and 170% ÷ √nanoseconds are 20.5% of 100 µs.
    let little = time { $0 < 100 ? 100_000 : 140_000 }
    let enough = time { $0 < 100 ? 100_000 : 142_000 }
    #expect(!little.isSlower(than: level, change: 0) && enough.isSlower(than: level, change: 0))
    // As much slower in the frames that turns reach, where turns found nothing: another layout, or a slower machine.
    #expect(!time { _ in 190_000 }.isSlower(than: level, change: 0))
    // Turns have judged that much.
    #expect(!enough.isSlower(than: level, change: 0.01))
  }

  @Test func theRowSaysByHowMuchAndWhere() {
    let id = BenchmarkID(scenario: "s", strategy: "a", size: 1)
    var row = ComparisonRow(
      id: id, metric: .frameTime, baseline: .number(1), candidate: .number(1), change: 0, low: -0.01, high: 0.01,
      pValue: 0.5, verdict: .unchanged)
    row.regress(from: level, to: time { $0 == 150 ? 500_000 : 100_000 })
    #expect(row.verdict == .regressed && abs((row.change ?? 0) - 0.02) < 1e-12 && row.low == nil && row.pValue == nil)
    #expect(row.note == "on the whole scroll, in 1 frame of 200 (150), most in frame 150: 100 µs → 500 µs")
  }
}
