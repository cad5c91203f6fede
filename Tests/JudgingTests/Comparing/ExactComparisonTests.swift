import Testing

@testable import FrameBench
@testable import Judging
@testable import Measurements

@Suite struct ExactComparisonTests {
  private static let id = BenchmarkID(scenario: "springs", strategy: "tiled", size: 1_000)

  /// Returns a run of `frameCount` frames that allocates within one phase. `frames` contains the number of allocations
  /// in each frame that allocates.
  static func figures(
    allocating frames: [Int: Int] = [:], phase: String = "prepare", frameCount: Int = 1_000, evaluations: Int = 14,
    checksum: String = "00000000000000aa", otherThreadBytes: [Int: Int] = [:]
  ) -> RunMeasurement {
    let counts = (0..<frameCount).map { frames[$0] ?? 0 }
    let some = AllocationSeries(count: CountSeries(counts), bytes: CountSeries(counts.map { $0 * 48 }))
    let none = AllocationSeries(count: CountSeries(counts.map { _ in 0 }), bytes: CountSeries(counts.map { _ in 0 }))
    let others = (0..<frameCount).map { otherThreadBytes[$0] ?? 0 }
    let otherThreads = AllocationSeries(count: CountSeries(others.map { min($0, 1) }), bytes: CountSeries(others))
    let names = ["solve", "prepare"]
    return RunMeasurement(
      clock: ClockRecord(source: "tsc", pairCostNanoseconds: 20, resolutionNanoseconds: 10), frameNanoseconds: nil,
      phases: names.map { PhaseMeasurement(name: $0, allocations: $0 == phase ? some : none) },
      allocations: AllocationRecord(
        frameThread: some, otherThreads: otherThreads, setUpCount: 3, setUpBytes: 99, warmUpCount: 0, warmUpBytes: 0),
      counters: ["springEvaluations": CountSeries(counts.map { _ in evaluations })], memory: MemoryRecord(),
      checksum: checksum)
  }

  private func rows(
    _ baseline: RunMeasurement, _ candidate: RunMeasurement, deviation: DeviationRecord? = nil,
    tolerating tolerance: AllocationTolerance? = nil
  ) -> [ComparisonRow] {
    let records = [baseline, candidate].compactMap { BenchmarkRecord(id: Self.id, exactlyOf: [$0]) }
    var rule = ComparisonRule(tolerance: 0.01)
    rule.allocationTolerances["springs"] = tolerance
    return ExactComparison(baseline: records[0], candidate: records[1], rule).rows(deviation: deviation)
  }

  @Test(arguments: [
    (AllocationTolerance(count: 0.002), ChangeVerdict.unchanged), (AllocationTolerance(count: 0.001), .regressed),
    (AllocationTolerance(percent: 50), .unchanged), (AllocationTolerance(percent: 33), .regressed),
    (AllocationTolerance(count: 0.001, percent: 50), .unchanged),
  ]) func allocationsMayDifferByAsMuchAsTheScenarioTolerates(_ tolerance: AllocationTolerance, _ verdict: ChangeVerdict)
    throws
  {
    let (old, new) = (Self.figures(allocating: [3: 4]), Self.figures(allocating: [3: 4, 7: 2]))
    for metric in [Metric.allocationCount, .allocatedBytes] {
      for rows in [rows(old, new, tolerating: tolerance), rows(new, old, tolerating: tolerance)] {
        let row = try #require(rows.first { $0.metric == metric && $0.phase == nil })
        #expect(row.verdict == verdict || verdict == .regressed && row.verdict == .improved, "\(row)")
      }
    }
  }

  @Test func aCallThatWorksThroughFewerItemsIsARegression() {
    var (old, new) = (Self.figures(), Self.figures())
    (old.throughput, new.throughput) = (.items(1_000), .items(400))
    let changed = rows(old, new).filter(\.verdict.isChange)
    #expect(changed.map(\.metric) == [.itemsPerCall] && changed[0].verdict == .regressed)
    #expect(rows(new, old).filter(\.verdict.isChange).map(\.verdict) == [.improved])
    #expect(rows(old, Self.figures()).filter(\.verdict.isChange).map(\.verdict) == [.missing])
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

  @Test func allocationsThatDifferFromRunToRunHaveToDifferByMoreThanTheRunsDo() {
    func run(_ count: Int) -> RunMeasurement { Self.figures(allocating: [3: count, 9: 1]) }
    func verdict(_ old: [Int], _ new: [Int], of phase: String? = nil) -> ChangeVerdict? {
      let records = [old, new].compactMap { BenchmarkRecord(id: Self.id, exactlyOf: $0.map(run)) }
      let rows = ExactComparison(baseline: records[0], candidate: records[1]).rows(deviation: nil)
      return rows.first { $0.metric == .allocationCount && $0.phase == phase }?.verdict
    }
    #expect(
      verdict([480, 492], [492, 504]) == .notJudged && verdict([480, 492], [492, 504], of: "prepare") == .notJudged)
    #expect(verdict([492, 504], [480, 492]) == .notJudged)
    #expect(verdict([480, 492], [520, 521]) == .regressed && verdict([520, 521], [480, 492]) == .improved)
    // The runs of one build vary, but each of them differs from all runs of the other build.
    #expect(verdict([480, 480], [500, 900]) == .regressed && verdict([500, 900], [480, 480]) == .improved)
    // Only some runs of the candidate allocate more.
    #expect(verdict([480, 480], [480, 900]) == .notJudged && verdict([480, 900], [480, 480]) == .unchanged)
  }

  @Test func oneBadFrameIsARegressionEvenIfTheTotalFell() throws {
    let even = Dictionary(uniqueKeysWithValues: (0..<1_000).map { ($0, 2) })
    func row(_ most: Int) throws -> ComparisonRow {
      let rows = rows(Self.figures(allocating: even), Self.figures(allocating: [700: most, 9: 1]))
      return try #require(rows.first { $0.metric == .allocationCount && $0.phase == nil })
    }
    let (bad, good) = (try row(300), try row(17))
    #expect(bad.verdict == .regressed && bad.note?.hasPrefix("frame 700") == true, "\(bad)")
    #expect(good.verdict == .improved)
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
    for (metric, phase) in [(Metric.allocationCount, nil), (.allocatedBytes, nil), (.allocationCount, "prepare")] {
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
    let record = BenchmarkRecord(id: Self.id, exactlyOf: runs)
    #expect(record?.allocations?.otherThreads.bytes.total == 24)
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
    ("hits", CounterKind(direction: .higherIsBetter) as CounterKind?, ChangeVerdict.improved),
    ("hits", CounterKind(direction: .neither), .unchanged), ("hits", nil, .regressed),
  ]) func aCounterSaysWhichWayIsWorse(_ name: String, _ kind: CounterKind?, _ verdict: ChangeVerdict) throws {
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
      reference: "baseline", largestDistance: 1e-6, meanDistance: 1e-7, largestDistanceFrame: 40, missingCount: 0,
      extraCount: 0, differingFrameCount: 0, frameCount: 1_000)
    let rows = rows(Self.figures(), Self.figures(checksum: "00000000000000ab"), deviation: deviation)
    #expect(rows[0].metric == .checksum)
    #expect(rows[0].verdict == .behaviorChanged)
    let note = try #require(rows[0].note)
    #expect(note.contains("0.00000100 points") && note.contains("frame 40"))
  }

  @Test func whatOnlyOneOfTwoRunsAllocatedDoesNotCount() {
    let runs = [Self.figures(allocating: [3: 1, 9: 2]), Self.figures(allocating: [9: 1])]
    let record = BenchmarkRecord(id: Self.id, exactlyOf: runs)
    #expect(record?.allocations?.frameThread.count.total == 1)
    #expect(record?.phase("prepare")?.allocations?.count.values[9] == 1)
  }

  @Test func aCounterThatOnlyOneBuildHasIsMissing() throws {
    var candidate = Self.figures()
    candidate.counters = [:]
    let row = try #require(rows(Self.figures(), candidate).first { $0.metric.name == "springEvaluations" })
    #expect(row.verdict == .missing)
    #expect(row.candidate == nil)
  }

  @Test func allocationsThatAreNotCountedAnyMoreAreMissing() throws {
    var candidate = Self.figures()
    candidate.allocations = nil
    candidate.phases = candidate.phases.map { PhaseMeasurement(name: $0.name) }
    let row = try #require(rows(Self.figures(), candidate).first { $0.metric == .allocationCount })
    #expect(row.verdict == .missing && row.isLost)
  }

  @Test func instructionsThatOneRunLacksAreMissingWithTheRemedy() throws {
    let records = [true, false].map { isCounted in
      var record = BenchmarkRecord(id: Self.id, exactlyOf: [Self.figures()])
      let counts = CountSeries(repeatElement(7, count: 1_000))
      if isCounted {
        record?.instructions = InstructionRecord(
          source: .callgrind, version: "3.19.0", frames: counts,
          phases: [PhaseInstructions(name: "solve", frames: counts)], frameOverhead: 0)
      }
      return record
    }
    let (with, without) = (try #require(records[0]), try #require(records[1]))
    let lost = ExactComparison(baseline: with, candidate: without).rows(deviation: nil).filter(\.verdict.isChange)
    #expect(lost.map(\.metric) == [.instructionCount] && lost[0].isLost)
    #expect(lost[0].note == "run with --instructions, with valgrind installed")
    let new = ExactComparison(baseline: without, candidate: with).rows(deviation: nil).filter(\.verdict.isChange)
    #expect(new.map(\.metric) == [.instructionCount] && !new[0].isLost && new[0].note == nil)
  }

  @Test func aPhaseThatOneBuildHasIsSaidWhereNothingCountsAllocations() throws {
    var (old, new) = (Self.figures(), Self.figures())
    old.phases = ["solve", "prepare"].map { PhaseMeasurement(name: $0) }
    new.phases = ["solve", "query"].map { PhaseMeasurement(name: $0) }
    (old.allocations, new.allocations) = (nil, nil)
    let rows = rows(old, new).filter(\.verdict.isChange)
    #expect(rows.map(\.phase) == ["prepare", "query"] && rows.map(\.isLost) == [true, false])
    #expect(rows.allSatisfy { $0.verdict == .missing && $0.metric == .frameTime })
  }

  @Test func aFigureOfTheReferenceStrategyIsNotMissed() {
    var record = BenchmarkRecord(id: Self.id, exactlyOf: [Self.figures()])
    let plain = record
    record?.deviation = DeviationRecord(
      reference: "naive", largestDistance: 1, meanDistance: 1, largestDistanceFrame: 1, missingCount: 0, extraCount: 0,
      differingFrameCount: 0, frameCount: 1_000)
    guard let record, let plain else { return }
    let rows = ExactComparison(baseline: record, candidate: plain).rows(deviation: nil)
    #expect(!rows.contains { $0.verdict.isChange })
  }

  @Test func whatTheSystemGrantsIsShownAndNotJudged() throws {
    var (old, new) = (Self.figures(), Self.figures())
    old.memory = MemoryRecord(peakResidentBytes: 100, pageFaultCount: 0)
    new.memory = MemoryRecord(peakResidentBytes: 150, pageFaultCount: 9, contextSwitchCount: 4)
    let rows = rows(old, new).filter { !$0.metric.isJudged }
    #expect(rows.map(\.metric) == [.peakResidentBytes, .pageFaultCount])
    #expect(rows.allSatisfy { $0.verdict == .notJudged } && rows.map(\.change) == [0.5, nil])
  }
}
