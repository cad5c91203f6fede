import FrameBench
import Measurements
import TextFormat

/// OpenMetrics text, version 1.0.0, that is Prometheus' older text too: what Prometheus scrapes, promtool checks
/// and the node exporter reads from a file.
///
/// Base units: seconds and bytes. A distribution over frames is a summary: quantiles by type 7 (0 the
/// least, 1 the greatest), `_count` frames, `_sum` over them. No sample bears a timestamp, which a file
/// collector would refuse; the run's own time is a metric.
package struct OpenMetricsReport: Sendable {
  private let document: RunDocument

  package init(_ document: RunDocument) {
    self.document = document
  }

  /// - Throws: `ReportFormatError.unreadableStart`.
  package func render() throws -> String {
    guard let start = UTCTime(iso8601: document.startedAt) else {
      throw ReportFormatError.unreadableStart(.openmetrics, document.startedAt)
    }
    let families =
      runFamilies(start)
      + benchmarkFamilies.map { family in
        var family = family
        family.samples = document.benchmarks.flatMap { record in
          family.collect(record).map { $0.labelled(labels(record.id)) }
        }
        return family
      }
    return families.filter { !$0.samples.isEmpty }.map { $0.render() }.joined() + "# EOF\n"
  }

  private func labels(_ id: BenchmarkID) -> [(String, String)] {
    [
      ("suite", document.suite), ("scenario", id.scenario), ("strategy", id.strategy),
      ("items", String(id.size)),
    ]
      + (id.parameters.isEmpty
        ? [] : [("parameters", id.parameters.map(\.description).joined(separator: "/"))])
  }

  private func runFamilies(_ start: UTCTime) -> [OpenMetricsFamily] {
    let environment = document.environment
    let facts: [(String, String?)] = [
      ("suite", document.suite), ("machine", environment.machine), ("cpu", environment.cpuModel),
      ("kernel", environment.kernel), ("commit", environment.commit),
      ("dirty", environment.isDirty.map(String.init)), ("toolchain", environment.toolchain),
      ("build", environment.buildConfiguration), ("allocator", environment.allocator),
      ("clock", environment.clock.source),
    ]
    let info = facts.compactMap { name, value in value.map { (name, $0) } }
    let suite = [("suite", document.suite)]
    let failed = Set(document.failures.map(\.id))
    return [
      OpenMetricsFamily(
        name: "springbench_run_info", type: .gauge, help: "The machine and the build that were measured.",
        samples: [.init(labels: info, value: 1)]),
      OpenMetricsFamily(
        name: "springbench_run_start_timestamp_seconds", type: .gauge, unit: "seconds",
        help: "When the run started, Unix time.",
        samples: [.init(labels: suite, value: Double(start.unixSeconds))]),
      OpenMetricsFamily(
        name: "springbench_run_duration_seconds", type: .gauge, unit: "seconds",
        help: "Wall time of the measuring part.",
        samples: [.init(labels: suite, value: document.durationSeconds)]),
      OpenMetricsFamily(
        name: "springbench_benchmark_measured", type: .gauge,
        help: "1 for a benchmark that was measured, 0 for one that failed.",
        samples: document.allIDs.map { .init(labels: labels($0), value: failed.contains($0) ? 0 : 1) }),
    ]
  }

  private var benchmarkFamilies: [OpenMetricsFamily] {
    [
      .init(
        name: "springbench_frame_seconds", type: .summary, unit: "seconds",
        help: "Cost of a frame, each frame the minimum of all runs."
      ) { .summary($0.frame.aligned) },
      .init(
        name: "springbench_raw_frame_seconds", type: .summary, unit: "seconds",
        help: "Cost of a frame over all frames of all runs, noise of the machine included."
      ) { .summary($0.frame.pooled) },
      .init(
        name: "springbench_phase_seconds", type: .summary, unit: "seconds",
        help: "Cost of a phase of a frame, each frame the minimum of all runs."
      ) { record in
        record.phases.flatMap { phase in
          [OpenMetricsFamily.Sample].summary(phase.time.aligned).map { $0.labelled([("phase", phase.name)]) }
        }
      },
      .init(
        name: "springbench_frame_allocations", type: .summary,
        help: "Heap allocations in a frame, on the thread that runs it or on all others."
      ) { byThread($0, \.count) },
      .init(
        name: "springbench_frame_allocated_bytes", type: .summary, unit: "bytes",
        help: "Bytes requested in a frame, on the thread that runs it or on all others."
      ) { byThread($0, \.bytes) },
      .init(
        name: "springbench_frame_counted", type: .summary, help: "What the scenario counted in a frame."
      ) { counters($0, [OpenMetricsFamily.Sample].summary) },
      .init(
        name: "springbench_frame_counted_signed", type: .gauge,
        help: "What the scenario counted in a frame, for counters that fell below 0."
      ) { counters($0, [OpenMetricsFamily.Sample].signed) },
      .init(
        name: "springbench_peak_resident_bytes", type: .gauge, unit: "bytes",
        help: "Peak resident set of a run's process, minimum over runs."
      ) { .gauge($0.memory.peakResidentBytes) },
      .init(
        name: "springbench_live_heap_bytes", type: .gauge, unit: "bytes",
        help: "What the run's state holds on the heap after the last frame."
      ) { .gauge($0.memory.liveHeapBytes) },
      .init(
        name: "springbench_largest_deviation_points", type: .gauge, unit: "points",
        help: "Largest distance between an item and where the reference strategy shows it."
      ) { $0.deviation?.largestDistance.map { [.init(value: $0)] } ?? [] },
      .init(
        name: "springbench_deviating_items", type: .gauge,
        help: "Items that only this or only the reference strategy shows, summed over frames."
      ) { .gauge($0.deviation.map { $0.missingCount + $0.extraCount }) },
      .init(
        name: "springbench_output_info", type: .gauge, help: "Checksum of what the frames made visible."
      ) { [.init(labels: [("checksum", $0.checksum)], value: 1)] },
    ]
  }

  private func counters(
    _ record: BenchmarkRecord, _ samples: (CountSeries?) -> [OpenMetricsFamily.Sample]
  ) -> [OpenMetricsFamily.Sample] {
    [record].counterNames.flatMap { name in
      samples(record.counters[name]).map { $0.labelled([("counter", name)]) }
    }
  }

  private func byThread(
    _ record: BenchmarkRecord, _ part: KeyPath<AllocationSeries, CountSeries>
  ) -> [OpenMetricsFamily.Sample] {
    guard let allocations = record.allocations else { return [] }
    return [("frame", allocations.frameThread), ("other", allocations.otherThreads)].flatMap {
      thread, series in
      [OpenMetricsFamily.Sample].summary(series[keyPath: part]).map { $0.labelled([("thread", thread)]) }
    }
  }
}
