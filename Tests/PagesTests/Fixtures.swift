@testable import FrameBench
@testable import Measurements

/// The documents for tests, by name. Tests take a name as argument, because a document would be long when printed.
enum Fixture: String, CaseIterable, Sendable {
  case twoStrategies = "two-strategies"
  case troubled
  case oneStrategy = "one-strategy"

  var document: RunDocument {
    switch self {
    case .twoStrategies: Fixtures.twoStrategies
    case .troubled: Fixtures.troubled
    case .oneStrategy: Fixtures.oneStrategy
    }
  }
}

/// Run documents like those that the harness writes. They are the same every time.
enum Fixtures {
  /// A run of the strategies naive and tiled at three sizes, without any problem.
  static let twoStrategies: RunDocument = {
    document(
      [100, 1_000, 10_000].flatMap { size in
        [naive(size, nanosecondsPerItem: 13.7, frames: 1_200), tiled(size, frames: 1_200)]
      })
  }()

  /// A run of the strategies naive, tiled and exact in two scenarios, with many problems: missing combinations, a
  /// missed budget, some allocations, and a debug build with local changes on an unknown CPU.
  static let troubled: RunDocument = {
    let count = 10
    let none = Array(repeating: 0, count: count - 3)
    let spike = CountSeries([0, 0, 3] + none)
    var plain = naive(1_000, frames: count).keeping(["solve"], ["springEvaluations"])
    plain.phases[0].allocations = nil
    var allocating = tiled(1_000, frames: count).keeping(["solve", "prepare"], ["springEvaluations", "tileChurn"])
    allocating.allocations = allocations(count: spike, bytesEach: 48, otherThreads: CountSeries([0, 1, 0] + none))
    allocating.phases[0].allocations = nil
    allocating.phases[1].allocations = AllocationSeries(count: spike, bytes: CountSeries([0, 0, 144] + none))
    var exact = tiled(1_000, frames: count).keeping([], []).uncounted
    exact.id.strategy = "exact"
    exact.checksum = plain.checksum
    exact.phases = [PhaseRecord(name: "re|play", time: times(frame: 900, spread: 40, count: count), allocations: nil)]
    exact.memory = MemoryRecord()
    exact.counters["replayed|steps"] = CountSeries([4, 0, 12] + none)
    var slow = naive(100_000, nanosecondsPerItem: 95, frames: count).keeping(["solve"], ["activeItems"]).uncounted
    slow.frame.pooled.max = 31_650_000
    var other = naive(50, frames: count).keeping(["solve"], []).uncounted
    other.id.scenario = "grid*s"
    var result = document([plain, allocating, exact, slow, other], frameCount: count)
    result.options.refreshRateHertz = 90
    result.failures = [
      BenchmarkFailure(
        id: BenchmarkID(scenario: "springs", strategy: "exact", size: 100_000),
        reason: "the worker was ended by signal 11 (segmentation fault) in frame 17 | run 2",
        standardError: "Fatal error: Index out of range\n```\nbacktrace"),
      BenchmarkFailure(
        id: BenchmarkID(scenario: "cradle", strategy: "naive", size: 5),
        reason: "5,000 MiB of memory are needed, 3,900 are there", standardError: ""),
    ]
    result.warnings = [
      Warning("The load average was 3.9 on 4 cores; run on an idle machine."),
      Warning(
        "60 Hz springs of *high* frequency | at 90 Hz.",
        benchmark: BenchmarkID(scenario: "springs", strategy: "tiled", size: 1_000)),
      Warning("The size is odd.", benchmark: BenchmarkID(scenario: "cradle", strategy: "naive", size: 5)),
    ]
    result.environment.buildConfiguration = "debug"
    result.environment.isDirty = true
    result.environment.cpuModel = nil
    result.environment.loadAverage = nil
    return result
  }()

  /// A run of a single strategy at a single size, without counters and without counted allocations.
  static let oneStrategy: RunDocument = {
    var record = naive(250).uncounted
    record.id.strategy = "mine"
    record.counters = [:]
    var result = document([record])
    result.suite = "mine"
    return result
  }()

  static func document(_ benchmarks: [BenchmarkRecord], frameCount: Int = 1_200) -> RunDocument {
    var options = RunOptions()
    options.frameCount = frameCount
    return RunDocument(
      suite: "springs", startedAt: "2026-11-21T06:47:12Z", durationSeconds: 41.27,
      arguments: ["run", "--filter", "springs/(naive|tiled)", "--sizes", "100,1000,10000"], options: options,
      environment: environment, benchmarks: benchmarks)
  }

  static var environment: Environment {
    Environment(
      machine: "amd-epyc-4c", cpuModel: "AMD EPYC 9B14", coreCount: 4, memoryBytes: 16_785_002_496,
      kernel: "6.1.0-28-cloud-amd64", operatingSystem: "Debian GNU/Linux 12 (bookworm)", isVirtualMachine: true,
      commit: "6a73046c5a1f0d9e1b7a64a7d1f1d8c5d7c0a001", isDirty: false, toolchain: "Swift 6.3.1",
      buildConfiguration: "release", allocator: "jemalloc 5.3.0",
      clock: ClockRecord(source: "tsc", pairCostNanoseconds: 18.6, resolutionNanoseconds: 9.6), loadAverage: 0.08)
  }

  /// Returns the record of a strategy whose cost grows linearly with the number of items.
  static func naive(_ size: Int, nanosecondsPerItem: Double = 1.6, frames: Int? = nil) -> BenchmarkRecord {
    let items = Double(size)
    let part = items * nanosecondsPerItem
    return record(
      "naive", size, frame: 180 + part, spread: 0.09 * part + 8,
      phases: [20 + 0.42 * part, 12 + 0.4 * part, 6, 140 + 0.18 * part],
      active: CountSeries(Array(repeating: size, count: frames ?? frameCount(size))),
      churn: CountSeries(Array(repeating: 0, count: frames ?? frameCount(size))), peak: 9_400_000 + size * 310,
      live: 41_000 + size * 176, checksum: "9c4e1f0a77d2\(hex(size))")
  }

  /// Returns the record of a strategy whose cost depends only on the number of visible items.
  static func tiled(_ size: Int, frames: Int? = nil) -> BenchmarkRecord {
    let count = frames ?? frameCount(size)
    return record(
      "tiled", size, frame: 318, spread: 46, phases: [38, 21, 104, 142],
      active: CountSeries((0..<count).map { 13 + $0 / 7 % 3 }),
      churn: CountSeries((0..<count).map { $0 % 7 == 0 ? 2 : 0 }), peak: 9_390_000 + size * 96, live: 47_300,
      checksum: "03be7c55e1a0\(hex(size))")
  }

  /// Returns the number of frames, which is small at the sizes used in tests of formats.
  private static func frameCount(_ size: Int) -> Int { [50, 1_000, 100_000].contains(size) ? 24 : 1_200 }

  private static func record(
    _ strategy: String, _ size: Int, frame: Double, spread: Double, phases: [Double], active: CountSeries,
    churn: CountSeries, peak: Int, live: Int, checksum: String
  ) -> BenchmarkRecord {
    let count = active.count
    let none = CountSeries(Array(repeating: 0, count: count))
    return BenchmarkRecord(
      id: BenchmarkID(scenario: "springs", strategy: strategy, size: size),
      frame: times(frame: frame, spread: spread, count: count),
      phases: zip(["boundsChange", "solve", "prepare", "query"], phases).map { name, cost in
        PhaseRecord(
          name: name, time: times(frame: cost, spread: cost * 0.12, count: count),
          allocations: AllocationSeries(count: none, bytes: none))
      }, allocations: allocations(count: none, bytesEach: 0, otherThreads: none),
      counters: [
        "activeItems": active, "springEvaluations": active, "tileChurn": churn,
        "visibleItems": CountSeries((0..<count).map { 11 + $0 / 9 % 2 }),
      ],
      memory: MemoryRecord(
        peakResidentBytes: peak, liveHeapBytes: live, pageFaultCount: 1_204, contextSwitchCount: 3,
        cpuUserNanoseconds: 41_300_000, cpuSystemNanoseconds: 2_100_000, readCallCount: 0, writeCallCount: 2),
      checksum: checksum)
  }

  static func allocations(count: CountSeries, bytesEach: Int, otherThreads: CountSeries) -> AllocationRecord {
    AllocationRecord(
      frameThread: AllocationSeries(count: count, bytes: CountSeries(count.values.map { $0 * bytesEach })),
      otherThreads: AllocationSeries(count: otherThreads, bytes: CountSeries(otherThreads.values.map { $0 * 64 })),
      setUpCount: 218, setUpBytes: 39_104, warmUpCount: 6, warmUpBytes: 1_312)
  }

  /// Returns the times of frames: one in nine takes longer than the others, one in ninety much longer.
  static func times(frame: Double, spread: Double, count: Int = 24) -> TimeRecord {
    let aligned = (0..<count).map { index -> Double in
      let heavier = index % 90 == 40 ? 6.0 : index % 9 == 4 ? 1.5 : 0
      let ripple = Double(index * 7_919 % 101) / 101
      return ((frame + spread * (ripple + heavier)) * 10).rounded() / 10
    }
    let sorted = aligned.sorted()
    func figures(_ scale: Double) -> TimeFigures {
      TimeFigures(
        all: [sorted[count / 2], sorted[count * 9 / 10], sorted[count * 99 / 100], sorted[count - 1], frame].map {
          ($0 * scale).rounded()
        })
    }
    return TimeRecord(
      alignedNanoseconds: aligned,
      pooled: PooledTimes(
        sampleCount: count * 20, p50: sorted[count / 2] * 1.04, p90: sorted[count * 9 / 10] * 1.09,
        p99: sorted[count * 99 / 100] * 1.6, max: sorted[count - 1] * 1.7 + 34_531, mean: sorted[count / 2] * 1.07),
      runs: [1.01, 1.02, 1.04].map(figures), halfWidths: figures(0.02))
  }

  private static func hex(_ size: Int) -> String {
    let text = String(size, radix: 16)
    return String(repeating: "0", count: max(0, 4 - text.count)) + text.suffix(4)
  }
}

extension BenchmarkRecord {
  /// Returns a copy with only these phases and counters, so that its output is short enough to read.
  func keeping(_ phaseNames: [String], _ counterNames: [String]) -> BenchmarkRecord {
    var record = self
    record.phases.removeAll { !phaseNames.contains($0.name) }
    record.counters = counters.filter { counterNames.contains($0.key) }
    return record
  }

  /// A copy of the record without counts of allocations.
  var uncounted: BenchmarkRecord {
    var record = self
    record.allocations = nil
    for index in record.phases.indices { record.phases[index].allocations = nil }
    return record
  }
}
