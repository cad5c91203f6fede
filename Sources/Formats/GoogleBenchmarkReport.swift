import Measurements
import TextFormat

extension RunDocument {
  /// Returns the run as JSON in the format of Google's Benchmark library for C++ (`--benchmark_format=json`). Each run
  /// is a repetition, whose time is the run's median frame. So `compare.py` can test whether the runs of two documents
  /// differ. Aggregates are computed from aligned times (the shortest time of each frame in any run). If the document
  /// lacks figures of single runs, the aligned median is the only repetition. Phases are left out.
  package func googleBenchmark() -> String {
    let context: JSONMembers =
      [
        ("date", .string(startedAt)), ("host_name", .string(environment.machine)),
        ("num_cpus", .number(Double(environment.coreCount))),
        ("library_build_type", .string(environment.buildConfiguration)), ("json_schema_version", .number(1)),
      ] + facts.map { ($0.name, .string($0.value)) }
    var names = UniqueNames(taken: Set(Self.keys + Metric.all.map(Self.name)), separator: "_") { $0 }
    let list = benchmarks.flatMap { entries($0, &names) }
    return JSONTree.object([("context", .object(context)), ("benchmarks", .array(list))]).render()
  }

  /// The keys of the format, which counters of a scenario must not use.
  private static let keys = [
    "name", "run_name", "run_type", "repetitions", "repetition_index", "threads", "iterations", "real_time", "cpu_time",
    "time_unit", "label",
  ]

  private func entries(_ record: BenchmarkRecord, _ names: inout UniqueNames) -> [JSONTree] {
    guard let aligned = record.frame.aligned, aligned.mean.isFinite else { return [] }
    let counters = record.figures(in: self).filter { $0.phase == nil }.compactMap { Self.counter($0, &names) }
    let runs = record.frame.runs?.map(\.p50) ?? [aligned.p50]
    func entry(_ kind: String, _ suffix: String, _ time: Double, _ more: JSONMembers) -> JSONTree {
      .object(
        [
          ("name", .string(record.id.description + suffix)), ("run_name", .string(record.id.description)),
          ("run_type", .string(kind)), ("repetitions", .number(Double(runs.count))), ("threads", .number(1)),
          ("iterations", .number(Double(aligned.count))), ("real_time", .number(time)),
          // The format requires this key. A frame runs on one core and does not wait, so both times are the same.
          ("cpu_time", .number(time)), ("time_unit", .string("ns")),
        ] + more)
    }
    let label = ("label", JSONTree.string("checksum \(record.checksum)"))
    return runs.enumerated().map { index, time in
      entry("iteration", "", time, [("repetition_index", .number(Double(index))), label] + counters)
    }
      + [
        ("mean", aligned.mean), ("median", aligned.p50), ("p90", aligned.p90), ("p99", aligned.p99),
        ("max", aligned.max),
      ].map { name, time in
        entry("aggregate", "_\(name)", time, [("aggregate_name", .string(name)), ("aggregate_unit", .string("time"))])
      }
  }

  private static func counter(_ figure: RecordedFigure, _ names: inout UniqueNames) -> (key: String, value: JSONTree)? {
    guard let value = figure.single else { return nil }
    return (figure.metric.isOfHarness ? name(figure.metric) : names(figure.metric.name), .number(value))
  }

  /// Returns the key of a metric: the library's own key for such values if it has one, otherwise the metric's label.
  private static func name(_ metric: Metric) -> String {
    let own: [Metric: String] = [
      .allocationCount: "allocs_per_iter", .itemsPerSecond: "items_per_second", .bytesPerSecond: "bytes_per_second",
    ]
    return own[metric] ?? metric.label
  }
}
