import Testing

@testable import FrameBench
@testable import Judging
@testable import Measurements

/// Tests comparisons of counted figures that differ between runs of the same build.
@Suite struct VaryingFiguresTests {
  private static let id = BenchmarkID(scenario: "springs", strategy: "tiled", size: 1_000)

  private func row(_ metric: String, _ baseline: [RunMeasurement], _ candidate: [RunMeasurement]) throws
    -> ComparisonRow
  {
    let records = [baseline, candidate].compactMap { BenchmarkRecord(id: Self.id, exactlyOf: $0) }
    let rows = ExactComparison(baseline: records[0], candidate: records[1]).rows(deviation: nil)
    return try #require(rows.first { $0.metric.name == metric && $0.phase == nil })
  }

  private func run(peak: Int) -> RunMeasurement {
    var run = ExactComparisonTests.figures()
    run.allocations?.peakHeapBytes = peak
    return run
  }

  private func run(net: Int) -> RunMeasurement {
    var run = ExactComparisonTests.figures()
    run.allocations?.netBytes = CountSeries(repeatElement(net, count: 1_000))
    return run
  }

  private func run(_ counter: String, _ values: [Int], _ direction: Counter.Direction = .lowerIsBetter)
    -> RunMeasurement
  {
    var run = ExactComparisonTests.figures()
    run.counters = [counter: CountSeries(values)]
    run.counterKinds = [counter: CounterKind(direction: direction)]
    return run
  }

  @Test func aPeakAboveEveryPeakOfTheBaselineIsARegressionHoweverItVaries() throws {
    let (steady, varying) = ([run(peak: 10_000), run(peak: 10_000)], [run(peak: 110_000), run(peak: 60_000)])
    #expect(try row("peakHeapBytes", steady, varying).verdict == .regressed)
    #expect(try row("peakHeapBytes", varying, steady).verdict == .improved)
    #expect(try row("peakHeapBytes", varying, [run(peak: 90_000), run(peak: 80_000)]).verdict == .notJudged)
  }

  @Test func aLeakWhoseSizeVariesIsARegression() throws {
    let (steady, leaking) = ([run(net: 0), run(net: 0)], [run(net: 300), run(net: 700)])
    #expect(try row("netBytes", steady, leaking).verdict == .regressed)
    #expect(try row("netBytes", leaking, steady).verdict == .improved)
    #expect(try row("netBytes", leaking, [run(net: 400), run(net: 800)]).verdict == .unchanged)
  }

  @Test func aCounterThatVariesHasToChangeByMoreThanItVaries() throws {
    let stalls = [2_000, 2_600].map { run("stall", [$0, 0]) }
    #expect(try row("stall", stalls, [run("stall", [2_700, 0]), run("stall", [2_300, 0])]).verdict == .notJudged)
    #expect(try row("stall", stalls, [run("stall", [9_000, 0]), run("stall", [5_000, 0])]).verdict == .regressed)
  }

  @Test func anOutputThatVariedInTheBaselineIsNotJudged() throws {
    let outputs = [("00000000000000aa", "00000000000000ab"), ("00000000000000aa", "00000000000000aa")]
    for (old, new) in outputs {
      let records = [old, new].compactMap {
        BenchmarkRecord(id: Self.id, exactlyOf: [ExactComparisonTests.figures(checksum: $0)])
      }
      var comparison = ExactComparison(baseline: records[0], candidate: records[1])
      #expect(comparison.rows(deviation: nil)[0].verdict == (old == new ? .unchanged : .behaviorChanged))
      comparison.hasRandomBaseline = true
      let row = comparison.rows(deviation: nil)[0]
      #expect(row.verdict == .notJudged && row.note == "two runs of the baseline showed different things")
    }
  }

  /// The frame that allocates depends on the clock, for example if a buffer is flushed every 50 ms.
  @Test func allocationsInAnotherFrameOfEachRunAreCounted() throws {
    let moving = [37, 700].map { ExactComparisonTests.figures(allocating: [$0: 1_000]) }
    let none = [ExactComparisonTests.figures(), ExactComparisonTests.figures()]
    let added = try row("allocationCount", none, moving)
    #expect(added.verdict == .regressed && added.candidate == .number(1_000))
    #expect(try row("allocationCount", moving, none).verdict == .improved)
    #expect(try row("allocationCount", moving, moving.reversed()).verdict == .unchanged)
    let fewer = [1, 2].map { _ in ExactComparisonTests.figures(allocating: [600: 500]) }
    #expect(try row("allocationCount", moving, fewer).verdict == .improved)
  }

  @Test func theWorstFrameOfACounterThatShouldBeHighIsTheLowest() throws {
    func row(_ old: [Int], _ new: [Int]) throws -> ComparisonRow {
      try self.row("hits", [run("hits", old, .higherIsBetter)], [run("hits", new, .higherIsBetter)])
    }
    #expect(try row([100, 100], [120, 120]).verdict == .improved)
    let worse = try row([100, 100], [300, 40])
    #expect(worse.verdict == .regressed && worse.note == "frame 1: 100 → 40")
  }

  @Test func aCounterBelowZeroIsWorseOnlyIfItRises() throws {
    let spread = try row("balance", [run("balance", [-100, -100])], [run("balance", [-80, -120])])
    #expect(spread.verdict == .unchanged && spread.change == 0)
    let higher = try row("balance", [run("balance", [-100, -100])], [run("balance", [-50, -50])])
    #expect(higher.verdict == .regressed && higher.change == 0.5)
  }

  @Test func theFirstFrameThatAllocatesMoreIsNamedWithThePhaseThatAllocatesThere() throws {
    func run(_ prepare: [Int: Int], _ solve: [Int: Int]) -> RunMeasurement {
      var run = ExactComparisonTests.figures(allocating: prepare.merging(solve, uniquingKeysWith: +))
      let phases = [("prepare", prepare), ("solve", solve)]
      run.phases = phases.map { name, frames in
        let own = ExactComparisonTests.figures(allocating: frames).allocations?.frameThread
        return PhaseMeasurement(name: name, allocations: own)
      }
      return run
    }
    let all = Dictionary(uniqueKeysWithValues: (0..<1_000).map { ($0, 1) })
    let row = try row("allocationCount", [run([900: 1], [:])], [run([900: 2], all)])
    #expect(row.note == "first in frame 0 of solve: 0 → 1; 1,000 frames in all")
  }
}
