import FrameBench
import Statistics
import TextFormat

/// A run as one list of figures for scripts: each a benchmark, a metric, a phase and a statistic.
///
/// Times are those of the aligned frames; `pooledFrameNanoseconds` holds the raw ones. What was not
/// measured has no row: a script never takes an absent count for 0.
public struct FlatRows: Sendable, Hashable {
  /// By benchmark in the order of the document, then metric, then phase, then statistic.
  public let rows: [FlatRow]

  public init(_ document: RunDocument) {
    rows = document.benchmarks.flatMap { record in
      Self.rows(of: record, document.options) + Self.capacityRows(record.id, document)
    }
  }

  /// One JSON array, a row a line; every row has all six keys.
  public func json() -> String { JSONText.rows(rows.map(\.json)) }

  private static func rows(of record: BenchmarkRecord, _ options: RunOptions) -> [FlatRow] {
    var rows = times(record) + budgetRows(record, options)
    if let allocations = record.allocations {
      rows += counts(record.id, "allocationCount", allocations.frameThread.count)
      rows += phaseCounts(record, "allocationCount", \.count)
      rows += counts(record.id, "allocatedBytes", allocations.frameThread.bytes, unit: "bytes")
      rows += phaseCounts(record, "allocatedBytes", \.bytes, unit: "bytes")
      rows += counts(record.id, "otherThreadAllocationCount", allocations.otherThreads.count)
    }
    if let instructions = record.instructions { rows += counts(record.id, "instructionCount", instructions) }
    if let instructions = record.hardwareInstructions {
      rows += counts(record.id, "hardwareInstructionCount", instructions)
    }
    for name in [record].counterNames {
      rows += record.counters[name].map { counts(record.id, name, $0) } ?? []
    }
    let memory = [
      ("peakResidentBytes", record.memory.peakResidentBytes), ("liveHeapBytes", record.memory.liveHeapBytes),
    ]
    for case (let metric, let bytes?) in memory {
      rows.append(total(record.id, metric, .number(Double(bytes)), unit: "bytes"))
    }
    return rows + deviations(record) + [total(record.id, "checksum", .text(record.checksum), unit: "hex")]
  }

  private static func deviations(_ record: BenchmarkRecord) -> [FlatRow] {
    guard let deviation = record.deviation else { return [] }
    let metric = "deviationPoints"
    let distances = [
      (FlatRow.Statistic.max, deviation.largestDistance), (.mean, deviation.meanDistance),
    ].compactMap { statistic, value in
      value.map {
        FlatRow(
          id: record.id, metric: metric, phase: nil, statistic: statistic, value: .number($0), unit: "points")
      }
    }
    let items = deviation.missingCount + deviation.extraCount
    return distances + [total(record.id, "deviationItems", .number(Double(items)), unit: "count")]
  }

  private static func times(_ record: BenchmarkRecord) -> [FlatRow] {
    let metric = "frameNanoseconds"
    let raw = "pooledFrameNanoseconds"
    var rows = statistics(record.id, metric, nil, record.frame.aligned, unit: "ns")
    for phase in record.phases {
      rows += statistics(record.id, metric, phase.name, phase.time.aligned, unit: "ns")
    }
    rows += pooled(record.id, raw, nil, record.frame.pooled)
    for phase in record.phases { rows += pooled(record.id, raw, phase.name, phase.time.pooled) }
    return rows
  }

  private static func statistics(
    _ id: BenchmarkID, _ metric: String, _ phase: String?, _ summary: Summary?, unit: String
  ) -> [FlatRow] {
    guard let summary else { return [] }
    return [
      (FlatRow.Statistic.p50, summary.p50), (.p90, summary.p90), (.p99, summary.p99), (.max, summary.max),
      (.mean, summary.mean),
    ].map { FlatRow(id: id, metric: metric, phase: phase, statistic: $0, value: .number($1), unit: unit) }
  }

  private static func pooled(
    _ id: BenchmarkID, _ metric: String, _ phase: String?, _ times: PooledTimes
  ) -> [FlatRow] {
    guard times.sampleCount > 0 else { return [] }
    return [
      (FlatRow.Statistic.p50, times.p50), (.p90, times.p90), (.p99, times.p99), (.max, times.max),
      (.mean, times.mean),
    ].map { FlatRow(id: id, metric: metric, phase: phase, statistic: $0, value: .number($1), unit: "ns") }
  }

  private static func counts(
    _ id: BenchmarkID, _ metric: String, phase: String? = nil, _ series: CountSeries, unit: String = "count"
  ) -> [FlatRow] {
    guard let summary = series.summary else { return [] }
    return statistics(id, metric, phase, summary, unit: unit) + [
      total(id, metric, phase: phase, .number(Double(series.total)), unit: unit)
    ]
  }

  private static func counts(
    _ id: BenchmarkID, _ metric: String, _ instructions: InstructionRecord
  ) -> [FlatRow] {
    counts(id, metric, instructions.frames)
      + instructions.phases.flatMap { counts(id, metric, phase: $0.name, $0.frames) }
  }

  private static func phaseCounts(
    _ record: BenchmarkRecord, _ metric: String, _ part: KeyPath<AllocationSeries, CountSeries>,
    unit: String = "count"
  ) -> [FlatRow] {
    record.phases.flatMap { phase in
      phase.allocations.map {
        counts(record.id, metric, phase: phase.name, $0[keyPath: part], unit: unit)
      } ?? []
    }
  }

  private static func total(
    _ id: BenchmarkID, _ metric: String, phase: String? = nil, _ value: FlatRow.Value, unit: String
  ) -> FlatRow {
    FlatRow(id: id, metric: metric, phase: phase, statistic: .total, value: value, unit: unit)
  }
}
