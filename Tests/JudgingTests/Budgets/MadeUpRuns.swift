import Judging

@testable import FrameBench
@testable import Measurements

/// Helpers for tests of budgets: runs of made-up figures and budget files.
protocol MadeUpRuns {}

extension MadeUpRuns {
  /// Returns a record of 100 frames. The last ten take `worst` nanoseconds, and the others `cost` nanoseconds.
  func record(_ strategy: String, _ size: Int, cost: Double, worst: Double? = nil, allocations: Int = 0)
    -> BenchmarkRecord
  {
    let frames = (0..<100).map { $0 < 90 ? cost : worst ?? cost }
    let time = TimeRecord(
      alignedNanoseconds: frames,
      pooled: PooledTimes(sampleCount: 100, p50: cost, p90: cost, p99: cost, max: cost, mean: cost))
    let none = CountSeries(Array(repeating: 0, count: 100))
    let some = CountSeries((0..<100).map { $0 == 50 ? allocations : 0 })
    return BenchmarkRecord(
      id: BenchmarkID(scenario: "s", strategy: strategy, size: size), frame: time,
      phases: [PhaseRecord(name: "solve", time: time, allocations: nil)],
      allocations: AllocationRecord(
        frameThread: AllocationSeries(count: some, bytes: none),
        otherThreads: AllocationSeries(count: none, bytes: none), setUpCount: 1, setUpBytes: 1, warmUpCount: 0,
        warmUpBytes: 0), counters: [:], memory: MemoryRecord(peakResidentBytes: 3 << 20, liveHeapBytes: nil),
      checksum: "0000000000000000")
  }

  func document(_ records: [BenchmarkRecord], failures: [BenchmarkFailure] = []) -> RunDocument {
    RunDocument(
      suite: "s", startedAt: "2026-11-21T06:47:12Z", durationSeconds: 1, arguments: [], options: RunOptions(),
      environment: Environment(
        machine: "m", cpuModel: nil, coreCount: 2, memoryBytes: nil, kernel: "k", operatingSystem: nil,
        isVirtualMachine: nil, commit: nil, isDirty: nil, toolchain: "Swift 6.3.1", buildConfiguration: "release",
        allocator: "jemalloc 5.3.0",
        clock: ClockRecord(source: "tsc", pairCostNanoseconds: 20, resolutionNanoseconds: 1), loadAverage: nil),
      benchmarks: records, failures: failures)
  }

  func findings(
    _ yaml: String, _ records: [BenchmarkRecord], expected: [BenchmarkID]? = nil, today: String = "2026-11-21"
  ) throws -> [BudgetFinding] {
    let ids = expected ?? records.map(\.id)
    return try BudgetCheck.findings(
      BudgetFile(reading: yaml, path: "b.yml"), document(records), known: ids, expected: ids, today: today)
  }

  func limits(_ ids: String, _ lines: String...) -> String {
    "  - ids: '\(ids)'\n    limits:\n" + lines.map { "      \($0)\n" }.joined()
  }
}
