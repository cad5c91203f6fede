import FrameBench
import TextFormat

/// One figure of one benchmark in the form that scripts read. Scripts rely on the names of fields and metrics.
public struct FlatRow: Sendable, Hashable {
  /// The benchmark, written as `scenario/strategy/size`.
  public let id: BenchmarkID
  /// `frameNanoseconds`, `allocationCount`, `checksum`, …, or the name of a counter of the scenario.
  public let metric: String
  /// The name of the phase. Nil for the whole frame, which is null in JSON.
  public let phase: String?
  /// The statistic of the value. It is `total` for a sum over the frames, and for a single figure of a whole run.
  public let statistic: Statistic
  /// The value in `unit`; text for the checksum only. Written rows have separate columns for numbers and text, `value`
  /// and `text`, so that a table reader finds one type in each.
  public let value: Value
  /// The lower end of the 95% interval, in `unit`. The interval shows how far another measurement of the same program
  /// may differ. Nil for exact figures, and if there were too few runs.
  public var low: Double?
  /// The upper end of the 95% interval, in `unit`.
  public var high: Double?
  /// `ns`, `bytes`, `count`, `items`, `points`, `ms/s`, `items/s`, `bytes/s` or `hex`.
  public let unit: String
  /// The measured commit. Each row contains it, because rows of several runs are often joined. Nil if the run was not
  /// in a git checkout.
  public let commit: String?
  public let machine: String

  /// A statistic over the frames or the runs of a benchmark.
  public enum Statistic: String, Codable, Sendable, Hashable, CaseIterable {
    /// Statistics over the frames of a benchmark.
    case p50, p90, p99, max, mean
    /// The sum of a count over the frames, or a figure of a whole run.
    case total
  }

  /// A number, or text if the metric is not a number.
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

    /// The number; nil for text.
    public var number: Double? { if case .number(let number) = self { number } else { nil } }
    /// The text; nil for a number.
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

  /// The cells of the row in the order of `columns`; nil for absent values. The closures format numbers and text.
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

/// A run as one list of figures for scripts. The time of a frame is the shortest of all runs, except in
/// `pooledFrameNanoseconds`, which comes from the frames of all runs. A figure that was not measured has no row, so a
/// script never mistakes it for 0.
public struct FlatRows: Sendable, Hashable {
  /// The rows, ordered by benchmark as in the document, then metric, phase and statistic. The checksum is the first
  /// metric, because table readers infer the type of a column from its first rows.
  public let rows: [FlatRow]

  public init(_ document: RunDocument) {
    let parts = (document.parts ?? []).flatMap { part in part.benchmarks.map { ($0, part.environment) } }
    let environments = Dictionary(parts) { first, _ in first }
    rows = document.benchmarks.flatMap { record in
      let environment = environments[record.id] ?? document.environment
      return record.figures(in: document).flatMap { $0.rows(record.id, environment) }
    }
  }

  /// Creates the rows of several documents, each with its own commit and options.
  package init(_ documents: [RunDocument]) { rows = documents.flatMap { FlatRows($0).rows } }

  /// A JSON array with one row per line. Every row contains all keys.
  public func json() -> String { JSONText.rows(rows.map(\.json)) }
}

/// The values of one metric of a benchmark in a document.
package struct RecordedFigure: Sendable {
  package let metric: Metric
  /// The phase; nil for the whole frame.
  package let phase: String?
  package let values: Values

  /// Values in the unit of the metric.
  package enum Values: Sendable {
    /// A time for each frame.
    case times(TimeRecord)
    /// A whole number for each frame.
    case counts(CountSeries)
    /// Statistics of times, without the times of single frames.
    case distribution(TimeFigures)
    /// Values of some statistics; never empty. If only one value of the metric is shown or compared, it is the first.
    case figures([(statistic: FlatRow.Statistic, value: Double)])
    case text(String)
  }

  func rows(_ id: BenchmarkID, _ environment: Environment) -> [FlatRow] {
    func row(_ statistic: FlatRow.Statistic, _ value: FlatRow.Value, halfWidth: Double? = nil) -> FlatRow {
      let ends = value.number.flatMap { number in halfWidth.map { (max(0, number - $0), number + $0) } }
      return FlatRow(
        id: id, metric: metric.name, phase: phase, statistic: statistic, value: value, low: ends?.0, high: ends?.1,
        unit: metric.unit.rawValue, commit: environment.commit, machine: environment.machine)
    }
    func rows(_ figures: TimeFigures, _ halfWidths: TimeFigures? = nil) -> [FlatRow] {
      FlatRow.Statistic.allCases.compactMap { statistic in
        figures[statistic].map { row(statistic, .number($0), halfWidth: halfWidths?[statistic]) }
      }
    }
    switch values {
    case .times(let time): return time.aligned.map { rows(TimeFigures($0), time.halfWidths) } ?? []
    case .counts(let series):
      return series.summary.map { rows(TimeFigures($0)) + [row(.total, .number(Double(series.total)))] } ?? []
    case .distribution(let figures): return rows(figures)
    case .figures(let figures): return figures.map { row($0.statistic, .number($0.value)) }
    case .text(let text): return [row(.total, .text(text))]
    }
  }
}

extension BenchmarkRecord {
  /// All measurements, metric by metric. Without a document, figures that depend on the display or on other benchmarks
  /// are left out.
  package func figures(in document: RunDocument?) -> [RecordedFigure] {
    Metric.measured(in: self).flatMap { $0.figures(self, in: document) }
  }
}

extension RunDocument {
  /// The largest list that fits the budget with the benchmark's strategy; 0 if no list fits. Only the benchmark of the
  /// strategy's largest size has this figure. Nil for other sizes, or if no search came to an end.
  func capacity(of id: BenchmarkID) -> Int? {
    guard let own = search(like: id), id.size == largestSize(searchedLike: id) else { return nil }
    return own.itemCount ?? (own.end == .found ? 0 : nil)
  }

  /// The largest size of the benchmark's series. Nil if the largest list that fits the budget was not searched.
  package func largestSize(searchedLike id: BenchmarkID) -> Int? {
    guard search(like: id) != nil else { return nil }
    return benchmarks.lazy.map(\.id).filter { $0.isSameSeries(as: id) }.map(\.size).max()
  }

  private func search(like id: BenchmarkID) -> CapacityRecord? {
    capacities?.first { $0.scenario == id.variant && $0.strategy == id.strategy }
  }
}

/// The name of a figure, spelled with dots as in budgets, histories and options: `frameNanoseconds.solve.p99`.
package struct FigureName: Sendable, Hashable, CustomStringConvertible {
  package var metric: String
  /// The name of the phase, which may contain dots. Nil for the whole frame.
  package var phase: String?
  /// The statistic. Nil means all of them.
  package var statistic: FlatRow.Statistic?

  package init(metric: String, phase: String? = nil, statistic: FlatRow.Statistic? = nil) {
    (self.metric, self.phase, self.statistic) = (metric, phase, statistic)
  }

  /// Parses a name whose parts are separated by dots. Returns nil if a part is empty. The last part may be a statistic.
  /// If the first part is a metric of the harness, everything between it and the statistic is the phase, including
  /// dots. Otherwise everything before the statistic is the name of a counter, including dots.
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
