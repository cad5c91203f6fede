import Foundation

@testable import FrameBench
@testable import Judging
@testable import Measurements

/// Makes nights with made-up figures.
struct MadeUpNights {
  var id = BenchmarkID(scenario: "s", strategy: "a", size: 10)
  var metric = "frameNanoseconds.p50"

  func night(
    _ number: Int, _ value: Double?, toolchain: String = "Swift 6.3.1", ids: [BenchmarkID]? = nil,
    checksum: String = "0", options: RunOptions? = RunOptions()
  ) -> Night {
    let environment = Environment(
      machine: "m", cpuModel: nil, coreCount: 2, memoryBytes: nil, kernel: "k", operatingSystem: nil,
      isVirtualMachine: nil, commit: String(format: "c%06d", number), isDirty: false, toolchain: toolchain,
      buildConfiguration: "release", allocator: "jemalloc 5.3.0",
      clock: ClockRecord(source: "tsc", pairCostNanoseconds: 20, resolutionNanoseconds: 1), loadAverage: nil)
    return Night(
      suite: "s",
      startedAt: String(format: "%d-%02d-%02dT03:00:00Z", 2026 + number / 336, 1 + number % 336 / 28, 1 + number % 28),
      environment: environment, options: options, metrics: [metric],
      benchmarks: (ids ?? [id]).map { Night.Benchmark(id: $0, checksum: checksum, values: [value]) }, failures: [],
      announced: [])
  }

  /// Returns a night whose code was compared with the code of an earlier night.
  func night(_ number: Int, _ value: Double, ratio: CodeRatio?, base: Int? = nil, _ rows: [ComparisonRow] = []) -> Night
  {
    var night = night(number, value)
    night.comparison = comparison(of: number, with: base ?? number - 1, rows)
    night.benchmarks[0].ratio = ratio
    return night
  }

  func comparison(of number: Int, with base: Int, _ rows: [ComparisonRow]) -> ComparisonDocument {
    let builds = [base, number].map { BuildName(name: "night \($0)", commit: String(format: "c%06d", $0)) }
    return ComparisonDocument(
      startedAt: "2026-01-01T03:00:00Z", durationSeconds: 1, arguments: [], baseline: builds[0], candidate: builds[1],
      options: RunOptions(), method: ComparisonMethod(source: .lockStep, ComparisonRule(tolerance: 0.01), seed: 1),
      rows: rows)
  }

  /// Returns values with a regular ripple, by default of half a percent. Each element of `levels` is a level and its
  /// number of values.
  func values(_ levels: [(Double, Int)], ripple: Double = 0.005) -> [Double] {
    var position = 0
    return levels.flatMap { level, count in
      (0..<count).map { _ in
        position += 1
        return level * (1 + ripple * sin(Double(position) * 2.4))
      }
    }
  }

  func nights(_ levels: (Double, Int)..., ripple: Double = 0.005) -> [Night] {
    values(levels, ripple: ripple).enumerated().map { night($0, $1) }
  }
}
