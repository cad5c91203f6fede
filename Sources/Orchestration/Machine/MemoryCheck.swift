import Foundation
import Measurements

/// Refuses sizes whose memory is not available, before they are tried.
struct MemoryCheck {
  /// Nil where the system does not tell: then nothing is refused.
  var availableBytes: Int?

  func check(_ benchmarks: [PlannedBenchmark], _ options: RunOptions) throws(UsageError) {
    guard let availableBytes else { return }
    for benchmark in benchmarks {
      let needed = benchmark.scenario.options.memoryEstimate(benchmark.context(options))
      guard needed > availableBytes else { continue }
      throw UsageError(
        "--sizes",
        "\(benchmark.id) needs about \(Self.text(needed)) of memory, but only \(Self.text(availableBytes)) is available",
        remedy: "choose a size below \(benchmark.id.size), or leave it out with --skip")
    }
  }

  static func text(_ bytes: Int) -> String {
    let units = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)]
    guard let unit = units.first(where: { bytes >= $0.1 }) else { return "\(bytes) bytes" }
    return "\(String(format: "%.1f", Double(bytes) / Double(unit.1))) \(unit.0)"
  }
}
