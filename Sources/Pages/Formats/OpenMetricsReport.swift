import FrameBench
import Measurements
import Statistics
import TextFormat

extension RunDocument {
  /// OpenMetrics text, version 1.0.0, that is also valid in Prometheus' older format: for scraping by
  /// Prometheus, for promtool, and for the node exporter's text files.
  ///
  /// Base units: seconds and bytes. A distribution over frames is a summary: quantiles by type 7 (0 the
  /// minimum, 1 the maximum), `_count` frames, `_sum` over them. Samples have no timestamp, which a file
  /// collector would refuse; the run's own time is a metric.
  ///
  /// - Throws: `ReportFormatError.unreadableStart`.
  func openMetrics() throws -> String {
    guard let start = UTCTime(iso8601: startedAt) else {
      throw ReportFormatError.unreadableStart(.openmetrics, startedAt)
    }
    let figures = benchmarks.map { ($0, $0.figures(in: self)) }
    func all(where isSought: (Metric) -> Bool) -> [(BenchmarkRecord, RecordedFigure)] {
      figures.flatMap { record, own in own.filter { isSought($0.metric) }.map { (record, $0) } }
    }
    var families = runFamilies(start) + rawTimes
    for metric in Metric.all { families += self.families(metric, all { $0 == metric }) }
    families += counted(all { !$0.isOfHarness })
    return families.filter { !$0.samples.isEmpty }.map { $0.render() }.joined() + "# EOF\n"
  }

  private func labels(_ id: BenchmarkID) -> [(name: String, value: String)] {
    [("suite", suite), ("scenario", id.scenario), ("strategy", id.strategy), ("items", String(id.size))]
      + (id.parameters.isEmpty ? [] : [("parameters", id.parameters.map(\.description).joined(separator: "/"))])
  }

  private func runFamilies(_ start: UTCTime) -> [OpenMetricsFamily] {
    let own = [(name: "suite", value: suite)]
    let failed = Set(failures.map(\.id))
    return [
      OpenMetricsFamily(
        name: "springbench_run_info", type: .gauge, help: "The machine and the build that were measured.",
        samples: [("", facts, 1)]),
      OpenMetricsFamily(
        name: "springbench_run_start_timestamp_seconds", type: .gauge, unit: "seconds",
        help: "When the run started, Unix time.", samples: [("", own, Double(start.unixSeconds))]),
      OpenMetricsFamily(
        name: "springbench_run_duration_seconds", type: .gauge, unit: "seconds",
        help: "Wall time of the measuring part.", samples: [("", own, durationSeconds)]),
      OpenMetricsFamily(
        name: "springbench_benchmark_measured", type: .gauge,
        help: "1 for a benchmark that was measured, 0 for one that failed.",
        samples: allIDs.map { ("", labels($0), failed.contains($0) ? 0 : 1) }),
    ]
  }

  /// Families of the frame and of phases. Names end in the unit.
  private func families(_ metric: Metric, _ figures: [(BenchmarkRecord, RecordedFigure)]) -> [OpenMetricsFamily] {
    ["frame", "phase"].compactMap { place in
      let own = figures.filter { ($0.1.phase == nil) == (place == "frame") }
      guard let first = own.first?.1.values else { return nil }
      let label = UniqueNames.slug(metric.label).replacing("-", with: "_").replacing("nanoseconds", with: "seconds")
      let unit = [.bytes: "bytes", .points: "points", .nanoseconds: "seconds"][metric.unit]
      let family: (name: String, type: OpenMetricsFamily.Kind, unit: String?)
      switch first {
      case .times: family = ("\(place)_seconds", .summary, "seconds")
      case .counts: family = ("\(place)_\(label)", .summary, unit)
      case .figures: family = (label, .gauge, unit)
      case .text: family = ("output_info", .gauge, nil)
      case .distribution: return nil
      }
      return OpenMetricsFamily(
        name: "springbench_\(family.name)", type: family.type, unit: family.unit,
        help: place == "frame" ? metric.meaning : "By phase: \(metric.meaning)",
        samples: own.flatMap { Self.samples($1, labels($0.id) + ($1.phase.map { [("phase", $0)] } ?? [])) })
    }
  }

  private static func samples(_ figure: RecordedFigure, _ labels: [(name: String, value: String)]) -> [OpenMetricsFamily
    .Sample]
  {
    switch figure.values {
    case .times(let time): OpenMetricsFamily.summary(time.aligned, scale: 1e9, labels: labels)
    case .counts(let series): OpenMetricsFamily.summary(series.summary, labels: labels)
    case .figures(let figures):
      figures.map { statistic, value in
        (
          "", labels + (figures.count > 1 ? [("statistic", statistic.rawValue)] : []),
          figure.metric.unit == .nanoseconds ? value / 1e9 : value
        )
      }
    case .text(let text): [("", labels + [(figure.metric.name, text)], 1)]
    case .distribution: []
    }
  }

  private var rawTimes: [OpenMetricsFamily] {
    [
      OpenMetricsFamily(
        name: "springbench_raw_frame_seconds", type: .summary, unit: "seconds", help: Metric.rawFrameTime.meaning,
        samples: benchmarks.filter { $0.frame.pooled.sampleCount > 0 }.flatMap { record in
          let times = record.frame.pooled
          return OpenMetricsFamily.summary(
            [("0.5", times.p50), ("0.9", times.p90), ("0.99", times.p99), ("1", times.max)].map { ($0.0, $0.1 / 1e9) },
            count: times.sampleCount, sum: times.mean * Double(times.sampleCount) / 1e9, labels: labels(record.id))
        })
    ]
  }

  /// Quantiles and sums of a summary must not be negative, so counters that are have one sample per
  /// statistic.
  private func counted(_ figures: [(BenchmarkRecord, RecordedFigure)]) -> [OpenMetricsFamily] {
    let counters = figures.compactMap { record, figure -> (labels: [(name: String, value: String)], Summary)? in
      guard case .counts(let series) = figure.values, let summary = series.summary else { return nil }
      return (labels(record.id) + [("counter", figure.metric.name)], summary)
    }
    return [
      OpenMetricsFamily(
        name: "springbench_frame_counted", type: .summary, help: "Counters of the scenario, per frame.",
        samples: counters.filter { $0.1.min >= 0 }.flatMap { OpenMetricsFamily.summary($0.1, labels: $0.labels) }),
      OpenMetricsFamily(
        name: "springbench_frame_counted_signed", type: .gauge,
        help: "Counters of the scenario that fell below 0, per frame.",
        samples: counters.filter { $0.1.min < 0 }.flatMap { labels, counts in
          [
            ("min", counts.min), ("p50", counts.p50), ("p90", counts.p90), ("p99", counts.p99), ("max", counts.max),
            ("mean", counts.mean),
          ].map { ("", labels + [("statistic", $0.0)], $0.1) }
        }),
    ]
  }
}

/// Samples of one name and meaning, with the lines that declare them.
struct OpenMetricsFamily {
  /// The types that both OpenMetrics and Prometheus' older text have: its parser, which promtool and the node
  /// exporter use, knows no `info`.
  enum Kind: String { case gauge, summary }

  /// The suffix follows the family's name: `_sum`, `_count`.
  typealias Sample = (suffix: String, labels: [(name: String, value: String)], value: Double)

  /// Ends in the unit, if there is one.
  let name: String
  let type: Kind
  var unit: String?
  let help: String
  let samples: [Sample]

  func render() -> String {
    let head =
      ["# TYPE \(name) \(type.rawValue)"] + (unit.map { ["# UNIT \(name) \($0)"] } ?? []) + [
        "# HELP \(name) \(Self.escape(help))"
      ]
    let lines = samples.map { sample in
      let labels = sample.labels.map { "\($0.name)=\"\(Self.escape($0.value))\"" }.joined(separator: ",")
      return "\(name)\(sample.suffix){\(labels)} \(Self.number(sample.value))"
    }
    return (head + lines).map { $0 + "\n" }.joined()
  }

  private static func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    return value.isInfinite ? (value < 0 ? "-Inf" : "+Inf") : JSONText.number(value)
  }

  /// Escapes a label's value. Help texts have no quotes, which the two formats escape differently.
  private static func escape(_ text: String) -> String { text.escaped(["\\": "\\\\", "\"": "\\\"", "\n": "\\n"]) }

  static func summary(_ quantiles: [(String, Double)], count: Int, sum: Double, labels: [(name: String, value: String)])
    -> [Sample]
  {
    quantiles.filter { $0.1.isFinite }.map { ("", labels + [("quantile", $0.0)], $0.1) } + [
      ("_count", labels, Double(count)), ("_sum", labels, sum),
    ]
  }

  /// - Parameter scale: Divisor of each value.
  static func summary(_ values: Summary?, scale: Double = 1, labels: [(name: String, value: String)]) -> [Sample] {
    guard let values else { return [] }
    let quantiles = [
      ("0", values.min), ("0.5", values.p50), ("0.9", values.p90), ("0.99", values.p99), ("1", values.max),
    ].map { ($0.0, $0.1 / scale) }
    return summary(quantiles, count: values.count, sum: values.mean * Double(values.count) / scale, labels: labels)
  }
}
