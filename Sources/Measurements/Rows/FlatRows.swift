import FrameBench
import Statistics
import TextFormat

/// A run as one list of figures for scripts, each with a benchmark, a metric, a phase and a statistic.
///
/// Times are those of the aligned frames; `pooledFrameNanoseconds` holds the raw ones. What was not measured
/// has no row, so a script never mistakes a missing count for 0.
public struct FlatRows: Sendable, Hashable {
  /// By benchmark in the order of the document, then metric, the checksum first, then phase, then statistic.
  public let rows: [FlatRow]

  public init(_ document: RunDocument) {
    rows = document.benchmarks.flatMap { record in
      Self.rows(of: record, document.options) + Self.capacityRows(record.id, document)
    }
  }

  /// One JSON array, one row per line; every row has all seven keys.
  public func json() -> String { JSONText.rows(rows.map(\.json)) }

  private static func rows(of record: BenchmarkRecord, _ options: RunOptions) -> [FlatRow] {
    // First, because table readers infer the type of a column from its first rows.
    var rows = [FlatRow(record.id, .checksum, statistic: .total, .text(record.checksum))]
    rows += times(record) + budgetRows(record, options)
    if let allocations = record.allocations {
      rows += counts(record.id, .allocationCount, allocations.frameThread.count)
      rows += phaseCounts(record, .allocationCount, \.count)
      rows += counts(record.id, .allocatedBytes, allocations.frameThread.bytes)
      rows += phaseCounts(record, .allocatedBytes, \.bytes)
      rows += counts(record.id, .otherThreadAllocationCount, allocations.otherThreads.count)
      rows += counts(record.id, .otherThreadAllocatedBytes, allocations.otherThreads.bytes)
    }
    rows += instructions(record.id, .instructionCount, record.instructions)
    rows += instructions(record.id, .hardwareInstructionCount, record.hardwareInstructions)
    for name in [record].counterNames {
      let metric = Metric.named(name, declared: record.counterKinds)
      rows += record.counters[name].map { counts(record.id, metric, $0) } ?? []
    }
    let memory = [
      (Metric.peakResidentBytes, record.memory.peakResidentBytes),
      (.liveHeapBytes, record.memory.liveHeapBytes),
    ]
    for case (let metric, let bytes?) in memory {
      rows.append(FlatRow(record.id, metric, statistic: .total, .number(Double(bytes))))
    }
    return rows + deviations(record) + throughput(record)
  }

  private static func deviations(_ record: BenchmarkRecord) -> [FlatRow] {
    guard let deviation = record.deviation else { return [] }
    let distances = [
      (FlatRow.Statistic.max, deviation.largestDistance), (.mean, deviation.meanDistance),
    ].compactMap { statistic, value in
      value.map { FlatRow(record.id, .deviationPoints, statistic: statistic, .number($0)) }
    }
    let items = deviation.missingCount + deviation.extraCount
    return distances + [FlatRow(record.id, .deviationItems, statistic: .total, .number(Double(items)))]
  }

  /// Of the median call.
  private static func throughput(_ record: BenchmarkRecord) -> [FlatRow] {
    guard let throughput = record.throughput, let rate = record.ratePerSecond else { return [] }
    let metric =
      switch throughput.unit {
      case .items: Metric.itemsPerSecond
      case .bytes: Metric.bytesPerSecond
      }
    return [FlatRow(record.id, metric, statistic: .p50, .number(rate.rounded()))]
  }

  private static func times(_ record: BenchmarkRecord) -> [FlatRow] {
    let aligned = [(nil, record.frame)] + record.phases.map { ($0.name, $0.time) }
    return aligned.flatMap { phase, time in
      time.aligned.map { statistics(record.id, .frameTime, phase, $0, time.halfWidths) } ?? []
    }
      + aligned.flatMap { phase, time in raw(record.id, phase, time.pooled) }
  }

  private static func statistics(
    _ id: BenchmarkID, _ metric: Metric, _ phase: String?, _ summary: Summary,
    _ halfWidths: TimeFigures? = nil
  ) -> [FlatRow] {
    FlatRow.Statistic.allCases.compactMap { statistic in
      summary[statistic].map {
        FlatRow(
          id, metric, phase: phase, statistic: statistic, .number($0), halfWidth: halfWidths?[statistic])
      }
    }
  }

  private static func raw(_ id: BenchmarkID, _ phase: String?, _ times: PooledTimes) -> [FlatRow] {
    guard times.sampleCount > 0 else { return [] }
    return [
      (FlatRow.Statistic.p50, times.p50), (.p90, times.p90), (.p99, times.p99), (.max, times.max),
      (.mean, times.mean),
    ].map { FlatRow(id, .rawFrameTime, phase: phase, statistic: $0, .number($1)) }
  }

  private static func counts(
    _ id: BenchmarkID, _ metric: Metric, phase: String? = nil, _ series: CountSeries
  ) -> [FlatRow] {
    guard let summary = series.summary else { return [] }
    return statistics(id, metric, phase, summary)
      + [FlatRow(id, metric, phase: phase, statistic: .total, .number(Double(series.total)))]
  }

  private static func instructions(
    _ id: BenchmarkID, _ metric: Metric, _ record: InstructionRecord?
  ) -> [FlatRow] {
    guard let record else { return [] }
    return counts(id, metric, record.frames)
      + record.phases.flatMap { counts(id, metric, phase: $0.name, $0.frames) }
  }

  private static func phaseCounts(
    _ record: BenchmarkRecord, _ metric: Metric, _ part: KeyPath<AllocationSeries, CountSeries>
  ) -> [FlatRow] {
    record.phases.flatMap { phase in
      phase.allocations.map { counts(record.id, metric, phase: phase.name, $0[keyPath: part]) } ?? []
    }
  }
}
