import FrameBench
import Measurements
import Statistics
import TextFormat

/// Samples of one name and meaning, with the lines that declare them.
struct OpenMetricsFamily {
  /// The types that both OpenMetrics and Prometheus' older text have: its parser, which promtool and the node
  /// exporter use, knows no `info`.
  enum Kind: String {
    case gauge, summary
  }

  struct Sample {
    /// Behind the family's name: `_sum`, `_count`.
    var suffix = ""
    var labels: [(name: String, value: String)] = []
    var value: Double

    /// With further labels before its own.
    func labelled(_ labels: [(String, String)]) -> Sample {
      Sample(suffix: suffix, labels: labels.map { ($0.0, $0.1) } + self.labels, value: value)
    }
  }

  /// Ends in the unit, where there is one.
  let name: String
  let type: Kind
  let unit: String?
  let help: String
  /// The samples of a benchmark, without the labels that say which.
  let collect: (BenchmarkRecord) -> [Sample]
  var samples: [Sample]

  init(
    name: String, type: Kind, unit: String? = nil, help: String, samples: [Sample] = [],
    collect: @escaping (BenchmarkRecord) -> [Sample] = { _ in [] }
  ) {
    precondition(unit.map { name.hasSuffix("_\($0)") } ?? true, "\(name) does not end in its unit")
    self.name = name
    self.type = type
    self.unit = unit
    self.help = help
    self.samples = samples
    self.collect = collect
  }

  func render() -> String {
    let head =
      ["# TYPE \(name) \(type.rawValue)"] + (unit.map { ["# UNIT \(name) \($0)"] } ?? [])
      + ["# HELP \(name) \(Self.escape(help))"]
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

  /// Of a label's value. No help holds a quote, of which the two texts think differently.
  private static func escape(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\\\"
      case "\"": escaped += "\\\""
      case "\n": escaped += "\\n"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}

extension [OpenMetricsFamily.Sample] {
  /// From nanoseconds to seconds.
  static func summary(_ times: Summary?) -> Self {
    guard let times else { return [] }
    return summary(
      [
        ("0", times.min), ("0.5", times.p50), ("0.9", times.p90), ("0.99", times.p99), ("1", times.max),
      ].map { ($0.0, $0.1 / 1e9) }, count: times.count, sum: times.mean * Double(times.count) / 1e9)
  }

  /// From nanoseconds to seconds.
  static func summary(_ times: PooledTimes) -> Self {
    guard times.sampleCount > 0 else { return [] }
    return summary(
      [("0.5", times.p50), ("0.9", times.p90), ("0.99", times.p99), ("1", times.max)]
        .map { ($0.0, $0.1 / 1e9) }, count: times.sampleCount,
      sum: times.mean * Double(times.sampleCount) / 1e9)
  }

  /// Empty for counts below 0, which quantiles and sums of a summary must not be.
  static func summary(_ series: CountSeries?) -> Self {
    guard let series, let counts = series.summary, counts.min >= 0 else { return [] }
    return summary(
      [
        ("0", counts.min), ("0.5", counts.p50), ("0.9", counts.p90), ("0.99", counts.p99),
        ("1", counts.max),
      ], count: counts.count, sum: Double(series.total))
  }

  /// Counts of which some are below 0, one sample a statistic.
  static func signed(_ series: CountSeries?) -> Self {
    guard let counts = series?.summary, counts.min < 0 else { return [] }
    return [
      ("min", counts.min), ("p50", counts.p50), ("p90", counts.p90), ("p99", counts.p99), ("max", counts.max),
      ("mean", counts.mean),
    ].map { .init(labels: [("statistic", $0.0)], value: $0.1) }
  }

  static func gauge(_ value: Int?) -> Self { value.map { [.init(value: Double($0))] } ?? [] }

  private static func summary(_ quantiles: [(String, Double)], count: Int, sum: Double) -> Self {
    quantiles.filter { $0.1.isFinite }.map { .init(labels: [("quantile", $0.0)], value: $0.1) } + [
      .init(suffix: "_count", value: Double(count)), .init(suffix: "_sum", value: sum),
    ]
  }
}
