import FrameBench
import TextFormat

/// One figure of one benchmark, as scripts read it. The names are an interface.
public struct FlatRow: Sendable, Hashable, Codable {
  /// Written as `scenario/strategy/size`.
  public let id: BenchmarkID
  /// `frameNanoseconds`, `allocationCount`, `checksum`, …, or the name of a counter of the scenario.
  public let metric: String
  /// Nil for the whole frame, and then null in JSON.
  public let phase: String?
  /// `total` for what is one figure of a whole run.
  public let statistic: Statistic
  /// In `unit`; text for the checksum only.
  public let value: Value
  /// `ns`, `bytes`, `count`, `items`, `points`, `ms/s` or `hex`.
  public let unit: String

  /// What of a benchmark's frames, or of its runs, the value is.
  public enum Statistic: String, Sendable, Hashable, Codable, CaseIterable {
    /// Over the frames of a benchmark.
    case p50, p90, p99, max, mean
    /// Of a whole run.
    case total
  }

  /// A JSON number, or a string where the metric is no number.
  public enum Value: Sendable, Hashable {
    case number(Double)
    case text(String)
  }

  public init(
    id: BenchmarkID, metric: String, phase: String?, statistic: Statistic, value: Value, unit: String
  ) {
    self.id = id
    self.metric = metric
    self.phase = phase
    self.statistic = statistic
    self.value = value
    self.unit = unit
  }

  /// Written by hand: a synthesized conformance leaves the key of a nil phase out.
  init(_ id: BenchmarkID, _ metric: Metric, phase: String? = nil, statistic: Statistic, _ value: Value) {
    self.init(
      id: id, metric: metric.name, phase: phase, statistic: statistic, value: value,
      unit: metric.unit.rawValue)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(metric, forKey: .metric)
    try container.encode(phase, forKey: .phase)
    try container.encode(statistic, forKey: .statistic)
    try container.encode(value, forKey: .value)
    try container.encode(unit, forKey: .unit)
  }

  /// The row as one line of JSON, keys in the order in which they are documented.
  var json: String {
    JSONText.object([
      ("id", JSONText.string(id.description)), ("metric", JSONText.string(metric)),
      ("phase", phase.map(JSONText.string) ?? "null"), ("statistic", JSONText.string(statistic.rawValue)),
      ("value", value.json), ("unit", JSONText.string(unit)),
    ])
  }
}

extension FlatRow.Value: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else {
      self = .text(try container.decode(String.self))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .number(let number): try container.encode(number)
    case .text(let text): try container.encode(text)
    }
  }

  package var json: String {
    switch self {
    case .number(let number): JSONText.number(number)
    case .text(let text): JSONText.string(text)
    }
  }
}
