import FrameBench
import Measurements
import TextFormat

extension RunDocument {
  /// JSON for github-action-benchmark's tool `customSmallerIsBetter`: a chart for each name, an alert if a
  /// value grows by more than a factor.
  ///
  /// So it holds only figures for which smaller is better: the p50 and p99 of frame times, the mean of
  /// counts, and the figures of a run. Phases are left out. An array in the order of the document; missing
  /// measurements have no entry.
  func githubBenchmark() -> String {
    JSONTree.array(
      benchmarks.flatMap { record in
        record.figures(in: self).filter { $0.phase == nil && $0.metric.direction == .lowerIsBetter }.flatMap {
          entries(record, $0)
        }
      }
    ).render()
  }

  private func entries(_ record: BenchmarkRecord, _ figure: RecordedFigure) -> [JSONTree] {
    let (title, unit) = (figure.metric.title, figure.metric.unit.rawValue)
    switch figure.values {
    case .times(let time):
      return [FlatRow.Statistic.p50, .p99].compactMap { statistic in
        time.timing(statistic).flatMap {
          entry(record, "frame \(statistic.rawValue)", $0.nanoseconds, unit, halfWidth: $0.halfWidth)
        }
      }
    case .counts(let series):
      return [series.mean.flatMap { entry(record, title, $0, "\(unit)/frame") }].compactMap(\.self)
    case .figures(let figures): return figures.prefix(1).compactMap { entry(record, title, $0.value, unit) }
    case .distribution, .text: return []
    }
  }

  private func entry(
    _ record: BenchmarkRecord, _ name: String, _ value: Double, _ unit: String, halfWidth: Double? = nil
  ) -> JSONTree? {
    guard value.isFinite else { return nil }
    return .object(
      [("name", .string("\(record.id) \(name)")), ("unit", .string(unit)), ("value", .number(value))]
        + (halfWidth.map { [("range", .string("± \(JSONText.number($0))"))] } ?? []) + [
          ("extra", .string(extra(record)))
        ])
  }

  /// The tooltip of a point of the chart: the conditions for comparing two points.
  private func extra(_ record: BenchmarkRecord) -> String {
    [
      "\(record.frame.alignedNanoseconds.count) frames, each the minimum of \(options.runsPhrase([record]))",
      "\(environment.machine), \(environment.toolchain), \(environment.buildConfiguration)",
      "checksum \(record.checksum)",
    ].joined(separator: "\n")
  }
}
