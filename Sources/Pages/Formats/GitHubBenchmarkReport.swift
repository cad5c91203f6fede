import FrameBench
import Measurements
import TextFormat

extension RunDocument {
  /// JSON for github-action-benchmark's tool `customSmallerIsBetter`: a chart for each name, an alert where
  /// a value grows by more than a factor.
  ///
  /// So it holds only what is better when it is smaller: of frames the p50 and p99 time and the mean of counts, and the
  /// figures of a run. Phases stay out. An array in the order of the document; what was not measured has no entry.
  func githubBenchmark() -> String {
    JSONTree.array(
      benchmarks.flatMap { record in
        record.figures(in: self).filter { $0.phase == nil && $0.metric.direction == .lowerIsBetter }
          .flatMap { entries(record, $0) }
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
    case .figures(let figures):
      return figures.prefix(1).compactMap { entry(record, title, $0.value, unit) }
    case .distribution, .text: return []
    }
  }

  private func entry(
    _ record: BenchmarkRecord, _ name: String, _ value: Double, _ unit: String, halfWidth: Double? = nil
  ) -> JSONTree? {
    guard value.isFinite else { return nil }
    return .object(
      [
        ("name", .string("\(record.id) \(name)")), ("unit", .string(unit)), ("value", .number(value)),
      ] + (halfWidth.map { [("range", .string("± \(JSONText.number($0))"))] } ?? [])
        + [("extra", .string(extra(record)))])
  }

  /// Shown where the pointer rests on a point of the chart: what it takes for two points to compare.
  private func extra(_ record: BenchmarkRecord) -> String {
    [
      "\(record.frame.alignedNanoseconds.count) frames, each the minimum of \(options.runsPhrase([record]))",
      "\(environment.machine), \(environment.toolchain), \(environment.buildConfiguration)",
      "checksum \(record.checksum)",
    ].joined(separator: "\n")
  }
}
