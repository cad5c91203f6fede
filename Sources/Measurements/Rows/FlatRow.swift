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
  /// `total` for a single figure of a whole run.
  public let statistic: Statistic
  /// In `unit`; text for the checksum only. Written rows have separate columns for numbers and text, `value`
  /// and `text`, so that a table reader finds one type in each.
  public let value: Value
  /// The lower end of the 95% interval, in `unit`: how far another measurement of the same program may differ. Nil for
  /// what is exact, and where there were too few runs.
  public let low: Double?
  /// The upper end.
  public let high: Double?
  /// `ns`, `bytes`, `count`, `items`, `points`, `ms/s` or `hex`.
  public let unit: String

  /// Which statistic of a benchmark's frames, or of its runs, the value is.
  public enum Statistic: String, Sendable, Hashable, Codable, CaseIterable {
    /// Over the frames of a benchmark.
    case p50, p90, p99, max, mean
    /// Of a whole run.
    case total
  }

  /// Text if the metric is not a number.
  public enum Value: Sendable, Hashable {
    case number(Double)
    case text(String)
  }

  public init(
    id: BenchmarkID, metric: String, phase: String?, statistic: Statistic, value: Value, low: Double? = nil,
    high: Double? = nil, unit: String
  ) {
    self.id = id
    self.metric = metric
    self.phase = phase
    self.statistic = statistic
    self.value = value
    self.low = low
    self.high = high
    self.unit = unit
  }

  /// - Parameter halfWidth: Half of the interval around a number.
  init(
    _ id: BenchmarkID, _ metric: Metric, phase: String? = nil, statistic: Statistic, _ value: Value,
    halfWidth: Double? = nil
  ) {
    let ends = value.number.flatMap { number in
      halfWidth.map { (max(0, number - $0), number + $0) }
    }
    self.init(
      id: id, metric: metric.name, phase: phase, statistic: statistic, value: value, low: ends?.0,
      high: ends?.1,
      unit: metric.unit.rawValue)
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let value: Value
    if let text = try container.decodeIfPresent(String.self, forKey: .text) {
      value = .text(text)
    } else if let number = try? container.decode(Double.self, forKey: .value) {
      value = .number(number)
    } else {
      // Rows from before text had its own column.
      value = .text(try container.decode(String.self, forKey: .value))
    }
    self.init(
      id: try container.decode(BenchmarkID.self, forKey: .id),
      metric: try container.decode(String.self, forKey: .metric),
      phase: try container.decodeIfPresent(String.self, forKey: .phase),
      statistic: try container.decode(Statistic.self, forKey: .statistic), value: value,
      low: try container.decodeIfPresent(Double.self, forKey: .low),
      high: try container.decodeIfPresent(Double.self, forKey: .high),
      unit: try container.decode(String.self, forKey: .unit))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(metric, forKey: .metric)
    try container.encode(phase, forKey: .phase)
    try container.encode(statistic, forKey: .statistic)
    try container.encode(value.number, forKey: .value)
    try container.encode(unit, forKey: .unit)
    try container.encode(value.text, forKey: .text)
    try container.encode(low, forKey: .low)
    try container.encode(high, forKey: .high)
  }

  private enum CodingKeys: String, CodingKey {
    case id, metric, phase, statistic, value, unit, text, low, high
  }

  /// The row as one line of JSON, keys in the order in which they are documented.
  var json: String {
    JSONText.object([
      ("id", JSONText.string(id.description)), ("metric", JSONText.string(metric)),
      ("phase", phase.map(JSONText.string) ?? "null"), ("statistic", JSONText.string(statistic.rawValue)),
      ("value", value.number.map(JSONText.number) ?? "null"), ("unit", JSONText.string(unit)),
      ("text", value.text.map(JSONText.string) ?? "null"), ("low", low.map(JSONText.number) ?? "null"),
      ("high", high.map(JSONText.number) ?? "null"),
    ])
  }
}

extension FlatRow.Value {
  /// Nil for text.
  public var number: Double? {
    if case .number(let number) = self { number } else { nil }
  }

  /// Nil for a number.
  public var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  /// A number, or a string.
  package var json: String {
    switch self {
    case .number(let number): JSONText.number(number)
    case .text(let text): JSONText.string(text)
    }
  }
}
