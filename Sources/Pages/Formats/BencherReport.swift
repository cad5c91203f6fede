import FrameBench
import Measurements
import TextFormat

/// Bencher Metric Format: benchmark → measure → value with a lower and an upper one.
///
/// The measure `latency` is Bencher's own (nanoseconds): the p50 frame and its interval. The other measures are slugs that Bencher creates when it meets them.
package struct BencherReport: Sendable {
  private let document: RunDocument

  package init(_ document: RunDocument) {
    self.document = document
  }

  /// - Throws: `ReportFormatError.nameTooLong`: Bencher takes names of 1,024 bytes of UTF-8 for
  ///   benchmarks and of 64 for measures.
  package func render() throws -> String {
    var slugs = UniqueNames(taken: Self.ownMeasures, separator: "-", spell: UniqueNames.slug)
    let benchmarks = try document.benchmarks.map { record in
      let id = try Self.checked(record.id.description, limit: 1_024)
      return (key: id, value: JSONTree.object(try measures(record, &slugs)))
    }
    return JSONTree.object(benchmarks.filter { !$0.value.isEmptyObject }).render()
  }

  private static let ownMeasures: Set<String> = [
    "latency", "latency-p99", "allocations", "allocated-bytes", "other-thread-allocations",
    "other-thread-allocated-bytes",
    "deviation-points", "peak-resident-bytes", "live-heap-bytes",
  ]

  private func measures(
    _ record: BenchmarkRecord, _ slugs: inout UniqueNames
  ) throws -> [(key: String, value: JSONTree)] {
    var measures: [(key: String, value: JSONTree)] = []
    func add(_ name: String, _ value: Double?, lower: Double? = nil, upper: Double? = nil) throws {
      guard let value, value.isFinite else { return }
      let bounds = [("lower_value", lower), ("upper_value", upper)].compactMap { key, bound in
        bound.flatMap { $0.isFinite ? (key: key, value: JSONTree.number($0)) : nil }
      }
      measures.append(
        (try Self.checked(name, limit: 64), .object([(key: "value", value: .number(value))] + bounds)))
    }
    func add(_ name: String, _ series: CountSeries?) throws {
      guard let summary = series?.summary else { return }
      try add(name, summary.mean, lower: summary.min, upper: summary.max)
    }
    func add(_ name: String, _ time: Timing?) throws {
      let width = time?.halfWidth
      try add(
        name, time?.nanoseconds, lower: time.flatMap { time in width.map { max(0, time.nanoseconds - $0) } },
        upper: time.flatMap { time in width.map { time.nanoseconds + $0 } })
    }
    try add("latency", record.frame.timing(.p50))
    try add("latency-p99", record.frame.timing(.p99))
    for phase in record.phases {
      try add(slugs("\(phase.name) latency", kind: "phase"), phase.time.timing(.p50))
    }
    try add("allocations", record.allocations?.frameThread.count)
    try add("allocated-bytes", record.allocations?.frameThread.bytes)
    try add("other-thread-allocations", record.allocations?.otherThreads.count)
    try add("other-thread-allocated-bytes", record.allocations?.otherThreads.bytes)
    for name in [record].counterNames { try add(slugs(name), record.counters[name]) }
    try add("deviation-points", record.deviation?.largestDistance)
    try add("peak-resident-bytes", record.memory.peakResidentBytes.map(Double.init))
    try add("live-heap-bytes", record.memory.liveHeapBytes.map(Double.init))
    return measures
  }

  private static func checked(_ name: String, limit: Int) throws -> String {
    guard name.utf8.count <= limit else {
      throw ReportFormatError.nameTooLong(.bmf, name: name, limit: limit)
    }
    return name
  }
}

extension JSONTree {
  fileprivate var isEmptyObject: Bool {
    if case .object(let members) = self { members.isEmpty } else { false }
  }
}
