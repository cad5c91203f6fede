import FrameBench
import Testing

@testable import Judging
@testable import Measurements
@testable import Pages

@Suite struct ExactComparisonTests {
  private static let id = BenchmarkID(scenario: "springs", strategy: "tiled", size: 1_000)

  /// A run of `frameCount` frames that allocates in the frames named, in one phase.
  static func figures(
    allocating frames: [Int: Int] = [:], phase: String = "prepare", frameCount: Int = 1_000,
    evaluations: Int = 14, checksum: String = "00000000000000aa", otherThreadBytes: [Int: Int] = [:]
  ) -> ExactFigures {
    let counts = (0..<frameCount).map { frames[$0] ?? 0 }
    let some = AllocationSeries(count: CountSeries(counts), bytes: CountSeries(counts.map { $0 * 48 }))
    let none = AllocationSeries(
      count: CountSeries(counts.map { _ in 0 }), bytes: CountSeries(counts.map { _ in 0 }))
    let others = (0..<frameCount).map { otherThreadBytes[$0] ?? 0 }
    let otherThreads = AllocationSeries(
      count: CountSeries(others.map { min($0, 1) }), bytes: CountSeries(others))
    let names = ["solve", "prepare"]
    return ExactFigures(
      RunMeasurement(
        clock: ClockRecord(source: "tsc", pairCostNanoseconds: 20, resolutionNanoseconds: 10),
        frameNanoseconds: nil,
        phases: names.map { PhaseMeasurement(name: $0, allocations: $0 == phase ? some : none) },
        allocations: AllocationRecord(
          frameThread: some, otherThreads: otherThreads, setUpCount: 3, setUpBytes: 99, warmUpCount: 0,
          warmUpBytes: 0),
        counters: ["springEvaluations": CountSeries(counts.map { _ in evaluations })],
        memory: MemoryRecord(peakResidentBytes: nil, liveHeapBytes: nil), checksum: checksum))
  }

  private func rows(
    _ baseline: ExactFigures, _ candidate: ExactFigures, deviation: DeviationRecord? = nil
  ) -> [ComparisonRow] {
    ExactComparison(id: Self.id, baseline: baseline, candidate: candidate).rows(deviation: deviation)
  }

  @Test func oneAllocationInOneFrameOfAThousandIsNamedByPhaseAndFrame() throws {
    let rows = rows(Self.figures(), Self.figures(allocating: [312: 1]))
    let frame = try #require(rows.first { $0.metric == .allocationCount && $0.phase == nil })
    #expect(frame.verdict == .regressed)
    #expect(frame.change == nil)
    #expect(frame.note == "first in frame 312 of prepare: 0 → 1")
    let phase = try #require(rows.first { $0.metric == .allocationCount && $0.phase == "prepare" })
    #expect(phase.verdict == .regressed)
    let other = try #require(rows.first { $0.metric == .allocationCount && $0.phase == "solve" })
    #expect(other.verdict == .unchanged)
    #expect(other.change == 0)
  }

  @Test func fewerAllocationsAreAnImprovement() throws {
    let rows = rows(Self.figures(allocating: [1: 2, 5: 2]), Self.figures(allocating: [1: 2]))
    let row = try #require(rows.first { $0.metric == .allocationCount && $0.phase == "prepare" })
    #expect(row.verdict == .improved)
    #expect(row.change == -0.5)
    #expect(row.note == "first in frame 5 of prepare: 2 → 0")
  }

  @Test func aFrameThatAllocatesAnewIsARegressionThoughTheTotalFell() throws {
    let rows = rows(Self.figures(allocating: [100: 3]), Self.figures(allocating: [500: 1, 501: 1]))
    for (metric, phase) in [
      (Metric.allocationCount, nil), (.allocatedBytes, nil), (.allocationCount, "prepare"),
    ] {
      let row = try #require(rows.first { $0.metric == metric && $0.phase == phase })
      #expect(row.verdict == .regressed && (row.change ?? 0) < 0)
    }
    #expect(rows[1].note == "newly allocates in frame 500 of prepare: 0 → 1; 2 such frames in all")
    #expect(rows.first { $0.phase == "solve" }?.verdict == .unchanged)
  }

  @Test func fewerAllocationsInFramesThatAllocatedAreAnImprovement() throws {
    let rows = rows(Self.figures(allocating: [100: 3, 101: 1]), Self.figures(allocating: [100: 1, 101: 2]))
    #expect(rows.first { $0.metric == .allocationCount }?.verdict == .improved)
  }

  @Test func bytesOfOtherThreadsAreComparedWhereTheirNumberIsTheSame() throws {
    let rows = rows(Self.figures(otherThreadBytes: [5: 24]), Self.figures(otherThreadBytes: [5: 1_000_000]))
    #expect(rows.first { $0.metric == .otherThreadAllocationCount }?.verdict == .unchanged)
    let bytes = try #require(rows.first { $0.metric == .otherThreadAllocatedBytes })
    #expect(bytes.verdict == .regressed && bytes.note == "first in frame 5: 24 → 1,000,000")
  }

  @Test func inWhichFrameAnotherThreadAllocatesIsUpToTheScheduler() throws {
    let runs = [Self.figures(otherThreadBytes: [5: 24]), Self.figures(otherThreadBytes: [6: 24])]
    #expect(runs[0].least(runs[1]).otherThreads?.bytes.total == 24)
    let verdicts = rows(runs[0], runs[1]).filter { $0.metric.isOfOtherThreads }.map(\.verdict)
    #expect(verdicts == [.unchanged, .unchanged])
  }

  @Test func oneSpringMoreIsARegression() throws {
    let rows = rows(Self.figures(evaluations: 14), Self.figures(evaluations: 15))
    let row = try #require(rows.first { $0.metric.name == "springEvaluations" })
    #expect(row.verdict == .regressed)
    #expect(row.baseline == .number(14_000))
  }

  @Test(arguments: [
    ("visibleItems", nil, ChangeVerdict.unchanged),
    ("hits", CounterKind(direction: .higherIsBetter), .improved),
    ("hits", CounterKind(direction: .neither), .unchanged), ("hits", nil, .regressed),
  ])
  func aCounterSaysWhichWayIsWorse(_ name: String, _ kind: CounterKind?, _ verdict: ChangeVerdict) throws {
    let pair = [3, 4].map { value in
      var figures = Self.figures()
      figures.counters = [name: CountSeries([value])]
      figures.counterKinds = kind.map { [name: $0] }
      return figures
    }
    let row = try #require(rows(pair[0], pair[1]).first { $0.metric.name == name })
    #expect(row.verdict == verdict && row.change == 1.0 / 3)
  }

  @Test func anotherChecksumIsChangedBehaviorWithItsDistance() throws {
    let deviation = DeviationRecord(
      reference: "baseline", largestDistance: 1e-6, meanDistance: 1e-7, largestDistanceFrame: 40,
      missingCount: 0, extraCount: 0, differingFrameCount: 0, frameCount: 1_000)
    let rows = rows(Self.figures(), Self.figures(checksum: "00000000000000ab"), deviation: deviation)
    #expect(rows[0].metric == .checksum)
    #expect(rows[0].verdict == .behaviorChanged)
    let note = try #require(rows[0].note)
    #expect(note.contains("0.00000100 points") && note.contains("frame 40"))
  }

  @Test func whatOnlyOneOfTwoRunsAllocatedDoesNotCount() {
    let least = Self.figures(allocating: [3: 1, 9: 2]).least(Self.figures(allocating: [9: 1]))
    #expect(least.frames?.count.total == 1)
    #expect(least.phases["prepare"]?.count.values[9] == 1)
  }

  @Test func aCounterThatOnlyOneBuildHasIsMissing() throws {
    var candidate = Self.figures()
    candidate.counters = [:]
    let row = try #require(rows(Self.figures(), candidate).first { $0.metric.name == "springEvaluations" })
    #expect(row.verdict == .missing)
    #expect(row.candidate == nil)
  }
}
