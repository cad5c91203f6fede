import FrameBench
import TextFormat

/// One figure of one benchmark, as scripts read it. The names are an interface.
public struct FlatRow: Sendable, Hashable {
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
  /// The lower end of the 95% interval, in `unit`: how far another measurement of the same program may
  /// differ. Nil for exact figures, and for too few runs.
  public var low: Double?
  /// The upper end.
  public var high: Double?
  /// `ns`, `bytes`, `count`, `items`, `points`, `ms/s` or `hex`.
  public let unit: String
  /// Where it was measured, since rows of several runs are often joined. Nil: not in a git checkout.
  public let commit: String?
  public let machine: String

  /// The value's statistic over a benchmark's frames, or its runs.
  public enum Statistic: String, Sendable, Hashable, CaseIterable {
    /// Statistics over the frames of a benchmark.
    case p50, p90, p99, max, mean
    /// A figure of a whole run.
    case total
  }

  /// Text if the metric is not a number.
  public enum Value: Sendable, Hashable, Codable {
    case number(Double)
    case text(String)

    public init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      let number = try? container.decode(Double.self)
      self = try number.map(Value.number) ?? .text(container.decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .number(let number): try container.encode(number)
      case .text(let text): try container.encode(text)
      }
    }

    /// Nil for text.
    public var number: Double? { if case .number(let number) = self { number } else { nil } }
    /// Nil for a number.
    public var text: String? { if case .text(let text) = self { text } else { nil } }

    package var json: String {
      switch self {
      case .number(let number): JSONText.number(number)
      case .text(let text): JSONText.string(text)
      }
    }
  }

  /// The names of the columns of written rows, in the order in which they are documented.
  package static let columns = [
    "id", "metric", "phase", "statistic", "value", "unit", "text", "low", "high", "scenario", "strategy", "size",
    "commit", "machine",
  ]

  /// The row's columns as a format writes numbers and text, and nil for absent ones.
  package func cells(number: (Double) -> String?, text: (String) -> String) -> [String?] {
    [
      text(id.description), text(metric), phase.map(text), text(statistic.rawValue), value.number.flatMap(number),
      text(unit), value.text.map(text), low.flatMap(number), high.flatMap(number), text(id.scenario), text(id.strategy),
      number(Double(id.size)), commit.map(text), text(machine),
    ]
  }

  package var figure: FigureName { FigureName(metric: metric, phase: phase, statistic: statistic) }

  var json: String {
    let cells = cells(number: JSONText.number, text: JSONText.string)
    return JSONText.object(zip(Self.columns, cells).map { ($0, $1) })
  }
}

/// The dotted spelling of a figure, as budgets, histories and options use it: `frameNanoseconds.solve.p99`.
package struct FigureName: Sendable, Hashable, CustomStringConvertible {
  package var metric: String
  /// Nil for the whole frame. May contain dots.
  package var phase: String?
  /// Nil if all of them are meant.
  package var statistic: FlatRow.Statistic?

  package init(metric: String, phase: String? = nil, statistic: FlatRow.Statistic? = nil) {
    (self.metric, self.phase, self.statistic) = (metric, phase, statistic)
  }

  /// Nil if a part is empty. A statistic at the end is taken as one. Everything between a metric of the harness and the
  /// end is a phase, dots included; the name of a counter, which has no phases, may contain dots, too.
  package init?(_ text: String) {
    var parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.allSatisfy({ !$0.isEmpty }) else { return nil }
    if parts.count > 1, let statistic = FlatRow.Statistic(rawValue: parts[parts.count - 1]) {
      self.statistic = statistic
      parts.removeLast()
    }
    guard Metric.named(parts[0]) != nil else {
      metric = parts.joined(separator: ".")
      return
    }
    metric = parts[0]
    if parts.count > 1 { phase = parts.dropFirst().joined(separator: ".") }
  }

  package var description: String { [metric, phase, statistic?.rawValue].compactMap(\.self).joined(separator: ".") }
}
