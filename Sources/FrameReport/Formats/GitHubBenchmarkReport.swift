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
    if let aligned = record.frame.aligned, aligned.max.isFinite {
      let raw = record.frame.pooled
      entries.append(time(record, "frame p50", aligned.p50, raw: raw.sampleCount > 0 ? raw.p50 : nil))
      entries.append(time(record, "frame p99", aligned.p99, raw: raw.sampleCount > 0 ? raw.p99 : nil))
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

  /// The range is how far the machine's noise lifted the raw quantile above that of the aligned frames.
  private func time(_ record: BenchmarkRecord, _ name: String, _ value: Double, raw: Double?) -> JSONTree {
    let noise = raw.flatMap { $0.isFinite ? $0 : nil }.map {
      "± \(JSONText.number((max(0, $0 - value) * 10).rounded() / 10))"
    }
    return entry(record, name, value, "ns", range: noise)
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
