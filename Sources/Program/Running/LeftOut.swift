import FrameBench
import TextFormat

/// Benchmarks that `--quick` leaves out.
struct LeftOut {
  private let benchmarks: [PlannedBenchmark]

  init(_ benchmarks: [PlannedBenchmark]) {
    self.benchmarks = benchmarks
  }

  /// For the report: what was left out, and how to measure it. Nil if nothing was left out.
  var note: Warning? {
    guard !benchmarks.isEmpty else { return nil }
    var sizes: [(scenario: String, sizes: [Int])] = []
    for id in benchmarks.map(\.id) {
      if sizes.last?.scenario != id.variant { sizes.append((id.variant, [])) }
      if sizes[sizes.count - 1].sizes.last != id.size { sizes[sizes.count - 1].sizes.append(id.size) }
    }
    let names = sizes.map { "\($0.scenario) at \(Format.list($0.sizes.map { Format.integer($0) }))" }
    return Warning(
      "--quick left out \(names.joined(separator: "; ")). Run without it, or select them with --filter or --sizes."
    )
  }
}
