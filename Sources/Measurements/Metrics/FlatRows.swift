import FrameBench
import TextFormat

/// A run as one list of figures for scripts. Times are those of the aligned frames; `pooledFrameNanoseconds` holds the
/// raw ones. Missing measurements have no row, so a script never mistakes a missing count for 0.
public struct FlatRows: Sendable, Hashable {
  /// By benchmark in the order of the document, then metric, the checksum first because table readers infer the type of
  /// a column from its first rows, then phase, then statistic.
  public let rows: [FlatRow]

  public init(_ document: RunDocument) {
    let parts = (document.parts ?? []).flatMap { part in part.benchmarks.map { ($0, part.environment) } }
    let environments = Dictionary(parts) { first, _ in first }
    rows = document.benchmarks.flatMap { record in
      let environment = environments[record.id] ?? document.environment
      return record.figures(in: document).flatMap { $0.rows(record.id, environment) }
    }
  }

  /// One JSON array, one row per line; every row has all keys.
  public func json() -> String { JSONText.rows(rows.map(\.json)) }
}

/// A document's values of one metric of a benchmark.
package struct RecordedFigure: Sendable {
  package let metric: Metric
  /// Nil for the whole frame.
  package let phase: String?
  package let values: Values

  /// Values in the unit of the metric.
  package enum Values: Sendable {
    /// A time for each frame.
    case times(TimeRecord)
    /// A whole number for each frame.
    case counts(CountSeries)
    /// Figures of a time that are derived from other ones.
    case distribution(TimeFigures)
    /// Single figures, at least one; the first stands for the metric.
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
  /// All measurements, metric by metric; without a document, none that depends on the display or on other benchmarks.
  package func figures(in document: RunDocument?) -> [RecordedFigure] {
    Metric.measured(in: self).flatMap { $0.figures(self, in: document) }
  }
}

extension RunDocument {
  /// The strategy's capacity, at its largest size; nil if it was not searched for, or no list fits.
  func capacity(of id: BenchmarkID) -> Int? {
    guard id.size == benchmarks.lazy.map(\.id).filter({ $0.isSameSeries(as: id) }).map(\.size).max() else { return nil }
    return capacities?.first { $0.scenario == id.variant && $0.strategy == id.strategy }?.itemCount
  }
}
