import Testing

@testable import FrameBench
@testable import Measurements

@Suite struct AggregationTests {
  private let id = BenchmarkID(scenario: "springs", strategy: "tiled", size: 100)

  @Test func framesAreAlignedByTheirMinimumAndTheClockIsTakenOff() throws {
    let record = try runs(frames: [[111, 230, 15], [120, 221, 12], [100.04, 210, 19]], pairCosts: [20, 10, 30]).record()
      .record
    // The runs' costs of a pair of clock reads have the median 20 ns, which is subtracted. No result is negative.
    #expect(record.frame.alignedNanoseconds == [80, 190, 0])
  }

  @Test func quantilesArePooledOverAllFramesOfAllRuns() throws {
    let record = try runs(frames: [[30, 40, 50], [60, 70, 10]], pairCosts: [20, 20]).record().record
    // The sorted net times are 0 10 20 30 40 50. Hyndman and Fan's type 7 puts quantile p at index (6 − 1)·p.
    let pooled = record.frame.pooled
    #expect(pooled.sampleCount == 6)
    #expect(pooled.p50 == 25)
    #expect(pooled.p90 == 45)
    #expect(abs(pooled.p99 - 49.5) < 1e-9)
    #expect(pooled.max == 50)
    #expect(pooled.mean == 25)
  }

  @Test func aPhasePaysForAsManyClockPairsAsItContains() throws {
    var runs = runs(frames: [[100, 100, 100]], pairCosts: [0])
    runs = withPhases(
      runs, [PhaseMeasurement(name: "solve", nanoseconds: [100, 100, 0], clockPairs: CountSeries([1, 3, 0]))],
      pairCost: 20)
    let phase = try #require(try runs.record().record.phases.first)
    #expect(phase.name == "solve")
    #expect(phase.time.alignedNanoseconds == [80, 40, 0])
    #expect(phase.allocations == nil)
  }

  @Test func aChecksumThatDiffersNamesBothRuns() {
    var runs = runs(frames: [[1, 2, 3], [1, 2, 3]], pairCosts: [0, 0])
    runs.add(.sample(frames: [1, 2, 3], checksum: "00000000000000bb"), pass: .frames)
    #expect(
      throws: AggregationError.notDeterministic(
        what: "checksum 00000000000000aa in frames run 1, 00000000000000bb in frames run 3")
    ) { try runs.record() }
  }

  @Test func aChecksumThatDiffersBetweenPassesIsFoundToo() {
    var runs = runs(frames: [[1, 2, 3]], pairCosts: [0])
    runs.add(.sample(checksum: "00000000000000bb"), pass: .allocations)
    #expect(throws: AggregationError.self) { try runs.record() }
  }

  /// `net` contains the bytes by which consecutive frames enlarge the heap, and repeats until the last frame. Each
  /// frame allocates 10,000 bytes in total.
  @Test(arguments: [
    ([1_024], "1.00 KiB"), ([1_024, 0, 512], "517 B"), ([100], nil), ([9_000, -9_000], nil), ([0], nil),
    ([0, 0, 0, 0, 0, 0, 0, 0, 0, 60_000], "5.86 KiB"), ([0, 0, 0, 0, 0, 0, 0, 0, 0, 40_000], nil),
  ]) func aHeapThatGrowsWithEveryCallIsTold(_ net: [Int], _ told: String?) throws {
    var options = RunOptions()
    options.frameCount = 100
    let bytes = AllocationSeries(
      count: CountSeries(repeatElement(1, count: 100)), bytes: CountSeries(repeatElement(10_000, count: 100)))
    let none = CountSeries(repeatElement(0, count: 100))
    var allocations = AllocationRecord(
      frameThread: bytes, otherThreads: AllocationSeries(count: none, bytes: none), setUpCount: 1, setUpBytes: 20_000,
      warmUpCount: 1, warmUpBytes: 10_000)
    allocations.netBytes = CountSeries((0..<100).map { net[$0 % net.count] })
    for isFunction in [true, false] {
      var runs = BenchmarkRuns(id: id, options: options)
      var counted = RunMeasurement.sample(allocations: allocations)
      if isFunction { counted.callCount = 1 }
      runs.add(.sample(frames: [Double](repeating: 1, count: 100)), pass: .frames)
      runs.add(.sample(), pass: .phases)
      runs.add(counted, pass: .allocations)
      let warnings = try runs.record().warnings.map(\.message).filter { $0.hasPrefix("The heap grows") }
      #expect(warnings.count == (told != nil && isFunction ? 1 : 0))
      #expect(
        warnings.allSatisfy { $0.hasPrefix("The heap grows by about \(told ?? "") with every call") }, "\(warnings)")
    }
  }

  @Test func countersOfRepeatedCallsAreThoseOfOneCall() throws {
    var runs = BenchmarkRuns(id: id, options: options)
    var frames = RunMeasurement.sample(frames: [1, 2, 3], counters: ["hits": CountSeries([64, 64, 128])])
    frames.callCount = 64
    runs.add(frames, pass: .frames)
    for pass in [MeasurementPass.phases, .allocations] {
      runs.add(.sample(counters: ["hits": CountSeries([1, 1, 2])]), pass: pass)
    }
    let aggregated = try runs.record()
    #expect(aggregated.record.counters["hits"]?.values == [1, 1, 2])
    #expect(aggregated.warnings.isEmpty, "\(aggregated.warnings)")
  }

  @Test func aPhaseInsideAnotherDoesNotExplainTheFrameTwice() throws {
    let phases = [("solve", nil), ("query", true)].map { name, isInner in
      PhaseMeasurement(
        name: name, nanoseconds: [500, 500, 500], clockPairs: CountSeries([1, 1, 1]), isInner: isInner as Bool?)
    }
    var runs = BenchmarkRuns(id: id, options: options)
    runs.add(.sample(frames: [1_000, 1_000, 1_000]), pass: .frames)
    runs.add(.sample(phases: phases), pass: .phases)
    #expect(!runs.isUnexplained)
    runs.add(.sample(phases: phases), pass: .allocations)
    #expect(runs.isUnexplained)
    let warnings = try runs.record().warnings
    #expect(warnings.count == 1 && warnings[0].message.hasPrefix("50% of the median frame is outside all phases"))
  }

  @Test func whatTheAuthorShouldMendRaisesADoubt() throws {
    let faults: [(beginning: String, commit: (inout RunMeasurement) -> Void)] = [
      ("Of several measured parts only", { $0.measuresSeveralParts = true }),
      ("The first call took 110 µs, over fifty times as long", { $0.usedUpNanoseconds = 110_000 }),
      ("Set-up leaves 4,096 bytes on the heap", { $0.leakedBytes = 4_096 }),
      ("What it posts to the main queue", { $0.leavesMainQueueJobs = true }),
    ]
    for fault in faults {
      var runs = BenchmarkRuns(id: id, options: options)
      var counted = RunMeasurement.sample()
      fault.commit(&counted)
      runs.add(.sample(frames: [1, 2, 3]), pass: .frames)
      runs.add(.sample(), pass: .phases)
      runs.add(counted, pass: .allocations)
      let warnings = try runs.record().warnings.map(\.message)
      #expect(warnings.count == 1 && warnings[0].hasPrefix(fault.beginning), "\(warnings)")
    }
  }

  @Test(arguments: [0.4, nil]) func threadsThatShareOneCoreAreTold(share: Double?) throws {
    var runs = BenchmarkRuns(id: id, options: options)
    runs.add(.sample(frames: [1, 2, 3]), pass: .frames)
    runs.add(.sample(), pass: .phases)
    var measurement = RunMeasurement.sample()
    measurement.otherThreadShare = share
    runs.add(measurement, pass: .allocations)
    let told = try runs.record().warnings.filter {
      $0.message.contains("share one core, so nothing runs in parallel, and 40% of")
    }
    #expect(told.count == (share == nil ? 0 : 1))
  }

  @Test func ofRunsThatAllocateDifferentlyTheSmallestIsKeptAndTheFrameIsNamed() throws {
    var runs = BenchmarkRuns(id: id, options: options)
    runs.add(.sample(frames: [1, 2, 3]), pass: .frames)
    runs.add(.sample(), pass: .phases)
    for counts in [[0, 4, 1], [0, 2, 2]] { runs.add(.sample(allocations: record(counts)), pass: .allocations) }
    let aggregated = try runs.record()
    #expect(aggregated.record.allocations?.frameThread.count.values == [0, 2, 2])
    #expect(aggregated.warnings.count == 1)
    #expect(aggregated.warnings.first?.benchmark == id)
    #expect(aggregated.warnings.first?.message.contains("frame 1: 4 allocations of 40 bytes and 2 of 20") == true)
  }

  @Test func allocationsThatAgreeRaiseNoDoubt() throws {
    var runs = runs(frames: [[1, 2, 3]], pairCosts: [0])
    #expect(try runs.record().warnings.isEmpty)
    runs.add(.sample(allocations: record([0, 0, 0])), pass: .allocations)
    // One of the two runs of this pass did not count allocations, so the figure is unavailable and not zero.
    #expect(try runs.record().record.allocations == nil)
  }

  @Test func countersThatDifferRaiseADoubtAndKeepTheFirst() throws {
    var runs = BenchmarkRuns(id: id, options: options)
    runs.add(.sample(frames: [1, 2, 3], counters: ["hits": CountSeries([1, 1, 1])]), pass: .frames)
    runs.add(.sample(counters: ["hits": CountSeries([1, 2, 1])]), pass: .phases)
    runs.add(.sample(counters: ["hits": CountSeries([1, 1, 1])]), pass: .allocations)
    let aggregated = try runs.record()
    #expect(aggregated.record.counters["hits"]?.values == [1, 1, 1])
    #expect(
      aggregated.warnings.map(\.message) == [
        "Counter hits differs between frames run 1 and phases run 1; the first is shown."
      ])
  }

  @Test(arguments: [([900.0, 1000, 1100], true), ([60, 60, 60], false), ([8000, 8000, 8000], false)])
  func aFrameThatItsPhasesDoNotExplainRaisesADoubt(times: [Double], isPhased: Bool) throws {
    let phase = PhaseMeasurement(
      name: "solve", nanoseconds: isPhased ? [400, 400, 400] : times.map { $0 - 49 },
      clockPairs: CountSeries([1, 1, 1]))
    for endsWithBody in [false, true] {
      var runs = BenchmarkRuns(id: id, options: options)
      var frames = RunMeasurement.sample(frames: times)
      frames.endsWithBody = endsWithBody
      runs.add(frames, pass: .frames)
      runs.add(.sample(phases: [phase]), pass: .phases)
      runs.add(.sample(), pass: .allocations)
      let warnings = try runs.record().warnings
      #expect(runs.isUnexplained == isPhased)
      #expect(warnings.count == (isPhased ? 1 : 0), "\(warnings)")
      let advice = endsWithBody ? "Call timer.endFrame() before" : "measure again"
      #expect(
        warnings.allSatisfy {
          $0.message.hasPrefix("60% of the median frame is outside all phases") && $0.message.contains(advice)
        })
    }
  }

  /// Each of two phases runs in only some frames, so the medians of phases do not add up to the median of frames.
  @Test func phasesExplainTheFrameThatTheyAreIn() {
    #expect(
      BenchmarkRecord.unexplained(frames: [1_000, 500, 500], phases: [[500, 0, 500], [500, 500, 0]], pairCost: 20)
        == nil)
    #expect(
      BenchmarkRecord.unexplained(
        frames: [1_000, 1_000, 3_000], phases: [[800, 0, 2_700], [0, 800, 0]], pairCost: 20) == 200)
  }

  @Test func aCallThatTakesNoTimeRaisesADoubt() throws {
    for (callCount, nanoseconds, isDoubtful) in [(1_024, 0.05, true), (1_024, 0.4, false), (nil, 0.05, false)]
      as [(Int?, Double, Bool)]
    {
      var runs = BenchmarkRuns(id: id, options: options)
      var frames = RunMeasurement.sample(frames: Array(repeating: nanoseconds, count: 3))
      frames.clock.pairCostNanoseconds = 0
      frames.callCount = callCount
      runs.add(frames, pass: .frames)
      runs.add(.sample(), pass: .phases)
      runs.add(.sample(), pass: .allocations)
      let warnings = try runs.record().warnings
      #expect(
        warnings.map { $0.message.hasPrefix("A call takes no longer than that of an empty function") }
          == (isDoubtful ? [true] : []), "\(warnings)")
    }
  }

  @Test func memoryIsTheLeastOverTheRunsThatTimeFrames() throws {
    var runs = BenchmarkRuns(id: id, options: options)
    for (peak, live) in [(900, nil), (700, 80), (800, 60)] as [(Int, Int?)] {
      let memory = MemoryRecord(peakResidentBytes: peak, liveHeapBytes: live)
      runs.add(.sample(frames: [1, 2, 3], memory: memory), pass: .frames)
    }
    runs.add(.sample(), pass: .phases)
    runs.add(.sample(), pass: .allocations)
    #expect(try runs.record().record.memory == MemoryRecord(peakResidentBytes: 700, liveHeapBytes: 60))
  }

  @Test func aReplyWithTooFewFramesIsRefused() {
    let runs = runs(frames: [[1, 2]], pairCosts: [0])
    #expect(throws: AggregationError.malformed(what: "2 frames of frame times in frames run 1, not 3")) {
      try runs.record()
    }
  }

  @Test func aPassWithoutARunIsRefused() {
    var runs = BenchmarkRuns(id: id, options: options)
    runs.add(.sample(frames: [1, 2, 3]), pass: .frames)
    #expect(throws: AggregationError.malformed(what: "no run of the pass phases")) { try runs.record() }
  }

  private var options: RunOptions {
    var options = RunOptions()
    options.frameCount = 3
    return options
  }

  private func record(_ counts: [Int]) -> AllocationRecord {
    AllocationRecord(
      frameThread: AllocationSeries(count: CountSeries(counts), bytes: CountSeries(counts.map { $0 * 10 })),
      otherThreads: AllocationSeries(count: CountSeries([0, 0, 0]), bytes: CountSeries([0, 0, 0])), setUpCount: 1,
      setUpBytes: 10, warmUpCount: 0, warmUpBytes: 0)
  }

  private func runs(frames: [[Double]], pairCosts: [Double]) -> BenchmarkRuns {
    var runs = BenchmarkRuns(id: id, options: options)
    for (frames, cost) in zip(frames, pairCosts) { runs.add(.sample(frames: frames, pairCost: cost), pass: .frames) }
    runs.add(.sample(), pass: .phases)
    runs.add(.sample(), pass: .allocations)
    return runs
  }

  private func withPhases(_ original: BenchmarkRuns, _ phases: [PhaseMeasurement], pairCost: Double) -> BenchmarkRuns {
    var runs = BenchmarkRuns(id: id, options: options)
    for run in original.runs[.frames] ?? [] { runs.add(run, pass: .frames) }
    runs.add(.sample(phases: phases, pairCost: pairCost), pass: .phases)
    runs.add(.sample(), pass: .allocations)
    return runs
  }
}
