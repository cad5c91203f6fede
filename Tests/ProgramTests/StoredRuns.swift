import Foundation

@testable import FrameBench
@testable import Measurements
@testable import Platform

/// Writes small run documents to the disk.
enum StoredRuns {
  static func document(
    _ id: String = "springs/naive/10", machine: String = "desk", allocations: [Int] = [0, 0],
    times: [Double] = [100, 120], checksum: String = "00000000000000aa", toolchain: String = "Swift 6.3.1",
    startedAt: String = "2026-11-21T06:47:12Z"
  ) throws -> RunDocument {
    guard let id = BenchmarkID(id) else { throw BadID() }
    let clock = ClockRecord(source: "tsc", pairCostNanoseconds: 20, resolutionNanoseconds: 10)
    let environment = Environment(
      machine: machine, cpuModel: nil, coreCount: 4, memoryBytes: nil, kernel: "6", operatingSystem: nil,
      isVirtualMachine: nil, commit: nil, isDirty: nil, toolchain: toolchain, buildConfiguration: "release",
      allocator: "jemalloc 5.3.0", clock: clock, loadAverage: nil)
    let count = allocations.count
    let pooled = PooledTimes(sampleCount: count, p50: 110, p90: 120, p99: 120, max: 120, mean: 110)
    let some = AllocationSeries(count: CountSeries(allocations), bytes: CountSeries(allocations.map { $0 * 48 }))
    let zeros = CountSeries(Array(repeating: 0, count: count))
    let none = AllocationSeries(count: zeros, bytes: zeros)
    let time = TimeRecord(alignedNanoseconds: times, pooled: pooled)
    let record = BenchmarkRecord(
      id: id, frame: time, phases: [PhaseRecord(name: "solve", time: time, allocations: some)],
      allocations: AllocationRecord(
        frameThread: some, otherThreads: none, setUpCount: 1, setUpBytes: 1, warmUpCount: 0, warmUpBytes: 0),
      counters: [:], memory: MemoryRecord(), checksum: checksum)
    var options = RunOptions()
    options.frameCount = count
    return RunDocument(
      suite: "fixture", startedAt: startedAt, durationSeconds: 1, arguments: ["run"], options: options,
      environment: environment, benchmarks: [record])
  }

  @discardableResult static func write(_ document: RunDocument, to path: String) throws -> String {
    let folder = (path as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try document.encoded().write(to: URL(fileURLWithPath: path))
    return path
  }

  private struct BadID: Error {}
}
