import FrameBench
import Measurements
import Statistics
import TextFormat

extension RunDocument {
  /// Returns the run as OpenMetrics text, version 1.0.0, which is also valid in Prometheus' older format. The units are
  /// seconds and bytes. A distribution over frames is a summary: quantiles (type 7 of Hyndman and Fan), `_count` and
  /// `_sum`. The start of the run is a metric of its own, because collectors that read files refuse samples with
  /// timestamps.
  /// - Throws: `RunDocumentError` if the start of the run is not a time.
  package func openMetrics() throws -> String {
    guard let start = UTCTime(iso8601: startedAt) else {
      throw RunDocumentError.invalid(path: "startedAt", reason: "\"\(startedAt)\" is not a time")
    }
    let figures = benchmarks.flatMap { record in record.figures(in: self).map { (record, $0) } }
    var families = runFamilies(start) + rawTimes
    for metric in Metric.all { families += self.families(metric, figures.filter { $0.1.metric == metric }) }
    families += counted(
      "frame_counted", help: "Counters of the scenario, per frame.", figures.filter { !$0.1.metric.isOfHarness })
    return families.filter { !$0.samples.isEmpty }.map { $0.render() }.joined() + "# EOF\n"
  }

  private func labels(_ id: BenchmarkID) -> MetricFamily.Labels {
    [("suite", suite), ("scenario", id.scenario), ("strategy", id.strategy), ("items", String(id.size))]
      + (id.parameters.isEmpty ? [] : [("parameters", id.parameters.map(\.description).joined(separator: "/"))])
  }

  private func labels(_ record: BenchmarkRecord, _ figure: RecordedFigure) -> MetricFamily.Labels {
    labels(record.id) + (figure.phase.map { [("phase", $0)] } ?? [])
      + (figure.metric.isOfHarness ? [] : [("counter", figure.metric.name)])
  }

  private func runFamilies(_ start: UTCTime) -> [MetricFamily] {
    let own = [(name: "suite", value: suite)]
    let failed = Set(failures.map(\.id))
    let measured = allIDs.map { ("", labels($0), failed.contains($0) ? 0 : 1) as MetricFamily.Sample }
    return [
      MetricFamily("run_info", .gauge, help: "The machine and the build that were measured.", [("", facts, 1)]),
      MetricFamily(
        "run_start_timestamp_seconds", .gauge, unit: "seconds", help: "When the run started, Unix time.",
        [("", own, Double(start.unixSeconds))]),
      MetricFamily(
        "run_duration_seconds", .gauge, unit: "seconds", help: "Wall time of the measuring part.",
        [("", own, durationSeconds)]),
      MetricFamily(
        "benchmark_measured", .gauge, help: "1 for a benchmark that was measured, 0 for one that failed.", measured),
    ]
  }

  /// Returns the families of a metric, for whole frames and for phases.
  private func families(_ metric: Metric, _ figures: [(BenchmarkRecord, RecordedFigure)]) -> [MetricFamily] {
    ["frame", "phase"].flatMap { place -> [MetricFamily] in
      let own = figures.filter { ($0.1.phase == nil) == (place == "frame") }
      guard let first = own.first?.1.values else { return [] }
      let label = UniqueNames.slug(metric.label).replacing("-", with: "_").replacing("nanoseconds", with: "seconds")
      let unit = [.bytes: "bytes", .points: "points", .nanoseconds: "seconds"][metric.unit]
      let help = place == "frame" ? metric.meaning : "By phase: \(metric.meaning)"
      let samples = own.flatMap { Self.samples($1, labels($0, $1)) }
      switch first {
      case .times: return [MetricFamily("\(place)_seconds", .summary, unit: "seconds", help: help, samples)]
      case .counts: return counted("\(place)_\(label)", unit: unit, help: help, own)
      case .figures: return [MetricFamily(label, .gauge, unit: unit, help: help, samples)]
      case .text: return [MetricFamily("output_info", .gauge, help: help, samples)]
      case .distribution: return []
      }
    }
  }

  private static func samples(_ figure: RecordedFigure, _ labels: MetricFamily.Labels) -> [MetricFamily.Sample] {
    switch figure.values {
    case .times(let time): MetricFamily.summary(time.aligned, scale: 1e9, labels: labels)
    case .figures(let figures):
      figures.map { statistic, value in
        (
          "", labels + (figures.count > 1 ? [("statistic", statistic.rawValue)] : []),
          figure.metric.unit == .nanoseconds ? value / 1e9 : value
        )
      }
    case .text(let text): [("", labels + [(figure.metric.name, text)], 1)]
    case .counts, .distribution: []
    }
  }

  private var rawTimes: [MetricFamily] {
    let samples = benchmarks.filter { $0.frame.pooled.sampleCount > 0 }.flatMap { record in
      let times = record.frame.pooled
      return MetricFamily.summary(
        [("0.5", times.p50), ("0.9", times.p90), ("0.99", times.p99), ("1", times.max)], count: times.sampleCount,
        mean: times.mean, scale: 1e9, labels: labels(record.id))
    }
    let meaning = Metric.rawFrameTime.meaning
    return [MetricFamily("raw_frame_seconds", .summary, unit: "seconds", help: meaning, samples)]
  }

  /// Returns the families of counts per frame. A count without negative values is a summary. A count with negative
  /// values is a gauge with one sample per statistic, because summaries must not have negative numbers.
  private func counted(
    _ name: String, unit: String? = nil, help: String, _ figures: [(BenchmarkRecord, RecordedFigure)]
  ) -> [MetricFamily] {
    let counters = figures.compactMap { record, figure -> (labels: MetricFamily.Labels, Summary)? in
      guard case .counts(let series) = figure.values, let summary = series.summary else { return nil }
      return (labels(record, figure), summary)
    }
    let positive = counters.filter { $0.1.min >= 0 }.flatMap { MetricFamily.summary($0.1, labels: $0.labels) }
    let signed = counters.filter { $0.1.min < 0 }.flatMap { labels, counts -> [MetricFamily.Sample] in
      [
        ("min", counts.min), ("p50", counts.p50), ("p90", counts.p90), ("p99", counts.p99), ("max", counts.max),
        ("mean", counts.mean),
      ].map { ("", labels + [("statistic", $0.0)], $0.1) }
    }
    return [
      MetricFamily(name, .summary, unit: unit, help: help, positive),
      MetricFamily("\(name)_signed", .gauge, help: "\(help) For counts that fell below 0.", signed),
    ]
  }
}

/// Samples with the same name and meaning, and the lines that declare the name.
package struct MetricFamily {
  /// The types that Prometheus' older text format also has. That format's parser, for example in promtool and the node
  /// exporter, does not know `info`.
  package enum Kind: String { case gauge, summary }

  package typealias Labels = [(name: String, value: String)]
  /// A sample of a family. Its suffix follows the name of the family: `_sum`, `_count`.
  package typealias Sample = (suffix: String, labels: Labels, value: Double)

  private let name: String
  private let type: Kind
  private let unit: String?
  private let help: String
  package let samples: [Sample]

  /// - Parameter unit: The unit, which is declared only if the name ends in it, as OpenMetrics demands.
  package init(_ name: String, _ type: Kind, unit: String? = nil, help: String, _ samples: [Sample]) {
    (self.name, self.type, self.help, self.samples) = ("springbench_\(name)", type, help, samples)
    self.unit = unit.flatMap { name.hasSuffix("_\($0)") ? $0 : nil }
  }

  package func render() -> String {
    let unit = unit.map { ["# UNIT \(name) \($0)"] } ?? []
    let head = ["# TYPE \(name) \(type.rawValue)"] + unit + ["# HELP \(name) \(Self.escape(help))"]
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

  /// Escapes the value of a label or a help text. Help texts must not contain quotes, because OpenMetrics and
  /// Prometheus' older format escape them differently.
  private static func escape(_ text: String) -> String { text.escaped(["\\": "\\\\", "\"": "\\\"", "\n": "\\n"]) }

  /// - Parameter scale: The number by which each value is divided.
  package static func summary(_ quantiles: [(String, Double)], count: Int, mean: Double, scale: Double, labels: Labels)
    -> [Sample]
  {
    quantiles.filter { $0.1.isFinite }.map { ("", labels + [("quantile", $0.0)], $0.1 / scale) } + [
      ("_count", labels, Double(count)), ("_sum", labels, mean * Double(count) / scale),
    ]
  }

  package static func summary(_ values: Summary?, scale: Double = 1, labels: Labels) -> [Sample] {
    guard let values else { return [] }
    let quantiles = [
      ("0", values.min), ("0.5", values.p50), ("0.9", values.p90), ("0.99", values.p99), ("1", values.max),
    ]
    return summary(quantiles, count: values.count, mean: values.mean, scale: scale, labels: labels)
  }
}
