import Foundation
import FrameBench
import Measurements
import TextFormat

/// What suites say of benchmarks before they are run.
struct PreflightChecks {
  private let benchmarks: [PlannedBenchmark]
  private let options: RunOptions
  private let found: [BenchmarkID: Preflight]

  init(_ benchmarks: [PlannedBenchmark], _ options: RunOptions, _ catalogue: Catalogue) async throws {
    let found = try await catalogue.preflight(benchmarks.map(\.id), options)
    self.init(benchmarks, options, found: found)
  }

  init(_ benchmarks: [PlannedBenchmark], _ options: RunOptions, found: [BenchmarkID: Preflight]) {
    self.benchmarks = benchmarks
    self.options = options
    self.found = found
  }

  /// Refuses sizes whose memory is not available, before they are tried.
  ///
  /// - Parameter availableBytes: Nil where the system does not tell: then nothing is refused.
  func checkMemory(availableBytes: Int?) throws(UsageError) {
    guard let availableBytes else { return }
    for id in benchmarks.map(\.id) {
      let needed = found[id]?.memoryBytes ?? 0
      guard needed > availableBytes else { continue }
      throw UsageError(
        "--sizes",
        "\(id) needs about \(Self.text(needed)) of memory, but only \(Self.text(availableBytes)) is available",
        remedy: "choose a size below \(id.size), or leave it out with --skip")
    }
  }

  static func text(_ bytes: Int) -> String {
    let units = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)]
    guard let unit = units.first(where: { bytes >= $0.1 }) else { return "\(bytes) bytes" }
    return "\(String(format: "%.1f", Double(bytes) / Double(unit.1))) \(unit.0)"
  }

  /// Doubts of scenarios about their configuration; what several say alike is said once, of the whole run.
  /// - Throws: Where a benchmark cannot be set up.
  func warnings() throws(UsageError) -> [Warning] {
    var warnings: [Warning] = []
    for id in benchmarks.map(\.id) {
      if let problem = found[id]?.problem { throw UsageError("\(id) cannot be set up: \(problem)") }
      for warning in found[id]?.warnings ?? [] {
        if let known = warnings.firstIndex(where: { $0.message == warning.message }) {
          warnings[known].benchmark = nil
        } else {
          warnings.append(Warning(warning.message, benchmark: warning.benchmark ?? id))
        }
      }
    }
    return warnings
  }

  /// The stretches of all scenarios and sizes among the benchmarks, each once, in their order.
  /// - Throws: Where a scenario cannot name them, or names another number of frames than a run has.
  func stretches() throws(UsageError) -> [StretchRecord] {
    var records: [StretchRecord] = []
    for benchmark in benchmarks where benchmark.scenario.namesStretches {
      let (id, name, size) = (benchmark.id, benchmark.id.variant, benchmark.id.size)
      guard !records.contains(where: { $0.scenario == name && $0.size == size }) else { continue }
      if let problem = found[id]?.stretchProblem {
        throw UsageError("\(id) cannot name its stretches: \(problem)")
      }
      let options = options.of(scenario: id.scenario)
      let (names, count) = (found[id]?.stretches ?? [], options.warmUpFrameCount + options.frameCount)
      guard names.count == count else {
        throw UsageError(
          "scenario \"\(name)\" names the stretches of \(Format.plural(names.count, "frame")) at"
            + " \(Format.items(size)), and a run has \(Format.integer(count))",
          remedy: "return a name for each frame, the warm-up included")
      }
      records.append(
        StretchRecord(scenario: name, size: size, frameNames: names.dropFirst(options.warmUpFrameCount)))
    }
    return records
  }
}
