import FrameBench
import Measurements
import TextFormat

/// JSON for github-action-benchmark's tool `customSmallerIsBetter`: a chart for each name, an alert where
/// a value grows by more than a factor.
///
/// So it holds only what is better when it is smaller: the frame's p50 and p99, allocations, springs and
/// items simulated, memory. Phases, and counters whose direction only the scenario knows, stay out.
package struct GitHubBenchmarkReport: Sendable {
  private let document: RunDocument

  package init(_ document: RunDocument) {
    self.document = document
  }

  /// An array in the order of the document; what was not measured has no entry.
  package func render() -> String {
    JSONTree.array(document.benchmarks.flatMap(entries)).render()
  }

  private func entries(_ record: BenchmarkRecord) -> [JSONTree] {
    var entries: [JSONTree] = []
    for statistic in [FlatRow.Statistic.p50, .p99] {
      guard let time = record.frame.timing(statistic), time.nanoseconds.isFinite else { continue }
      entries.append(
        entry(
          record, "frame \(statistic.rawValue)", time.nanoseconds, "ns",
          range: time.halfWidth.map { "± \(JSONText.number($0))" }))
    }
    let counts: [(name: String, series: CountSeries?, unit: String)] = [
      ("allocations", record.allocations?.frameThread.count, "allocations/frame"),
      ("allocated bytes", record.allocations?.frameThread.bytes, "bytes/frame"),
      ("active items", record.counters[BenchmarkRecord.activeCounterName], "items/frame"),
      ("spring evaluations", record.counters[BenchmarkRecord.springCounterName], "springs/frame"),
    ]
    for count in counts {
      guard let mean = count.series?.mean else { continue }
      entries.append(entry(record, count.name, mean, count.unit))
    }
    if let bytes = record.memory.peakResidentBytes {
      entries.append(entry(record, "peak resident memory", Double(bytes), "bytes"))
    }
    return entries
  }

  private func entry(
    _ record: BenchmarkRecord, _ name: String, _ value: Double, _ unit: String, range: String? = nil
  ) -> JSONTree {
    .object(
      [
        ("name", .string("\(record.id) \(name)")), ("unit", .string(unit)), ("value", .number(value)),
      ] + (range.map { [("range", .string($0))] } ?? []) + [("extra", .string(extra(record)))])
  }

  /// Shown where the pointer rests on a point of the chart: what it takes for two points to compare.
  private func extra(_ record: BenchmarkRecord) -> String {
    let environment = document.environment
    let options = document.options
    return [
      "\(record.frame.alignedNanoseconds.count) frames, each the minimum of \(options.runsPhrase([record]))",
      "\(environment.machine), \(environment.toolchain), \(environment.buildConfiguration)",
      "checksum \(record.checksum)",
    ].joined(separator: "\n")
  }
}
